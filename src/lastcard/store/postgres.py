"""A store in PostgreSQL."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import psycopg
from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool, QueuePool, StaticPool

from lastcard.errors import StoreError
from lastcard.store.database import Database, T, TakenOverError
from lastcard.store.driver import transaction
from lastcard.store.files import InUseError
from lastcard.store.header import APPLICATION_ID
from lastcard.store.schema import METADATA, STORE
from lastcard.store.versions import NO_STORE, create_schema, find_version, upgrade_schema

_SILENT_SECONDS: Final = 4.0
"""Time without a sign of life after which a process that waits for the lock takes it from its holder."""
_CONNECT_SECONDS: Final = 10
"""Longest wait for the server, unless the URL says another."""
_LOCK_SECONDS: Final = 1.0
"""Time that PostgreSQL may take to notice that the process which held the lock is gone."""
_READERS: Final = 8
"""Most connections that read."""
_TRY_LOCK: Final = f"SELECT pg_try_advisory_lock({APPLICATION_ID}, hashtext(current_schema()))"
"""Locks the store against other writers until the connection ends, however that ends."""
_LAST_TOKEN: Final = "SELECT last_value FROM store_writers"
"""Number of the process that opened the store last to write it: a fencing token."""
_END_SILENT: Final = f"""
    SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND classid = {APPLICATION_ID}
        AND CAST(objid AS bigint) = CAST(hashtext(current_schema()) AS bigint) & 4294967295
        AND state LIKE 'idle%' AND state_change < clock_timestamp() - interval '{_SILENT_SECONDS} seconds'
"""
"""Ends the connection of a holder that is paused or cut off; what it had not committed is undone."""


class PostgresDatabase(Database):
    """A schema of a database, by default `public`; `?options=-csearch_path=NAME` in the URL names another."""

    beat_seconds = 1.0

    def __init__(self, url: str) -> None:
        read = make_url(url)
        defaults = {"connect_timeout": str(_CONNECT_SECONDS), "application_name": "lastcard"}
        new = {name: value for name, value in defaults.items() if name not in read.query}
        self._url: URL = read.set(drivername="postgresql+psycopg").update_query_dict(new)
        self.name = read.render_as_string(hide_password=True)
        self._token: int | None = None

    def exists(self) -> bool:
        """Connects, and looks for tables."""
        engine = create_engine(self._url, poolclass=NullPool)
        with self._explained("read"), engine.connect() as connection:
            return self._find_version(connection) is not None

    def open_reader(self) -> Engine:
        """Makes a pool of connections for transactions that only read."""
        engine = create_engine(
            self._url,
            poolclass=QueuePool,
            pool_size=_READERS,
            max_overflow=0,
            pool_pre_ping=True,  # after a restart of the server, the connections of the pool are dead
            isolation_level="REPEATABLE READ",
        )
        event.listen(engine, "connect", _let_read_only)
        try:
            with self._explained("read"), engine.connect() as connection:
                if self._find_version(connection) is None:
                    raise StoreError(f"there is no store at {self.name}; lastcard arena --store makes one")
        except BaseException:
            engine.dispose()
            raise
        return engine

    def open_writer(self, *, wait: bool = False) -> Engine:
        """Connects, takes the lock, and makes or upgrades the tables."""
        while True:
            try:
                return self._open_writer()
            except InUseError:
                if not wait:
                    raise
            self._end_silent_writer()
            time.sleep(_LOCK_SECONDS / 4)

    def _open_writer(self) -> Engine:
        self._token = None
        engine = self._make_writer()
        try:
            with self._explained("write"), engine.connect() as connection, transaction(connection):
                found = self._find_version(connection)
                if found is None:
                    create_schema(connection)
                else:
                    upgrade_schema(connection, found)
                connection.execute(text("CREATE SEQUENCE IF NOT EXISTS store_writers"))
                self._token = connection.execute(text("SELECT nextval('store_writers')")).scalar()
        except BaseException:
            engine.dispose()
            raise
        return engine

    def close_writer(self, engine: Engine) -> None:
        """Ends the connection, and the lock with it."""
        engine.dispose()

    def release(self) -> None:
        """Nothing is remembered of a database on a server."""

    def create_filled(self, fill: Callable[[Connection], T]) -> T:
        """Makes and fills the tables in one transaction."""
        engine = self._make_writer()
        try:
            with self._explained("write"), engine.connect() as connection, transaction(connection):
                METADATA.create_all(connection)
                return fill(connection)
        finally:
            engine.dispose()

    def copy_to(self, target: Path) -> None:
        """Copies every row."""
        from lastcard.store.copying import copy_database
        from lastcard.store.sqlite import SqliteDatabase

        copy_database(self, SqliteDatabase(target))

    def compact(self, writer: Engine) -> None:
        """Lets PostgreSQL use the space of deleted rows again."""
        with self._explained("compact"), writer.connect() as connection:
            for table in METADATA.sorted_tables:
                connection.execute(text(f'VACUUM ANALYZE "{table.name}"'))

    def find_corruption(self, connection: Connection) -> list[str]:
        """Reads every row of every table: PostgreSQL reports pages that cannot be read."""
        problems = []
        for table in METADATA.sorted_tables:
            try:
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
        event.listen(engine, "connect", self._lock)
        return engine

    def _lock(self, raw: Any, _: object) -> None:
        """Runs on each new connection that writes: the lock of a lost one ended with it."""
        deadline = time.monotonic() + _LOCK_SECONDS
        while not raw.execute(_TRY_LOCK).fetchone()[0]:
            if time.monotonic() < deadline:
                time.sleep(_LOCK_SECONDS / 20)
                continue
            raw.close()
            if self._token is not None:
                raise TakenOverError(f"another lastcard writes {self.name} now")
            raise InUseError(f"{self.name} is in use by another lastcard")
        if self._token is not None and raw.execute(_LAST_TOKEN).fetchone()[0] != self._token:
            raw.close()
            raise TakenOverError(f"another lastcard has written {self.name} since")
        if not raw.autocommit:
            raw.commit()  # the lock is of the session

    def _end_silent_writer(self) -> None:
        engine = create_engine(self._url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        with self._explained("read"), engine.connect() as connection:
            connection.exec_driver_sql(_END_SILENT.replace("%", "%%")).close()

    def _find_version(self, connection: Connection) -> int | None:
        names = inspect(connection).get_table_names()
        if names and STORE.name not in names:
            raise StoreError(NO_STORE.format(self.name))
        return find_version(connection, self.name, names)

    @contextmanager
    def _explained(self, verb: str) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, psycopg.Error) as error:
            reason = " ".join(str(getattr(error, "orig", None) or error).split())
            raise StoreError(f"cannot {verb} {self.name}: {reason}") from None


def _let_read_only(raw: Any, _: object) -> None:
    raw.read_only = True
