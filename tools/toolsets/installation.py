"""The installations themselves: which there are, and whether they answer."""

import asyncio
from typing import Any
from urllib.parse import urlsplit

from tools.clients.http import SupersetError
from tools.connect import Call
from tools.context import Language
from tools.definition import EVERYONE, Lexicon, Toolset
from tools.judgement import explain
from tools.messages import text
from tools.messages.markdown import table
from tools.results import items_of
from tools.settings import SettingsError

INSTALLATION = Toolset("installation")


def answer_environments(payload: Any, language: Language) -> str:
    """A table of the environments."""
    items = items_of(payload)
    if not items:
        return text(language, "environments-none")
    head = ("id", "title", "stage", "host", "version", "state")
    rows = [
        (
            item["id"],
            item["title"],
            item["stage"],
            item["host"],
            item["version"] or "-",
            _state(item, language),
        )
        for item in items
    ]
    return table([text(language, f"environments-{name}") for name in head], rows)


def _state(item: dict[str, Any], language: Language) -> str:
    if item["reachable"]:
        return text(language, "environment-up", ms=item["latency_ms"])
    return text(language, "environment-down", problem=item["problem"])


@INSTALLATION.tool(
    effect="read",
    roles=EVERYONE,
    lexicon=Lexicon(
        objects=(
            "окруж",
            "environment",
            "env",
            "инсталляц",
            "установк",
            "installation",
            "instance",
            "среды",
            "средах",
            "список сред",
            "servers",
            "серверы",
            "стенды",
            "стендов",
            "контуры",
            "контуров",
            "инстанс",
            "суперсеты",
            "суперсетов",
            "supersets",
        )
    ),
    ru="Какие есть окружения?",
    en="Which environments are there?",
    affinity=frozenset({"dashboard", "dataset", "migration"}),
    environment="none",
    answer=answer_environments,
    fast=True,
)
async def list_environments(call: Call) -> list[dict[str, Any]]:
    """List the Superset installations: id, title, stage, host, version, and whether they answer."""
    return list(await asyncio.gather(*(_probe(env_id, call) for env_id in call.environments())))


async def _probe(env_id: str, call: Call) -> dict[str, Any]:
    environment = call.environment(env_id)
    found: dict[str, Any] = {
        "id": env_id,
        "title": environment.title,
        "stage": environment.stage,
        "host": urlsplit(environment.url).netloc,
        "version": None,
        "reachable": False,
        "latency_ms": None,
        "problem": None,
    }
    try:
        client = call.superset(env_id)
        found["latency_ms"] = round(1000 * await client.ping())
        found["reachable"] = True
        found["version"] = await client.version()
    except (SupersetError, SettingsError) as error:
        found["problem"] = explain(error, call.language)
    return found
