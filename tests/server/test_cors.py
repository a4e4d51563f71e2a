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


@pytest.mark.parametrize(("origin", "status"), [(STUDIO, 200), ("https://example.org", 400)])
def test_a_browser_may_lead_only_known_pages_to_this_machine(
    probe: Server, origin: str, status: int
) -> None:
    """Chrome asks so before a page of the internet reaches a loopback address."""
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Private-Network": "true",
    }
    answer = httpx.options(f"{probe.url}/threads", headers=headers)
    assert answer.status_code == status
    assert ("access-control-allow-origin" in answer.headers) is (status == 200)
    if status == 200:
        assert answer.headers["access-control-allow-private-network"] == "true"


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
