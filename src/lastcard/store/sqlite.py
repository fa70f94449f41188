"""A store in an SQLite file."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection, Engine

from lastcard.store import header, sqlite_file
from lastcard.store.database import Database, T
from lastcard.store.statements import explained


class SqliteDatabase(Database):
    """A file, and the lock of the process that writes it."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._path = path
        self._lock: sqlite_file.WriterLock | None = None

    def exists(self) -> bool:
        """Looks at the first bytes of the file."""
        return header.check_file(self._path)

    def open_reader(self) -> Engine:
        """Opens the file to read."""
        engine = sqlite_file.open_reader(self._path)
        header.note_open(self, self._path)
        return engine

    def open_writer(self, *, alone: bool = False) -> Engine:
        """Takes the lock, and opens the file or creates it; one process writes a file in any case."""
        self._lock = sqlite_file.WriterLock(self._path)
        try:
            engine = sqlite_file.open_writer(self._path, alone=alone)
        except BaseException:
            self._unlock()
            raise
        header.note_open(self, self._path)
        return engine

    def close_writer(self, engine: Engine) -> None:
        """Leaves one file, and releases the lock."""
        try:
            sqlite_file.close_writer(engine, self._path)
        finally:
            self._unlock()

    def release(self) -> None:
        """Lets the file be opened past SQLite again."""
        header.note_closed(self)

    def create_filled(self, fill: Callable[[Connection], None], check: Callable[[Connection], T]) -> T:
        """Fills a file beside the place, and links it there."""
        return sqlite_file.create_store(self._path, fill, check)

    def copy_to(self, target: Path) -> None:
        """Copies the file."""
        sqlite_file.copy_store(self._path, target)

    def compact(self, writer: Engine) -> None:
        """Writes the file again without the pages that nothing uses, which takes a while."""
        with explained(f"compact {self.name}"):
            sqlite_file.compact(writer)

    def find_corruption(self, connection: Connection) -> list[str]:
        """Runs SQLite's own check."""
        return sqlite_file.find_corruption(connection)

    def measure_bytes(self, connection: Connection) -> int:
        """Size of the file with what is not in it yet."""
        both = (self._path, self._path.with_name(f"{self._path.name}-wal"))
        return sum(file.stat().st_size for file in both if file.exists())

    def measure_free_bytes(self) -> int | None:
        """Free space on the disk of the file."""
        return shutil.disk_usage(self._path.parent).free

    def _unlock(self) -> None:
        if self._lock:
            self._lock.release()
            self._lock = None
