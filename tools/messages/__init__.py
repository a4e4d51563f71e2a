"""User-facing texts in Russian and English, in Project Fluent files beside this module.

Every key stands in both languages with the same variables; plural forms are the languages' own.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Literal

from fluent.runtime import FluentBundle, FluentResource

Language = Literal["ru", "en"]
Value = str | float | None
LONGEST = 2000
"""Characters of a value inside a text; what is longer is cut."""
KEPT = 512
"""Texts that are kept as they were written: a card is shown again when its run goes on."""

LANGUAGES: tuple[Language, ...] = ("ru", "en")


def text(language: Language, key: str, **values: Value) -> str:
    """A text in a language.

    Args:
        language: ru or en.
        key: Name of the message; `name.attribute` for an attribute.
        values: The message's variables.

    Raises:
        KeyError: there is no such message.
        ValueError: a variable is missing, or the message is broken.
    """
    # Fluent refuses longer values; and nobody reads a sentence with so long a name in it.
    return _written(language, key, **{name: _short(value) for name, value in values.items()})


# Typed: 1 and True are equal, but they read differently.
@lru_cache(maxsize=KEPT, typed=True)
def _written(language: Language, key: str, **values: Value) -> str:
    bundle = _BUNDLES[language]
    name, _, attribute = key.partition(".")
    message = bundle.get_message(name)
    pattern = message.attributes[attribute] if attribute else message.value
    if pattern is None:
        raise KeyError(key)
    written, errors = bundle.format_pattern(pattern, values)
    if errors:
        raise ValueError(f"{key} ({language}): {errors[0]}")
    return str(written)


def _short(value: Value) -> Value:
    if isinstance(value, str) and len(value) > LONGEST:
        return f"{value[:LONGEST]}…"
    return value


def sources(language: Language) -> Mapping[str, str]:
    """The Fluent files of a language: name to content."""
    folder = files(__name__) / language
    return {
        item.name: item.read_text(encoding="utf-8")
        for item in sorted(folder.iterdir(), key=lambda item: item.name)
        if item.name.endswith(".ftl")
    }


def _bundle(language: Language) -> FluentBundle:
    # Isolation marks are invisible characters: they break titles that people copy from a card.
    bundle = FluentBundle([language], use_isolating=False)
    for content in sources(language).values():
        bundle.add_resource(FluentResource(content))
    return bundle


_BUNDLES: Mapping[Language, FluentBundle] = MappingProxyType(
    {language: _bundle(language) for language in LANGUAGES}
)
"""Read at import: no file is opened while a run is served."""
