"""The version of the schema: which one a database has."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection, select

from lastcard.errors import StoreError
from lastcard.store.schema import METADATA, STORE, VERSION
from lastcard.store.utc import now
from lastcard.version import __version__

NO_STORE: Final = "{} is a database, but not a store of lastcard's; it stays as it is"


def has_schema(connection: Connection, name: str, tables: Collection[str]) -> bool:
    """Returns whether the tables are there; False without any.

    Args:
        connection: Connection to the database.
        name: The database, in errors.
        tables: Names of its tables.

    Raises:
        StoreError: if they are of another version, or one of them is missing.
    """
    if not tables:
        return False
    found = connection.execute(select(STORE.c.version)).scalar() if STORE.name in tables else None
    if found != VERSION:
        raise StoreError(
            f"{name} is a store of version {found}, and this lastcard reads version {VERSION}: open it with the"
            " lastcard that made it, or name another store"
        )
    missing = sorted(set(METADATA.tables) - set(tables))
    if missing:
        raise StoreError(f"{name} is a damaged store: table {missing[0]} is missing; it stays as it is")
    return True


def create_schema(connection: Connection) -> None:
    """Makes the tables of a new store, in a transaction of the caller."""
    METADATA.create_all(connection)
    connection.execute(STORE.insert().values(version=VERSION, created=now(), lastcard=__version__))
