"""Copies of a whole store, from one kind of database to another, checked row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Row, String, Table, func, insert, select, text

from lastcard.errors import StoreError
from lastcard.store.damage import UNREADABLE
from lastcard.store.database import Database
from lastcard.store.schema import METADATA, STORE, VERSION
from lastcard.store.statements import explained, transaction
from lastcard.store.urls import find_database

_ROWS: Final = 1_000
"""Rows in memory at a time."""


def migrate_store(source_url: str | Path, target_url: str | Path) -> tuple[str, str, int]:
    """Copies a store that nobody writes to a place where there is none, and compares every row.

    An older store is upgraded first.

    Returns:
        Names of both, and the number of rows.

    Raises:
        StoreError: if there is no store, it is in use, there is one at the target, or a row cannot be stored there;
            then nothing is at the target.
    """
    source, target = find_database(source_url), find_database(target_url)
    if not source.exists():
        raise StoreError(f"there is no store at {source.name}")
    _require_none(target)
    engine = source.open_writer(alone=True)
    with ExitStack() as opened:
        opened.callback(source.release)
        opened.callback(source.close_writer, engine)
        connection = opened.enter_context(engine.connect())
        opened.enter_context(transaction(connection))
        return source.name, target.name, _copy(connection, source.name, target, opened.close)


def copy_database(source: Database, target: Database) -> int:
    """Copies a store as it is at one moment, even while it is written; returns the number of rows.

    Raises:
        StoreError: as `migrate_store`, or if it is of an older version.
    """
    _require_none(target)
    engine = source.open_reader()
    with ExitStack() as opened:
        opened.callback(source.release)
        opened.callback(engine.dispose)
        connection = opened.enter_context(engine.connect())
        if connection.execute(select(STORE.c.version)).scalar() != VERSION:
            raise StoreError(f"{source.name} is of an older version; a command that writes it upgrades it")
        return _copy(connection, source.name, target, opened.close)


def _require_none(target: Database) -> None:
    if target.exists():
        raise StoreError(f"there is a store at {target.name}; it stays as it is")


def _copy(source: Connection, name: str, target: Database, close: Callable[[], None]) -> int:
    """Copies every row into empty tables, then reads both again and closes the source; returns how many there are."""

    def fill(connection: Connection) -> None:
        for table in METADATA.sorted_tables:  # rows that others refer to come first
            with explained(f"copy table {table.name} of {name}", *UNREADABLE):
                for rows in _read_in_parts(source, table):
                    connection.execute(insert(table), [dict(row._mapping) for row in rows])
            _continue_numbers(connection, table)

    def check(connection: Connection) -> int:
        with explained(f"read {name}"):
            total = _compare(source, connection)
            close()  # what fails here leaves no target, which others see only afterwards
        return total

    return target.create_filled(fill, check)


def _read_in_parts(connection: Connection, table: Table) -> Iterator[Any]:
    """The rows in the order of their keys; texts by their bytes, as no language sorts them."""
    is_postgres = connection.dialect.name == "postgresql"
    order = [
        column.collate("C") if is_postgres and isinstance(column.type, String) else column
        for column in table.primary_key
    ]
    query = select(table).order_by(*order)
    with connection.execute(query, execution_options={"yield_per": _ROWS}) as result:
        yield from result.partitions()


def _compare(source: Connection, target: Connection) -> int:
    """Number of rows, which are the same in both.

    Raises:
        StoreError: naming the first that differs.
    """
    total = 0
    for table in METADATA.sorted_tables:
        pairs = zip_longest(_read_rows(source, table), _read_rows(target, table))
        for count, (one, other) in enumerate(pairs, 1):
            if one is None or other is None or tuple(one) != tuple(other):
                raise StoreError(f"row {count} of table {table.name} is not the same in the copy")
            total += 1
    return total


def _read_rows(connection: Connection, table: Table) -> Iterator[Row[Any]]:
    for part in _read_in_parts(connection, table):
        yield from part


def _continue_numbers(connection: Connection, table: Table) -> None:
    """Lets PostgreSQL number new rows after the copied ones; SQLite does so by itself."""
    column = table.autoincrement_column
    if column is None or connection.dialect.name != "postgresql":
        return
    last = connection.execute(select(func.max(column))).scalar()
    if last is not None:
        numbers = f"pg_get_serial_sequence('\"{table.name}\"', '{column.name}')"
        connection.execute(text(f"SELECT setval({numbers}, :last)"), {"last": last})
