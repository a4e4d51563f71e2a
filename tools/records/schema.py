"""The tables as the code uses them; `migrations` makes them, and a test compares the two."""

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from tools.records.columns import CanonicalJson, Content, Moment, NotedJson, Words

metadata = MetaData()

approvals = Table(
    "approvals",
    metadata,
    Column("seq", Integer, primary_key=True),  # the order in which people were asked
    Column("id", String(32), nullable=False, unique=True),
    Column("thread_id", Text, nullable=False),
    Column("call_id", Text, nullable=False),
    Column("tool", Text, nullable=False),
    Column("env_id", Text),
    Column("user_id", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("user_text", Words, nullable=False),
    Column("requested", CanonicalJson, nullable=False),
    Column("arguments", CanonicalJson, nullable=False),
    Column("targets", CanonicalJson, nullable=False),
    Column("digest", Text, nullable=False),
    Column("policy_version", Text, nullable=False),
    Column("card", CanonicalJson, nullable=False),
    Column("state", Text, nullable=False),
    Column("asked_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("decided_at", Moment),
    Column("decided_by", Text),
    Column("reason", Words),
    Column("started_at", Moment),
    Column("finished_at", Moment),
    Column("outcome", NotedJson),
    Index("approvals_call", "thread_id", "call_id"),
    Index("approvals_due", "state", "expires_at"),
    sqlite_autoincrement=True,
)

results = Table(
    "results",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("thread_id", Text, nullable=False),
    Column("call_id", Text, nullable=False),
    Column("user_id", Text, nullable=False),
    Column("tool", Text, nullable=False),
    Column("kept_at", Moment, nullable=False),
    Column("content", Content, nullable=False),
    Index("results_thread", "thread_id", "user_id"),
)

tasks = Table(
    "tasks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("env_id", Text),
    Column("thread_id", Text, nullable=False),
    Column("user_id", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("title", Words, nullable=False),
    Column("progress", Integer, nullable=False),
    Column("total", Integer),
    Column("started_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Column("result", NotedJson),
    Column("error", Words),
    Index("tasks_user", "user_id", "id"),
    sqlite_autoincrement=True,
)

maintenance_events = Table(
    "maintenance_events",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("id", String(12), nullable=False, unique=True),
    Column("env_id", Text, nullable=False),
    Column("message", Words, nullable=False),
    Column("started_by", Text, nullable=False),
    Column("started_at", Moment, nullable=False),
    Column("ends_at", Moment),
    Column("closed_at", Moment),
    Column("closed_by", Text),
    Column("state", Text, nullable=False),
    Index("maintenance_events_env", "env_id", "state"),
    sqlite_autoincrement=True,
)

maintenance_banners = Table(
    "maintenance_banners",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column(
        "event_id",
        String(12),
        ForeignKey("maintenance_events.id", name="maintenance_banners_event"),
        nullable=False,
    ),
    Column("dashboard_id", Integer, nullable=False),
    Column("dashboard_uuid", Text, nullable=False),
    Column("title", Words, nullable=False),
    Column("nodes", CanonicalJson, nullable=False),
    Column("layout_hash", Text),
    Column("state", Text, nullable=False),
    UniqueConstraint("event_id", "dashboard_uuid", name="maintenance_banners_once"),
    Index("maintenance_banners_dashboard", "dashboard_uuid"),
)

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("kind", Text, nullable=False),
    Column("user_id", Text, nullable=False),
    Column("thread_id", Text),
    Column("call_id", Text),
    Column("tool", Text),
    Column("env_id", Text),
    Column("detail", NotedJson, nullable=False),
    Index("audit_thread", "thread_id", "id"),
    sqlite_autoincrement=True,  # an id is never given twice, so a missing one shows
)
