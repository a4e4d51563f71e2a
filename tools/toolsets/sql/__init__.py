"""SQL: run one query that only reads, and lay a text out."""

from tools.toolsets.sql import execute, layout
from tools.toolsets.sql.base import SQL

__all__ = ["SQL", "execute", "layout"]
