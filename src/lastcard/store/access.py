"""Access to the database of a store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from sqlalchemy import Connection, update

from lastcard.errors import StoreError
from lastcard.shell import command
from lastcard.store.commits import GroupCommit
from lastcard.store.damage import DamageError
from lastcard.store.schema import STORE
from lastcard.store.statements import explained
from lastcard.store.urls import find_database

T = TypeVar("T")


class StoreAccess:
    """An open store. Writes return a future that is done once they are committed; reads see one consistent moment."""

    def __init__(self, url: str | Path, *, read_only: bool = False, create: bool = True) -> None:
        """Opens a store to write, or only to read; creates a new one, if it may.

        Raises:
            StoreError: if it is no store, one of a newer lastcard, in use, or cannot be read or written; it stays as it
                is.
        """
        self._database = find_database(url)
        self.name = self._database.name
        """Path or URL, for messages."""
        self._commits: GroupCommit | None = None
        if not self._database.exists() and (read_only or not create):
            raise StoreError(f"there is no store at {self.name}; {command('arena', '--store')} makes one")
        if read_only:
            self._reader = self._database.open_reader()
            return
        self._writer = self._database.open_writer()
        try:
            self._reader = self._database.open_reader()
        except BaseException:
            self._database.close_writer(self._writer)
            self._database.release()
            raise
        self._commits = GroupCommit(self._writer, self.name)

    def close(self) -> None:
        """Commits what was submitted, and closes the database.

        Raises:
            StoreError: if what was committed is in several files, because it could not be written into one.
        """
        # Readers first: while one is open, SQLite cannot fold its log back into the one file.
        self._reader.dispose()
        try:
            if self._commits:
                self._commits.close()
                self._database.close_writer(self._writer)
        finally:
            self._database.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except StoreError as failed:
            if error is None:
                raise
            error.add_note(str(failed))  # the first error is the one to report

    def flush(self) -> None:
        """Waits until everything submitted so far is committed."""
        self._submit(_nothing).result()

    def compact(self) -> None:
        """Gives the space of deleted rows back to the disk, which takes a while.

        Raises:
            StoreError: if it cannot be written.
        """
        self.flush()  # VACUUM fails inside a transaction
        self._database.compact(self._writer)

    def probe(self) -> Future[None]:
        """Commits a write that changes nothing: it fails if the store cannot be written, as on a full disk."""
        return self._submit(_rewrite)

    def copy_to(self, target: Path) -> None:
        """Copies the store as it is at one moment to a new SQLite file, even while another process writes it.

        Raises:
            StoreError: if the copy cannot be made, or the target exists.
        """
        self._database.copy_to(target)

    def measure_bytes(self) -> int:
        """Size of the store.

        Raises:
            StoreError: if it cannot be read.
        """
        return self._read(self._database.measure_bytes)

    def measure_free_bytes(self) -> int | None:
        """Free space for the store; None if it is on a disk that this machine cannot see.

        Raises:
            OSError: if the disk cannot be read.
        """
        return self._database.measure_free_bytes()

    def _read(self, work: Callable[[Connection], T]) -> T:
        try:
            with explained(f"read {self.name}"), self._reader.connect() as connection:
                return work(connection)
        except DamageError as error:
            raise DamageError(f"{self.name}: {error}", error.row) from None

    def _submit(self, work: Callable[[Connection], T]) -> Future[T]:
        if self._commits is None:
            raise StoreError(f"{self.name} was opened for reading only")
        return self._commits.submit(work)

    def _without_damage(
        self, found: Iterable[T | DamageError], damaged: Callable[[StoreError], None] | None
    ) -> Iterator[T]:
        """Leaves out damaged rows and reports them; without `damaged`, raises the first."""
        for each in found:
            if not isinstance(each, DamageError):
                yield each
            elif damaged:
                damaged(StoreError(f"{self.name}: {each}"))
            else:
                raise StoreError(f"{self.name}: {each}")


def _rewrite(connection: Connection) -> None:
    """Writes the one row of the store's own table again."""
    connection.execute(update(STORE).values(version=STORE.c.version))


def _nothing(_: Connection) -> None:
    """Does no work: its commit comes after all before it."""
