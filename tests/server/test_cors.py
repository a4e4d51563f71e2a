"""Which web pages a browser lets call the server; measured, since the server adds its own rules."""

import httpx
import pytest

from tests.server_process import Server

STUDIO = "https://smith.langchain.com"


def preflight(server: Server, origin: str) -> httpx.Response:
    """What a browser asks before it sends a page's request with a token."""
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type,x-api-key,x-auth-scheme",
    }
    return httpx.options(f"{server.url}/threads", headers=headers)


@pytest.mark.parametrize(
    "origin",
    [STUDIO, "https://eu.smith.langchain.com", "http://localhost:3000", "http://127.0.0.1:5173"],
)
def test_known_pages_may_call(probe: Server, origin: str) -> None:
    answer = preflight(probe, origin)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == origin
    assert "authorization" in answer.headers["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize("origin", ["https://example.org", f"{STUDIO}.example.org", "null"])
def test_other_pages_may_not(probe: Server, origin: str) -> None:
    answer = preflight(probe, origin)
    assert answer.status_code == 400
    assert "access-control-allow-origin" not in answer.headers
    sent = httpx.post(f"{probe.url}/threads", json={}, headers={"Origin": origin})
    assert "access-control-allow-origin" not in sent.headers


def test_a_page_can_read_a_refusal(probe: Server) -> None:
    answer = httpx.post(f"{probe.url}/threads", json={}, headers={"Origin": STUDIO})
    assert answer.status_code == 401
    assert answer.headers["access-control-allow-origin"] == STUDIO
    assert "content-location" in answer.headers["access-control-expose-headers"].lower()
