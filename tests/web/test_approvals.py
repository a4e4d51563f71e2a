"""The second person's desk: who sees which card, whose yes counts, and what each refusal says."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.signing import SECRET, token
from tests.tools.policy_help import settings as deployment
from tests.tools.records_help import request
from tools.catalog import SUPERSET
from tools.connect import utc_now
from tools.policy import policy_version
from tools.records import Approval, Records
from tools.settings import Settings
from web.app import make_app

PATH = "/agent/approvals"
PEERS = {"stages": {"prod": {"*": {"approval": "peer"}}}}
CARD = {"approval": "peer", "title": "Start maintenance", "note": "ask somebody"}
DIGEST = "d" * 64


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("PILOTHOUSE_JWT_SECRET", SECRET)
    url = f"sqlite:///{tmp_path}/records.db"
    made = deployment(PEERS)
    return made.model_copy(update={"records": made.records.model_copy(update={"url": url})})


@pytest.fixture
def records(settings: Settings) -> Iterator[Records]:
    with Records.open(settings.records.url) as opened:
        yield opened


@pytest.fixture
def http(settings: Settings, records: Records) -> Iterator[TestClient]:
    with TestClient(make_app(settings)) as client:
        yield client


@pytest.fixture
def row(records: Records, settings: Settings) -> Approval:
    """What Alice asked in production."""
    return ask(records, settings)


def ask(records: Records, settings: Settings, **changes: Any) -> Approval:
    now = utc_now()
    facts = {
        "env_id": "prod",
        "card": CARD,
        "digest": DIGEST,
        "policy_version": policy_version(settings, SUPERSET.definitions.values()),
        "expires_at": now + timedelta(minutes=15),
    }
    return records.approvals.ask(request(**facts | changes), now)


def signed(user: str = "bob", role: str | None = "operator", **claims: Any) -> dict[str, str]:
    return {"Authorization": f"Bearer {token(user, role, **claims)}"}


def cards(http: TestClient, **who: Any) -> list[dict[str, Any]]:
    answer = http.get(PATH, headers=signed(**who))
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    return list(answer.json()["cards"])


def decide(http: TestClient, row: Approval, who: dict[str, str], **changes: Any) -> Any:
    body = {"id": row.id, "digest": DIGEST, "decision": "approve"} | changes
    return http.post(PATH, json=body, headers=who)


def test_a_second_person_sees_the_card_and_approves_it(
    http: TestClient, records: Records, row: Approval
):
    [card] = cards(http)
    assert (card["id"], card["asker"], card["title"], card["note"]) == (
        row.id,
        "alice",
        "Start maintenance",
        "",
    )

    answer = decide(http, row, signed())

    assert (answer.status_code, answer.json()) == (200, {"id": row.id, "state": "approved"})
    after = records.approvals.get(row.id)
    assert after is not None
    assert (after.state, after.user_id, after.decided_by) == ("approved", "alice", "bob")
    assert cards(http) == []
    assert decide(http, row, signed()).status_code == 409
    assert decide(http, row, signed("carol")).status_code == 409


def test_a_no_carries_its_reason(http: TestClient, records: Records, row: Approval):
    answer = decide(http, row, signed(), decision="reject", reason="not now")

    assert answer.json()["state"] == "rejected"
    after = records.approvals.get(row.id)
    assert after is not None
    assert (after.reason, after.decided_by) == ("not now", "bob")
    assert decide(http, row, signed()).status_code == 409


def test_the_asker_neither_sees_nor_decides_it_and_learns_how_it_stands(
    http: TestClient, records: Records, row: Approval
):
    alice = {"user": "alice"}
    assert cards(http, **alice) == []
    for decision in ("approve", "reject"):
        answer = decide(http, row, signed("alice"), decision=decision)
        assert answer.status_code == 403
        assert "another user" in answer.json()["detail"]
    assert records.approvals.get(row.id) == row
    assert [one.kind for one in records.audit.list()] == ["asked", "denied", "denied"]

    def stands(who: str) -> Any:
        return http.get(f"{PATH}?card={row.id}&card=x", headers=signed(who)).json()["mine"]

    assert stands("alice") == {row.id: "asked"}
    decide(http, row, signed())
    assert stands("alice") == {row.id: "approved"}
    assert stands("bob") == {}


@pytest.mark.parametrize(
    ("who", "code"),
    [
        ({"role": "operator"}, 200),
        ({"role": "admin"}, 200),
        ({"role": "viewer"}, 403),
        ({"role": "editor"}, 403),
        ({"environments": ["dev"]}, 403),
        ({"environment_roles": {"prod": "viewer"}}, 403),
        ({"role": "viewer", "environment_roles": {"prod": "operator"}}, 200),
        ({"role": "viewer", "environment_roles": {"dev": "operator"}}, 403),
    ],
)
def test_only_who_could_do_it_there_may_approve(
    http: TestClient, records: Records, row: Approval, who: dict[str, Any], code: int
):
    assert len(cards(http, **who)) == (code == 200)
    answer = decide(http, row, signed(**who))

    assert answer.status_code == code
    state = records.approvals.get(row.id)
    assert state is not None
    assert state.state == ("approved" if code == 200 else "asked")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"digest": "e" * 64}, 409),
        ({"digest": "e" * 64, "decision": "reject"}, 409),
        ({"id": "f" * 32}, 404),
        ({"decision": "perhaps"}, 422),
        ({"digest": None}, 422),
        ({"more": 1}, 422),
        ({"reason": "x" * 2001}, 422),
    ],
)
def test_what_is_not_exactly_the_card_decides_nothing(
    http: TestClient, records: Records, row: Approval, changes: dict[str, Any], code: int
):
    answer = decide(http, row, signed(), **changes)

    assert answer.status_code == code
    assert answer.json()["detail"]
    assert records.approvals.get(row.id) == row


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"card": {}}, 404),  # its asker decides it alone
        ({"policy_version": "older"}, 409),
        ({"tool": "no_such_tool"}, 403),
        ({"env_id": "gone"}, 403),
        ({"expires_at": utc_now() - timedelta(seconds=1)}, 409),
    ],
)
def test_cards_that_are_not_for_second_persons_or_not_good_any_more(
    http: TestClient, records: Records, settings: Settings, changes: dict[str, Any], code: int
):
    other = ask(records, settings, **changes)

    assert cards(http) == []
    assert decide(http, other, signed()).status_code == code
    after = records.approvals.get(other.id)
    assert after is not None
    assert after.state in ("asked", "expired")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer x"},
        {"x-auth-scheme": "langsmith"},
        {"x-auth-scheme": "langsmith", "x-api-key": "x"},
        {"Authorization": f"Bearer {token('eve', 'admin', exp=1)}"},
    ],
)
def test_nobody_without_a_token_gets_or_decides_anything(
    http: TestClient, records: Records, row: Approval, headers: dict[str, str]
):
    assert http.get(PATH, headers=headers).status_code == 401
    assert decide(http, row, headers).status_code == 401
    assert records.approvals.get(row.id) == row


def test_an_api_key_header_is_a_token_too_and_no_role_is_403(http: TestClient, row: Approval):
    assert http.get(PATH, headers={"x-api-key": token("bob")}).status_code == 200
    assert http.get(PATH, headers=signed(role="root")).status_code == 403


@pytest.mark.parametrize(("lang", "words"), [("ru", "другой пользователь"), ("en", "another user")])
def test_words_are_in_the_asked_language(http: TestClient, row: Approval, lang: str, words: str):
    body = {"id": row.id, "digest": DIGEST, "decision": "approve"}
    answer = http.post(f"{PATH}?lang={lang}", json=body, headers=signed("alice"))

    assert words in answer.json()["detail"]


def test_where_nobody_asks_for_second_persons_the_page_learns_so(
    settings: Settings, http: TestClient
):
    assert http.get(PATH, headers=signed()).json()["four_eyes"] is True
    plain = deployment()
    url = settings.records.model_copy(update={"url": settings.records.url + "2"})
    with TestClient(make_app(plain.model_copy(update={"records": url}))) as other:
        found = other.get(PATH, headers=signed()).json()
    assert found == {"four_eyes": False, "cards": [], "mine": {}}


def test_without_a_secret_nobody_comes_in(settings: Settings, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("PILOTHOUSE_JWT_SECRET")
    with TestClient(make_app(settings)) as client:
        assert client.get(PATH, headers=signed()).status_code == 401
