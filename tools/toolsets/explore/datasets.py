"""A dataset: its columns against the database, where else it is, what stands on it."""

import asyncio
from typing import Any

from tools.clients.http import SupersetError
from tools.clients.superset import Dataset, Dependants, Superset
from tools.clients.superset_tables import query_columns
from tools.connect import Call
from tools.judgement import explain
from tools.messages import text
from tools.sql.check import check
from tools.sql.dialects import dialect_of
from tools.sql.refusal import Refused
from tools.toolsets.explore.mapping import mapped


async def described_dataset(
    arguments: dict[str, Any], client: Superset, call: Call
) -> dict[str, Any]:
    """A dataset with all that is known of it; a part that cannot be read says why."""
    found = await client.dataset(int(arguments["dataset"]))
    compared, dependants, places = await asyncio.gather(
        _compared(found, client, call),
        _dependants(found, client, call),
        mapped(found, str(arguments["env_id"]), call),
    )
    own = [one for one in found.columns if one.expression is None]
    return {
        "environment": arguments["env_id"],
        **_facts(found),
        "sql": found.sql,
        "comparison": compared,
        "review": _review(found),
        "environments": places,
        **dependants,
        "metrics": [{"name": one.name, "expression": one.expression} for one in found.metrics],
        "calculated": [
            {"name": one.name, "expression": one.expression}
            for one in found.columns
            if one.expression is not None
        ],
        "total": len(own),
        "items": [{"name": one.name, "type": one.type} for one in own],
    }


def _facts(found: Dataset) -> dict[str, Any]:
    return {
        "dataset": found.name,
        "id": found.id,
        "uuid": found.uuid,
        "kind": "virtual" if found.sql else "physical",
        "database": found.database,
        "schema": found.schema,
        "description": found.description,
        "owners": list(found.owners),
        "changed_on": found.changed_on,
        "changed_by": found.changed_by,
    }


def _review(found: Dataset) -> dict[str, Any]:
    """How much of a dataset is described. No tool writes descriptions yet: no task did."""
    return {
        "columns": len(found.columns),
        "columns_described": sum(one.described for one in found.columns),
        "metrics": len(found.metrics),
        "metrics_described": sum(one.described for one in found.metrics),
        "documentation": "not_set_up",
    }


async def _compared(found: Dataset, client: Superset, call: Call) -> dict[str, Any]:
    """The dataset's columns against those of its table, or of its query."""
    try:
        there = await _columns_there(found, client)
    except Refused:
        return {"state": "not_compared", "reason": text(call.language, "compare-template")}
    except SupersetError as error:
        return {"state": "not_compared", "reason": explain(error, call.language)}
    if not there:
        return {"state": "not_compared", "reason": text(call.language, "compare-no-table")}
    own = {one.name: one.type for one in found.columns if one.expression is None}
    return {
        "state": "compared",
        "missing": sorted(own.keys() - there.keys()),
        "new": sorted(there.keys() - own.keys()),
        "retyped": [
            {"name": name, "dataset": own[name], "table": there[name]}
            for name in sorted(own.keys() & there.keys())
            if found.sql is None and plain_type(own[name]) != plain_type(there[name])
        ],
    }


async def _columns_there(found: Dataset, client: Superset) -> dict[str, str]:
    """Names and types of the columns that the table has, or that the query gives.

    Raises:
        Refused: the query is a template, or more than a query that reads: it is not run.
    """
    if found.sql is None:
        table = await client.table(found.database_id, found.name, found.schema or "")
        return {one.name: one.type for one in table.columns}
    dialect = dialect_of(found.backend)
    query = await asyncio.to_thread(check, found.sql, dialect)
    there = await query_columns(client.request_json, found.database_id, query.text, found.schema)
    return dict(there)


def plain_type(words: str) -> str:
    """A type without its length and in the spelling that dialects share."""
    name = words.upper().partition("(")[0].strip()
    return _SAME.get(name, name)


_SAME = {
    "BIGINT": "INTEGER",
    "BOOL": "BOOLEAN",
    "CHAR": "TEXT",
    "CHARACTER VARYING": "TEXT",
    "DATETIME": "TIMESTAMP",
    "DECIMAL": "NUMERIC",
    "DOUBLE": "FLOAT",
    "DOUBLE PRECISION": "FLOAT",
    "DOUBLE_PRECISION": "FLOAT",
    "INT": "INTEGER",
    "REAL": "FLOAT",
    "SMALLINT": "INTEGER",
    "STRING": "TEXT",
    "TIMESTAMP WITHOUT TIME ZONE": "TIMESTAMP",
    "VARCHAR": "TEXT",
}
"""Names of one type: Superset, SQLAlchemy and databases write them differently."""


async def _dependants(found: Dataset, client: Superset, call: Call) -> dict[str, Any]:
    try:
        there = await client.dependants(found.id)
    except SupersetError as error:
        problem = explain(error, call.language)
        return {"charts": {"problem": problem}, "dashboards": {"problem": problem}}
    return _listed(there)


def _listed(there: Dependants) -> dict[str, Any]:
    return {
        "charts": {
            "all": there.charts,
            "visible": [{"id": key, "name": name} for key, name in there.visible_charts],
        },
        "dashboards": {
            "all": there.dashboards,
            "visible": [{"id": key, "title": name} for key, name in there.visible_dashboards],
        },
    }
