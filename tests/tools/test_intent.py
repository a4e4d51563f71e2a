"""Tokens, lexicons, phrases and clauses: what the planner's choice rests on."""

import unicodedata
from typing import Any

import pytest

from tests.tools.planner_tools import ENVIRONMENTS, MINI, prepare
from tools.definition import EVERYONE, Lexicon, Toolset
from tools.intent import EnvironmentNames, choose, clauses, read
from tools.intent.lexicons import forms
from tools.intent.words import normalise, tokenise

NAMES = EnvironmentNames(ENVIRONMENTS)
TOOLS = {definition.name: definition for definition in MINI}


def words(text: str) -> list[str]:
    return [token.word for token in tokenise(normalise(text)) if token.kind == "word"]


def phrases(text: str) -> list[tuple[str, Any]]:
    return [(phrase.kind, phrase.value) for phrase in read(text, TOOLS, NAMES).phrases]


def parts(text: str) -> list[str]:
    reading = read(text, TOOLS, NAMES)
    tokens = reading.source.tokens
    return [
        reading.source.text[tokens[c.start].start : tokens[c.end - 1].end] for c in clauses(reading)
    ]


def test_words_are_compared_in_their_plain_form() -> None:
    assert words("Ёлка, ЗАЩИЩЁННЫЙ don’t") == ["елка", "защищенный", "don't"]
    assert words(unicodedata.normalize("NFD", "обслуживаний ё")) == ["обслуживаний", "е"]
    assert words("да\u200bш\u00adборд") == ["дашборд"]


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("«Отчёт «Продажи»» и", "Отчёт «Продажи»"),
        ('the "Sales, EU"', "Sales, EU"),
        ("“curly”", "curly"),
        ("„low“", "low"),
        ("name 'single one' here", "single one"),
        ("`code`", "code"),
    ],
)
def test_quotes_are_cut_out(text: str, inside: str) -> None:
    assert [token.text for token in tokenise(text) if token.kind == "quote"] == [inside]
    assert not set(words(text)) & set(words(inside))


@pytest.mark.parametrize(
    "statement",
    [
        "select * from orders",
        "SELECT id, name FROM dashboards WHERE env = 'dev; prod'",
        "select count(*) from tasks",
        "with t as (select 1) select * from t",
        "DROP TABLE users",
        "delete from maintenance",
        "update tasks set state = 1",
        "insert into environments values (1)",
    ],
)
def test_sql_is_cut_out(statement: str) -> None:
    reading = read(f"{statement}; покажи задачи", TOOLS, NAMES)
    assert [t.text for t in reading.source.tokens if t.kind == "sql"] == [statement]
    assert set(reading.hits.objects) == {"get_task_status"}


@pytest.mark.parametrize("text", ["select the USA dashboard from the list", "selected", "updates"])
def test_plain_speech_is_no_sql(text: str) -> None:
    assert [token for token in tokenise(text) if token.kind == "sql"] == []


def test_a_russian_word_ends_sql() -> None:
    assert words("select * from orders на проде") == ["на", "проде"]


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("dashboards", "dashboard"),
        ("statuses", "status"),
        ("started", "start"),
        ("closed", "close"),
        ("closing", "close"),
        ("stopped", "stop"),
        ("migrating", "migrate"),
    ],
)
def test_english_endings(word: str, base: str) -> None:
    assert base in forms(word)


def hits(text: str, **lexicon: tuple[str, ...]) -> int:
    kit = Toolset("kit")
    declare = kit.tool(
        effect="read",
        roles=EVERYONE,
        lexicon=Lexicon(**lexicon),
        ru="а",
        en="a",
        environment="none",
    )

    @declare
    async def probe() -> str:
        """Probe."""
        return ""

    assert prepare is not None
    return len(read(text, {"probe": kit.definitions[0]}, NAMES).hits.objects.get("probe", []))


@pytest.mark.parametrize(
    ("text", "lexicon", "count"),
    [
        ("доступные дашборды", {"objects": ("доступ",), "exclude": ("доступн",)}, 0),
        ("проверь доступ", {"objects": ("доступ",), "exclude": ("доступн",)}, 1),
        ("selected rows", {"objects": ("select",), "exclude": ("selected",)}, 0),
        ("the environment", {"objects": ("env",)}, 0),
        ("environments", {"objects": ("environment",)}, 1),
        ("capability", {"objects": ("capabilit*",)}, 1),
        ("toolbox", {"objects": ("tool",)}, 0),
        ("недоступен", {"objects": ("доступ",)}, 0),
        ("show system status", {"objects": ("system status",)}, 1),
        ("system and status", {"objects": ("system status",)}, 0),
        ("create a dashboard", {"objects": ("create dashboard",)}, 1),
        ("новые дашборды", {"objects": ("новы дашборд",)}, 1),
        ("ЗАЩИЩЁН", {"objects": ("защищен",)}, 1),
        ('"tool"', {"objects": ("tool",)}, 0),
    ],
)
def test_lexicons_match_words_and_stems(
    text: str, lexicon: dict[str, tuple[str, ...]], count: int
) -> None:
    assert hits(text, **lexicon) == count


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("на проде", [("environment", "ss-prod")]),
        ("в продакшене", [("environment", "ss-prod")]),
        ("на боевом окружении", [("environment", "ss-prod")]),
        ("в песочнице", [("environment", "ss-dev")]),
        ("from ss-dev to ss-prod", [("environment", "ss-dev"), ("environment", "ss-prod")]),
        ("on my-ss-dev", []),
        ("продажи", []),
        ("в этом окружении", [("environment", None)]),
        ("in the far moon environment", [("environment", "far moon")]),
        ("в окружении «Луна 2»", [("environment", "Луна 2")]),
        ("до 18:00", [("until", "18:00")]),
        ("till Friday", [("until", "Friday")]),
        ("for half an hour", [("until", "for half an hour")]),
        ("на 2 дашбордах", []),
        ("по дашбордам", []),
        ("since last week", [("since", "last week")]),
        ("за вчера", [("since", "за вчера")]),
        ("with tag a-b.c", [("tag", "a-b.c")]),
        ("not published", [("published", False)]),
        ("top 7", [("limit", 7)]),
        ("offset 40", [("offset", 40)]),
        ("with the note 'x'", [("message", "x")]),
    ],
)
def test_phrases(text: str, expected: list[tuple[str, Any]]) -> None:
    assert phrases(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("покажи дашборды и окружения", ["покажи дашборды", "окружения"]),
        ("запусти обслуживание на дашбордах USA, Sales и Ops",
         ["запусти обслуживание на дашбордах USA, Sales и Ops"]),
        ("find dashboards Sales and Marketing", ["find dashboards Sales and Marketing"]),
        ("привет, покажи задачи", ["привет, покажи задачи"]),
        ("list tasks; list environments. show dashboards",
         ["list tasks", "list environments", "show dashboards"]),
        ("покажи окружения, а также задачи", ["покажи окружения", "задачи"]),
        ("", []),
    ],
)  # fmt: skip
def test_clauses(text: str, expected: list[str]) -> None:
    assert parts(text) == expected


def test_the_order_of_declaration_decides_nothing() -> None:
    text = "Запусти обслуживание на дашборде USA"
    for tools in (TOOLS, dict(reversed(TOOLS.items()))):
        reading = read(text, tools, NAMES)
        choice = choose(reading, clauses(reading)[0])
        assert [definition.name for definition in choice.tools] == ["start_maintenance"]


def test_reading_grows_with_the_text_and_no_faster() -> None:
    def tokens(size: int) -> int:
        return len(read("дашборд " * size, TOOLS, NAMES).source.tokens)

    assert tokens(20_000) == 2 * tokens(10_000) == 20_000
