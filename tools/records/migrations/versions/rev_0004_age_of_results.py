"""Results are looked up by their age, too."""

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the index."""
    op.create_index("results_kept", "results", ["kept_at"])
