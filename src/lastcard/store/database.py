"""The database of a store: SQLite in a file, or PostgreSQL on a server."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, Engine

T = TypeVar("T")


class Database(ABC):
    """A place for a store, and what each kind of database does in its own way."""

    name: str
    """Name for messages, without a password."""
    is_shared = False
    """True if several processes may write the store at a time."""

    @abstractmethod
    def exists(self) -> bool:
        """Returns whether there is a store already; writes nothing.

        Raises:
            StoreError: if there is something else, or nothing can be there.
        """

    @abstractmethod
    def open_reader(self) -> Engine:
        """An engine whose connections can only read, each a consistent view.

        Raises:
            StoreError: if the store is of another version, or cannot be read.
        """

    @abstractmethod
    def open_writer(self, *, alone: bool = False) -> Engine:
        """An engine with the one connection of this process that writes; makes what is not there yet.

        Args:
            alone: Whether no other process may write meanwhile, even if the store is shared.

        Raises:
            StoreError: if another process is in the way, it is of another version, or it cannot be written.
        """

    @abstractmethod
    def close_writer(self, engine: Engine) -> None:
        """Lets other processes write.

        Raises:
            StoreError: if what was committed is in several files, because it could not be written into one.
        """

    @abstractmethod
    def release(self) -> None:
        """Forgets the database once nothing has it open."""

    @abstractmethod
    def create_filled(self, fill: Callable[[Connection], None], check: Callable[[Connection], T]) -> T:
        """Makes a store of what one function writes into its empty tables; if anything raises, there is none.

        Args:
            fill: Writes the rows.
            check: Reads them again, and raises if they are not the same.

        Raises:
            StoreError: if it cannot be written.
        """

    @abstractmethod
    def copy_to(self, target: Path) -> None:
        """Copies the store as it is at one moment to a new SQLite file, even while it is written.

        Raises:
            StoreError: if the copy cannot be made, or the target exists.
        """

    @abstractmethod
    def compact(self, writer: Engine) -> None:
        """Gives the space of deleted rows back.

        Raises:
            StoreError: if it cannot be written.
        """

    @abstractmethod
    def find_corruption(self, connection: Connection) -> list[str]:
        """Problems that the database itself finds."""

    @abstractmethod
    def measure_bytes(self, connection: Connection) -> int:
        """Size of the store."""

    @abstractmethod
    def measure_free_bytes(self) -> int | None:
        """Free space for the store; None if it is on a disk that this machine cannot see.

        Raises:
            OSError: if the disk cannot be read.
        """
