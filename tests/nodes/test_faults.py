"""What of a fault comes into the log."""

import pytest

from nodes.faults import CHARACTERS, for_log
from tools.settings import Settings


def fault(words: str) -> Exception:
    try:
        raise ValueError(words)
    except ValueError as error:
        return error


@pytest.mark.parametrize("words", ["\ud83d" * 9, "a\udfff", "Слово 🙂"])
async def test_every_log_can_write_it(words: str) -> None:
    logged = await for_log(fault(words), Settings())
    assert logged.encode("utf-8")
    assert logged.startswith("Traceback")
    assert "ValueError" in logged


async def test_its_end_is_kept() -> None:
    logged = await for_log(fault("x" * 10 * CHARACTERS + " the end"), Settings())
    assert len(logged) == CHARACTERS
    assert logged.rstrip().endswith("the end")


async def test_what_looks_like_a_secret_is_hidden() -> None:
    assert "hunter2" not in await for_log(fault("password: hunter2"), Settings())
