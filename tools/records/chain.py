"""The chain of the audit: each row holds the hash of the row before, and its own.

A hash is SHA-256 of the row's canonical JSON (RFC 8785) without the hash itself: whoever has an
exported row can compute it with any library. It is taken of the texts as they are stored, so that
no byte of them can change unseen.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

GENESIS = "0" * 64
"""What the first row of all holds as the hash before it."""

FIELDS = (
    "at",
    "call_id",
    "detail",
    "env_id",
    "id",
    "kind",
    "prev_hash",
    "thread_id",
    "tool",
    "user_id",
)
"""What a hash covers, in the order of canonical JSON."""


def row_hash(row: Mapping[str, Any]) -> str:
    """The hash of a row.

    Args:
        row: Its values as they are stored: `id` a whole number, `detail` canonical JSON, all
            others text or None.

    Raises:
        TypeError: a value is of another type.
        ValueError: a text holds what no text can hold (UnicodeEncodeError).
    """
    return hashlib.sha256(written(row, FIELDS).encode()).hexdigest()


def exported(row: Mapping[str, Any]) -> str:
    """A row with its hash as canonical JSON: one line of an export."""
    return written(row, (*FIELDS[:4], "hash", *FIELDS[4:]))


def written(row: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """A row as canonical JSON; the detail is that already, and goes in as it is."""
    values = (row[name] if name == "detail" else _quoted(row[name]) for name in names)
    return (
        "{" + ",".join(f'"{name}":{value}' for name, value in zip(names, values, strict=True)) + "}"
    )


def stamp(moment: datetime) -> str:
    """A time as it stands in a row: UTC, to the microsecond, so that texts sort as times do.

    Raises:
        ValueError: it has no time zone.
    """
    if moment.tzinfo is None:
        raise ValueError("A time without a time zone")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _quoted(value: Any) -> str:
    # Of texts, whole numbers and None, which is all there is, this is what RFC 8785 writes.
    return json.dumps(value, ensure_ascii=False)
