"""Versions of the schema: which one a database has, and how it gets the newest."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection, select

from lastcard.errors import StoreError
from lastcard.shell import install_extra
from lastcard.store.schema import METADATA, NEW_TABLES, STORE, VERSION
from lastcard.store.utc import now
from lastcard.version import __version__

NO_STORE: Final = "{} is a database, but not a store of lastcard's; it stays as it is"


def find_version(connection: Connection, name: str, tables: Collection[str]) -> int | None:
    """The version of the schema; None without tables.

    Args:
        connection: Connection to the database.
        name: The database, in errors.
        tables: Names of its tables.

    Raises:
        StoreError: if they are of a version that is not known, or one of them is missing.
    """
    if not tables:
        return None
    found = connection.execute(select(STORE.c.version)).scalar() if STORE.name in tables else None
    if not isinstance(found, int) or not 1 <= found <= VERSION:
        if isinstance(found, int) and found > VERSION:
            raise StoreError(f"{name} is a store of version {found}; this lastcard reads version {VERSION}: update it")
        raise StoreError(f"{name} is a store of unknown version {found}; it stays as it is")
    # A table that a later version added is not missing: the upgrade makes it.
    later = {table for version, added in NEW_TABLES.items() if version > found for table in added}
    missing = sorted(set(METADATA.tables) - later - set(tables))
    if missing:
        raise StoreError(f"{name} is a damaged store: table {missing[0]} is missing; it stays as it is")
    return found


def create_schema(connection: Connection) -> None:
    """Makes the tables of a new store, in a transaction of the caller."""
    METADATA.create_all(connection)
    connection.execute(STORE.insert().values(version=VERSION, created=now(), lastcard=__version__))


def upgrade_schema(connection: Connection, found: int) -> None:
    """Takes an older store to the newest version, in a transaction of the caller; all of it or nothing.

    Raises:
        StoreError: if Alembic is not installed.
    """
    if found == VERSION:
        return
    try:
        from lastcard.store.migrations import migrate
    except ImportError as error:
        if (error.name or "").partition(".")[0] != "alembic":
            raise
        raise StoreError(f"upgrading an older store needs Alembic: {install_extra('arena')}") from None
    migrate(connection, found)
    connection.execute(STORE.update().values(version=VERSION))
