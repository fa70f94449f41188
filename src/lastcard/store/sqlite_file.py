"""The file of a store in SQLite: locking, opening and copying it."""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool, StaticPool

from lastcard.errors import StoreError
from lastcard.files import check_path, link_new, sync_file
from lastcard.locks import lock_file
from lastcard.shell import command
from lastcard.store.header import APPLICATION_ID
from lastcard.store.schema import STORE
from lastcard.store.statements import explained, transaction
from lastcard.store.versions import NO_STORE, create_schema, find_version, upgrade_schema

_OWNER_ONLY: Final = 0o600
"""Mode of new files: they hold seeds, hashes of tokens and hidden cards of games in progress."""
_UNDONE: Final = ("-journal", "-wal")
"""Ends of the names of the files from which SQLite finishes or undoes the work of a process that died."""
_PATIENCE_SECONDS: Final = 10.0
"""Time to wait for a reader or writer that holds the file for a moment."""
T = TypeVar("T")


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
        with suppress(OSError):  # an empty file that stays is the next writer's lock
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
    with explained(f"read {path}"):
        try:
            found = _read_version(engine, path)
        except OperationalError as error:
            if not _needs_recovery(error, path):
                raise
            _recover(path)
            found = _read_version(engine, path)
    if found is None:
        raise StoreError(f"there is no store at {path}; {command('arena', '--store')} makes one")
    return engine


def _read_version(engine: Engine, path: Path) -> int | None:
    with engine.connect() as connection:
        return _find_version(connection, path)


def _needs_recovery(error: OperationalError, path: Path) -> bool:
    """True if SQLite has to write: to finish or undo the work of a process that died."""
    code = _code_of(error.orig)
    has_log = any(path.with_name(path.name + end).exists() for end in _UNDONE)
    return code == sqlite3.SQLITE_READONLY or (code == sqlite3.SQLITE_CANTOPEN and has_log)


def _code_of(error: BaseException | None) -> int:
    """SQLite's primary code: the low byte of an extended one."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


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


def open_writer(path: Path, *, alone: bool = False) -> Engine:
    """An engine with the one connection that writes; makes the tables that are not there yet.

    Args:
        path: The file; one that is created here does not stay if that fails.
        alone: Whether nobody reads meanwhile, so that the file needs no log.

    Raises:
        StoreError: if the store is of another version, or cannot be written.
    """
    is_new = _create_file(path)
    engine = _make_writer(path)
    try:
        with explained(f"write {path}"):
            with engine.connect() as connection, transaction(connection):
                found = _find_version(connection, path)
                if found is None:
                    _create_tables(connection)
                else:
                    upgrade_schema(connection, found)
            if alone:
                _end_log(engine)
            else:
                # Readers and the writer do not wait for each other, and a commit waits for the disk once. Where the
                # file system cannot do it, SQLite stays with its journal, which is slower and as safe.
                _run(engine, "PRAGMA journal_mode = WAL")
            _run(engine, "PRAGMA schema_version")  # reading opens the log, so that closing can remove it
    except BaseException:
        engine.dispose()
        if is_new:
            _remove(path)
        raise
    return engine


def _make_writer(path: Path) -> Engine:
    return create_engine(
        "sqlite://",
        creator=lambda: _connect(path, "mode=rw"),
        poolclass=StaticPool,
        isolation_level="AUTOCOMMIT",  # `transaction` begins and ends them
    )


def _create_file(path: Path) -> bool:
    """Creates the file, if there is none, before SQLite would for everyone to read; returns whether it did.

    SQLite takes an empty file for a new database, and gives its journal and log the mode of the file.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY))
    except FileExistsError:
        return False
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror}") from None
    return True


def _create_tables(connection: Connection) -> None:
    connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
    create_schema(connection)


def _remove(path: Path) -> None:
    """Removes a file that was not finished, with what SQLite left beside it."""
    for end in ("", *_UNDONE, "-shm"):
        with suppress(OSError):  # the error that is on its way is the one to report
            path.with_name(path.name + end).unlink()


def close_writer(engine: Engine, path: Path) -> None:
    """Leaves one file that can be copied and read anywhere, unless a reader has it open.

    Raises:
        StoreError: if the log cannot be written into the file; both stay, and hold all that was committed.
    """
    try:
        with explained(f"close {path}, whose last rows are in {path}-wal; keep both, and open it again"):
            _end_log(engine)
    finally:
        engine.dispose()


def _end_log(engine: Engine) -> None:
    """Writes the log into the file and removes it, unless a reader has it open: then the next to open it does."""
    try:
        mode = _run(engine, "PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as error:
        if _code_of(error) != sqlite3.SQLITE_BUSY:
            raise
        return
    if mode != "delete":
        raise sqlite3.OperationalError(f"its journal stays in the mode {mode}")


def copy_store(path: Path, target: Path) -> None:
    """Copies a store as it is at one moment, even while another process writes it; only its owner can read the copy.

    Raises:
        StoreError: if the copy cannot be made, or the target exists.
    """
    with new_part(target) as part, explained(f"copy {path} to {target}"):
        with closing(_connect(path, "mode=ro")) as source:
            source.execute("VACUUM INTO ?", (str(part),))
        _check_part(part, _check_pages)


def create_store(target: Path, fill: Callable[[Connection], None], check: Callable[[Connection], T]) -> T:
    """Creates a store that the first function fills and the second one reads again, as another process would.

    Raises:
        StoreError: if it cannot be written, or the target exists.
    """
    with new_part(target) as part, explained(f"write {target}"):
        engine = _make_writer(part)
        try:
            # Nothing is kept of a file that is not finished, so that nothing on the disk has to undo it.
            _run(engine, "PRAGMA journal_mode = MEMORY")
            with engine.connect() as connection, transaction(connection):
                _create_tables(connection)
                connection.execute(STORE.delete())
                fill(connection)
        finally:
            engine.dispose()
        return _check_part(part, check)


def _check_part(part: Path, check: Callable[[Connection], T]) -> T:
    """Writes a finished file to the disk, and reads it over a new connection."""
    sync_file(part)
    engine = open_reader(part)
    try:
        with engine.connect() as connection:
            _check_pages(connection)
            return check(connection)
    finally:
        engine.dispose()


def _check_pages(connection: Connection) -> None:
    problems = find_corruption(connection)
    if problems:
        raise StoreError(f"the copy is damaged: {problems[0]}")


@contextmanager
def new_part(target: Path) -> Iterator[Path]:
    """Gives an empty file beside the target, which becomes the target in the end unless something is raised.

    Raises:
        StoreError: if nothing can be written there, or the target exists.
    """
    target = check_path(target, StoreError)
    for left in (target.with_name(target.name + end) for end in _UNDONE):
        if os.path.lexists(left):  # SQLite would take it for a part of the new file
            raise StoreError(f"cannot write {target}: {left} is left of another store; move it away")
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
        _remove(part)


def compact(engine: Engine) -> None:
    """Writes the database again without the pages that nothing uses.

    Raises:
        sqlite3.Error: if it cannot be written.
    """
    _run(engine, "VACUUM")
    _run(engine, "PRAGMA wal_checkpoint(TRUNCATE)")  # with a reader in the way, the log shrinks when it is closed


def find_corruption(connection: Connection) -> list[str]:
    """Problems that SQLite itself finds in the file."""
    found = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check(20)")]
    return [] if found == ["ok"] else found


def _run(engine: Engine, text: str) -> object:
    """Runs a statement outside of any transaction; returns the first value of its answer."""
    with closing(engine.raw_connection()) as pooled:
        connection = pooled.driver_connection
        assert isinstance(connection, sqlite3.Connection)
        row = connection.execute(text).fetchone()
        return row[0] if row else None


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
