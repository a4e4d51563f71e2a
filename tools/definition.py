"""How a tool is declared: a function, and beside it the facts that guard its use."""

import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from langchain_core.tools import (
    BaseTool,
    StructuredTool,
    ToolException,
)
from pydantic import BaseModel, ConfigDict, Field, create_model

from tools.context import ROLES, Language, ObjectType, Role
from tools.settings import Risk

Effect = Literal["read", "write"]
"""Whether a tool only reads, or may change something outside this deployment's records."""

Need = Literal["none", "optional", "required"]
"""Whether a tool acts on an environment: never, where one is given, or always."""

When = Literal["always", "shortened"]
"""When a tool is offered: in any conversation, or once a result of it was shortened."""

PageFact = Literal["environment", "dashboard", "dataset", "task"]
"""What a page can give a tool when the words give nothing."""

ToolFunction = TypeVar("ToolFunction", bound=Callable[..., Awaitable[Any]])
Prepare = Callable[[dict[str, Any], Any], Awaitable["Prepared"]]
Answer = Callable[[Any, Language], str]

EVERYONE: frozenset[Role] = frozenset(ROLES)
ANALYSTS: frozenset[Role] = frozenset({"analyst", "editor", "operator", "admin"})
EDITORS: frozenset[Role] = frozenset({"editor", "operator", "admin"})
OPERATORS: frozenset[Role] = frozenset({"operator", "admin"})
ADMINS: frozenset[Role] = frozenset({"admin"})
ANYWHERE: frozenset[ObjectType] = frozenset({"dashboard", "dataset", "migration"})


class OutcomeUnknown(ToolException):
    """A write of which some part may or may not have happened; it is not repeated.

    Attributes:
        result: What is known, plain JSON.
    """

    def __init__(self, words: str, result: dict[str, Any]) -> None:
        super().__init__(words)
        self.result = result


@dataclass(frozen=True)
class Impact:
    """How much a call would change, as counted by reads alone.

    `changed` is None where it could not be counted: then the call is dangerous.
    """

    changed: int | None
    created: int = 0
    removed: int = 0
    everything: bool = False
    """Whether the call names "all" rather than objects: then it is dangerous at any count."""

    differences: tuple[str, ...] = ()
    """Sentences in the user's language, at most ten: what becomes what."""


@dataclass(frozen=True)
class Prepared:
    """A call after its words were resolved: what the card shows and what will run.

    Attributes:
        arguments: The arguments in the words of the tool's schema, defaults filled in. These are
            what a person may edit.
        targets: What the arguments mean: plain JSON with ids, uuids and `changed_on` of the
            objects. The function gets it as `call.targets`.
        impact: None for reads.
        shown: What the card says of the targets, a line each, in the user's language.
    """

    arguments: dict[str, Any]
    targets: dict[str, Any] = field(default_factory=dict)
    impact: Impact | None = None
    shown: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lexicon:
    """The words that call for a tool, lower case, `ё` written as `е`.

    Words of Cyrillic letters and those that end with `*` are stems, matched at the start of a
    word; others are whole words, also with -s, -es, -ed, -ing. Several words make a phrase.

    Attributes:
        objects: What the tool is about.
        actions: What is done; with none, naming the object is enough.
        exclude: Words that look like an object and are none.
        bare: Its object beside a dashboard, or an end, is a command without a verb: «баннер на
            дашборд 5 до 18:00».
    """

    objects: tuple[str, ...]
    actions: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    bare: bool = False


@dataclass(frozen=True, kw_only=True)
class ToolDefinition:
    """A tool together with everything the agent must know before it calls it."""

    name: str
    description: str
    function: Callable[..., Awaitable[Any]]
    arguments: type[BaseModel]
    """Strict and closed model of the arguments."""

    group: str
    effect: Effect
    risk: Risk
    roles: frozenset[Role]
    affinity: frozenset[ObjectType]
    environment: Need
    target: str
    """Name of the argument that names the environment the tool acts on."""

    page: Mapping[str, PageFact]
    """Arguments that the page gives when the call leaves them out."""

    required: frozenset[str]
    """Arguments that must be known after the page gave what it has; the user is asked."""

    instead: Mapping[str, tuple[str, ...]]
    """Arguments that any of others replaces: with one they are neither filled nor asked for."""

    lexicon: Lexicon
    examples: Mapping[Language, str]
    """One request in each language that this tool serves."""

    timeout: float | None
    """Seconds after which a call is given up; None: the deployment's default."""

    prepare: Prepare | None
    """Resolves names and counts the impact; reads only."""

    answer: Answer | None
    """Makes prose of a result for the embedded planner."""

    fast: bool
    """Whether, under confirm_reads, the words alone may raise its card."""

    when: When
    """When it is offered."""

    result_characters: int | None
    """The most characters of a result that a model reads; None: the deployment's limit."""

    @cached_property
    def tool(self) -> BaseTool:
        """The tool as a model is offered it; the definition travels in its metadata."""
        return StructuredTool(
            name=self.name,
            description=self.description,
            args_schema=self.arguments,
            coroutine=self.function,
            metadata={"definition": self},
        )


@dataclass(frozen=True)
class Toolset:
    """The tools of one domain, in the order they are declared."""

    name: str
    definitions: list[ToolDefinition] = field(default_factory=list)

    def __iter__(self) -> Iterator[ToolDefinition]:
        return iter(self.definitions)

    def tool(
        self,
        *,
        effect: Effect,
        roles: frozenset[Role],
        lexicon: Lexicon,
        ru: str,
        en: str,
        affinity: frozenset[ObjectType] = ANYWHERE,
        risk: Risk | None = None,
        environment: Need = "required",
        target: str = "env_id",
        page: Mapping[str, PageFact] = MappingProxyType({}),
        required: frozenset[str] = frozenset(),
        instead: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
        timeout: float | None = None,
        prepare: Prepare | None = None,
        answer: Answer | None = None,
        fast: bool = False,
        when: When = "always",
        result_characters: int | None = None,
    ) -> Callable[[ToolFunction], ToolFunction]:
        """Declare the decorated function as a tool of this set and leave it a function.

        The function's docstring (Google style) is what a model reads. Its parameter `call`, where
        there is one, gets the running `tools.connect.Call` and is hidden from the model.

        Args:
            effect: Whether the tool only reads or may change something.
            roles: Who may call it.
            lexicon: The words that call for it.
            ru: A request in Russian that it serves.
            en: The same in English.
            affinity: The kinds of object whose pages offer it.
            risk: How a mistake with it would hurt, by itself; reads are safe, writes guarded.
            environment: Whether it acts on an environment.
            target: The argument that names that environment.
            page: Arguments that the page gives when the call leaves them out.
            required: Arguments that must be known in the end.
            instead: Arguments that any of others replaces.
            timeout: Seconds after which a call is given up.
            prepare: Resolves names and counts the impact. A write must have one.
            answer: Makes prose of a result for the embedded planner.
            fast: Whether the words alone may raise its card under confirm_reads.
            when: When it is offered.
            result_characters: The most characters of a result that a model reads, for a tool
                that keeps its results short itself.

        Raises:
            TypeError: a write without `prepare`, or the docstring does not fit the function.
        """

        def declare(function: ToolFunction) -> ToolFunction:
            if effect == "write" and prepare is None:
                raise TypeError(
                    f"{function.__name__} writes: it must say how its impact is counted"
                )
            given: dict[str, PageFact] = dict(page)
            if environment != "none":
                given.setdefault(target, "environment")
            self.definitions.append(
                ToolDefinition(
                    name=function.__name__,
                    description=_summary(function),
                    function=function,
                    arguments=_arguments(function),
                    group=self.name,
                    effect=effect,
                    risk=risk or ("safe" if effect == "read" else "guarded"),
                    roles=roles,
                    affinity=affinity,
                    environment=environment,
                    target=target,
                    page=MappingProxyType(given),
                    required=required | ({target} if environment == "required" else set()),
                    instead=MappingProxyType(dict(instead)),
                    lexicon=lexicon,
                    examples=MappingProxyType({"ru": ru, "en": en}),
                    timeout=timeout,
                    prepare=prepare,
                    answer=answer,
                    fast=fast,
                    when=when,
                    result_characters=result_characters,
                )
            )
            return function

        return declare


def _summary(function: Callable[..., Any]) -> str:
    """What a model reads of a tool: the docstring up to its arguments."""
    text = inspect.getdoc(function)
    if not text:
        raise TypeError(f"{function.__name__} has no docstring")
    return text.split("\nArgs:", maxsplit=1)[0].strip()


def _arguments(function: Callable[..., Any]) -> type[BaseModel]:
    """The strict and closed model of a function's arguments, `call` left out."""
    described = _described(function)
    fields: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name == "call":
            continue
        if name not in described:
            raise TypeError(f"{function.__name__} does not document its argument {name}")
        default = ... if parameter.default is parameter.empty else parameter.default
        fields[name] = (parameter.annotation, Field(default, description=described.pop(name)))
    if described:
        raise TypeError(f"{function.__name__} has no argument {', '.join(described)}")
    config = ConfigDict(strict=True, extra="forbid")
    return create_model(function.__name__, __config__=config, __doc__=_summary(function), **fields)


def _described(function: Callable[..., Any]) -> dict[str, str]:
    """What a docstring (Google style) says of each argument."""
    _, _, section = (inspect.getdoc(function) or "").partition("\nArgs:\n")
    described: dict[str, str] = {}
    for line in section.split("\n\n", maxsplit=1)[0].splitlines():
        name, colon, words = line.strip().partition(": ")
        if colon and line.startswith("    ") and not line.startswith("     "):
            described[name] = words
        elif described:
            last = next(reversed(described))
            described[last] = f"{described[last]} {line.strip()}"
    return described
