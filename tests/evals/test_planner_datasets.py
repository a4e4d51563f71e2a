"""The planner on the sentences that it was made with, and on those it had never seen."""

import json
from pathlib import Path

import pytest

from evals.planner import DATASET, GOAL, Example, read, report, score

DEV = read(DATASET.with_name("planner_dev.jsonl"))
STRANGERS = {
    path.stem: read(path)
    for path in sorted(DATASET.parent.glob("*.jsonl"))
    if path.stem != "planner_dev"
}


@pytest.mark.parametrize("example", DEV, ids=lambda example: example.id[:8])
async def test_the_sentences_it_was_made_with(example: Example) -> None:
    made = await score(example)
    assert made.right, (example.inputs["text"], example.outputs, made.calls)


@pytest.mark.parametrize("name", STRANGERS)
async def test_the_sentences_of_strangers(name: str) -> None:
    scores = [await score(example) for example in STRANGERS[name]]
    words, shares = report(scores)
    assert set(shares) == {"ru", "en"}
    assert min(shares.values()) >= GOAL, words
    assert min(sum(s.example.language == language for s in scores) for language in shares) >= 100


@pytest.mark.parametrize("path", sorted(DATASET.parent.glob("*.jsonl")), ids=lambda path: path.stem)
def test_each_row_is_an_example_of_its_own(path: Path) -> None:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert {frozenset(row) for row in rows} == {
        frozenset({"id", "inputs", "outputs", "metadata", "split"})
    }
    assert len({row["id"] for row in rows}) == len(rows)
