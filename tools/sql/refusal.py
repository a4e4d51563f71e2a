"""Why a SQL text is not sent to a database."""

from typing import Literal

Reason = Literal[
    "empty",
    "too-long",
    "too-deep",
    "template",
    "executable-comment",
    "unreadable",
    "several",
    "statement",
    "writes-inside",
    "into",
    "lock",
    "settings",
    "bind",
    "construct",
    "ambiguous",
    "file-table",
    "remote-table",
    "table-function",
    "files",
    "large-objects",
    "network",
    "programs",
    "waits",
    "server",
    "state",
    "runs-text",
    "models",
]
"""empty: no statement, or only comments. too-long, too-deep: beyond the bounds of the check.
template: Jinja. executable-comment: a comment that some database obeys. unreadable: the parser
does not understand it. several: more than one statement. statement: another one than SELECT.
writes-inside: a WITH whose part changes data. into: SELECT ... INTO. lock: FOR UPDATE and the like.
settings: it sets a variable or a setting. bind: a parameter that nothing is bound to.
construct: a part of SQL that is on no list. ambiguous: databases read it in different ways.
file-table, remote-table: FROM a file or another server. table-function: FROM a function that is
on no list. The others are dangers of a function: it reads or writes files, large objects, the
network, starts programs, waits, controls the server, changes its state, runs a text as SQL, or
calls a model."""


class Refused(Exception):  # noqa: N818 - says what happened
    """The text is not one query that only reads, as far as can be told; it was not sent.

    Attributes:
        reason: Why.
        found: What was found, in the text's own words; may be empty.
    """

    def __init__(self, reason: Reason, found: str = "") -> None:
        super().__init__(f"{reason}: {found}" if found else reason)
        self.reason: Reason = reason
        self.found = found


def names(listed: str) -> frozenset[str]:
    """The names of a list that is written as one text."""
    return frozenset(listed.split())
