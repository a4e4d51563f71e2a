"""Score the embedded planner on the sentences of datasets/planner_round1.jsonl.

    python -m evals.planner [FILE]

Prints the share of sentences that lead to exactly the right calls, by language and by tool, and
every miss. Ends with 1 when a language is below the goal.
"""

import argparse
import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langsmith import tracing_context

from evals.scoring import Call, same
from tools.catalog import SUPERSET
from tools.intent import EnvironmentName
from tools.models import EmbeddedPlanner

DATASET = Path(__file__).parent / "datasets" / "planner_round1.jsonl"
GOAL = 0.9


@dataclass(frozen=True)
class Example:
    """A sentence and the calls it should lead to, as LangSmith keeps examples.

    Attributes:
        id: A UUID.
        inputs: `text`, `language`, `environments` (id, title, stage each), and where there are
            any `page` (as on the wire) and `before`: earlier turns (`text`, `call`, `result`).
        outputs: `calls`: name and arguments each; none where nothing is to be called. `or`: other
            lists of calls that are right, too.
    """

    id: str
    inputs: Mapping[str, Any]
    outputs: Mapping[str, Any]

    @property
    def language(self) -> str:
        """The language of the sentence, ru or en."""
        return str(self.inputs["language"])

    @property
    def tool(self) -> str:
        """The first tool that is expected; "-" for none."""
        calls = self.outputs["calls"]
        return str(calls[0]["name"]) if calls else "-"


@dataclass(frozen=True)
class Score:
    """What became of an example."""

    example: Example
    calls: tuple[Call, ...]
    right: bool


def read(path: Path) -> list[Example]:
    """The examples of a file, one JSON object a line."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return [Example(row["id"], row["inputs"], row["outputs"]) for row in rows]


async def score(example: Example) -> Score:
    """Ask the planner, and compare; nothing leaves this machine, wherever the shell sends traces.

    A planner that fails raises: its silence would be right where no call is.
    """
    with tracing_context(enabled=False):
        called = await _called(example)
    lists = [example.outputs["calls"], *example.outputs.get("or", [])]
    right = [await same([(c["name"], c["args"]) for c in calls], called) for calls in lists]
    return Score(example, tuple(called), any(right))


async def _called(example: Example) -> list[Call]:
    inputs = example.inputs
    names = tuple(
        EnvironmentName(item["id"], item["title"], item["stage"]) for item in inputs["environments"]
    )
    planner = EmbeddedPlanner(environments=names)
    model = planner.bind_tools([item.tool for item in SUPERSET.definitions.values()])
    facts = {key: inputs.get(key) for key in ("language", "page")} | {"user_text": inputs["text"]}
    messages = [SystemMessage("", additional_kwargs={"pilothouse": facts})]
    for number, turn in enumerate(inputs.get("before", [])):
        messages += _earlier(number, turn)
    answer = await model.ainvoke([*messages, HumanMessage(inputs["text"])])
    return [(call["name"], call["args"]) for call in answer.tool_calls]


def _earlier(number: int, turn: Mapping[str, Any]) -> list[Any]:
    """The messages of an earlier turn: what was said, called, found and answered."""
    call = {**turn["call"], "id": f"before{number}"}
    content = json.dumps(turn["result"], ensure_ascii=False)
    artifact = turn.get("artifact", {"kind": "result"})
    return [
        HumanMessage(turn["text"]),
        AIMessage("", tool_calls=[call]),
        ToolMessage(content, tool_call_id=call["id"], name=call["name"], artifact=artifact),
        AIMessage("."),
    ]


def report(scores: Sequence[Score]) -> tuple[str, dict[str, float]]:
    """The tables and the misses as text, and the share of right ones of each language."""
    groups: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for item in scores:
        groups[item.example.language, "all"].append(item.right)
        groups[item.example.language, item.example.tool].append(item.right)
    lines = [f"{'language':9}{'tool':28}{'right':>6}{'of':>6}{'share':>8}"]
    for (language, tool), right in sorted(groups.items()):
        share = sum(right) / len(right)
        lines.append(f"{language:9}{tool:28}{sum(right):6}{len(right):6}{share:8.3f}")
    for item in scores:
        if not item.right:
            expected = [(call["name"], call["args"]) for call in item.example.outputs["calls"]]
            lines += ["", f"miss ({item.example.language}): {item.example.inputs['text']!r}"]
            lines += [f"  expected {expected}", f"  called   {list(item.calls)}"]
    shares = {
        language: sum(right) / len(right)
        for (language, tool), right in groups.items()
        if tool == "all"
    }
    return "\n".join(lines), shares


async def main(arguments: Sequence[str]) -> int:
    """Score a file; 0 when each language reaches the goal."""
    parser = argparse.ArgumentParser(prog="python -m evals.planner", description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=DATASET)
    path = parser.parse_args(arguments).file
    examples = await asyncio.to_thread(read, path)
    words, shares = report([await score(example) for example in examples])
    print(words)
    return 0 if shares and min(shares.values()) >= GOAL else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
