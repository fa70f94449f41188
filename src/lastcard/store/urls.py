"""URLs of stores."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from lastcard.errors import StoreError, shorten
from lastcard.files import check_path
from lastcard.shell import install_extra
from lastcard.store.database import Database
from lastcard.store.sqlite import SqliteDatabase


def find_database(url: str | Path) -> Database:
    """The database that a path or URL names.

    Raises:
        StoreError: if it names none, or another kind of database.

    >>> find_database("sqlite:///games.db").name == find_database("games.db").name
    True
    """
    if isinstance(url, Path) or not isinstance(url, str) or "://" not in url:
        if not str(url).strip():
            raise StoreError("a store needs a file: give a path or sqlite:///PATH")
        return SqliteDatabase(check_path(url, StoreError))
    try:
        read = make_url(url)
    except ArgumentError:
        raise StoreError(
            f"{shorten(url)} is neither a path nor a URL such as sqlite:///games.db or postgresql://HOST/DATABASE"
        ) from None
    if read.drivername == "postgresql":
        return _find_postgres(url)
    if read.drivername != "sqlite":
        raise StoreError(
            f"a store is in SQLite (sqlite:///PATH) or PostgreSQL (postgresql://...);"
            f" {read.drivername} is not supported"
        )
    if read.query or not read.database or read.database == ":memory:" or read.database.startswith("file:"):
        raise StoreError(f"a store needs a file and no options: sqlite:///PATH, not {shorten(url)}")
    return SqliteDatabase(check_path(read.database, StoreError))


def _find_postgres(url: str) -> Database:
    try:
        from lastcard.store.postgres import PostgresDatabase
    except ImportError as error:
        if (error.name or "").partition(".")[0] != "psycopg":
            raise
        raise StoreError(f"a store in PostgreSQL needs psycopg: {install_extra('postgres')}") from None
    return PostgresDatabase(url)
