"""Identifiers that are the same in every build of the base."""

import uuid

_SPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:pilothouse:demo")


def shared(kind: str, key: str) -> str:
    """Return the UUID of an asset that has the same identity in every installation."""
    return str(uuid.uuid5(_SPACE, f"shared/{kind}/{key}"))


def own(installation: str, kind: str, key: str) -> str:
    """Return the UUID of something that each installation has for itself, like a database."""
    return str(uuid.uuid5(_SPACE, f"{installation}/{kind}/{key}"))
