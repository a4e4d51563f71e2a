"""kill -9 of the real server around real writes: no write comes twice, and no doubt is hidden."""

import sys
from collections import Counter
from collections.abc import Iterator

import pytest

from demo.supersets import Pair
from tests.server.crash_points import AMBIGUOUS, KINDS, SHORT, Outcome, doubles, plan, table
from tests.server.crash_proxy import Proxy, proxy_to
from tests.server.crash_round import Crash
from tests.server.deployment import agent_server


@pytest.fixture
def proxy(pair: Pair) -> Iterator[Proxy]:
    with proxy_to(pair.dev.url) as proxy:
        yield proxy


@pytest.fixture
def crash(pair: Pair, proxy: Proxy, tmp_path) -> Iterator[Crash]:
    """The product on a server of its own, whose way to Superset leads through the proxy."""
    server = agent_server(pair, tmp_path)
    settings = tmp_path / "pilothouse.toml"
    told = settings.read_text(encoding="utf-8").replace(pair.dev.url, proxy.url)
    settings.write_text(told, encoding="utf-8")
    with server:
        yield Crash(server, proxy, pair)


@pytest.mark.prove
@pytest.mark.timeout(900)
async def test_no_write_comes_twice_and_no_doubt_is_hidden(crash, effort, capsys):
    rounds = effort(0, 5)
    outcomes: list[Outcome] = []
    for points in plan(rounds) or [SHORT]:
        outcomes += await crash.round(points)
    with capsys.disabled():
        sys.stdout.write(f"{table(outcomes)}\n")

    assert Counter(one.point.kind for one in outcomes).keys() == set(KINDS)
    assert len(outcomes) == effort(6, 50)
    assert doubles(outcomes) == 0
    for one in outcomes:
        point = one.point
        assert (one.way, one.writes, one.row.state) == (point.way, point.writes, point.state), point
        assert one.banners == one.writes
        if point.kind in AMBIGUOUS:
            assert one.kinds == ("unknown",)
            assert "status unknown" in one.said
        else:
            assert one.kinds == ("result",)
            assert "has begun" in one.said
