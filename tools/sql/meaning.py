"""Whether two texts say the same: as SQL, in their comments, and around their templates."""

import logging
import re
from collections import Counter
from collections.abc import Iterator

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from tools.sql.reading import gaps, tokens_of

# At WARNING sqlglot writes statements that it does not know, with what they say, into the log.
logging.getLogger("sqlglot").setLevel(logging.ERROR)

STATEMENTS = (
    exp.Query,
    exp.Values,
    exp.DML,
    exp.DDL,
    exp.Merge,
    exp.Drop,
    exp.Alter,
    exp.TruncateTable,
    exp.Describe,
    exp.Set,
    exp.Use,
    exp.Grant,
    exp.Revoke,
    exp.Comment,
    exp.Transaction,
    exp.Commit,
    exp.Rollback,
    exp.Pivot,
    exp.Summarize,
)
"""What a text may be made of: other things the parser finds, such as a lone name, are no SQL."""

_SAME = {"!=": "<>"}


class Unreadable(ValueError):  # noqa: N818 - says what is wrong
    """The text is no SQL that the parser understands.

    Attributes:
        nonsense: It understands something, and that is no statement.
    """

    def __init__(self, *, nonsense: bool = False) -> None:
        super().__init__("nonsense" if nonsense else "unreadable")
        self.nonsense = nonsense


def statements(sql: str, dialect: str) -> list[exp.Expr]:
    """The statements of a text.

    Raises:
        Unreadable: it is no SQL.
        Refused: it can't even be parted into words.
    """
    tokens = tokens_of(sql, dialect)
    try:
        found = Dialect.get_or_raise(dialect).parser().parse(tokens, sql)
    except Exception:  # noqa: BLE001 - whatever the parser stumbles on is not understood
        raise Unreadable from None
    made = [one for one in found if one is not None and not isinstance(one, exp.Semicolon)]
    if any(isinstance(one, exp.Command) for one in made):
        raise Unreadable
    if not made or not all(isinstance(one, STATEMENTS) for one in made):
        raise Unreadable(nonsense=True)
    return made


def same(one: str, other: str, dialect: str) -> bool:
    """Whether two texts are the same statements with the same comments."""
    try:
        equal = statements(one, dialect) == statements(other, dialect)
    except (Unreadable, RecursionError):
        return False
    return equal and comments(one, dialect) == comments(other, dialect)


def comments(sql: str, dialect: str) -> Counter[str]:
    """The comments of a text, without their marks and blanks."""
    found = (
        comment.strip() for token in tokens_of(sql, dialect) for comment in token.comments or ()
    )
    return Counter(" ".join(comment.split()) for comment in found)


def words_around(sql: str, dialect: str, masks: re.Pattern[str]) -> list[str]:
    """The words of a text and its masks, in their order, as far as their order tells a meaning."""
    return [word for word in _units(sql, dialect, masks) if word != "AS"]


def _units(sql: str, dialect: str, masks: re.Pattern[str]) -> Iterator[str]:
    for gap, written in gaps(sql, tokens_of(sql, dialect)):
        yield from (re.sub(r"[/*\s]", "", match.group()) for match in masks.finditer(gap))
        if written:
            yield _SAME.get(written, written.upper())
