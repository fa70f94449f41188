"""Migrations make the tables that schema.py describes, in both databases."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Engine, create_engine, inspect, text
from sqlalchemy.pool import NullPool

from lastcard.store import open_store
from lastcard.store.migrations import list_revisions, migrate
from lastcard.store.schema import METADATA, NEW_TABLES, STORE, VERSION
from lastcard.store.versions import upgrade_schema
from tests.postgres import start_server


def list_statements(file: Path) -> list[tuple[str, ...]]:
    """SQL of each table and index in SQLite, with equal spaces."""
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT type, name, sql FROM sqlite_schema").fetchall()
    return sorted((kind, name, " ".join((sql or "").split()).replace("( ", "(")) for kind, name, sql in rows)


def describe(connection: Connection) -> dict[str, str]:
    return {table: str(sorted(map(str, inspect(connection).get_columns(table)))) for table in METADATA.tables}


def test_every_version_has_a_migration() -> None:
    revisions = list(list_revisions().walk_revisions())
    assert [revision.revision for revision in revisions] == [f"{version:04}" for version in range(VERSION, 0, -1)]
    assert set(NEW_TABLES) <= set(range(2, VERSION + 1))


def test_migrations_make_the_tables_of_a_new_store(tmp_path: Path) -> None:
    new, migrated = tmp_path / "new.db", tmp_path / "migrated.db"
    open_store(new).close()
    with connecting(f"sqlite:///{migrated}") as engine, engine.begin() as connection:
        migrate(connection, 0)
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
        columns = describe(connection)
    with connecting(f"sqlite:///{new}") as engine, engine.begin() as connection:
        assert describe(connection) == columns
    names = [[row[:2] for row in list_statements(file)] for file in (new, migrated)]
    assert names[0] == names[1]
    rowless = [{name for _, name, sql in list_statements(file) if "WITHOUT ROWID" in sql} for file in (new, migrated)]
    assert rowless[0] == rowless[1] != set()


def test_migrations_make_the_tables_of_a_new_store_in_postgresql() -> None:
    with connecting(start_server().make_url()) as engine, engine.begin() as connection:
        migrate(connection, 0)
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, METADATA) == []


def test_an_older_store_in_postgresql_is_upgraded_whole_or_not_at_all() -> None:
    with connecting(start_server().make_url()) as engine:
        with engine.begin() as connection:
            METADATA.create_all(connection)
            connection.execute(STORE.insert().values(version=1, created=text("now()"), lastcard="0"))
            later = [name for version in sorted(NEW_TABLES, reverse=True) for name in NEW_TABLES[version]]
            for table in reversed(METADATA.sorted_tables):
                if table.name in later:
                    table.drop(connection)
        with engine.connect() as connection:
            upgrade_schema(connection, 1)
            connection.rollback()
        with engine.begin() as connection:
            assert connection.execute(STORE.select()).one().version == 1
            assert not set(inspect(connection).get_table_names()) & set(later)
            upgrade_schema(connection, 1)
            assert connection.execute(STORE.select()).one().version == VERSION
            assert compare_metadata(MigrationContext.configure(connection), METADATA) == []


@contextmanager
def connecting(url: str) -> Iterator[Engine]:
    """An engine that leaves no connection open."""
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"), poolclass=NullPool)
    try:
        yield engine
    finally:
        engine.dispose()
