"""The health of environments and dashboards, as real Supersets have it."""

import asyncio
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import httpx
import pytest
from langchain_core.messages import AIMessage

from demo.supersets import Pair
from tests.agent import answers, asks, cards
from tools.catalog import SUPERSET
from tools.connect import Services, utc_now
from tools.results import shorten
from tools.toolsets.health import base, dashboard, environment

HEALTH = "get_health_summary"
DEV = {"env_id": "ss-dev"}
BROKEN = DEV | {"dashboard": "broken"}


def told(payload: dict[str, Any], language: Any = "en") -> str:
    """The summary as the embedded planner words it."""
    answer = SUPERSET.definitions[HEALTH].answer
    assert answer is not None
    return answer(payload, language)


@pytest.fixture
def look(talk):
    """Ask for a summary; returns the result, or the tool's message where there is none."""

    async def ask(arguments: dict[str, Any], page: Any = None, **facts: Any) -> Any:
        services = facts.pop("services", None)
        conversation = talk(asks((HEALTH, arguments)), AIMessage("ok"), **facts)
        conversation.thread = f"look-{id(conversation)}"
        conversation.services = services or conversation.services
        [answer] = answers((await conversation.say("go", page, "en"))["messages"])
        whole = answer.artifact["kind"] == "result"
        return json.loads(answer.text) if whole else answer

    return ask


@contextmanager
def file_replaced(pair: Pair, name: str, by: str) -> Iterator[None]:
    """A SQLite database of the development installation, moved away or spoilt for a while."""
    file = pair.folder / "dev" / name
    away = file.with_suffix(".away")
    file.rename(away)
    if by == "garbage":
        file.write_bytes(b"garbage" * 1000)
    elif by == "folder":
        file.mkdir()
    try:
        yield
    finally:
        shutil.rmtree(file) if by == "folder" else file.unlink(missing_ok=True)
        away.rename(file)


@pytest.mark.parametrize(
    ("words", "language", "verdict", "line"),
    [
        ("System status of ss-prod", "en", "✅ All is well.", "- Databases: 2 work"),
        ("Здоровье ss-prod", "ru", "✅ Всё в порядке.", "- Базы данных: 2 работают"),
    ],
)
async def test_healthy_environment_in_both_languages(talk, words, language, verdict, line):
    state = await talk().say(words, None, language)
    [answer] = answers(state["messages"])
    found = json.loads(answer.text)
    assert found["dashboard"] is None
    place = found["environment"]
    assert (place["state"], place["version"][:3]) == ("up", "6.1")
    assert place["counts"]["dashboards"] == {"total": 40, "published": 36, "drafts": 4}
    assert {one["state"] for one in place["databases"]["items"]} == {"works"}
    lines = state["messages"][-1].text.splitlines()
    assert lines[0] == verdict
    assert line in lines


async def test_charts_are_run_and_each_says_what_is_wrong(look, dev):
    found = await look(BROKEN)
    about = found["dashboard"]
    states = {one["name"]: one for one in about["charts"]["items"]}
    assert states.pop("Chart without query context")["state"] == "no_query"
    [(name, broken)] = states.items()
    assert name.startswith("Сломанный")
    assert (broken["state"], broken["problem"]) == (
        "broken",
        "Error: no such column: no_such_column",
    )
    assert [about["charts"][key] for key in ("total", "works", "broken", "unchecked")] == [
        3,
        1,
        1,
        1,
    ]
    assert (about["published"], about["changed_by"]) == (True, "Demo Admin")
    assert about["changed_on"] == (await dev.dashboard("broken")).changed_on
    assert about["git"] == about["validation"] == {"state": "not_set_up"}
    text = told(found)
    assert text.startswith("⚠️ 1 thing needs attention. 1 thing could not be checked.")
    assert "no such column: no\\_such\\_column" in text
    assert "Git: not set up yet" in text
    assert told(found, "ru").startswith("⚠️ Требует внимания: 1 проблема. Не удалось проверить 1")


async def test_dashboard_of_the_page_is_meant_also_in_another_environment(look, usa, services):
    here = await look({}, usa)
    there = await look({"env_id": "ss-prod"}, usa)
    prod = await services.superset("ss-prod", "admin").dashboard("usa")
    assert here["dashboard"]["id"] == int(usa["objectId"])
    assert here["environment"]["id"] == "ss-dev"
    assert there["dashboard"]["id"] == prod.id != here["dashboard"]["id"]
    assert here["dashboard"]["charts"]["works"] == 2
    assert (here["environment"]["attention"], here["dashboard"]["attention"]) == (0, 0)
    assert told(here).startswith("✅")


async def test_several_dashboards_are_a_question(look):
    asked = await look(DEV | {"dashboard": "Отчёт о простоях"})
    assert (asked.artifact["kind"], asked.artifact["slot"]) == ("question", "dashboard")


@pytest.mark.parametrize("role", ["operator", "viewer"])
@pytest.mark.parametrize(
    ("by", "state", "words"),
    [
        ("nothing", "empty", ""),
        ("garbage", "broken", "file is not a database"),
        ("folder", "broken", "unable to open database file"),
    ],
)
async def test_lost_or_spoilt_database_is_noticed(pair, look, role, by, state, words):
    with file_replaced(pair, "analytics.db", by):
        found = await look(DEV, role=role)
    first, second = found["environment"]["databases"]["items"]
    assert (first["name"], first["state"]) == ("Analytics", state)
    assert words in first.get("problem", "")
    assert (second["name"], second["state"]) == ("Sandbox", "works")
    assert found["environment"]["attention"] == 1
    assert "| Analytics | ⚠️" in told(found)


async def test_charts_of_a_lost_database_are_broken_with_its_words(pair, look):
    with file_replaced(pair, "analytics.db", "folder"):
        charts = (await look(DEV | {"dashboard": "usa"}))["dashboard"]["charts"]
    assert (charts["broken"], charts["works"]) == (2, 0)
    assert "unable to open database file" in charts["items"][0]["problem"]


async def test_account_without_sql_lab_reads_the_schemas_and_says_so(look, dev):
    found = await look(DEV, role="viewer")
    assert [one["way"] for one in found["environment"]["databases"]["items"]] == ["no_right"] * 2
    assert "may not run SQL" in told(found)
    assert told(found).startswith("✅")


async def test_database_closed_to_sql_lab_reads_the_schemas_and_says_so(look, dev):
    body = {"expose_in_sqllab": False}
    await dev.request_json("PUT", "/api/v1/database/2", body=body, write=True)
    items = (found := await look(DEV))["environment"]["databases"]["items"]
    assert {one["name"]: one["way"] for one in items} == {"Analytics": "sql", "Sandbox": "closed"}
    assert "closed to SQL Lab" in told(found)


async def test_open_maintenance_appears_and_overdue_needs_attention(talk, look, services):
    start = (
        "start_maintenance",
        DEV | {"dashboards": ["usa"], "message": "a|b", "ends_at": "in 1 hour"},
    )
    conversation = talk(asks(start), AIMessage("ok"))
    assert cards(await conversation.say("go"))
    await conversation.approve()
    found = await look(DEV | {"dashboard": "usa"}, role="viewer")
    for place in ("environment", "dashboard"):
        [event] = found[place]["maintenance"]["items"]
        assert (event["message"], event["overdue"]) == ("a|b", False)
    assert told(found).startswith("✅")
    assert "a\\|b, until" in told(found)
    assert (await look(DEV | {"dashboard": "sales"}))["dashboard"]["maintenance"]["total"] == 0
    later = Services(services.settings, clock=lambda: utc_now() + timedelta(hours=2))
    late = await look(DEV | {"dashboard": "usa"}, services=later)
    await later.aclose()
    assert late["environment"]["attention"] == late["dashboard"]["attention"] == 1
    assert "should have ended" in told(late)


async def test_failed_task_appears_to_its_user_and_others_learn_the_number(look, services):
    def fail(records):
        for state, age in (("failed", 1), ("unknown", 2), ("failed", 30), (None, 0)):
            then = utc_now() - timedelta(days=age)
            facts = {"env_id": "ss-dev", "thread_id": "x", "user_id": "olga", "title": "x"}
            task = records.tasks.start("start_maintenance", now=then, **facts)
            if state is not None:
                records.tasks.end(task.id, state, None, "boom", then)

    await services.store(fail)
    tasks = (found := await look(DEV))["environment"]["tasks"]
    assert [one["state"] for one in tasks["items"]] == ["running", "unknown", "failed"]
    assert (tasks["running"], tasks["failed"], tasks["others"]) == (
        1,
        2,
        {"running": 0, "failed": 0},
    )
    assert found["environment"]["attention"] == 2
    assert "| Start maintenance | failed |" in told(found)
    assert (await look({"env_id": "ss-prod"}))["environment"]["tasks"]["failed"] == 0

    other = await look(DEV, user_id="eve")
    assert (other["environment"]["tasks"]["items"], other["environment"]["attention"]) == ([], 0)
    assert other["environment"]["tasks"]["others"] == {"running": 1, "failed": 2}
    assert "boom" not in json.dumps(other)
    assert "others" not in (await look(DEV, role="editor", user_id="eve"))["environment"]["tasks"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(DEV, ""), (BROKEN, "cannot be reached"), (DEV | {"dashboard": "1"}, "")],
)
async def test_environment_that_is_down_is_told_and_the_conversation_goes_on(
    talk, settings, arguments, words
):
    down = settings.environments["ss-dev"].model_copy(update={"url": "http://127.0.0.1:9"})
    environments = settings.environments | {"ss-dev": down}
    services = Services(settings.model_copy(update={"environments": environments}))
    steps = [
        asks((HEALTH, arguments)),
        AIMessage("ok"),
        asks((HEALTH, {"env_id": "ss-prod"}), prefix="d"),
    ]
    conversation = talk(*steps, AIMessage("ok"))
    conversation.services = services
    [answer] = answers((await conversation.say("go"))["messages"])
    found = json.loads(answer.text)
    assert found["environment"]["state"] == "down"
    assert "127.0.0.1" not in answer.text
    assert words in json.dumps(found["dashboard"])
    assert told(found).startswith("⚠️ “Development” (ss-dev) does not answer. Superset cannot be")
    assert "Your tasks here: 0 running" in told(found), "what we know ourselves is told"
    again = json.loads(answers((await conversation.say("and now?"))["messages"])[-1].text)
    await services.aclose()
    assert again["environment"]["state"] == "up"


async def test_account_that_is_not_let_in_is_told(look, settings, monkeypatch):
    monkeypatch.setenv("SS_DEV_OPERATOR_PASSWORD", "canary-wrong")
    services = Services(settings)
    found = await look(BROKEN, services=services)
    await services.aclose()
    assert found["environment"]["state"] == "refused"
    assert "does not let us in" in told(found)
    assert "canary" not in json.dumps(found)


class Faulty(httpx.AsyncBaseTransport):
    """The real network, but for one address: it hangs, or answers with a fault."""

    def __init__(self, ending: str, fault: str) -> None:
        self.real = httpx.AsyncHTTPTransport()
        self.ending, self.fault = ending, fault

    async def aclose(self) -> None:
        await self.real.aclose()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if not request.url.path.endswith(self.ending):
            return await self.real.handle_async_request(request)
        if self.fault == "hangs":
            await asyncio.sleep(3600)
        return httpx.Response(200, text=self.fault)


@pytest.mark.parametrize(
    ("ending", "lost", "kept"),
    [
        ("/sqllab/execute/", "2 not checked", "3 charts"),
        (
            "/api/v1/database/",
            "Databases: could not be read, no answer within 1 s",
            "Charts: ⚠️ 1 works, 1 broken",
        ),
        ("/api/v1/dataset/", "Number of datasets: could not be read", "13 charts"),
        (
            "/api/v1/chart/12/data/",
            "not checked | no answer within 1 s",
            "1 works, 2 not checkable",
        ),
        ("/14/charts", "Charts: could not be read", "Databases: 2 work"),
        ("/version", "Superset answers in", "Databases: 2 work"),
    ],
)
async def test_part_that_hangs_is_told_and_leaves_the_others(
    look, settings, monkeypatch, ending, lost, kept
):
    monkeypatch.setattr(base, "PROBE_SECONDS", 1.0)
    services = Services(settings, transport=Faulty(ending, "hangs"))
    text = told(found := await look(BROKEN, services=services))
    await services.aclose()
    assert found["environment"]["state"] == "up"
    assert lost in text
    assert kept in text


async def test_installation_that_takes_requests_and_is_silent_is_down(look, settings, monkeypatch):
    monkeypatch.setattr(environment, "PROBE_SECONDS", 0.5)
    limits = settings.limits.model_copy(update={"preview_timeout": 0.5})
    silent = settings.model_copy(update={"limits": limits})
    services = Services(silent, transport=Faulty("/api/v1/dashboard/", "hangs"))
    found = await look(BROKEN, services=services)
    await services.aclose()
    assert found["environment"]["state"] == "down"
    assert "time limit" in found["environment"]["problem"]
    assert "time limit" in found["dashboard"]["problem"]
    assert found["environment"]["tasks"]["running"] == 0


def test_all_bounds_together_fit_into_the_time_of_the_tool():
    # The probe; the dashboard found behind a list that hangs; its list of charts; the charts.
    longest = (1 + 2 + 1) * base.PROBE_SECONDS + base.MANY_SECONDS
    limit = SUPERSET.definitions[HEALTH].timeout
    assert limit is not None
    assert longest < 0.9 * limit


async def test_nonsense_in_one_part_is_told_and_leaves_the_others(look, settings, caplog):
    services = Services(settings, transport=Faulty("/14/charts", '{"result": [{}]}'))
    found = await look(BROKEN, services=services)
    await services.aclose()
    assert "internal fault" in found["dashboard"]["charts"]["problem"]
    assert found["dashboard"]["maintenance"] == {"total": 0, "items": []}
    assert found["dashboard"]["unchecked"] == 1
    assert "A part of a health summary failed" in caplog.text


async def test_layout_that_differs_from_the_charts_is_noticed(look, dev):
    found = await dev.dashboard("broken")
    layout = dict(found.layout)
    [key] = [name for name, node in layout.items() if _chart_id(node) == 12]
    layout[key] = layout[key] | {"meta": layout[key]["meta"] | {"chartId": 999}}
    await dev.set_layout(found, layout, idempotency_key="test")
    charts = (summary := await look(BROKEN))["dashboard"]["charts"]
    assert (charts["holes"], charts["unplaced"]) == ([999], [12])
    assert summary["dashboard"]["attention"] == 3
    assert "1 chart that is not attached: id 999" in told(summary)
    assert "1 chart is attached and has no place in the layout: id 12" in told(summary)


def _chart_id(node: Any) -> Any:
    return node.get("meta", {}).get("chartId") if isinstance(node, dict) else None


async def test_number_of_charts_is_bounded_and_said(look, monkeypatch):
    monkeypatch.setattr(dashboard, "CHARTS", 1)
    found = await look(BROKEN)
    charts = found["dashboard"]["charts"]
    assert (charts["total"], charts["run"], charts["works"]) == (3, 1, 1)
    assert found["dashboard"]["unchecked"] == 2
    assert "The first 1 of 3 were asked" in told(found)
    assert not told(found).startswith("✅")


async def test_foreign_names_and_errors_are_data(look, dev):
    hostile = "![x](http://203.0.113.9/a) | <b>"
    body = {"slice_name": hostile}
    await dev.request_json("PUT", "/api/v1/chart/12", body=body, write=True)
    found = await look(BROKEN)
    text = told(found)
    assert found["dashboard"]["charts"]["items"][0]["name"] == hostile
    assert "![x]" not in text
    assert "<b>" not in text.replace("\\<b\\>", "")
    [row] = [line for line in text.splitlines() if "203.0.113.9" in line]
    assert row.replace("\\|", "").count("|") == 4


@pytest.mark.parametrize("limit", [4000, 3000, 1500, 1000, 800, 400])
async def test_summary_that_was_shortened_still_has_its_verdict(look, limit):
    found = await look(BROKEN)
    text = told(json.loads(shorten(json.dumps(found, ensure_ascii=False), limit, "r1")), "ru")
    assert text.startswith("⚠️") or "слишком длинна" in text
