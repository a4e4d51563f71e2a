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
    Index("results_kept", "kept_at"),
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

work_items = Table(
    "work_items",
    metadata,
    Column("seq", Integer, primary_key=True),  # the order of the work
    Column(
        "approval_id",
        String(32),
        ForeignKey("approvals.id", name="work_items_approval"),
        nullable=False,
    ),
    Column("key", Text, nullable=False),
    Column("title", Words, nullable=False),
    Column("state", Text, nullable=False),
    Column("started_at", Moment),
    Column("finished_at", Moment),
    Column("outcome", NotedJson),
    UniqueConstraint("approval_id", "key", name="work_items_once"),
    sqlite_autoincrement=True,
)

tickets = Table(
    "tickets",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("thread_id", Text, nullable=False),
    Column("call_id", Text, nullable=False),
    Column("tool", Text, nullable=False),
    Column("env_id", Text),
    Column("user_id", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("arguments", CanonicalJson, nullable=False),
    Column("targets", CanonicalJson, nullable=False),
    Column("task_id", Integer, nullable=False),
    Column("approval_id", String(32), ForeignKey("approvals.id", name="tickets_approval")),
    Column("issued_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("taken_at", Moment),
    Column("taken_by", Text),
    UniqueConstraint("thread_id", "call_id", name="tickets_once"),
)

# Texts as they are hashed: nothing turns them into other values and back.
audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("user_id", Text, nullable=False),
    Column("thread_id", Text),
    Column("call_id", Text),
    Column("tool", Text),
    Column("env_id", Text),
    Column("detail", Text, nullable=False),
    Column("prev_hash", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    UniqueConstraint("prev_hash", name="audit_one_chain"),
    Index("audit_thread", "thread_id", "id"),
)

# One row: the last of the audit, so that removed last rows are missed.
audit_head = Table(
    "audit_head",
    metadata,
    Column("key", Integer, primary_key=True, autoincrement=False),
    Column("last_id", Integer, nullable=False),
    Column("hash", String(64), nullable=False),
)
