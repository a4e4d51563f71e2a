"""SQL in quotes is found in time that grows with the text, not with its square."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.intent.spoken import _quotes, spoken_sql

ONE = re.compile(r"«([^»]+)»|“([^”]+)”|„([^“]+)“|\"([^\"]+)\"|(?<!\w)'([^'\n]+)'(?!\w)")
"""What is meant, in time that grows with the square."""


@settings(max_examples=500, deadline=None)
@given(st.text("«»“”„\"' ab\n", max_size=40))
def test_quotes_are_found_in_their_order(text: str) -> None:
    assert [one.span() for one in _quotes(text)] == [one.span() for one in ONE.finditer(text)]


@pytest.mark.parametrize("mark", ["«", "“", "„", '"', "'", " '", "`", "``", "```", "»", "”"])
@pytest.mark.parametrize("end", ["", '"', "»", "” „ »“"])
def test_marks_without_end_do_not_hang(mark: str, end: str) -> None:
    text = mark * 100_000 + end
    began = time.process_time()
    spoken_sql(text)
    assert time.process_time() - began < 5
