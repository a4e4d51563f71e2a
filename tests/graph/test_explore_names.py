"""How tables are named: with their schemas, in quotes of any dialect, with dots inside."""

import json

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo.supersets import Pair
from tests.graph.exploring import Explore, change, found, names
from tests.network import Network
from tools.connect import Services
from tools.settings import Settings
from tools.toolsets.explore.places import _readings

QUOTES = {'"': '"', "`": "`", "[": "]"}
NAMES = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=20)


def quoted(name: str, mark: str) -> str:
    end = QUOTES[mark]
    return f"{mark}{name.replace(end, end * 2)}{end}"


@given(NAMES, NAMES, st.sampled_from(sorted(QUOTES)), st.sampled_from(sorted(QUOTES)))
def test_quoted_names_are_read_to_the_letter(schema: str, name: str, one: str, two: str) -> None:
    words = f"{quoted(schema, one)}.{quoted(name, two)}"
    # The words themselves first: a table may have any name.
    assert _readings(words, None)[:2] == [(None, words), (schema, name)]
    assert (None, name) in _readings(quoted(name, one), None)
    assert (schema, name) in _readings(words, schema)


@given(NAMES, NAMES, NAMES)
def test_a_schema_that_is_given_is_not_taken_from_the_words(
    schema: str, other: str, name: str
) -> None:
    readings = _readings(f"{quoted(other, '[')}.{quoted(name, '[')}", f"{schema}-given")
    assert {where for where, _ in readings} == {f"{schema}-given"}


@pytest.mark.parametrize(
    "words",
    [
        "t.x", "main.t.x", '"t.x"', 'main."t.x"', '"main"."t.x"', "[main].[t.x]", "`main`.`t.x`",
        'MAIN."T.X"', '"main".t.x',
    ],
)  # fmt: skip
async def test_a_dotted_name_is_found_in_every_spelling(
    pair: Pair, explore: Explore, services: Services, words: str
) -> None:
    await change(pair, 'CREATE TABLE "t.x" (dotted INTEGER)', "CREATE TABLE x (plain INTEGER)")
    result = await found(explore, services, database="Analytics", table=words)
    assert (result["schema"], result["table"], names(result)) == ("main", "t.x", ["dotted"])


async def test_a_name_wins_that_is_written_to_the_letter(
    pair: Pair, explore: Explore, services: Services
) -> None:
    await change(pair, 'CREATE TABLE "main.x" (dotted INTEGER)', "CREATE TABLE x (plain INTEGER)")
    for words, columns in (("main.x", ["dotted"]), ('main."x"', ["plain"]), ("x", ["plain"])):
        result = await found(explore, services, database="Analytics", table=words)
        assert names(result) == columns


@pytest.mark.parametrize(
    ("words", "within"),
    [('"my schema"."t.x"', None), ("[my schema].[t.x]", None), ("my schema.t.x", None),
     ('"t.x"', "my schema"), ("t.x", "MY SCHEMA"), ('"My Schema"."t.x"', "my schema")],
)  # fmt: skip
async def test_a_schema_with_a_space_is_found(
    pair: Pair, explore: Explore, settings: Settings, words: str, within: str | None
) -> None:
    """SQLite has one schema only: a second one is told of the tables of the first."""
    await change(pair, 'CREATE TABLE "t.x" (dotted INTEGER)')

    async def before(request: httpx.Request) -> httpx.Response | None:
        path, query = request.url.path, request.url.params
        if path.endswith("/schemas/"):
            return httpx.Response(200, json={"result": ["main", "my schema"]})
        if path.endswith("/tables/") and json.loads(query["q"])["schema_name"] == "my schema":
            return httpx.Response(200, json={"result": [{"value": "t.x", "type": "table"}]})
        if path.endswith("/table_metadata/") and query["schema"] == "my schema":
            request.url = request.url.copy_set_param("schema", "main")
        return None

    services = Services(settings, transport=Network(before))
    given = {} if within is None else {"schema_name": within}
    result = await found(
        explore, services, over=services, database="Analytics", table=words, **given
    )
    await services.aclose()
    assert (result["schema"], result["table"]) == ("my schema", "t.x")
    assert names(result) == ["dotted"]


async def test_a_table_of_another_schema_than_the_given_one_is_asked_about(
    explore: Explore,
) -> None:
    message = await explore(database="Analytics", schema_name="main", table='"other"."customers"')
    assert (message.artifact["kind"], message.artifact["slot"]) == ("question", "table")
