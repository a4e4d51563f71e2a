"""Any value that a tool returns becomes JSON that can be read and stored."""

from decimal import Decimal
from typing import Any

import pytest

from tools.results import dumped, parsed, whole

ODD = (
    float("nan"),
    float("inf"),
    Decimal("NaN"),
    {1, 2},
    (1, 2),
    10**5000,
    b"x",
    {("a", "b"): 1},
    {None: 1},
    {"a": {1: Decimal("1.10")}},
    "half \ud83d",
    {"half \ud83d": "\ud83d", "joined": "\ud83d\ude00"},
)


@pytest.mark.parametrize("value", ODD, ids=range(len(ODD)))
def test_no_invalid_json_comes_of_odd_values(value: Any) -> None:
    made = dumped([value, 1])
    made.encode()
    assert parsed(made) is not made or value == 10**5000
    assert "NaN" not in made
    assert "Infinity" not in made


def test_odd_values_are_written_as_near_as_json_can() -> None:
    assert dumped({"a": {1: Decimal("1.10")}}) == '{"a": {"1": 1.10}}'
    assert dumped([float("nan"), 0.1, "é"]) == '[null, 0.1, "é"]'
    assert dumped("\ud83d\ude00 \ud83d") == '"😀 \ufffd"'


def test_half_characters_are_replaced_and_halves_joined() -> None:
    assert whole("a\ud83d\ude00b\ud83d") == "a😀b\ufffd"
    assert whole("as it is, é 😀") == "as it is, é 😀"
