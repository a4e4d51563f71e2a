"""The app of the server's configuration: the door with the deployment's settings and records."""

from pathlib import Path

import httpx
import pytest
from starlette.testclient import TestClient

from tools.records import Records
from tools.settings import parse_settings
from web.app import make_app

ENVIRONMENT = {"title": "Dev", "stage": "dev", "url": "http://127.0.0.1"}


@pytest.mark.parametrize("bodies", [1, 2])
def test_rejections_are_kept_in_the_records(tmp_path: Path, bodies: int):
    url = f"sqlite:///{tmp_path}/kept/records.db"
    settings = parse_settings({"records": {"url": url}, "environments": {"dev": ENVIRONMENT}})

    with TestClient(make_app(settings)) as client:
        good = client.post("/runs", json={"context": {"ui": {"envId": "dev"}}})
        assert not (tmp_path / "kept").exists()  # opened at the first rejection
        for _ in range(bodies):
            bad = client.post("/runs", json={"context": {"ui": {"envId": "prod"}, "secret": 1}})

    assert (good.status_code, bad.status_code) == (404, 422)
    records = Records.open(url)
    rows = records.audit.list()
    records.close()
    assert [row.kind for row in rows] == ["context_rejected"] * bodies
    assert rows[0].detail == {
        "route": "POST /runs",
        "problems": [{"loc": "context.secret", "type": "extra_forbidden"}],
    }


async def test_the_app_serves_nothing_of_its_own():
    transport = httpx.ASGITransport(make_app(parse_settings({})))
    async with httpx.AsyncClient(transport=transport, base_url="http://server") as client:
        for path in ("/", "/docs", "/redoc", "/openapi.json"):
            assert (await client.get(path)).status_code == 404


async def test_the_setting_bounds_bodies():
    app = make_app(parse_settings({"limits": {"request_bytes": 65_536}}))
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://server"
    ) as client:
        assert (await client.post("/runs", content=b" " * 65_537)).status_code == 413
