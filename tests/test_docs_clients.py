"""docs/clients.md names what there is, and its context is one that the server takes."""

import json
import re

from scripts.layout import ROOT
from tools.context import check_context

TEXT = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")


def test_each_client_is_tested_by_a_file_that_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.\w+)`", TEXT)
    assert len(named) >= 6
    for path in named:
        assert (ROOT / path).is_file(), path


def test_the_context_to_fill_in_is_sound() -> None:
    (context,) = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
    assert check_context(json.loads(context), {"ss-dev": object()}) == []
