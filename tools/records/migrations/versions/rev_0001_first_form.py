"""First form: approvals, results, tasks, maintenance, audit.

A revision is history: it names plain column types and is never changed after a release.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    _approvals()
    _results()
    _tasks()
    _maintenance()
    _audit()


def _approvals() -> None:
    op.create_table(
        "approvals",
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("id", sa.String(32), nullable=False, unique=True),
        sa.Column("thread_id", sa.Text, nullable=False),
        sa.Column("call_id", sa.Text, nullable=False),
        sa.Column("tool", sa.Text, nullable=False),
        sa.Column("env_id", sa.Text),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("user_text", sa.Text, nullable=False),
        sa.Column("requested", sa.Text, nullable=False),
        sa.Column("arguments", sa.Text, nullable=False),
        sa.Column("targets", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("policy_version", sa.Text, nullable=False),
        sa.Column("card", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True)),
        sa.Column("decided_by", sa.Text),
        sa.Column("reason", sa.Text),
        sa.Column("started_at", sa.DateTime(timezone=True)),
        sa.Column("finished_at", sa.DateTime(timezone=True)),
        sa.Column("outcome", sa.Text),
        sqlite_autoincrement=True,
    )
    op.create_index("approvals_call", "approvals", ["thread_id", "call_id"])
    op.create_index("approvals_due", "approvals", ["state", "expires_at"])


def _results() -> None:
    op.create_table(
        "results",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("thread_id", sa.Text, nullable=False),
        sa.Column("call_id", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("tool", sa.Text, nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )


def _tasks() -> None:
    op.create_table(
        "tasks",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("env_id", sa.Text),
        sa.Column("thread_id", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("progress", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.Column("result", sa.Text),
        sa.Column("error", sa.Text),
        sqlite_autoincrement=True,
    )
    op.create_index("tasks_user", "tasks", ["user_id", "id"])


def _maintenance() -> None:
    op.create_table(
        "maintenance_events",
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("id", sa.String(12), nullable=False, unique=True),
        sa.Column("env_id", sa.Text, nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("started_by", sa.Text, nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True)),
        sa.Column("closed_at", sa.DateTime(timezone=True)),
        sa.Column("closed_by", sa.Text),
        sa.Column("state", sa.Text, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("maintenance_events_env", "maintenance_events", ["env_id", "state"])
    op.create_table(
        "maintenance_banners",
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column(
            "event_id",
            sa.String(12),
            sa.ForeignKey("maintenance_events.id", name="maintenance_banners_event"),
            nullable=False,
        ),
        sa.Column("dashboard_id", sa.Integer, nullable=False),
        sa.Column("dashboard_uuid", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("nodes", sa.Text, nullable=False),
        sa.Column("layout_hash", sa.Text),
        sa.Column("state", sa.Text, nullable=False),
        sa.UniqueConstraint("event_id", "dashboard_uuid", name="maintenance_banners_once"),
    )
    op.create_index("maintenance_banners_dashboard", "maintenance_banners", ["dashboard_uuid"])


def _audit() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("thread_id", sa.Text),
        sa.Column("call_id", sa.Text),
        sa.Column("tool", sa.Text),
        sa.Column("env_id", sa.Text),
        sa.Column("detail", sa.Text, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("audit_thread", "audit", ["thread_id", "id"])
