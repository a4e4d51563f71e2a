"""Only pages that the CORS rules let in are led to a private address, on any server."""

from functools import partial

import httpx
import pytest
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import PlainTextResponse

from web.consent import consenting

STUDIO = "https://smith.langchain.com"
RULES = CORSMiddleware(PlainTextResponse("seen"), allow_origins=[STUDIO], allow_methods=["POST"])
METHOD = "access-control-request-method"
ASKS = {
    METHOD: "POST",
    "access-control-request-private-network": "true",
}
CONSENT = "access-control-allow-private-network"


async def preflight(app, origin: str, **more: str) -> httpx.Response:
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as http:
        return await http.options("/", headers=ASKS | {"origin": origin} | more)


async def test_the_rules_alone_refuse_the_question() -> None:
    assert (await preflight(RULES, STUDIO)).status_code == 400


async def test_a_known_page_is_let_in() -> None:
    answer = await preflight(partial(consenting, RULES), STUDIO)
    assert (answer.status_code, answer.headers[CONSENT]) == (200, "true")


@pytest.mark.parametrize(
    ("origin", "more"),
    [
        ("https://example.org", {}),
        (f"{STUDIO}.example.org", {}),
        (STUDIO, {METHOD: "DELETE"}),
    ],
)
async def test_what_the_rules_refuse_stays_refused(origin: str, more: dict[str, str]) -> None:
    answer = await preflight(partial(consenting, RULES), origin, **more)
    assert answer.status_code == 400


async def test_other_pages_get_no_consent_and_others_requests_no_header() -> None:
    app = partial(consenting, RULES)
    assert CONSENT not in (await preflight(app, "https://example.org")).headers
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as http:
        plain = await http.options("/", headers={"origin": STUDIO, METHOD: "POST"})
        sent = await http.post("/", headers={"origin": STUDIO} | ASKS)
    assert plain.status_code == 200
    assert CONSENT not in plain.headers
    assert (sent.text, CONSENT in sent.headers) == ("seen", False)
