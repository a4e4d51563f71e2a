"""Which environment words mean."""

import re

from tools.clients.superset_search import fold
from tools.connect import Call
from tools.messages import text
from tools.messages.markdown import escape
from tools.resolve.question import Question
from tools.settings import Settings

STAGE_WORDS = {
    "prod": ("prod", "production", "прод", "продакшен", "продакшн", "боевой", "бой"),
    "staging": ("staging", "stage", "стейджинг", "стейдж", "предпрод"),
    "dev": ("dev", "development", "дев", "разработка", "разработки"),
}


def environment_id(words: str, call: Call, slot: str = "env_id") -> str:
    """The id of the environment that words name: an id, a title, else the only one of a stage.

    Raises:
        Question: none or several fit.
    """
    known = call.environments()
    if words in known:
        return words
    wanted = fold(words)
    named = [key for key, env in known.items() if wanted in (fold(key), fold(env.title))]
    staged = [key for key, env in known.items() if wanted in STAGE_WORDS[env.stage]]
    found = named or staged
    if len(found) == 1:
        return found[0]
    names = ", ".join(found or known) or "-"
    raise Question(
        slot, text(call.language, "unknown-environment", name=escape(words), known=names)
    )


def environments_named(words: str, settings: Settings) -> frozenset[str]:
    """The ids of the environments that a text names by id, title or stage."""
    padded = f" {re.sub(r'[^0-9a-zа-я_-]+', ' ', fold(words))} "
    return frozenset(
        env_id
        for env_id, environment in settings.environments.items()
        if any(
            f" {fold(name)} " in padded
            for name in (env_id, environment.title, *STAGE_WORDS[environment.stage])
        )
    )
