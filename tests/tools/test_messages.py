"""The texts: the same in both languages, whole, and all that the code asks for."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest
from fluent.syntax import FluentParser
from fluent.syntax import ast as ftl

from tools.messages import LANGUAGES, Language, sources, text

ROOT = Path(__file__).parents[2]
PACKAGES = ("graph", "nodes", "tools", "evals", "web")
PLURALS: dict[Language, set[str]] = {"ru": {"one", "few", "many"}, "en": {"one", "other"}}
"""The forms a count needs in each language."""
ANY_PLURAL = {"zero", "one", "two", "few", "many", "other"}
MOMENT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def entries(language: Language, name: str) -> list[ftl.EntryType]:
    return FluentParser(with_spans=False).parse(sources(language)[name]).body


def patterns(language: Language) -> Iterator[tuple[str, str, ftl.Pattern]]:
    """File, key and pattern of every text; `key.attribute` for attributes, `-key` for terms."""
    for name in sources(language):
        for entry in entries(language, name):
            if isinstance(entry, ftl.Message | ftl.Term):
                key = f"-{entry.id.name}" if isinstance(entry, ftl.Term) else entry.id.name
                if entry.value is not None:
                    yield name, key, entry.value
                for attribute in entry.attributes:
                    yield name, f"{key}.{attribute.id.name}", attribute.value


CATALOGUE = {
    language: {key: (name, pattern) for name, key, pattern in patterns(language)}
    for language in LANGUAGES
}


def parts(node: Any) -> Iterator[ftl.BaseNode]:
    """A node of a text and all below it."""
    if isinstance(node, ftl.BaseNode):
        yield node
        for value in vars(node).values():
            yield from parts(value)
    elif isinstance(node, list):
        for item in node:
            yield from parts(item)


def selects(pattern: ftl.Pattern) -> Iterator[tuple[ftl.InlineExpression, set[str]]]:
    """The choices in a text: by what, and between which names."""
    for node in parts(pattern):
        if isinstance(node, ftl.SelectExpression):
            names = {v.key.name for v in node.variants if isinstance(v.key, ftl.Identifier)}
            yield node.selector, names


def variables(language: Language, key: str) -> set[str]:
    """What a text needs, also through texts it refers to."""
    found: set[str] = set()
    for node in parts(CATALOGUE[language][key][1]):
        if isinstance(node, ftl.VariableReference):
            found.add(node.id.name)
        elif isinstance(node, ftl.MessageReference):
            attribute = f".{node.attribute.name}" if node.attribute else ""
            found |= variables(language, node.id.name + attribute)
    return found


def test_both_languages_have_the_same_files_and_some():
    assert set(get_args(Language)) == set(LANGUAGES) == {"ru", "en"}
    assert list(sources("ru")) == list(sources("en"))
    assert len(sources("ru")) > 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_file_can_be_read_whole(language):
    for name in sources(language):
        junk = [entry.content for entry in entries(language, name) if isinstance(entry, ftl.Junk)]
        assert junk == [], name


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_stands_twice(language):
    # Fluent keeps the first one silently, whichever file that is in.
    counts = Counter(key for _, key, _ in patterns(language))
    assert [key for key, count in counts.items() if count > 1] == []


def test_both_languages_have_the_same_keys_in_the_same_files():
    places = {
        language: {(name, key) for key, (name, _) in CATALOGUE[language].items()}
        for language in LANGUAGES
    }
    assert places["ru"] ^ places["en"] == set()


def test_a_text_needs_the_same_variables_in_both_languages():
    shared = CATALOGUE["ru"].keys() & CATALOGUE["en"].keys()
    different = {
        key: (variables("ru", key), variables("en", key))
        for key in shared
        if variables("ru", key) != variables("en", key)
    }
    assert different == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_count_has_the_plural_forms_of_the_language(language):
    wrong = {
        key: sorted(names)
        for key, (_, pattern) in CATALOGUE[language].items()
        for _, names in selects(pattern)
        if names & ANY_PLURAL - {"other"} and not names >= PLURALS[language]
    }
    assert wrong == {}


def kinds(pattern: ftl.Pattern) -> dict[str, str | set[str]]:
    """What a text takes its variables for: a moment, a number, one of some names, or words."""
    found: dict[str, str | set[str]] = {}
    for node in parts(pattern):
        if isinstance(node, ftl.VariableReference):
            found.setdefault(node.id.name, "words")
        elif isinstance(node, ftl.FunctionReference):
            for argument in node.arguments.positional:
                if isinstance(argument, ftl.VariableReference):
                    is_moment = node.id.name == "DATETIME"
                    found[argument.id.name] = "moment" if is_moment else "number"
    for selector, names in selects(pattern):
        if isinstance(selector, ftl.VariableReference):
            found[selector.id.name] = "number" if not names or names <= ANY_PLURAL else names
    return found


def samples(pattern: ftl.Pattern, needed: set[str]) -> Iterator[dict[str, Any]]:
    """Values of every sort that a text can meet."""
    known = kinds(pattern)
    for number in (0, 1, 2, 5, 21, 1.5, 12345):
        values: dict[str, Any] = {name: f"«{name}» {{ $x }} é" for name in needed}
        for name, kind in known.items():
            if kind == "moment":
                values[name] = MOMENT
            elif kind == "number":
                values[name] = number
        yield values
        for name, kind in known.items():
            if isinstance(kind, set):
                yield from ({**values, name: choice} for choice in sorted(kind))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_can_be_written(language):
    keys = [key for key in CATALOGUE[language] if not key.startswith("-")]
    for key in keys:
        pattern, needed = CATALOGUE[language][key][1], variables(language, key)
        for values in samples(pattern, needed):
            written = text(language, key, **values)  # raises where a value is missing
            assert written.strip(), key
            assert written == written.strip(), key
            assert "???" not in written, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_value_is_written_as_it_is(language):
    # No invisible isolation marks: people copy titles from cards.
    hostile = '{ $known } <b>"\u202e'
    written = text(language, "unknown-environment", name=hostile, known="dev")
    assert hostile in written
    assert not {"\u2068", "\u2069"} & set(written)


def test_a_missing_value_or_key_is_an_error():
    with pytest.raises(ValueError, match="unknown-environment"):
        text("en", "unknown-environment", name="x")
    with pytest.raises(KeyError):
        text("en", "no-such-key")


Use = tuple[str, ast.expr, set[str] | None]
"""A call of `text`: where, the key as written, and the values given (None: not to be seen)."""


def uses_in(source: str, place: str) -> Iterator[Use]:
    """The calls of `tools.messages.text` in a module, under whatever name it is imported."""
    tree = ast.parse(source)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names = {
        alias.asname or alias.name
        for node in imports
        for alias in node.names
        if (node.module, alias.name) == ("tools.messages", "text")
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            given = {keyword.arg for keyword in node.keywords}
            key = node.args[1] if len(node.args) > 1 else None
            assert key is not None, f"{place}:{node.lineno}: text() without a key in second place"
            seen = {name for name in given if name} if None not in given else None
            yield f"{place}:{node.lineno}", key, seen


def uses() -> list[Use]:
    return [
        use
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        for use in uses_in(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT)))
    ]


def choices(key: ast.expr) -> list[ast.expr]:
    """What a key is, or may be where it is a choice."""
    if isinstance(key, ast.IfExp):
        return choices(key.body) + choices(key.orelse)
    return [key]


def shape(key: ast.JoinedStr) -> re.Pattern[str]:
    """The keys that an f-string can name."""
    pieces = [
        re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+"
        for part in key.values
    ]
    return re.compile("".join(pieces))


def problems(found: list[Use]) -> Iterator[str]:
    """What the code asks for and the texts do not have."""
    for place, key, given in found:
        for choice in choices(key):
            if isinstance(choice, ast.Constant):
                yield from (f"{place}: {said}" for said in lacks(choice.value, given))
            elif isinstance(choice, ast.JoinedStr):
                pattern = shape(choice)
                if not any(pattern.fullmatch(name) for name in CATALOGUE["en"]):
                    yield f"{place}: no text looks like {pattern.pattern}"


def lacks(key: str, given: set[str] | None) -> Iterator[str]:
    """What is wrong with asking for a text with these values."""
    if key not in CATALOGUE["en"]:
        yield f"there is no text {key}"
    elif given is not None and (missing := variables("en", key) - given):
        yield f"{key} needs {', '.join(sorted(missing))}"


def test_every_text_that_the_code_names_exists_with_what_it_needs():
    assert list(problems(uses())) == []


def test_the_search_for_uses_finds_what_is_wrong():
    source = (
        "from tools.messages import text as t\n"
        "t(a, 'no-such-key')\n"
        "t(a, 'unknown-environment', name=1)\n"
        "t(a, 'unknown-environment', **values)\n"
        "t(a, 'unknown-environment' if b else 'neither')\n"
        "t(a, f'unknown-{b}ment', name=1)\n"
        "t(a, f'nowhere-{b}')\n"
        "other(a, 'no-such-key')\n"
    )
    assert list(problems(list(uses_in(source, "x")))) == [
        "x:2: there is no text no-such-key",
        "x:3: unknown-environment needs known",
        "x:5: unknown-environment needs known, name",
        "x:5: there is no text neither",
        "x:7: no text looks like nowhere\\-.+",
    ]
