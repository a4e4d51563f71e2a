"""What is wrong with a closed section, in words for the person who wrote it; no value is shown."""

import difflib
import re
from collections.abc import Mapping
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

KINDS = {
    "string_type": "must be a text, in quotation marks",
    "int_type": "must be a whole number, without quotation marks",
    "float_type": "must be a number, without quotation marks",
    "bool_type": "must be true or false, without quotation marks",
    "list_type": "must be a list, in square brackets",
    "dict_type": "must be a section of its own",
    "model_type": "must be a section of its own",
    "too_short": "must not be empty",
    "string_too_short": "must not be empty",
}
BOUNDS = {
    "greater_than": "must be more than {gt:g}",
    "greater_than_equal": "must be at least {ge:g}",
    "less_than_equal": "must be at most {le:g}",
    "string_too_long": "must have at most {max_length} characters",
    "literal_error": "must be {expected}",
}


def in_words(error: ValidationError, model: type[BaseModel], forms: Mapping[str, str]) -> list[str]:
    """A line for each mistake, with its place.

    Args:
        error: What pydantic found.
        model: The model that was to be made.
        forms: What a text must look like, in words, by the pattern that it must match.
    """
    found = [(place(item["loc"]), _words(dict(item), model, forms)) for item in error.errors()]
    return [": ".join(filter(None, line)) for line in found]


def place(loc: tuple[int | str, ...]) -> str:
    """Write a place as TOML does: [environments.dev] url, entries counted from one."""
    parts = [
        f"#{part + 1}" if isinstance(part, int) else re.sub(r"^function-.*", "", part)
        for part in loc
    ]
    section, key = ".".join(parts[:-1]).replace(".#", " #"), parts[-1] if parts else ""
    return f"[{section}] {key}" if section else key


def _words(item: dict[str, Any], model: type[BaseModel], forms: Mapping[str, str]) -> str:
    kind, facts = item["type"], item.get("ctx", {})
    if kind == "extra_forbidden":
        return _unknown(item["loc"], model)
    if kind == "missing":
        return "is required, and missing"
    if kind == "string_pattern_mismatch":
        return forms.get(facts["pattern"], item["msg"])
    if kind in BOUNDS:
        return BOUNDS[kind].format(**facts)
    return KINDS.get(kind, str(item["msg"]).removeprefix("Value error, "))


def _unknown(loc: tuple[int | str, ...], model: type[BaseModel]) -> str:
    """Say what an unknown key may have been meant to be."""
    known = _keys(model, loc[:-1])
    close = difflib.get_close_matches(str(loc[-1]), known, n=1)
    if close:
        return f"unknown key; did you mean `{close[0]}`?"
    return f"unknown key; known here: {', '.join(known)}"


def _keys(model: type[BaseModel], loc: tuple[int | str, ...]) -> list[str]:
    """The keys of the section at a place, in the order of their declaration."""
    here: Any = model
    for part in loc:
        fields = here.model_fields if _is_model(here) else {}
        # A list's or a table's entry: the last of its types is what it holds.
        here = fields[part].annotation if part in fields else (get_args(here) or (here,))[-1]
    return list(here.model_fields) if _is_model(here) else []


def _is_model(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, BaseModel)
