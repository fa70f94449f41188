"""The file of a store in SQLite: locking, opening and copying it."""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.pool import NullPool, StaticPool

from lastcard.errors import StoreError
from lastcard.files import check_path, link_new
from lastcard.locks import lock_file
from lastcard.shell import command
from lastcard.store.header import APPLICATION_ID
from lastcard.store.statements import transaction
from lastcard.store.versions import NO_STORE, create_schema, find_version, upgrade_schema

_OWNER_ONLY: Final = 0o600
"""Mode of new files: they hold seeds, hashes of tokens and hidden cards of games in progress."""
_PATIENCE_SECONDS: Final = 10.0
"""Time to wait for a reader or writer that holds the file for a moment."""


class InUseError(StoreError):
    """Another process writes the store."""


class WriterLock:
    """Lock of the one process that may write a store; it ends with the process, however that ends.

    It is a file beside the store, since locks on the database itself are SQLite's own.
    """

    def __init__(self, path: Path) -> None:
        """Takes the lock.

        Raises:
            StoreError: if another holds it, or nothing can be written there.
        """
        self._path = path.with_name(path.name + "-lock")
        while True:
            try:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, _OWNER_ONLY)
            except OSError as error:
                raise StoreError(f"cannot write {path}: {error.strerror}") from None
            try:
                lock_file(self._file)
            except OSError as error:
                os.close(self._file)
                if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                    raise InUseError(f"{path} is in use by another lastcard") from None
                raise StoreError(f"cannot lock {path}: {error.strerror}") from None
            if self._is_current():
                return
            os.close(self._file)  # its holder has just removed it

    def _is_current(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._file), os.stat(self._path))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Releases the lock."""
        with suppress(OSError):
            self._path.unlink()
        os.close(self._file)


def open_reader(path: Path) -> Engine:
    """An engine whose connections can only read, each a consistent view.

    Raises:
        StoreError: if the store is of another version, or cannot be read.
    """
    engine = create_engine("sqlite://", creator=lambda: _connect(path, "mode=ro"), poolclass=NullPool)
    # Without a transaction, every statement would see the store as it is by then, not as it was at the first one.
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    try:
        found = _read_version(engine, path)
    except OperationalError as error:
        if not _needs_recovery(error, path):
            raise StoreError(f"cannot read {path}: {error.orig}") from None
        _recover(path)
        try:
            found = _read_version(engine, path)
        except SQLAlchemyError as second:
            raise StoreError(f"cannot read {path}: {getattr(second, 'orig', second)}") from None
    except SQLAlchemyError as error:
        raise StoreError(f"cannot read {path}: {getattr(error, 'orig', error)}") from None
    if found is None:
        raise StoreError(f"there is no store at {path}; {command('arena', '--store')} makes one")
    return engine


def _read_version(engine: Engine, path: Path) -> int | None:
    with engine.connect() as connection:
        return _find_version(connection, path)


def _needs_recovery(error: OperationalError, path: Path) -> bool:
    """True if SQLite has to write: to finish or undo the work of a process that died."""
    code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF  # the low byte of an extended code is its primary code
    has_log = any(path.with_name(path.name + end).exists() for end in ("-wal", "-journal"))
    return code == sqlite3.SQLITE_READONLY or (code == sqlite3.SQLITE_CANTOPEN and has_log)


def _recover(path: Path) -> None:
    """Lets SQLite finish or undo the work of a process that died.

    Raises:
        StoreError: if the file or its folder cannot be written.
    """
    try:
        with _writing(path), closing(_connect(path, "mode=rw")) as connection:
            connection.execute("PRAGMA schema_version").fetchall()  # any read does it
    except InUseError:
        return  # the process that writes it has recovered it
    except (StoreError, sqlite3.Error) as error:
        raise StoreError(
            f"cannot read {path}: the process that wrote it died, and recovery takes the right to write the file"
            f" and its folder; run this once as a user who may ({error})"
        ) from None


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    lock = WriterLock(path)
    try:
        yield
    finally:
        lock.release()


def open_writer(path: Path) -> Engine:
    """An engine with the one connection that writes; makes the tables that are not there yet.

    Raises:
        StoreError: if the store is of another version, or cannot be written.
    """
    _create_file(path)
    engine = create_engine(
        "sqlite://",
        creator=lambda: _connect(path, "mode=rw"),
        poolclass=StaticPool,
        isolation_level="AUTOCOMMIT",  # `transaction` begins and ends them
    )
    try:
        with engine.connect() as connection, transaction(connection):
            found = _find_version(connection, path)
            if found is None:
                connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
                create_schema(connection)
            else:
                upgrade_schema(connection, found)
        # Readers and the writer do not wait for each other, and a commit waits for the disk once. Where the file system
        # cannot do it, SQLite stays with its journal, which is slower and as safe.
        _pragma(engine, "journal_mode = WAL")
        _pragma(engine, "schema_version")  # reading opens the log, so that closing can remove it
    except (SQLAlchemyError, sqlite3.Error) as error:
        engine.dispose()
        raise StoreError(f"cannot write {path}: {getattr(error, 'orig', error)}") from None
    except BaseException:
        engine.dispose()
        raise
    return engine


def _create_file(path: Path) -> None:
    """Creates the file, if there is none, before SQLite would for everyone to read.

    SQLite takes an empty file for a new database, and gives its journal and log the mode of the file.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY))
    except FileExistsError:
        return
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror}") from None


def close_writer(engine: Engine) -> None:
    """Leaves one file that can be copied and read anywhere, unless a reader has it open."""
    with suppress(sqlite3.Error):  # everything is committed: what is left beside the file, the next to open it clears
        _pragma(engine, "journal_mode = DELETE")
    engine.dispose()


def copy_store(path: Path, target: Path) -> None:
    """Copies a store as it is at one moment, even while another process writes it; only its owner can read the copy.

    Raises:
        StoreError: if the copy cannot be made, or the target exists.
    """
    try:
        with (
            new_part(target) as part,
            closing(_connect(path, "mode=ro")) as source,
            closing(_connect(part, "mode=rw")) as copy,
        ):
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE").fetchall()
    except sqlite3.Error as error:
        raise StoreError(f"cannot copy {path} to {target}: {error}") from None


@contextmanager
def new_part(target: Path) -> Iterator[Path]:
    """Gives an empty file beside the target, which becomes the target in the end unless something is raised.

    Raises:
        StoreError: if nothing can be written there, or the target exists.
    """
    target = check_path(target, StoreError)
    try:
        descriptor, name = tempfile.mkstemp(".part", ".lastcard-", target.parent)
    except OSError as error:
        raise StoreError(f"cannot write {target}: {error.strerror}") from None
    os.close(descriptor)
    part = Path(name)
    try:
        yield part
        link_new(part, target)  # a target that exists is complete
    except OSError as error:
        raise StoreError(f"cannot write {target}: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            part.unlink()


def compact(engine: Engine, path: Path) -> None:
    """Writes the database again without the pages that nothing uses.

    Raises:
        StoreError: if it cannot be written.
    """
    try:
        with closing(engine.raw_connection()) as pooled:
            connection = pooled.driver_connection
            assert isinstance(connection, sqlite3.Connection)
            connection.execute("VACUUM")
        _pragma(engine, "wal_checkpoint(TRUNCATE)")
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise StoreError(f"cannot compact {path}: {getattr(error, 'orig', None) or error}") from None


def find_corruption(connection: Connection) -> list[str]:
    """Problems that SQLite itself finds in the file."""
    found = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check(20)")]
    return [] if found == ["ok"] else found


def _pragma(engine: Engine, text: str) -> None:
    """Runs a pragma outside of any transaction."""
    with closing(engine.raw_connection()) as pooled:
        connection = pooled.driver_connection
        assert isinstance(connection, sqlite3.Connection)
        connection.execute(f"PRAGMA {text}").fetchall()


def _connect(path: Path, options: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(os.fsencode(path))}?{options}",
        uri=True,
        timeout=_PATIENCE_SECONDS,
        isolation_level=None,  # transactions begin and end where we say so
        check_same_thread=False,  # opened here, used by the thread that commits
    )
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        # In WAL mode, anything less may lose the last commits when the power fails; they were acknowledged.
        connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()  # SQLite reads the file here for the first time, and may refuse it
        raise
    return connection


def _find_version(connection: Connection, path: Path) -> int | None:
    """The version of the schema; None without tables.

    Raises:
        StoreError: if it is no store, or one that cannot be read.
    """
    names = inspect(connection).get_table_names()
    if names and connection.exec_driver_sql("PRAGMA application_id").scalar() != APPLICATION_ID:
        raise StoreError(NO_STORE.format(path))
    return find_version(connection, str(path), names)
