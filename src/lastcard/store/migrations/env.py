"""Environment of `alembic revision --autogenerate`: compares the tables of schema.py with what the migrations make."""

from __future__ import annotations

from alembic import context
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from lastcard.store.migrations import list_revisions, migrate
from lastcard.store.schema import METADATA

with create_engine("sqlite://").connect() as connection:
    migrate(connection, 0)
    MigrationContext.configure(connection).stamp(list_revisions(), "head")
    context.configure(connection=connection, target_metadata=METADATA, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()
