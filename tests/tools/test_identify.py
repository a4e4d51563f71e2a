"""Who a server's user is: every shape that servers give, and nobody in doubt."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from tools.context import User, identify

FACTS = {"identity": "olga", "display_name": "Olga P.", "role": "operator", "environments": ["dev"]}


class Proxy:
    """An object with attributes and items, as the server's ProxyUser is.

    Of a mapping within, an attribute gives such an object again, which is no mapping.
    """

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self._facts = facts

    def __getattr__(self, name: str) -> Any:
        try:
            value = self._facts[name]
        except KeyError:
            raise AttributeError(name) from None
        return Proxy(value) if isinstance(value, dict) else value

    def dict(self) -> Mapping[str, Any]:
        return self._facts

    def get(self, name: str, default: Any = None) -> Any:
        return self._facts.get(name, default)


class Studio:
    """Studio's user of the server: its kind is only an item."""

    identity = display_name = "langgraph-studio-user"

    def get(self, name: str) -> Any:
        return {"kind": "StudioUser"}.get(name)


class Unauthenticated:
    @property
    def identity(self) -> str:
        raise NotImplementedError


@pytest.mark.parametrize("shape", [dict, Proxy, lambda facts: SimpleNamespace(**facts)])
def test_every_shape_is_read(shape: Any):
    assert identify(shape(FACTS)) == User("olga", "operator", "Olga P.", frozenset({"dev"}))
    assert identify(shape({"identity": "v", "role": "viewer"})) == User("v", "viewer")
    guest = {"identity": "g", "role": "viewer", "environment_roles": {"dev": "operator"}}
    assert identify(shape(guest)) == User("g", "viewer", roles={"dev": "operator"})


@pytest.mark.parametrize(
    "user",
    [
        None,
        {},
        object(),
        "olga",
        Unauthenticated(),
        FACTS | {"role": None},
        FACTS | {"environment_roles": ["dev"]},
        FACTS | {"environment_roles": {"dev": "root"}},
        FACTS | {"environment_roles": {1: "admin"}},
        FACTS | {"role": "root"},
        FACTS | {"role": ["admin"]},
        FACTS | {"identity": ""},
        FACTS | {"identity": 7},
        FACTS | {"environments": "dev"},
        FACTS | {"environments": [1]},
        FACTS | {"environments": {"dev": 1}},
    ],
)
def test_whoever_is_in_doubt_is_nobody(user: Any):
    assert identify(user) is None
    assert identify(user, "admin") is None


def test_studio_has_the_deployment_s_role_and_no_other():
    assert identify(Studio()) is None
    assert identify(Studio(), "viewer") == User(
        "langgraph-studio-user", "viewer", "langgraph-studio-user"
    )
    assert identify(FACTS | {"kind": "StudioUser"}, None) is None


def test_no_restriction_and_no_environment_differ():
    assert identify(FACTS | {"environments": None}) == User("olga", "operator", "Olga P.", None)
    assert identify(FACTS | {"environments": []}) == User(
        "olga", "operator", "Olga P.", frozenset()
    )
