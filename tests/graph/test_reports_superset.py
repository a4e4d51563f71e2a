"""What users of Superset reported and no other test shows, on real installations.

docs/reports/superset.md has all rows, each with its test.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from langchain_core.messages import AIMessage

from demo.supersets import Pair
from tests.agent import Conversation, answers, asks
from tests.doubles import ScriptedChatModel
from tests.graph.exploring import change
from tests.network import Network
from tools.catalog import SUPERSET
from tools.clients.http import ServerFault
from tools.clients.superset import Superset
from tools.connect import Services
from tools.settings import Settings

HEALTH, EXPLORE = "get_health_summary", "superset_explore_database"
RUN, FIND = "superset_execute_sql", "search_dashboards"
DEV = {"env_id": "ss-dev"}
ODD = """a + b [c] 'd' "e" (f),g!h & i%j #k ?l=m/n ~о'Ё"""
"""Signs that mean something in rison, in an address, or in a pattern."""

Ask = Callable[..., Any]


@pytest.fixture
def ask(services: Services) -> Ask:
    """Call a tool through the graph; gives its whole result."""

    async def call(
        tool: str, role: Any = "operator", over: Services | None = None, **given: Any
    ) -> Any:
        own = over or services
        model = ScriptedChatModel(steps=[asks((tool, given)), AIMessage(".")])
        conversation = Conversation(own, model, role=role, thread=f"{tool} {given}")
        [message] = answers((await conversation.say("Go", None, "en"))["messages"])
        assert message.artifact["kind"] == "result", message.text
        if "result_id" not in message.artifact:
            return json.loads(message.text)
        result_id = message.artifact["result_id"]
        kept = await own.store(lambda records: records.results.read(result_id, "olga"))
        assert kept is not None
        return json.loads(kept.content)

    return call


def told(tool: str, payload: Any) -> str:
    """A result as the embedded planner words it."""
    answer = SUPERSET.definitions[tool].answer
    assert answer is not None
    return answer(payload, "en")


async def put(client: Superset, path: str, **body: Any) -> None:
    await client.request_json("PUT", f"/api/v1/{path}", body=body, write=True)


async def post(client: Superset, path: str, **body: Any) -> Any:
    return await client.request_json("POST", f"/api/v1/{path}/", body=body, write=True)


async def test_more_databases_and_datasets_than_a_page_are_all_there(
    pair: Pair, ask: Ask, dev: Superset
) -> None:
    """Row 7: never more than 20."""
    file = f"sqlite:///{pair.folder}/dev/sandbox.db"
    for number in range(25):
        await post(dev, "database", database_name=f"Extra {number:02}", sqlalchemy_uri=file)
        virtual = {"table_name": f"extra_{number:02}", "sql": "SELECT 1 AS one"}
        await post(dev, "dataset", database=1, schema="main", **virtual)
    for listing, before in (("databases", 2), ("datasets", await dev.count("dataset") - 25)):
        found = await ask(EXPLORE, **DEV, listing=listing)
        named = [item["name"] for item in found["items"]]
        assert found["total"] == len(set(named)) == 25 + before
        assert sum(name.lower().startswith("extra") for name in named) == 25
    assert (await ask(RUN, **DEV, database="Extra 24", sql="SELECT 1 AS one"))["items"] == [[1]]
    found = (summary := await ask(HEALTH, **DEV))["environment"]
    assert (found["databases"]["total"], found["databases"]["asked"]) == (27, 20)
    assert (found["unchecked"], found["counts"]["datasets"]["total"]) == (
        7,
        await dev.count("dataset"),
    )
    assert "The first 20 of 27 were asked" in told(HEALTH, summary)


def one_chart(chart: int) -> str:
    """The layout of a dashboard that shows a chart."""
    parents = ["ROOT_ID", "GRID_ID", "ROW-1"]
    nodes: list[dict[str, Any]] = [
        {"type": "ROOT", "id": "ROOT_ID", "children": ["GRID_ID"]},
        {"type": "GRID", "id": "GRID_ID", "children": ["ROW-1"], "parents": parents[:1]},
        {"type": "ROW", "id": "ROW-1", "children": ["CHART-1"], "parents": parents[:2], "meta": {}},
        {"type": "CHART", "id": "CHART-1", "children": [], "parents": parents,
         "meta": {"chartId": chart, "width": 4, "height": 50}},
    ]  # fmt: skip
    return json.dumps({"DASHBOARD_VERSION_KEY": "v2"} | {node["id"]: node for node in nodes})


async def test_a_dashboard_made_by_the_api_whose_charts_are_not_attached_is_not_well(
    ask: Ask, dev: Superset
) -> None:
    """Row 8: its layout names a chart, and a person who opens it sees none."""
    made = await post(dev, "dashboard", dashboard_title="By API", position_json=one_chart(1))
    found = await ask(HEALTH, **DEV, dashboard=str(made["id"]))
    charts = found["dashboard"]["charts"]
    assert (charts["total"], charts["holes"], found["dashboard"]["attention"]) == (0, [1], 1)
    assert "1 chart that is not attached: id 1" in told(HEALTH, found)


async def test_names_with_every_sign_are_found(pair: Pair, ask: Ask, dev: Superset) -> None:
    """Rows 14 and 15: names that vanish, and addresses that are quoted wrongly."""
    sales = await dev.dashboard("sales")
    [sandbox], [orders] = await dev.databases("Sandbox"), await dev.datasets("sales_orders")
    tag = ODD.replace(",", "")  # Superset takes a comma for the end of a tag
    await put(dev, f"dashboard/{sales.id}", dashboard_title=ODD)
    await post(dev, f"tag/3/{sales.id}", properties={"tags": [tag]})
    await put(dev, f"database/{sandbox.id}", database_name=ODD)
    await change(pair, f'CREATE TABLE "{ODD.replace(chr(34), chr(34) * 2)}" (one INTEGER)')
    await put(dev, f"dataset/{orders.id}", table_name=ODD, sql="SELECT 1 AS one")
    for given in ({"query": ODD}, {"tag": tag}, {"query": ODD.upper(), "tag": tag.lower()}):
        found = await ask(FIND, **DEV, **given)
        assert [(item["id"], item["title"]) for item in found["items"]] == [(sales.id, ODD)]
    assert (await ask(RUN, **DEV, database=ODD, sql="SELECT 1 AS one"))["database"] == ODD
    table = await ask(EXPLORE, **DEV, database="Analytics", table=ODD)
    assert (table["table"], [one["name"] for one in table["items"]]) == (ODD, ["one"])
    assert (await ask(EXPLORE, **DEV, dataset=ODD))["id"] == orders.id
    assert (await ask(HEALTH, **DEV, dashboard=ODD))["dashboard"]["title"] == ODD


async def test_each_call_runs_at_its_installation_under_the_account_of_its_role(
    ask: Ask, services: Services
) -> None:
    """Rows 2, 19 and 22: Superset's own log tells who ran what, of many calls at once."""
    cases = [
        (env_id, role)
        for env_id in ("ss-dev", "ss-prod")
        for role in ("analyst", "editor", "operator", "admin")
    ] * 3

    async def run(number: int, env_id: str, role: str) -> None:
        sql = f"SELECT '{env_id} {role.capitalize()}' AS mark, {number} AS n"
        await ask(RUN, role, env_id=env_id, database="Analytics", sql=sql)

    await asyncio.gather(*(run(number, *case) for number, case in enumerate(cases)))
    ran = Counter[str]()
    for env_id in ("ss-dev", "ss-prod"):
        query = {"q": {"page_size": 100}}
        client = services.superset(env_id, "admin")
        log = await client.request_json("GET", "/api/v1/query/", query=query)
        for row in log["result"]:
            mark = f"{env_id} {row['user']['first_name']}"
            assert f"'{mark}'" in row["sql"]
            ran[mark] += 1
    assert len(ran) == 8
    assert set(ran.values()) == {3}


async def test_an_installation_before_6_1_is_served_by_its_rest_api_alone(
    settings: Settings, ask: Ask
) -> None:
    """Rows 6 and 27: it has no MCP, does not tell its version, and refuses a token at /me/."""

    async def before(request: httpx.Request) -> httpx.Response | None:
        if request.url.path == "/version":
            return httpx.Response(404, json={"message": "Not found"})
        if request.url.path.startswith("/api/v1/me/"):
            return httpx.Response(401, json={"message": "Not authorized"})
        return None

    network = Network(before)
    over = Services(settings, transport=network)
    environments = await ask("list_environments", over=over)
    assert [(one["reachable"], one["version"]) for one in environments] == [(True, "unknown")] * 2
    summary = await ask(HEALTH, over=over, **DEV, dashboard="sales")
    assert told(HEALTH, summary).startswith("✅")
    assert (await ask(FIND, over=over, **DEV, query="sales"))["total"] > 0
    assert (await ask(EXPLORE, over=over, **DEV, dataset="customers"))["items"]
    where = DEV | {"database": "Analytics"}
    assert (await ask(RUN, over=over, **where, sql="SELECT 1 AS one"))["items"] == [[1]]
    formatted = await ask("superset_format_sql", over=over, **DEV, sql="select 1")
    assert formatted["by"] == "superset"
    await over.aclose()
    paths = {request.url.path for request in network.sent}
    assert [path for path in paths if not path.startswith("/api/v1/")] == ["/version"]


async def charts_of(ask: Ask, slug: str) -> tuple[dict[str, Any], str]:
    """What a summary tells of a dashboard's charts."""
    found = await ask(HEALTH, **DEV, dashboard=slug)
    return found["dashboard"]["charts"], told(HEALTH, found)


async def test_a_chart_on_a_saved_query_is_told_and_leaves_the_others(
    ask: Ask, dev: Superset
) -> None:
    """Row 28: Superset has no words for it."""
    saved = await post(dev, "saved_query", label="q", db_id=1, sql="SELECT 1 AS one", schema="main")
    source = {"datasource_id": saved["id"], "datasource_type": "saved_query"}
    with pytest.raises(ServerFault, match="Fatal error"):
        await post(dev, "chart", slice_name="New", viz_type="table", params="{}", **source)
    charts = await dev.request_json("GET", "/api/v1/dashboard/usa/charts")
    number = min(chart["id"] for chart in charts["result"])
    query = {"datasource": {"id": saved["id"], "type": "saved_query"}, "queries": [{}]}
    context = json.dumps(query | {"result_format": "json", "result_type": "full"})
    await put(dev, f"chart/{number}", query_context=context)
    found, said = await charts_of(ask, "usa")
    assert (found["works"], found["broken"]) == (1, 1)
    [broken] = found["items"]
    assert broken["id"] == number
    assert "1 works, 1 broken" in said


async def test_a_chart_whose_dataset_was_deleted_is_broken(ask: Ask, dev: Superset) -> None:
    """Superset deletes it without a word and answers 404, as if the chart were hidden."""
    [births] = await dev.datasets("birth_names")
    await dev.request_json("DELETE", f"/api/v1/dataset/{births.id}", write=True)
    found, said = await charts_of(ask, "usa")
    assert (found["works"], found["broken"], found["unchecked"]) == (0, 2, 0)
    assert [one["state"] for one in found["items"]] == ["no_dataset"] * 2
    assert said.startswith("⚠️ 2 things need attention.")
    assert "| ⚠️ broken | The dataset that it shows is no longer in Superset. |" in said
