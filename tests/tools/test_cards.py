"""Cards: what they say in both languages, and what hostile or long texts do to them: nothing."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.tools.policy_help import ADMIN, OPERATOR, READ, VIEWER, WRITE, settings
from tools.cards import CHARACTERS, LINES, Card, describe, edits, make_card
from tools.context import Language
from tools.definition import Impact, Prepared
from tools.messages import text
from tools.policy import decide

UNTIL = datetime(2026, 1, 1, 12, 30, tzinfo=UTC)
PEERS = {"stages": {"prod": {"*": {"approval": "peer"}}}}
BIDI = {*"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"}


def card(
    env_id: str = "prod",
    prepared: Prepared | None = None,
    language: Language = "en",
    **more: Any,
) -> Card:
    """The card of a write, as an operator is shown it."""
    deployment = settings(more.pop("policy", None), more.pop("more", None))
    definition, user = more.pop("definition", WRITE), more.pop("user", OPERATOR)
    made = prepared or Prepared({"env_id": env_id}, impact=Impact(changed=1))
    return make_card(
        "c1",
        "start_maintenance",
        definition,
        decide(definition, user, env_id, deployment, made.impact),
        language=language,
        settings=deployment,
        env_id=env_id,
        prepared=made,
        digest="d" * 64,
        expires_at=UNTIL,
        **more,
    )


@pytest.mark.parametrize(
    ("env_id", "language", "badge", "tone", "prompt"),
    [
        ("dev", "ru", "dev", "info", "Изменения в dev-окружении."),
        ("dev", "en", "dev", "info", "Changes in the dev environment."),
        ("staging", "ru", "staging", "info", "Изменения в staging-окружении."),
        ("prod", "ru", "⚠️ PRODUCTION", "destructive", "ПРОДУКТИВНОЕ"),
        ("prod", "en", "⚠️ PRODUCTION", "destructive", "PRODUCTION"),
    ],
)
def test_what_a_card_says_of_its_place(
    env_id: str, language: Language, badge: str, tone: str, prompt: str
):
    made = card(env_id, language=language)

    assert (made["badge"], made["tone"], made["stage"]) == (badge, tone, env_id)
    assert prompt in made["prompt"]
    assert made["environment"] == {"id": env_id, "title": env_id}
    assert made["required_roles"] == ["operator", "admin"]
    assert (made["digest"], made["expires_at"]) == ("d" * 64, UNTIL.isoformat())
    assert (made["approval"], made["note"]) == ("own", "")


def test_a_read_has_no_warning():
    asked = {"confirm_reads": True}
    made = card(definition=READ, policy=asked, user=VIEWER, language="ru")

    assert (made["badge"], made["tone"], made["impact"]) == (
        "чтение данных",
        "success",
        "Чтение данных",
    )
    assert "⚠" not in describe(made, "ru")


def test_a_denial_tells_the_role_and_has_nothing_to_press():
    for language, words in (("ru", "Недостаточно прав"), ("en", "Access denied")):
        made = card(user=VIEWER, language=language)
        assert (made["verdict"], made["badge"]) == ("deny", words)
        assert "operator" in made["reason"]
        assert made["required_roles"] == ["operator", "admin"]


@pytest.mark.parametrize(
    ("n", "ru", "en"),
    [
        (0, "Ничего не изменится", "Nothing would be changed"),
        (1, "1 дашборд будет изменён", "1 dashboard would be changed"),
        (2, "2 дашборда будут изменены", "2 dashboards would be changed"),
        (3, "3 дашборда будут изменены", "3 dashboards would be changed"),
        (5, "5 дашбордов будут изменены", "5 dashboards would be changed"),
        (11, "11 дашбордов будут изменены", "11 dashboards would be changed"),
        (21, "21 дашборд будет изменён", "21 dashboards would be changed"),
        (22, "22 дашборда будут изменены", "22 dashboards would be changed"),
    ],
)
def test_counts_have_their_plural_forms(n: int, ru: str, en: str):
    prepared = Prepared({}, impact=Impact(changed=n))

    assert card(prepared=prepared, language="ru")["impact"] == ru
    assert card(prepared=prepared, language="en")["impact"] == en


def test_a_second_person_s_yes_is_told():
    for language in ("ru", "en"):
        made = card(policy=PEERS, language=language)
        assert (made["approval"], made["note"]) == ("peer", text(language, "card-peer"))
        assert made["note"] in describe(made, language)
    assert card("dev", policy=PEERS)["approval"] == "own"


def test_a_description_says_all_that_is_decided_on():
    prepared = Prepared(
        {"env_id": "prod", "dashboards": ["7"]},
        impact=Impact(changed=1, removed=2, differences=("title: a → b",)),
        shown=("Dashboard “Sales” (id 7)",),
    )
    words = describe(card(prepared=prepared, user_text="put it up"), "en")

    for part in (
        *("**⚠️ PRODUCTION** Start maintenance", "Environment: prod", "Dashboard “Sales” (id 7)"),
        *("1 dashboard would be changed; 2 objects would be removed", "title: a → b"),
        *('"dashboards": \\["7"\\]', "put it up", "operator, admin", "2026-01-01 12:30 UTC"),
        "d" * 64,
    ):
        assert part in words


def test_long_arguments_are_whole_on_the_card_and_short_in_its_description():
    long, many = "я" * 50_000, tuple(f"line {n}" for n in range(500))
    made = card(
        prepared=Prepared({"message": long}, impact=Impact(changed=500), shown=many),
        user_text=long,
    )

    assert made["arguments"] == {"message": long}
    assert len(made["shown"]) == 500
    words = describe(made, "en")
    assert len(words) < 3 * CHARACTERS + LINES * 20
    assert f"and {500 - LINES} more" in words
    assert "Digest" in words


def test_edits_name_what_became_of_each_argument():
    before = {"a": 1, "b": ["x"], "c": "same"}

    assert edits(before, {"b": ["y"], "c": "same", "d": None, "e": "new"}, "en") == [
        "a: 1 → –",
        'b: ["x"] → ["y"]',
        'e: – → "new"',
    ]


@pytest.mark.parametrize("language", ["ru", "en"])
@given(st.text(max_size=60))
def test_no_foreign_text_becomes_markup_or_a_line_of_its_own(language: Language, hostile: str):
    hostile = f"\u202e# [x](http://e.example)\n\n- **{hostile}** <img src=x>\n## y\n"
    made = card(
        prepared=Prepared(
            {"message": hostile, hostile: [hostile]},
            impact=Impact(changed=1, differences=(hostile,)),
            shown=(hostile,),
        ),
        language=language,
        user=ADMIN,
        user_text=hostile,
        more={"prod": {"title": "P" + hostile[:90]}},
    )
    plain = card(
        prepared=Prepared(
            {"message": "m", "k": ["v"]},
            impact=Impact(changed=1, differences=("d",)),
            shown=("s",),
        ),
        language=language,
        user=ADMIN,
        user_text="u",
    )

    words = describe(made, language)

    assert shape(words) == shape(describe(plain, language))
    assert not BIDI & {*words}


def shape(markdown: str) -> list[str]:
    """What a Markdown reader makes of a text, without the words."""
    found = []
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown):
        found.append(token.type)
        kinds = {child.type for child in token.children or []}
        found += sorted(kinds - {"text", "text_special"})
    return found
