"""Runs the migrations on the connection that `bundlesvc.storage.migrations.schema` passes in, within its transaction."""

from alembic import context

from bundlesvc.storage.database.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
