"""Access to the file of a store: one process writes it, any number read it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from sqlalchemy import Connection, update
from sqlalchemy.exc import SQLAlchemyError

from lastcard.errors import StoreError
from lastcard.store import files, header
from lastcard.store.commits import GroupCommit
from lastcard.store.damage import DamageError
from lastcard.store.schema import STORE

T = TypeVar("T")


class StoreAccess:
    """An open store. Writes return a future that is done once they are committed; reads see one consistent moment."""

    def __init__(self, url: str | Path, *, read_only: bool = False, create: bool = True) -> None:
        """Opens a store to write, or only to read; creates a new one, if it may.

        Raises:
            StoreError: if it is no store, one of a newer lastcard, in use, or cannot be read or written; it stays as it
                is.
        """
        self.path = files.find_file(url)
        exists = header.check_file(self.path)
        self._commits: GroupCommit | None = None
        self._lock: files.WriterLock | None = None
        if not exists and (read_only or not create):
            raise StoreError(f"there is no store at {self.path}; lastcard arena --store makes one")
        if read_only:
            self._reader = files.open_reader(self.path)
            header.note_open(self, self.path)
            return
        self._lock = files.WriterLock(self.path)
        try:
            self._writer = files.open_writer(self.path)
            header.note_open(self, self.path)
            self._reader = files.open_reader(self.path)
        except BaseException:
            header.note_closed(self)
            self._lock.release()
            raise
        self._commits = GroupCommit(self._writer, str(self.path))

    def close(self) -> None:
        """Commits what was submitted, and closes the file."""
        self._reader.dispose()
        if self._commits and self._lock:
            self._commits.close()
            files.close_writer(self._writer)
            self._lock.release()
            self._lock = None
        header.note_closed(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def flush(self) -> None:
        """Waits until everything submitted so far is committed."""
        self._submit(_nothing).result()

    def compact(self) -> None:
        """Gives the space of deleted rows back to the disk, which takes a while.

        Raises:
            StoreError: if it cannot be written.
        """
        self.flush()
        files.compact(self._writer, self.path)

    def probe(self) -> Future[None]:
        """Commits a write that changes nothing: it fails if the store cannot be written, as on a full disk."""
        return self._submit(_rewrite)

    def copy_to(self, target: Path) -> None:
        """Copies the store as it is at one moment, even while another process writes it.

        Raises:
            StoreError: if the copy cannot be made, or the target exists.
        """
        files.copy_store(self.path, target)

    def _read(self, work: Callable[[Connection], T]) -> T:
        try:
            with self._reader.connect() as connection:
                return work(connection)
        except DamageError as error:
            raise StoreError(f"{self.path}: {error}") from None
        except (SQLAlchemyError, sqlite3.Error, OverflowError, UnicodeEncodeError) as error:
            raise StoreError(f"cannot read {self.path}: {getattr(error, 'orig', error)}") from None

    def _submit(self, work: Callable[[Connection], T]) -> Future[T]:
        if self._commits is None:
            raise StoreError(f"{self.path} was opened for reading only")
        return self._commits.submit(work)

    def _without_damage(
        self, found: Iterable[T | DamageError], damaged: Callable[[StoreError], None] | None
    ) -> Iterator[T]:
        """Leaves out damaged rows and reports them; without `damaged`, raises the first."""
        for each in found:
            if not isinstance(each, DamageError):
                yield each
            elif damaged:
                damaged(StoreError(f"{self.path}: {each}"))
            else:
                raise StoreError(f"{self.path}: {each}")


def _rewrite(connection: Connection) -> None:
    """Writes the one row of the store's own table again."""
    connection.execute(update(STORE).values(version=STORE.c.version))


def _nothing(_: Connection) -> None:
    """Does no work: its commit comes after all before it."""
