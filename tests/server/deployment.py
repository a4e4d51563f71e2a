"""The product on a real server and real Supersets, as an operator would deploy it."""

import asyncio
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jwt
from dotenv import dotenv_values

from demo.rest import Rest
from demo.settings_files import write_config
from demo.supersets import Pair
from demo.tokens import AUDIENCE, make_token
from tests.server_process import Server
from tools.clients.layout import banners
from tools.clients.superset import Account, Superset, SupersetConfig
from tools.records import Records


def agent_server(pair: Pair, folder: Path, more: str = "", **env: str) -> Server:
    """A server of the product's graph; it is not started.

    Args:
        pair: The installations it operates.
        folder: Gets the settings, the records and the server's state.
        more: TOML appended to the settings.
        env: Environment variables beside those of the generated .env.
    """
    write_config(pair, folder, f"sqlite:///{folder}/records.db")
    settings = folder / "pilothouse.toml"
    settings.write_text(f"{settings.read_text(encoding='utf-8')}\n{more}", encoding="utf-8")
    secrets = {name: value or "" for name, value in dotenv_values(folder / ".env").items()}
    return Server(folder, secrets | {"PILOTHOUSE_CONFIG": str(settings)} | env)


def token_for(server: Server, role: str, **claims: Any) -> str:
    """A token of a demo user; of somebody else of that role where there are claims."""
    secret = server.env["PILOTHOUSE_JWT_SECRET"]
    if not claims:
        return make_token(secret, role)
    facts = {"sub": f"{role}@else", "role": role, "aud": AUDIENCE, "exp": time.time() + 600}
    return jwt.encode(facts | claims, secret)


def forget_events(server: Server) -> None:
    """Close what earlier tests left open: the installations were reset under the records."""
    records = Records.open(f"sqlite:///{server.folder}/records.db")
    for event in records.maintenance.list(state="open", limit=1000)[0]:
        records.maintenance.close(event.id, "test", datetime.now(UTC))
    records.close()


def layout(pair: Pair, place: str = "dev") -> dict[str, Any]:
    """The layout of the dashboard that the main job is about, by Superset's API."""

    async def read() -> dict[str, Any]:
        at = {"dev": pair.dev, "prod": pair.prod}[place]
        name, password = at.accounts["admin"]
        client = Superset(SupersetConfig(at.url), Account(name, password))
        try:
            return dict((await client.dashboard("usa")).layout)
        finally:
            await client.aclose()

    return asyncio.run(read())


def on_usa(pair: Pair, place: str = "dev") -> set[str]:
    """The maintenance events whose banner stands on that dashboard."""
    return banners(layout(pair, place))


def usa_id(pair: Pair) -> int:
    """The id of that dashboard where the main job is done."""
    superset = Rest(pair.dev.url).login(*pair.dev.accounts["admin"])
    return int(superset.call("GET", "/api/v1/dashboard/usa")["result"]["id"])
