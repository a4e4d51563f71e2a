"""Which texts may be sent to a database: the table, and mutations of what is refused."""

import re
import sqlite3
import time
from collections import Counter
from contextlib import suppress
from typing import get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tools.sql_queries import ACCEPTED
from tests.tools.sql_texts import REFUSED
from tools.sql.check import check
from tools.sql.dialects import DIALECTS, dialect_of
from tools.sql.layout import Unchanged, lay_out
from tools.sql.reading import tokens_of
from tools.sql.refusal import Reason, Refused

TEN = {
    "sqlite", "postgres", "mysql", "duckdb", "tsql", "oracle", "clickhouse", "bigquery",
    "snowflake", "trino",
}  # fmt: skip
SHORT = [item for item in REFUSED if 0 < len(item[1]) < 200]


def refusal(text: str, dialect: str) -> Refused:
    with pytest.raises(Refused) as caught:
        check(text, dialect)
    return caught.value


def test_the_tables_are_long_and_know_ten_dialects():
    assert len(REFUSED) >= 200
    assert len(ACCEPTED) >= 60
    assert {item[0] for item in REFUSED} >= TEN
    assert {item[0] for item in ACCEPTED} >= TEN
    counts = Counter(text for _, text, _ in REFUSED)
    assert max(counts.values()) == 1


def test_every_reason_is_in_the_table():
    assert {reason for _, _, reason in REFUSED} == set(get_args(Reason))


@pytest.mark.parametrize(("dialect", "text", "reason"), REFUSED)
def test_refused(dialect: str, text: str, reason: Reason):
    assert refusal(text, dialect).reason == reason


@pytest.mark.parametrize(("dialect", "text"), ACCEPTED)
def test_accepted(dialect: str, text: str):
    query = check(text, dialect)
    # What is sent has the same tokens as what the user wrote: nothing was written anew.
    assert kinds(query.text, dialect) == [kind for kind in kinds(text, dialect) if kind[1] != ";"]
    assert "--" not in query.text or "1--1" in text or "'" in query.text


def kinds(text: str, dialect: str) -> list[tuple[str, str]]:
    return [(token.token_type.name, token.text) for token in tokens_of(text, dialect)]


def test_what_was_found_is_told_in_the_text_s_own_words():
    assert refusal("SELECT 1; drop table t", "sqlite").found == "DROP"
    assert refusal("delete from t", "sqlite").found == "DELETE"
    assert refusal('SELECT pg_catalog."pg_read_file"(1)', "postgres").found == (
        "pg_catalog.pg_read_file"
    )
    assert refusal("SELECT * FROM t FOR SHARE", "postgres").found == "FOR SHARE"
    assert refusal("SELECT 1 FROM", "sqlite").found.startswith("1:")


def test_a_backend_of_superset_has_a_dialect_and_an_unknown_one_the_generic():
    assert {dialect_of(name) for name in ("postgresql", "mssql", "mariadb", "clickhousedb")} == {
        "postgres", "tsql", "mysql", "clickhouse",
    }  # fmt: skip
    assert dialect_of("postgresql+psycopg2") == "postgres"
    assert dialect_of("something-new") == dialect_of("vertica") == ""
    for dialect in DIALECTS.values():
        assert check("SELECT 1 AS a", dialect).text == "SELECT 1 AS a"


def test_comments_are_not_sent_and_part_words():
    text = "SELECT/* a */1 AS/* b\n*/a -- c\nFROM t /* d */ ; -- e"
    assert check(text, "postgres").text == "SELECT 1 AS\na\nFROM t"


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, str, str]:
    """A refused text with other cases, white space and comments between its tokens."""
    dialect, text, _ = draw(st.sampled_from(SHORT))
    try:
        tokens = tokens_of(text, dialect)
    except Refused:
        assume(False)
    blanks = st.sampled_from([" ", "\n", "\t", "  ", " /* x */ ", "\n-- y\n", "/* ; */ ", "\r\n"])
    parts, position = [], 0
    for token in tokens:
        if token.start < position:
            continue
        gap = text[position : token.start]
        written = text[token.start : token.end + 1]
        # Only white space grows: what is glued together may be one word.
        parts.append(draw(blanks) if gap.isspace() else gap)
        plain = re.fullmatch(r"[A-Za-z_]+", written)
        case = draw(st.sampled_from([str.upper, str.lower, str.title]))
        parts.append(case(written) if plain else written)
        position = token.end + 1
    parts.append(text[position:])
    return dialect, text, "".join(parts)


@given(mutated())
def test_a_refused_text_stays_refused_in_other_clothes(case: tuple[str, str, str]):
    dialect, original, text = case
    try:
        check(text, dialect)
    except Refused:
        return
    pytest.fail(f"{original!r} is refused by {dialect}, {text!r} is not")


PIECES = st.sampled_from(
    [
        "SELECT ", "select", " 1 ", " a ", " FROM ", " t ", ", ", ";", "; DELETE FROM t", " WHERE ",
        "'", '"', "`", "[", "]", "(", ")", "--", "/*", "*/", "\n", "\r", "\\", "''", "'x'", "||",
        " UNION ", " DROP TABLE t", " AS ", "$$", "x'", "E'", "#", "//", "/*!", " WITH c AS (",
        " INSERT INTO t VALUES (1)", "PRAGMA user_version = 7", " RETURNING a", "\u00a0", "\u2028",
        "load_extension('x')", " VALUES (1)", "ATTACH 'x' AS y", "{{", "?", ":a", "@a", "%",
    ]
)  # fmt: skip


@pytest.fixture(scope="module")
def database() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("CREATE TABLE t (a, b)")
    connection.executemany("INSERT INTO t VALUES (?, ?)", [(1, "x"), (2, "y")])
    return connection


READING = {
    sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE,
}  # fmt: skip


@given(text=st.lists(PIECES, max_size=12).map(lambda parts: "SELECT " + "".join(parts)))
def test_what_is_let_through_only_reads_for_sqlite_s_own_parser(
    database: sqlite3.Connection, text: str
):
    try:
        query = check(text, "sqlite")
    except Refused:
        return
    done: list[int] = []
    said = ""

    def watch(action: int, *_: object) -> int:
        done.append(action)
        return sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY

    database.set_authorizer(watch)
    try:
        # One statement only: `execute` raises where there are several.
        database.execute(query.text)
    except (sqlite3.Warning, sqlite3.ProgrammingError, sqlite3.Error) as error:
        said = str(error)
    finally:
        database.set_authorizer(None)
    assert "one statement" not in said, query.text
    assert set(done) <= READING, query.text


@given(st.text(max_size=60), st.sampled_from(sorted(set(DIALECTS.values()) | {""})))
def test_any_text_is_let_through_or_refused_and_nothing_else_happens(text: str, dialect: str):
    for words in (text, f"SELECT {text}", f"SELECT '{text}'", f"SELECT * FROM {text}"):
        with suppress(Refused):
            assert check(words, dialect).text


@pytest.mark.parametrize("piece", ['"a".', "[1]", "{{", "{%"])
def test_a_long_text_is_read_in_seconds(piece: str):
    """What took minutes before: a list that was walked again for each of its parts."""
    text = "SELECT " + piece * (20_000 // len(piece))
    started = time.monotonic()
    for read in (check, lay_out):
        with suppress(Refused, Unchanged):
            read(text, "postgres")
    assert time.monotonic() - started < 20
