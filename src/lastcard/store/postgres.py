"""A store in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import psycopg
from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool, QueuePool, StaticPool

from lastcard.errors import StoreError
from lastcard.shell import command
from lastcard.store.database import Database, T
from lastcard.store.header import APPLICATION_ID
from lastcard.store.schema import METADATA, STORE, VERSION
from lastcard.store.sqlite_file import InUseError
from lastcard.store.statements import explained, transaction
from lastcard.store.versions import NO_STORE, create_schema, find_version, upgrade_schema

_CONNECT_SECONDS: Final = 10
"""Longest wait for the server, unless the URL says another."""
_PAUSE_SECONDS: Final = 2
"""Longest pause of a process in a transaction: then PostgreSQL undoes it, and others can have the rows it locked."""
_LONG_PAUSE: Final = "SET LOCAL idle_in_transaction_session_timeout = '60s'"
"""For transactions that make tables or fill them: a machine with much to do pauses for seconds there."""
_READERS: Final = 8
"""Most connections that read."""
_STORE: Final = f"{APPLICATION_ID}, hashtext(current_schema())"
"""Names the lock that each connection shares as long as it writes."""
_TABLES: Final = f"{APPLICATION_ID}, hashtext(current_schema() || ' tables')"
"""Names the lock of a process that looks at the tables and makes those that are missing."""


class PostgresDatabase(Database):
    """A schema of a database, by default `public`; `?options=-csearch_path=NAME` in the URL names another."""

    is_shared = True

    def __init__(self, url: str) -> None:
        read = make_url(url)
        defaults = {"connect_timeout": str(_CONNECT_SECONDS), "application_name": "lastcard"}
        new = {name: value for name, value in defaults.items() if name not in read.query}
        self._url: URL = read.set(drivername="postgresql+psycopg").update_query_dict(new)
        self.name = read.render_as_string(hide_password=True)
        self._is_open = False

    def exists(self) -> bool:
        """Connects, and looks for tables."""
        engine = create_engine(self._url, poolclass=NullPool)
        with explained(f"read {self.name}"), engine.connect() as connection:
            return self._find_version(connection) is not None

    def open_reader(self) -> Engine:
        """Makes a pool of connections for transactions that only read."""
        engine = create_engine(
            self._url,
            poolclass=QueuePool,
            pool_size=_READERS,
            max_overflow=0,
            pool_pre_ping=True,  # after a restart of the server, the connections of the pool are dead
            isolation_level="REPEATABLE READ",  # all statements of one read see the same moment
        )
        event.listen(engine, "connect", _let_read_only)
        try:
            with explained(f"read {self.name}"), engine.connect() as connection:
                if self._find_version(connection) is None:
                    raise StoreError(f"there is no store at {self.name}; {command('arena', '--store')} makes one")
        except BaseException:
            engine.dispose()
            raise
        return engine

    def open_writer(self, *, alone: bool = False) -> Engine:
        """Connects, and makes or upgrades the tables."""
        engine = self._make_writer()
        try:
            with explained(f"write {self.name}"), engine.connect() as connection, transaction(connection):
                connection.execute(text(_LONG_PAUSE))
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_TABLES})"))
                found = self._find_version(connection)
                if found is None:
                    create_schema(connection)
                elif alone or found < VERSION:
                    # An older lastcard that still writes could not use the newer tables.
                    lock = "pg_try_advisory_lock" if alone else "pg_try_advisory_xact_lock"
                    if not connection.execute(text(f"SELECT {lock}({_STORE})")).scalar():
                        raise InUseError(f"{self.name} is in use by another lastcard")
                    upgrade_schema(connection, found)
                if alone:
                    connection.execute(text("SET idle_in_transaction_session_timeout = 0"))  # nobody waits for its rows
            self._is_open = True
        except BaseException:
            engine.dispose()
            raise
        return engine

    def close_writer(self, engine: Engine) -> None:
        """Ends the connection, and its locks with it."""
        engine.dispose()

    def release(self) -> None:
        """Nothing is remembered of a database on a server."""

    def create_filled(self, fill: Callable[[Connection], None], check: Callable[[Connection], T]) -> T:
        """Makes and fills the tables in one transaction."""
        engine = self._make_writer()
        try:
            with explained(f"write {self.name}"), engine.connect() as connection, transaction(connection):
                connection.execute(text(_LONG_PAUSE))
                METADATA.create_all(connection)
                fill(connection)
                return check(connection)
        finally:
            engine.dispose()

    def copy_to(self, target: Path) -> None:
        """Copies every row."""
        from lastcard.store.copying import copy_database
        from lastcard.store.sqlite import SqliteDatabase

        copy_database(self, SqliteDatabase(target))

    def compact(self, writer: Engine) -> None:
        """Lets PostgreSQL use the space of deleted rows again."""
        with explained(f"compact {self.name}"), writer.connect() as connection:
            for table in METADATA.sorted_tables:
                connection.execute(text(f'VACUUM ANALYZE "{table.name}"'))

    def find_corruption(self, connection: Connection) -> list[str]:
        """Reads every row of every table: PostgreSQL reports pages that cannot be read."""
        problems = []
        for table in METADATA.sorted_tables:
            try:
                # Without a savepoint, PostgreSQL would refuse every statement after the first that fails.
                with connection.begin_nested():
                    connection.execute(text(f'SELECT count(CAST(row AS text)) FROM "{table.name}" AS row'))
            except SQLAlchemyError as error:
                problems.append(f"table {table.name}: {getattr(error, 'orig', error)}")
        return problems

    def measure_bytes(self, connection: Connection) -> int:
        """Size of the tables with their indexes."""
        sizes = ", ".join(f"pg_total_relation_size('\"{table.name}\"')" for table in METADATA.sorted_tables)
        return sum(connection.execute(text(f"SELECT {sizes}")).one())

    def measure_free_bytes(self) -> int | None:
        """Only the server's own monitoring can tell."""
        return None

    def _make_writer(self) -> Engine:
        engine = create_engine(self._url, poolclass=StaticPool, isolation_level="AUTOCOMMIT")
        event.listen(engine, "connect", self._let_write)
        return engine

    def _let_write(self, raw: psycopg.Connection[Any], _: object) -> None:
        """Runs on each new connection that writes."""
        raw.execute(f"SET idle_in_transaction_session_timeout = '{_PAUSE_SECONDS}s'")
        raw.execute(f"SELECT pg_advisory_lock_shared({_STORE})")  # waits while another upgrades the tables
        if self._is_open and raw.execute("SELECT version FROM store").fetchone() != (VERSION,):
            raw.close()
            raise StoreError(f"a newer lastcard has upgraded {self.name}")
        if not raw.autocommit:
            raw.commit()  # setting and lock are of the session

    def _find_version(self, connection: Connection) -> int | None:
        names = inspect(connection).get_table_names()
        if names and STORE.name not in names:
            raise StoreError(NO_STORE.format(self.name))
        return find_version(connection, self.name, names)


def _let_read_only(raw: psycopg.Connection[Any], _: object) -> None:
    raw.read_only = True
