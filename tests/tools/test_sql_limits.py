"""How many rows are asked for, in the text and beside it."""

import pytest

from tests.tools.sql_queries import ACCEPTED
from tools.sql.check import check
from tools.sql.limits import limited


@pytest.mark.parametrize(
    ("dialect", "text", "sent", "rows", "own"),
    [
        ("sqlite", "SELECT 1", "SELECT 1\nLIMIT 11", 11, None),
        ("sqlite", "SELECT a FROM t LIMIT 7", "SELECT a FROM t LIMIT 7", 7, 7),
        ("sqlite", "SELECT a FROM t LIMIT 10", "SELECT a FROM t LIMIT 10", 10, 10),
        ("sqlite", "SELECT a FROM t LIMIT 0", "SELECT a FROM t LIMIT 0", 0, 0),
        ("sqlite", "SELECT a FROM t LIMIT 99 ;", "SELECT a FROM t LIMIT 11", 11, 99),
        ("sqlite", "SELECT a FROM t LIMIT 99 OFFSET 5",
         "SELECT a FROM t LIMIT 11 OFFSET 5", 11, 99),
        ("mysql", "SELECT a FROM t LIMIT 5, 99", "SELECT a FROM t LIMIT 5, 11", 11, 99),
        ("sqlite", "SELECT a FROM t LIMIT 9 + 90", "SELECT a FROM t LIMIT 9 + 90", 11, None),
        ("postgres", "SELECT a FROM t LIMIT ALL", "SELECT a FROM t LIMIT ALL", 11, None),
        ("postgres", "SELECT a FROM t OFFSET 5", "SELECT a FROM t OFFSET 5", 11, None),
        ("postgres", "SELECT a FROM (SELECT a FROM t LIMIT 3) AS x",
         "SELECT a FROM (SELECT a FROM t LIMIT 3) AS x\nLIMIT 11", 11, None),
        ("postgres", "SELECT 1 UNION ALL SELECT 2",
         "SELECT 1 UNION ALL SELECT 2\nLIMIT 11", 11, None),
        ("postgres", "SELECT 1 UNION SELECT 2 LIMIT 99",
         "SELECT 1 UNION SELECT 2 LIMIT 11", 11, 99),
        ("clickhouse", "SELECT 1 UNION ALL SELECT 2", "SELECT 1 UNION ALL SELECT 2", 11, None),
        ("clickhouse", "SELECT a FROM t LIMIT 1 BY a", "SELECT a FROM t LIMIT 1 BY a", 11, None),
        ("postgres", "(SELECT 1)", "(SELECT 1)", 11, None),
        ("postgres", "SELECT a FROM t FETCH FIRST 3 ROWS ONLY",
         "SELECT a FROM t FETCH FIRST 3 ROWS ONLY", 3, 3),
        ("postgres", "SELECT a FROM t ORDER BY a FETCH FIRST 3 ROWS WITH TIES",
         "SELECT a FROM t ORDER BY a FETCH FIRST 3 ROWS WITH TIES", 11, None),
        ("tsql", "SELECT TOP 3 a FROM t", "SELECT TOP 3 a FROM t", 3, 3),
        ("tsql", "SELECT TOP (50) PERCENT a FROM t", "SELECT TOP (50) PERCENT a FROM t", 11, None),
        ("tsql", "SELECT a FROM t", "SELECT a FROM t", 11, None),
        ("oracle", "SELECT a FROM t", "SELECT a FROM t", 11, None),
        ("", "SELECT a FROM t", "SELECT a FROM t", 11, None),
        # sqlglot takes LIMIT for the offset's name.
        ("bigquery", "SELECT x FROM UNNEST(l) AS x WITH OFFSET",
         "SELECT x FROM UNNEST(l) AS x WITH OFFSET", 11, None),
        ("sqlite", "SELECT 1 -- LIMIT 3", "SELECT 1\nLIMIT 11", 11, None),
    ],
)  # fmt: skip
def test_limit(dialect: str, text: str, sent: str, rows: int, own: int | None):
    found = limited(check(text, dialect), 10)
    assert (found.text, found.rows, found.own) == (sent, rows, own)


@pytest.mark.parametrize(("dialect", "text"), ACCEPTED)
def test_what_is_sent_passes_the_check_again_and_is_bounded(dialect: str, text: str):
    found = limited(check(text, dialect), 3)
    again = limited(check(found.text, dialect), 3)
    assert again.text == found.text
    assert again.rows == found.rows <= 4
