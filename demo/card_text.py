"""A card of the agent, for a person at a terminal."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from demo.job_texts import TEXTS, Language

WIDTH = 78


def card_lines(card: Mapping[str, Any], language: Language) -> list[str]:
    """The lines of a card: badge and title, what is asked, where, on what, how much, how long."""
    texts = TEXTS[language]
    head = f"--- {texts['card']} "
    lines = [head.ljust(WIDTH, "-"), f"[{card['badge']}] {card['title']}", card.get("prompt", "")]
    environment = card.get("environment")
    if environment:
        lines.append(f"{texts['environment']}: {environment['title']} ({environment['id']})")
    lines += [f"  {line}" for line in card.get("shown") or []]
    lines.append(card.get("impact", ""))
    lines += [f"  {line}" for line in card.get("differences") or []]
    if card.get("expires_at"):
        lines.append(f"{texts['expires']} {_clock(card['expires_at'])}")
    return [line for line in lines if line] + ["-" * WIDTH]


def _clock(moment: str) -> str:
    """The moment on the clock of this machine."""
    return datetime.fromisoformat(moment).astimezone().strftime("%H:%M:%S")
