"""What the planner says of results that are too long: every tool's words fit what is left."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolMessage

from tests.agent import Conversation, answers, asks, cards
from tools.catalog import SUPERSET
from tools.connect import Services
from tools.context import Language
from tools.messages import text
from tools.models.answers import told
from tools.results import dumped, page, shorten

DEV = {"env_id": "ss-dev"}
SQL = "select * from customers order by id"
SAMPLES: dict[str, list[dict[str, Any]]] = {
    "show_capabilities": [{}],
    "list_environments": [{}],
    "get_health_summary": [DEV, DEV | {"dashboard": "broken"}],
    "search_dashboards": [DEV | {"limit": 100}, DEV | {"query": "nothing at all"}],
    "superset_explore_database": [
        DEV,
        *(
            DEV | {"database": "Analytics", "listing": listing}
            for listing in ("schemas", "tables", "datasets")
        ),
        DEV | {"database": "Analytics", "table": "sales_orders"},
        DEV | {"dataset": "sales_orders"},
    ],
    "superset_execute_sql": [DEV | {"database": "Analytics", "sql": SQL}],
    "superset_format_sql": [{"sql": "select a,b from t where a>1"}],
    "list_maintenance_events": [{}],
    "get_task_status": [{}],
    "start_maintenance": [DEV | {"dashboards": ["usa"]}],
    "end_maintenance": [DEV | {"dashboards": ["usa"]}],
}
"""What each tool is called with, in this order in one conversation; reads of what was written
are called again in the end."""

LATE = ("list_maintenance_events", "get_task_status")


def test_every_tool_with_words_of_its_own_is_tried() -> None:
    named = {name for name, one in SUPERSET.definitions.items() if one.answer is not None}
    assert named == {*SAMPLES, "read_result"}


def longer(value: Any, times: int = 60) -> Any:
    """A value whose lists have many entries, and whose sentences are longer."""
    if isinstance(value, dict):
        return {key: longer(item, times) for key, item in value.items()}
    if isinstance(value, list):
        return [longer(item, 3) for item in value] * (times if value else 1)
    return f"{value} " * 30 if isinstance(value, str) and value.count(" ") > 2 else value


@pytest.fixture
async def results(talk: Callable[..., Conversation], services: Services) -> list[tuple[str, Any]]:
    """The real results of all tools, whole."""
    calls = [(name, given) for name in SAMPLES for given in SAMPLES[name]]
    calls += [(name, {}) for name in LATE]
    conversation = talk(AIMessage("-"), role="operator")
    found = []
    for number, (name, given) in enumerate(calls):
        conversation.model.steps.extend([asks((name, given), prefix=f"n{number}-"), AIMessage("-")])
        if not number:
            del conversation.model.steps[0]
        state = await conversation.say("go")
        state = await conversation.approve() if cards(state) else state
        answer = answers(state["messages"])[-1]
        assert answer.artifact["kind"] == "result", (name, answer.text)
        found.append((name, await whole(answer, services)))
    return found


async def whole(answer: ToolMessage, services: Services) -> Any:
    """The whole of a result, also of one that was shortened."""
    result_id = answer.artifact.get("result_id")
    if result_id is None:
        return json.loads(answer.text)
    kept = await services.store(lambda records: records.results.read(result_id, "olga"))
    assert kept is not None
    return json.loads(kept.content)


LANGUAGES: list[Language] = ["en", "ru"]


async def test_words_fit_long_results_and_their_pages(results: list[tuple[str, Any]]) -> None:
    failed: list[str] = []
    for name, result in results:
        content = dumped(longer(result))
        for language in LANGUAGES:
            failed += [
                f"{name}, {limit} characters, {language}: {problem}"
                for limit in (4000, 2000)
                if (problem := unfit(name, json.loads(shorten(content, limit, "r1")), language))
            ]
            # However little is left, something is said of it.
            least = ToolMessage(
                shorten(content, 500, "r1"), tool_call_id="c", artifact={"kind": "result"}
            )
            assert told(least, name, language, SUPERSET.definitions).strip()
            failed += paged(name, content, language)
    assert not failed, "\n".join(failed)


def unfit(name: str, payload: Any, language: Language) -> str | None:
    """Why a tool's words do not fit a result; None: they do."""
    answer = SUPERSET.definitions[name].answer
    assert answer is not None
    try:
        return None if answer(payload, language).strip() else "nothing is said"
    except Exception as error:  # noqa: BLE001 - all that fail are told at once
        return f"{error!r} of {list(payload)}"


def paged(name: str, content: str, language: Language) -> list[str]:
    """What does not fit of the first pages of a result."""
    answer = SUPERSET.definitions["read_result"].answer
    assert answer is not None
    failed, offset = [], 0
    for _ in range(3):
        made = page(content, offset, 4000)
        more = "result-end" if made["next_offset"] is None else "result-more"
        if not answer(made, language).endswith(text(language, more)):
            failed.append(f"{name}, page from {offset}, {language}")
        offset = made["next_offset"] or 0
    return failed
