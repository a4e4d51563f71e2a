"""How many rows a query asks for, and the same in its text."""

from dataclasses import dataclass

from sqlglot import Token, TokenType, exp

from tools.sql.check import Query, check
from tools.sql.dialects import NO_LIMIT
from tools.sql.refusal import Refused


@dataclass(frozen=True)
class Limited:
    """A query with a bound on its rows.

    Attributes:
        text: What is sent; it has the bound too, where the dialect's LIMIT is safe to write.
        rows: How many rows to ask for: one more than wanted tells that there are more.
        own: The bound that the query has of itself; None: none that is a number.
    """

    text: str
    rows: int
    own: int | None


def limited(query: Query, wanted: int) -> Limited:
    """A query that brings at most one row more than wanted, and not more than it says itself.

    Some installations of Superset ignore the LIMIT in a text, others have only that: so it stands
    in the text and in `rows`, and whoever reads the answer cuts it again.
    """
    own = _own(query.tree)
    rows = min(wanted + 1, wanted + 1 if own is None else own)
    text = query.text
    if own is not None and own > rows:
        text = _lowered(query, own, rows)
    elif _may_add(query):
        text = f"{query.text}\nLIMIT {rows}"
    if text != query.text and not _bounds(text, rows, query.dialect):
        text = query.text
    return Limited(text, rows, own)


def _bounds(text: str, rows: int, dialect: str) -> bool:
    """Whether a text with a LIMIT is read as one: behind some last words it is taken for a name."""
    try:
        return _own(check(text, dialect).tree) == rows
    except Refused:
        return False


def _own(tree: exp.Query) -> int | None:
    """The number of rows that a query bounds itself to."""
    limit = tree.args.get("limit")
    if limit is None or limit.args.get("expressions") or _tied(limit):
        return None
    count = limit.args.get("count") if isinstance(limit, exp.Fetch) else limit.expression
    while isinstance(count, exp.Paren):
        count = count.this
    if isinstance(count, exp.Literal) and not count.is_string and str(count.this).isdecimal():
        return int(count.this)
    return None


def _tied(limit: exp.Expr) -> bool:
    """Whether more rows than the number may come: PERCENT, WITH TIES."""
    options = limit.args.get("limit_options")
    return options is not None and bool(
        options.args.get("percent") or options.args.get("with_ties")
    )


def _may_add(query: Query) -> bool:
    """Whether a LIMIT at the end of the text bounds the whole query."""
    tree, tokens = query.tree, query.words.tokens
    if query.dialect in NO_LIMIT or any(tree.args.get(key) for key in ("limit", "offset", "for_")):
        return False
    if isinstance(tree, exp.Subquery) or any(t.token_type == TokenType.PIPE_GT for t in tokens):
        return False
    # In ClickHouse it would bound the last part only.
    return isinstance(tree, exp.Select) or query.dialect != "clickhouse"


def _lowered(query: Query, own: int, rows: int) -> str:
    """The text with a smaller number behind its last LIMIT; as it was, where that is not plain."""
    number = _number(query.words.tokens)
    if number is None or number.text != str(own):
        return query.text
    return f"{query.text[: number.start]}{rows}{query.text[number.end + 1 :]}"


def _number(tokens: tuple[Token, ...]) -> Token | None:
    """The number of rows behind the outermost LIMIT: `n`, `n OFFSET m` or `m, n`."""
    depth, last = 0, None
    for index, token in enumerate(tokens):
        depth += (token.token_type == TokenType.L_PAREN) - (token.token_type == TokenType.R_PAREN)
        if depth == 0 and token.token_type == TokenType.LIMIT:
            last = index
    if last is None:
        return None
    behind = tokens[last + 1 :]
    kinds = [token.token_type for token in behind]
    if kinds == [TokenType.NUMBER, TokenType.COMMA, TokenType.NUMBER]:
        return behind[2]
    plain = kinds == [TokenType.NUMBER] or kinds == [
        TokenType.NUMBER,
        TokenType.OFFSET,
        TokenType.NUMBER,
    ]
    return behind[0] if plain else None
