"""Whether a parsed query is made only of parts that read."""

from collections.abc import Callable

from sqlglot import exp

from tools.sql.dialects import GENERIC, SPARK, TSQL
from tools.sql.functions import danger, folded, makes_rows
from tools.sql.nodes import (
    ALLOWED,
    FILE_ENDINGS,
    FILE_FORMATS,
    READING_HINTS,
    REASONS,
    TABLE_NODES,
    VIRTUAL_TABLES,
)
from tools.sql.refusal import Refused


def check_tree(tree: exp.Expr, dialect: str) -> None:
    """Refuse a tree with a part that is on no list, or that does more than read.

    Raises:
        Refused: there is one.
    """
    try:
        for node in tree.walk():
            _check_node(node, dialect)
    except RecursionError:
        raise Refused("too-deep") from None


def _check_node(node: exp.Expr, dialect: str) -> None:
    reason = REASONS.get(type(node))
    if reason is not None:
        raise Refused(reason, _shown(node))
    if isinstance(node, exp.Func):
        _check_function(node, dialect)
    elif type(node).__name__ not in ALLOWED:
        raise Refused("construct", node.key.upper())
    for kind, check in _CHECKS.items():
        if isinstance(node, kind):
            check(node, dialect)


def _check_function(node: exp.Func, dialect: str) -> None:
    name = function_name(node)
    reason = danger([name], dialect)
    if reason is not None:
        raise Refused(reason, name)
    unknown = isinstance(node, exp.Anonymous | exp.AnonymousAggFunc)
    if unknown and dialect == GENERIC:
        raise Refused("server", name)
    if _in_from(node) and not (isinstance(node, TABLE_NODES) or makes_rows(name)):
        raise Refused("table-function", name)


def function_name(node: exp.Func) -> str:
    """The name of a function: as it is written where sqlglot does not know it."""
    if isinstance(node, exp.Anonymous | exp.AnonymousAggFunc):
        return str(node.this.name if isinstance(node.this, exp.Identifier) else node.this)
    return node.sql_name() if type(node).__name__[0] != "_" else node.key


def _in_from(node: exp.Func) -> bool:
    """Whether a function stands where a table does."""
    inner: exp.Expr = node
    parent = node.parent
    while isinstance(parent, exp.Dot):
        inner, parent = parent, parent.parent
    if isinstance(parent, exp.Table | exp.TableFromRows):
        return inner.arg_key in ("this", "db", "catalog", "rows_from")
    if isinstance(parent, exp.Lateral | exp.From | exp.Join):
        return inner.arg_key == "this"
    return isinstance(parent, exp.Func) and folded(function_name(parent)) == "table"


def _check_table(node: exp.Table, dialect: str) -> None:
    """Refuse a table that is a file, or is on another server."""
    if isinstance(node.this, exp.Var | exp.Parameter | exp.Literal | exp.Placeholder):
        raise Refused("file-table", node.this.name)
    parts = [part.name for part in node.parts if isinstance(part, exp.Identifier)]
    shown = ".".join(parts)
    if any(mark in part for part in parts for mark in ("/", "\\", "@")):
        remote = dialect == "oracle" and "/" not in shown and "\\" not in shown
        raise Refused("remote-table" if remote else "file-table", shown)
    if dialect in TSQL and len(node.parts) > 3:
        raise Refused("remote-table", shown)
    if _is_file(parts, dialect):
        raise Refused("file-table", shown)


def _is_file(parts: list[str], dialect: str) -> bool:
    """Whether a database takes the name of a table for that of a file."""
    if not parts:
        return False
    last = folded(parts[-1])
    if dialect == "duckdb":
        whole = folded(".".join(parts))
        return any(mark in last for mark in "*?:") or whole.rpartition(".")[2] in (
            FILE_ENDINGS if "." in whole else ()
        )
    if dialect in SPARK:
        return len(parts) > 1 and folded(parts[-2]) in FILE_FORMATS
    return dialect == "sqlite" and last.startswith(VIRTUAL_TABLES)


def _check_query(node: exp.Query, dialect: str) -> None:
    """Refuse clauses that are no nodes of their own."""
    for clause in ("settings", "format"):
        if node.args.get(clause):
            raise Refused("settings", clause.upper())


def _check_assignment(node: exp.PropertyEQ, dialect: str) -> None:
    """Refuse `@a := 1`; in a structure `:=` and `:` only name a value."""
    if isinstance(node.this, exp.Parameter | exp.SessionParameter):
        raise Refused("settings", _shown(node))


def _check_hint(node: exp.WithTableHint, dialect: str) -> None:
    for hint in node.expressions:
        if hint.name.upper() not in READING_HINTS:
            raise Refused("lock", _shown(hint))


def _shown(node: exp.Expr) -> str:
    """A node for a person: a function's name, or the first words of what it is."""
    if isinstance(node, exp.Func):
        return function_name(node)
    if isinstance(node, exp.Lock):
        return "FOR UPDATE" if node.args.get("update") else "FOR SHARE"
    if type(node) in REASONS and not isinstance(node, exp.Placeholder):
        return node.key.upper()
    return " ".join(str(node).split())[:40]


_CHECKS: dict[type[exp.Expr], Callable[..., None]] = {
    exp.Table: _check_table,
    exp.Query: _check_query,
    exp.PropertyEQ: _check_assignment,
    exp.WithTableHint: _check_hint,
}
