"""The page's texts as JSON, from the same Fluent files as the cards."""

import re

import orjson

from tools.messages import Language, sources, text

FILE = "page.ftl"
_KEY = re.compile(r"^([a-z][a-z0-9-]*) =", re.MULTILINE)
_VARIABLE = re.compile(r"\$(\w+)")


def page_texts(language: Language) -> bytes:
    """All texts of the page in a language, `{key: text}`, with `{name}` for a variable.

    The names of the tools (`tool-*`) are among them, for the page shows which one runs.
    """
    files = sources(language)
    slots = {name: f"{{{name}}}" for name in _VARIABLE.findall(files[FILE])}
    keys = _KEY.findall(files[FILE])
    keys += [key for key in _KEY.findall(files["tools.ftl"]) if key.startswith("tool-")]
    return orjson.dumps({key: text(language, key, **slots) for key in keys})
