"""Run by Alembic: migrate through the connection that `tools.records.migrate` hands over."""

from alembic import context

from tools.records.schema import metadata

# The connection is in a transaction already: Alembic joins it, and all revisions come or none.
context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
