"""SQL laid out for reading, with the same meaning, templates and comments."""

from typing import Literal

from sqlglot.errors import ErrorLevel

from tools.sql.masks import Masked, mask
from tools.sql.meaning import Unreadable, same, statements, words_around
from tools.sql.reading import MAX_CHARACTERS, OBEYED, check_bounds, gaps, tokens_of
from tools.sql.refusal import Refused

Problem = Literal["empty", "too-long", "unreadable", "nonsense", "template", "meaning"]
"""empty: there is nothing. too-long: beyond the bound. unreadable: the parser does not understand
it. nonsense: it is no statement. template: a template would move among the words. meaning: the
laid-out text would say something else, or lose a comment."""

PASSES = 3
"""How often a text is laid out until it stays as it is: comments may move once."""


class Unchanged(Exception):  # noqa: N818 - says what happened
    """The text is left as it is.

    Attributes:
        problem: Why.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem: Problem = problem


def lay_out(sql: str, dialect: str) -> str:
    """A text laid out; laying it out again changes nothing.

    Raises:
        Unchanged: it is better left alone.
    """
    if len(sql) > MAX_CHARACTERS:
        raise Unchanged("too-long")
    masked = mask(sql)
    _check_comments(masked.text, dialect)
    try:
        made = _settled(masked, dialect)
    except Unchanged as error:
        # What can't be read is more likely a template's doing than the user's.
        raise Unchanged("template" if masked.parts else error.problem) from None
    restored = masked.restored(made)
    if restored is None:
        raise Unchanged("template")
    return restored


def has_parameters(sql: str, dialect: str) -> bool:
    """Whether a text has a template, or a parameter that is to be bound."""
    if mask(sql).parts:
        return True
    try:
        found = statements(sql, dialect)
    except (Unreadable, Refused):
        return True
    return any(node.key in ("placeholder", "parameter") for one in found for node in one.walk())


def _check_comments(sql: str, dialect: str) -> None:
    """Leave a text alone that has nothing else, or comments that some database obeys."""
    try:
        tokens = tokens_of(sql, dialect)
        check_bounds(tokens)
    except Refused as error:
        raise Unchanged("too-long" if error.reason == "too-long" else "unreadable") from None
    if not tokens:
        raise Unchanged("empty")
    if any(OBEYED.search(gap) for gap, _ in gaps(sql, tokens)):
        raise Unchanged("meaning")


def _settled(masked: Masked, dialect: str) -> str:
    """The text after as many passes as it takes to stay as it is, with its meaning checked."""
    made = before = masked.text
    for _ in range(PASSES):
        before, made = made, _once(made, dialect)
        if made == before:
            break
    if made != before:
        raise Unchanged("meaning")
    if not _same(masked, made, dialect):
        raise Unchanged("meaning")
    return made


def _same(masked: Masked, made: str, dialect: str) -> bool:
    if not same(masked.text, made, dialect):
        return False
    if not masked.blocks:
        return True
    masks = masked.masks
    return words_around(masked.text, dialect, masks) == words_around(made, dialect, masks)


def _once(text: str, dialect: str) -> str:
    try:
        found = statements(text, dialect)
        parts = [
            one.sql(
                dialect, pretty=True, normalize_functions=False, unsupported_level=ErrorLevel.RAISE
            )
            for one in found
        ]
    except Unreadable as error:
        raise Unchanged("nonsense" if error.nonsense else "unreadable") from None
    except Refused:
        raise Unchanged("unreadable") from None
    except Exception:  # noqa: BLE001 - what can't be written again is left alone
        raise Unchanged("meaning") from None
    return ";\n\n".join(parts) + (";" if text.rstrip().endswith(";") else "")
