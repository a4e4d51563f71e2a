"""Results are looked up by their conversation, too."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the index."""
    op.create_index("results_thread", "results", ["thread_id", "user_id"])
