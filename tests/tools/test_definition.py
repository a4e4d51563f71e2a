"""A tool is declared in one place, and a forgotten fact is an error at import."""

from typing import Any, Literal

import pytest
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import ValidationError

from tools.definition import ANYWHERE, EDITORS, EVERYONE, Lexicon, Prepared, Toolset

WORDS = Lexicon(objects=("lamp",), actions=("light",))
FACTS: dict[str, Any] = {"roles": EVERYONE, "lexicon": WORDS, "ru": "зажги лампу", "en": "light"}


async def prepare(arguments: dict[str, Any], call: Any) -> Prepared:
    return Prepared(arguments)


def declared(**facts: Any) -> Any:
    """The definition of a small tool, declared with some facts."""
    tools = Toolset("lamps")

    @tools.tool(**{"effect": "read", **FACTS, **facts})
    async def light(call: Any, lamp: str, colour: Literal["red", "blue"] = "red") -> str:
        """Light a lamp.

        It burns until it is put out.

        Args:
            lamp: Title of the lamp,
                as people say it.
            colour: How it shines.
        """
        return f"{lamp} {colour}"

    assert light.__name__ == "light"  # still the function, to be called by tests and other code
    return tools.definitions[0]


@pytest.mark.parametrize("missing", ["effect", "roles", "lexicon", "ru", "en"])
def test_a_forgotten_fact_is_a_type_error(missing: str) -> None:
    facts = {"effect": "read", **FACTS}
    del facts[missing]
    with pytest.raises(TypeError, match=missing):
        Toolset("lamps").tool(**facts)


def test_a_write_must_say_how_its_impact_is_counted() -> None:
    with pytest.raises(TypeError, match="light writes"):
        declared(effect="write")
    assert declared(effect="write", prepare=prepare).prepare is prepare


def test_defaults_follow_from_the_effect() -> None:
    read, write = declared(), declared(effect="write", prepare=prepare)
    assert (read.risk, write.risk) == ("safe", "guarded")
    assert declared(risk="dangerous").risk == "dangerous"
    assert read.group == "lamps"
    assert read.affinity == ANYWHERE
    assert (read.when, read.result_characters) == ("always", None)
    later = declared(when="shortened", result_characters=9000)
    assert (later.when, later.result_characters) == ("shortened", 9000)


def test_a_tool_of_an_environment_gets_it_from_the_page() -> None:
    assert declared().required == {"env_id"}
    assert declared().page == {"env_id": "environment"}
    optional = declared(environment="optional", required=frozenset({"lamp"}))
    assert optional.required == {"lamp"}
    assert optional.page == {"env_id": "environment"}
    nowhere = declared(environment="none", page={"lamp": "dashboard"})
    assert nowhere.required == frozenset()
    assert nowhere.page == {"lamp": "dashboard"}
    other = declared(target="target_env", page={"target_env": "environment"})
    assert other.required == {"target_env"}


def test_facts_cannot_be_changed_afterwards() -> None:
    definition = declared()
    with pytest.raises(AttributeError):
        definition.roles = EDITORS
    with pytest.raises(TypeError):
        definition.page["lamp"] = "task"
    with pytest.raises(TypeError):
        definition.examples["en"] = "put out"


def test_a_function_without_words_for_the_model_is_refused() -> None:
    tools = Toolset("lamps")

    async def silent(lamp: str) -> str:
        return lamp

    with pytest.raises(TypeError, match="silent has no docstring"):
        tools.tool(effect="read", **FACTS)(silent)

    async def forgetful(lamp: str) -> str:
        """Light it."""
        return lamp

    with pytest.raises(TypeError, match="forgetful does not document its argument lamp"):
        tools.tool(effect="read", **FACTS)(forgetful)

    async def slipped() -> None:
        """Light it.

        Args:
            lump: A slip of the pen.
        """

    with pytest.raises(TypeError, match="slipped has no argument lump"):
        tools.tool(effect="read", **FACTS)(slipped)
    assert tools.definitions == []


def test_what_a_model_reads() -> None:
    definition = declared()
    assert definition.description == "Light a lamp.\n\nIt burns until it is put out."
    function = convert_to_openai_tool(definition.tool)["function"]
    assert function["name"] == "light"
    assert function["description"] == definition.description
    properties = function["parameters"]["properties"]
    assert set(properties) == {"lamp", "colour"}  # never the call
    assert properties["lamp"]["description"] == "Title of the lamp, as people say it."
    assert properties["colour"]["enum"] == ["red", "blue"]
    assert function["parameters"]["required"] == ["lamp"]


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"lamp": 7},
        {"lamp": None},
        {"lamp": "a", "colour": "green"},
        {"lamp": "a", "call": {}},
        {"lamp": "a", "env": "prod"},
    ],
)
def test_arguments_are_strict_and_closed(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        declared().arguments.model_validate(arguments)


def test_the_definition_travels_with_the_tool() -> None:
    definition = declared()
    assert definition.tool.metadata == {"definition": definition}
    assert definition.tool is definition.tool


def test_a_toolset_keeps_the_order_of_its_declarations() -> None:
    tools = Toolset("lamps")
    for name in ("b", "a", "c"):

        async def work() -> None:
            """Work."""

        work.__name__ = name
        tools.tool(effect="read", **FACTS)(work)
    assert [definition.name for definition in tools] == ["b", "a", "c"]
