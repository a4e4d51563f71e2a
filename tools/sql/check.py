"""Whether a SQL text is one query that only reads.

What is sent is the user's own text without its comments, not one that the parser wrote again:
writing again changes meaning here and there, and the text that was checked is the text that goes.
"""

from dataclasses import dataclass

from sqlglot import TokenType, exp
from sqlglot.dialects.dialect import Dialect

from tools.sql.dialects import POSTGRES, TSQL
from tools.sql.functions import danger
from tools.sql.reading import Words, read
from tools.sql.refusal import Refused, names
from tools.sql.tree import check_tree

STARTS = frozenset({"SELECT", "WITH"})

STATEMENTS = names(
    "ALTER BACKUP BEGIN BREAK BULK CHECKPOINT CLOSE COMMIT CONTINUE CREATE DBCC DEALLOCATE DECLARE "
    "DELETE DENY DISABLE DROP ENABLE EXEC EXECUTE GOTO GRANT IF INSERT KILL LOAD MERGE OPEN PRINT "
    "RAISERROR READTEXT RECEIVE RECONFIGURE RESTORE RETURN REVERT REVOKE ROLLBACK SAVE SEND SET "
    "SETUSER SHUTDOWN THROW TRUNCATE UPDATE UPDATETEXT USE WAITFOR WHILE WRITETEXT"
)
"""Words that begin another statement in SQL Server, which needs no semicolon before them."""


MAX_PARTS = 5
"""How many parts of a name are looked at: no database has more."""


@dataclass(frozen=True)
class Query:
    """A text that only reads.

    Attributes:
        text: What may be sent.
        tree: What it was parsed into.
        words: Its tokens.
        dialect: sqlglot's name of its dialect.
    """

    text: str
    tree: exp.Query
    words: Words
    dialect: str


def check(sql: str, dialect: str) -> Query:
    """Let one query through that only reads.

    It takes milliseconds; a text at the bounds takes a second, and belongs into a thread.

    Args:
        sql: The user's text.
        dialect: sqlglot's name of the dialect; "" where none is known.

    Raises:
        Refused: it is none, or nobody can tell.
    """
    words = read(sql, dialect)
    _check_words(words, dialect)
    tree = parse(words, dialect)
    check_tree(tree, dialect)
    return Query(words.text, tree, words, dialect)


def parse(words: Words, dialect: str) -> exp.Query:
    """The tree of a text that is one query.

    Raises:
        Refused: it is none.
    """
    try:
        found = Dialect.get_or_raise(dialect).parser().parse(list(words.tokens), words.text)
    except RecursionError:
        raise Refused("too-deep") from None
    except Exception as error:  # noqa: BLE001 - whatever the parser stumbles on is not understood
        raise Refused("unreadable", _where(error)) from None
    if len(found) != 1 or found[0] is None:
        raise Refused("several")
    root = found[0]
    if not isinstance(root, exp.Select | exp.SetOperation | exp.Subquery):
        raise Refused("statement", root.key.upper())
    return root


def _check_words(words: Words, dialect: str) -> None:
    """Refuse by words what the parser might read as something harmless."""
    tokens = words.tokens
    first = next((t for t in tokens if t.token_type != TokenType.L_PAREN), tokens[0])
    if words.source(first).upper() not in STARTS:
        raise Refused("statement", words.source(first).upper()[:40])
    for index, token in enumerate(tokens):
        if token.token_type == TokenType.SEMICOLON:
            raise Refused("several", words.source(tokens[index + 1]).upper()[:40])
        if not words.is_word(index):
            continue
        written = words.source(token).upper()
        if dialect in TSQL and written in STATEMENTS:
            raise Refused("several", written)
        if written == "INTO":
            raise _into(words, index)
        _check_name(words, index, dialect)


def _into(words: Words, index: int) -> Refused:
    """INTO writes, whatever it belongs to."""
    before = words.source(words.tokens[index - 1]).upper()
    if before in ("INSERT", "MERGE", "REPLACE"):
        return Refused("writes-inside", before)
    return Refused("into", " ".join(map(words.source, words.tokens[index : index + 2]))[:40])


def _check_name(words: Words, index: int, dialect: str) -> None:
    """Refuse the name of a function that does more than compute, where it may be called."""
    name = _qualified(words, index)
    after = words.tokens[index + 1].token_type if index + 1 < len(words.tokens) else None
    called = after == TokenType.L_PAREN
    if dialect in POSTGRES and len(name) > 1 and name[-2].lower() != "pg_catalog":
        # `x.pg_read_file` is `pg_read_file(x)` for PostgreSQL.
        called = True
    if dialect == "oracle" and (len(name) > 1 or after == TokenType.DOT):
        # A function without arguments needs no brackets: `utl_inaddr.get_host_name`.
        called = called or after != TokenType.DOT
    if name[-1].lower() == "nextval" and len(name) > 1:
        raise Refused("state", ".".join(filter(None, name)))
    reason = danger(name, dialect) if called else None
    if reason is not None:
        raise Refused(reason, ".".join(filter(None, name)))


def _qualified(words: Words, index: int) -> list[str]:
    """A name with the names before its dots."""
    name = [words.tokens[index].text]
    while (
        index >= 2
        and len(name) < MAX_PARTS
        and words.tokens[index - 1].token_type == TokenType.DOT
        and words.is_word(index - 2)
    ):
        index -= 2
        name.insert(0, words.tokens[index].text)
    # PostgreSQL reads a function behind any dot: `('x'::text).pg_read_file`.
    if len(name) == 1 and index and words.tokens[index - 1].token_type == TokenType.DOT:
        name.insert(0, "")
    return name


def _where(error: Exception) -> str:
    """The place of a parser's error: its line and what stands there."""
    details = getattr(error, "errors", None)
    if not details:
        return ""
    first = details[0]
    return f"{first.get('line')}:{first.get('col')} {first.get('highlight') or ''}".strip()[:60]
