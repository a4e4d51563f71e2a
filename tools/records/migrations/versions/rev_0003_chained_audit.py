"""The audit is a chain of hashes; long work has items and tickets.

The rows that were written before are chained as they stand: from now on no change of them goes
unseen.
"""

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

# A formula of hashes is history as a revision is: a later one would not take its place here.
from tools.records.chain import GENESIS, row_hash, stamp

revision = "0003"
down_revision = "0002"

_KEPT = ("id", "kind", "user_id", "thread_id", "call_id", "tool", "env_id", "detail")


def upgrade() -> None:
    """Chain the audit and make the new tables."""
    chained = _audit()
    last_id, last_hash = _copy(chained)
    op.drop_table("audit")
    op.rename_table("audit_chained", "audit")
    op.create_index("audit_thread", "audit", ["thread_id", "id"])
    _head(last_id, last_hash)
    _items()
    _tickets()


def _audit() -> sa.Table:
    return op.create_table(
        "audit_chained",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("thread_id", sa.Text),
        sa.Column("call_id", sa.Text),
        sa.Column("tool", sa.Text),
        sa.Column("env_id", sa.Text),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("prev_hash", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.UniqueConstraint("prev_hash", name="audit_one_chain"),
    )


def _copy(chained: sa.Table) -> tuple[int, str]:
    """Write the old rows into the chain; returns the id and the hash of the last one."""
    connection = op.get_bind()
    old = sa.table("audit", sa.column("at", sa.DateTime(timezone=True)), *map(sa.column, _KEPT))
    last_id, last_hash = 0, GENESIS
    for found in connection.execute(sa.select(old).order_by(old.c.id)).mappings().all():
        row: dict[str, Any] = {name: found[name] for name in _KEPT}
        row |= {"at": stamp(_in_utc(found["at"])), "prev_hash": last_hash}
        row["hash"] = row_hash(row)
        connection.execute(sa.insert(chained), row)
        last_id, last_hash = row["id"], row["hash"]
    return last_id, last_hash


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def _head(last_id: int, last_hash: str) -> None:
    head = op.create_table(
        "audit_head",
        sa.Column("key", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("last_id", sa.Integer, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
    )
    op.bulk_insert(head, [{"key": 1, "last_id": last_id, "hash": last_hash}])


def _items() -> None:
    op.create_table(
        "work_items",
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column(
            "approval_id",
            sa.String(32),
            sa.ForeignKey("approvals.id", name="work_items_approval"),
            nullable=False,
        ),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True)),
        sa.Column("finished_at", sa.DateTime(timezone=True)),
        sa.Column("outcome", sa.Text),
        sa.UniqueConstraint("approval_id", "key", name="work_items_once"),
        sqlite_autoincrement=True,
    )


def _tickets() -> None:
    op.create_table(
        "tickets",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("thread_id", sa.Text, nullable=False),
        sa.Column("call_id", sa.Text, nullable=False),
        sa.Column("tool", sa.Text, nullable=False),
        sa.Column("env_id", sa.Text),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("arguments", sa.Text, nullable=False),
        sa.Column("targets", sa.Text, nullable=False),
        sa.Column("task_id", sa.Integer, nullable=False),
        sa.Column(
            "approval_id", sa.String(32), sa.ForeignKey("approvals.id", name="tickets_approval")
        ),
        sa.Column("issued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True)),
        sa.Column("taken_by", sa.Text),
        sa.UniqueConstraint("thread_id", "call_id", name="tickets_once"),
    )
