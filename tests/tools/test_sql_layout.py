"""SQL laid out without Superset: the same meaning, templates and comments, or left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.sql_queries import ACCEPTED
from tools.sql.layout import Unchanged, has_parameters, lay_out
from tools.sql.meaning import comments, same


@pytest.mark.parametrize(
    ("dialect", "text", "made"),
    [
        ("", "select a,b from t where a>1", "SELECT\n  a,\n  b\nFROM t\nWHERE\n  a > 1"),
        ("", "delete from t where a=1", "DELETE FROM t\nWHERE\n  a = 1"),
        ("", "select 1;select 2;", "SELECT\n  1;\n\nSELECT\n  2;"),
        ("", "select 1 -- hi\n, 2", "SELECT\n  1, /* hi */\n  2"),
        ("postgres", "select {{ x }},'{{y}}' from {{ s }}.t_{{z}} limit {{ n|int }}",
         "SELECT\n  {{ x }},\n  '{{y}}'\nFROM {{ s }}.t_{{z}}\nLIMIT {{ n|int }}"),
        ("postgres", "select a from t where b=:p and c=%(q)s and d = %s and e=?",
         "SELECT\n  a\nFROM t\nWHERE\n  b = :p AND c = %(q)s AND d = %s AND e = ?"),
        ("postgres", "select a from t where x=1 {% if y %} and z=2 {% endif %}",
         "SELECT\n  a\nFROM t\nWHERE\n  x = 1 {% if y %} AND z = 2 {% endif %}"),
        ("postgres", "{% set x = 1 %} select {{ x }}", "{% set x = 1 %}\nSELECT\n  {{ x }}"),
        ("postgres", "select a from t {# why\nso #} where b=1",
         "SELECT\n  a\nFROM t {# why\nso #}\nWHERE\n  b = 1"),
        ("postgres", "select {{ f }}(a) from t", "SELECT\n  {{ f }}(a)\nFROM t"),
        ("hive", "select ${x}, '${y}'", "SELECT\n  ${x},\n  '${y}'"),
        ("postgres", "select a::text, '12:30' from t",
         "SELECT\n  CAST(a AS TEXT),\n  '12:30'\nFROM t"),
    ],
)  # fmt: skip
def test_laid_out(dialect: str, text: str, made: str):
    assert lay_out(text, dialect) == made
    assert lay_out(made, dialect) == made


@pytest.mark.parametrize(
    ("dialect", "text", "problem"),
    [
        ("", "", "empty"),
        ("", " \n", "empty"),
        ("", "-- only", "empty"),
        ("", "selec frm", "nonsense"),
        ("", "selec", "nonsense"),
        ("", "a + 1", "nonsense"),
        ("", "what is this", "nonsense"),
        ("", "select a frm t", "unreadable"),
        ("", "select 'a", "unreadable"),
        ("postgres", "explain select 1", "unreadable"),
        ("", "select " + "(" * 500 + "1" + ")" * 500, "unreadable"),
        ("", "select 1 " + " " * 100_000, "too-long"),
        # A comma would leave its condition.
        ("postgres", "select a {% if y %}, b{% endif %} from t", "template"),
        ("postgres", "{{ config() }} select 1", "template"),
        ("postgres", "{{ x }}", "template"),
        ("snowflake", "select a:b from t", "meaning"),
        # sqlglot would make an ordinary comment of it, and another kind of text.
        ("mysql", "select 1 /*!50000 + 1 */", "meaning"),
        ("oracle", "select q'[it''s]' from dual", "meaning"),
    ],
)
def test_left_alone(dialect: str, text: str, problem: str):
    with pytest.raises(Unchanged) as caught:
        lay_out(text, dialect)
    assert caught.value.problem == problem


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("select a from t", False),
        ("select a::int, '12:30', b % 2 from t", False),
        ("select {{ a }}", True),
        ("select {% if a %} 1 {% endif %}", True),
        ("select a from t where b = :c", True),
        ("select a from t where b = %(c)s", True),
        ("select a from t where b = ?", True),
        ("select a from t where b = $1", True),
        ("selec frm", True),  # not to be sent either
    ],
)
def test_what_superset_would_change(text: str, expected: bool):
    assert has_parameters(text, "postgres") == expected


def test_meaning():
    assert same("select a from t", "SELECT\n a\nFROM t", "")
    assert same("select a -- x\nfrom t", "SELECT a /* x */ FROM t", "")
    for other in (
        "select b from t",
        "select a from t where true",
        "select a from t; select 1",
        "select a from t /* x */",
        "select 'a' from t",
        "select",
    ):
        assert not same("select a from t", other, ""), other
    assert not same("select 'A'", "select 'a'", "")
    assert not same('select "A"', 'select "a"', "postgres")


UNSETTLED = [text for _, text in ACCEPTED if "$$" in text or ("a:b" in text and "FLATTEN" in text)]
UNSETTLED += [text for _, text in ACCEPTED if "r'\\d" in text or "q'[" in text]
"""Kinds of quotes, and paths, that sqlglot writes in another way."""


@pytest.mark.parametrize(("dialect", "text"), ACCEPTED)
def test_ordinary_queries_keep_their_meaning_and_settle(dialect: str, text: str):
    if text in UNSETTLED:
        with pytest.raises(Unchanged, match="meaning"):
            lay_out(text, dialect)
        return
    made = lay_out(text, dialect)
    assert same(text, made, dialect)
    assert lay_out(made, dialect) == made


NAMES = st.sampled_from(
    ["a", "b", "t.c", '"Q x"', "{{ v }}", "count(*)", "sum(a)", "'x y'", "1", ":p"]
)
CONDITIONS = st.builds(
    "{} {} {}".format, NAMES, st.sampled_from(["=", ">", "<>", "!=", "like"]), NAMES
)
BLANKS = st.sampled_from([" ", "\n", "  ", " -- note\n", " /* note */ "])


@st.composite
def queries(draw: st.DrawFn) -> str:
    gap = lambda: draw(BLANKS)  # noqa: E731
    parts = ["select", gap(), f",{gap()}".join(draw(st.lists(NAMES, min_size=1, max_size=4)))]
    parts += [gap(), "from", gap(), draw(st.sampled_from(["t", "s.t as x", "t join u using (a)"]))]
    if draw(st.booleans()):
        joined = f"{gap()}and{gap()}".join(draw(st.lists(CONDITIONS, min_size=1, max_size=3)))
        parts += [gap(), "where", gap(), joined]
    if draw(st.booleans()):
        parts += [gap(), "order by", gap(), draw(NAMES)]
    return "".join(parts)


@given(queries(), st.sampled_from(["", "postgres", "sqlite", "mysql", "snowflake", "bigquery"]))
def test_laying_out_again_changes_nothing(text: str, dialect: str):
    try:
        made = lay_out(text, dialect)
    except Unchanged:
        return
    assert lay_out(made, dialect) == made
    assert made.count("{{ v }}") == text.count("{{ v }}")
    assert sum(comments(made, dialect).values()) == sum(comments(text, dialect).values())
