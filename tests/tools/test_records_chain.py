"""The audit as a chain: what is changed, removed, put in or swapped is found, in both databases."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
import rfc8785
from sqlalchemy import Connection, delete, insert, literal, select, type_coerce, update
from sqlalchemy.types import LargeBinary

from tests.tools.records_help import NOW
from tools.records import BadRow, Mark, Records
from tools.records.chain import GENESIS, row_hash
from tools.records.schema import audit, audit_head

ROWS = 5
COLUMNS = [column.name for column in audit.columns]
PLACES = [1, 3, ROWS]


@pytest.fixture
def chain(records: Records) -> Records:
    """Five rows, every column filled but in the second one."""
    for number in range(1, ROWS + 1):
        full = {"thread_id": "t", "call_id": f"c{number}", "tool": "tool", "env_id": "dev"}
        records.audit.append(
            "offered",
            user_id="olga",
            detail={"n": number, "words": "ж"},
            now=NOW,
            **({} if number == 2 else full),
        )
    assert records.verify().bad is None
    return records


def row(connection: Connection, row_id: int) -> dict[str, Any]:
    return dict(connection.execute(select(audit).where(audit.c.id == row_id)).mappings().one())


def put(connection: Connection, row_id: int, **values: Any) -> None:
    connection.execute(update(audit).where(audit.c.id == row_id).values(**values))


def head(records: Records) -> Mark:
    found = records.verify().head
    assert found is not None
    return found


def test_the_chain_is_what_its_description_says(chain: Records) -> None:
    """Whoever has an export can follow it with any library of RFC 8785."""
    before = GENESIS
    for line in chain.export():
        exported = json.loads(line)
        assert line == rfc8785.dumps(exported).decode()
        said = exported.pop("hash")
        assert exported["prev_hash"] == before
        assert hashlib.sha256(rfc8785.dumps(exported)).hexdigest() == said
        before = said
    assert head(chain) == Mark(ROWS, before)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("column", COLUMNS)
def test_one_flipped_bit_is_found_wherever_it_is(chain: Records, column: str, place: int) -> None:
    with chain.database.write() as connection:
        value = row(connection, place)[column]
        if column == "id":
            flipped: Any = value ^ 64
        else:
            flipped = value[:-1] + chr(ord(value[-1]) ^ 1)
        put(connection, place, **{column: flipped})
    verdict = chain.verify()
    assert verdict.bad is not None
    assert verdict.rows < ROWS
    if column not in ("id", "hash", "prev_hash"):
        assert verdict.bad == BadRow(place, "changed")


@pytest.mark.parametrize("column", ["thread_id", "call_id", "tool", "env_id"])
def test_an_empty_column_that_was_filled_is_found_and_the_other_way(
    chain: Records, column: str
) -> None:
    with chain.database.write() as connection:
        put(connection, 2, **{column: ""})
    assert chain.verify().bad == BadRow(2, "changed")
    with chain.database.write() as connection:
        put(connection, 2, **{column: None})
    assert chain.verify().bad is None
    with chain.database.write() as connection:
        put(connection, 3, **{column: None})
    assert chain.verify().bad == BadRow(3, "changed")


@pytest.mark.parametrize("column", [name for name in COLUMNS if name != "id"])
def test_a_byte_that_is_no_text_is_found(column: str) -> None:
    """In a file anything can be written; PostgreSQL refuses such bytes itself."""
    with Records.open("sqlite:///records.db") as records:
        for number in range(ROWS):
            full = {"thread_id": "t", "call_id": "c", "tool": "tool", "env_id": "dev"}
            records.audit.append("offered", user_id="o", detail={"n": number}, now=NOW, **full)
        with records.database.write() as connection:
            broken = type_coerce(literal(b"\xff", LargeBinary), audit.c[column].type)
            connection.execute(update(audit).where(audit.c.id == 3).values({column: broken}))
        bad = records.verify().bad
    assert bad is not None
    assert bad.id == 3
    assert bad.problem in ("changed", "unreadable")


@pytest.mark.parametrize("place", range(1, ROWS + 1))
def test_a_removed_row_is_found(chain: Records, place: int) -> None:
    with chain.database.write() as connection:
        connection.execute(delete(audit).where(audit.c.id == place))
    problems = {1: BadRow(2, "missing_start"), ROWS: BadRow(ROWS, "missing_end")}
    expected = problems.get(place, BadRow(place + 1, "missing_before"))
    assert chain.verify().bad == expected


def test_all_rows_removed_are_found(chain: Records) -> None:
    with chain.database.write() as connection:
        connection.execute(delete(audit))
    assert chain.verify().bad == BadRow(ROWS, "missing_end")


@pytest.mark.parametrize(("one", "two"), [(1, 2), (2, 3), (4, 5), (1, 5)])
def test_two_swapped_rows_are_found(chain: Records, one: int, two: int) -> None:
    with chain.database.write() as connection:
        for old, new in ((one, 99), (two, one), (99, two)):
            put(connection, old, id=new)
    assert chain.verify().bad == BadRow(one, "changed")


@pytest.mark.parametrize("column", [name for name in COLUMNS if name not in ("id", "prev_hash")])
def test_two_swapped_values_are_found(chain: Records, column: str) -> None:
    with chain.database.write() as connection:
        put(connection, 4, **{column: "other"})
        three, four = row(connection, 3)[column], row(connection, 4)[column]
        put(connection, 3, **{column: four})
        put(connection, 4, **{column: three})
    bad = chain.verify().bad
    assert bad is not None
    assert bad.id == 3


def test_a_row_that_was_put_in_is_found(chain: Records) -> None:
    with chain.database.write() as connection:
        forged = row(connection, ROWS) | {"id": ROWS + 1, "prev_hash": "f" * 64}
        forged["hash"] = row_hash(forged)
        connection.execute(insert(audit), forged)
    assert chain.verify().bad == BadRow(ROWS + 1, "missing_before")


@pytest.mark.parametrize("change", [{"last_id": ROWS - 1}, {"hash": "0" * 64}, None])
def test_a_changed_or_removed_note_of_the_last_row_is_found(chain: Records, change: Any) -> None:
    with chain.database.write() as connection:
        connection.execute(update(audit_head).values(change) if change else delete(audit_head))
    bad = chain.verify().bad
    assert bad is not None
    assert bad.problem == "missing_end"


def rewritten(records: Records, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the rows and make all hashes anew, as one could who may write the database."""
    with records.database.write() as connection:
        rows = [dict(one) for one in connection.execute(select(audit).order_by("id")).mappings()]
        connection.execute(delete(audit))
        before = GENESIS
        for one in rows:
            change(one)
            one["prev_hash"] = before
            before = one["hash"] = row_hash(one)
            connection.execute(insert(audit), one)
        connection.execute(update(audit_head).values(hash=before))


def test_only_a_head_noted_elsewhere_tells_that_the_whole_chain_was_made_anew(
    chain: Records,
) -> None:
    noted = head(chain)
    chain.audit.append("received", user_id="olga", detail={}, now=NOW)
    assert chain.verify(noted).bad is None
    rewritten(chain, lambda one: one.update(user_id="peter"))
    assert chain.verify().bad is None
    assert chain.verify(noted).bad == BadRow(ROWS, "other_chain")


def test_a_checkpoint_that_says_nothing_is_named(chain: Records) -> None:
    chain.audit.append("checkpoint", user_id="x", detail={"through": 1}, now=NOW)
    assert chain.verify().bad == BadRow(ROWS + 1, "unreadable")
