"""Which SQL a database of Superset speaks, in sqlglot's names."""

from collections.abc import Mapping
from types import MappingProxyType

GENERIC = ""
"""The dialect of a database that nobody here knows: only what it parses is let through."""

DIALECTS: Mapping[str, str] = MappingProxyType(
    {
        "ascend": "hive",
        # Queries of Athena are Trino's; sqlglot's "athena" reads backslashes as Hive does.
        "awsathena": "trino",
        "bigquery": "bigquery",
        "clickhouse": "clickhouse",
        "clickhousedb": "clickhouse",
        "cockroachdb": "postgres",
        "databricks": "databricks",
        "doris": "doris",
        "drill": "drill",
        "druid": "druid",
        "duckdb": "duckdb",
        "exa": "exasol",
        "gsheets": "sqlite",
        "hana": "postgres",
        "hive": "hive",
        "impala": "hive",
        "mariadb": "mysql",
        "materialize": "materialize",
        "motherduck": "duckdb",
        "mssql": "tsql",
        "mysql": "mysql",
        "netezza": "postgres",
        "oceanbase": "mysql",
        "oracle": "oracle",
        "postgres": "postgres",
        "postgresql": "postgres",
        "presto": "presto",
        "pydoris": "doris",
        "redshift": "redshift",
        "risingwave": "risingwave",
        "shillelagh": "sqlite",
        "singlestoredb": "mysql",
        "snowflake": "snowflake",
        "spark": "spark",
        "sqlite": "sqlite",
        "starrocks": "starrocks",
        "superset": "sqlite",
        "sybase": "tsql",
        "teradatasql": "teradata",
        "trino": "trino",
    }
)
"""sqlglot's dialect by Superset's `backend` of a database.

Vertica is left out although it speaks PostgreSQL's: dozens of its functions change the cluster, and
of an unknown dialect only functions that every database has are let through.
"""

POSTGRES = frozenset({"postgres", "redshift", "materialize", "risingwave"})
MYSQL = frozenset({"mysql", "doris", "starrocks"})
SPARK = frozenset({"spark", "databricks", "hive"})
TSQL = frozenset({"tsql"})

NO_LIMIT = frozenset({GENERIC, "tsql", "oracle", "teradata"})
"""Where LIMIT is no word, or may be none."""

PLAIN_BACKSLASH = frozenset({"sqlite", "oracle", "tsql", "trino", "presto", "duckdb", "teradata"})
"""Where a backslash in a text is always a backslash; in the others it may hide a quote, and in
some of them a setting of the database decides."""

ESCAPING_BACKSLASH = frozenset(
    {"bigquery", "snowflake", "clickhouse", "databricks", "spark", "hive"}
)
"""Where a backslash always escapes, whatever the database's settings are."""


def dialect_of(backend: str) -> str:
    """The sqlglot dialect for a database's `backend` as Superset names it; unknown: the generic."""
    return DIALECTS.get(backend.strip().lower().partition("+")[0], GENERIC)
