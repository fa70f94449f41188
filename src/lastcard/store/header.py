"""The first bytes of a store's file: whether it is a store, without opening it as a database."""

from __future__ import annotations

import os
import stat
import threading
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Final

from lastcard.errors import StoreError
from lastcard.files import check_path

APPLICATION_ID: Final = 0x4C434152
"""Number that marks an SQLite file as a store: "LCAR"."""
_MAGIC: Final = b"SQLite format 3\0"
"""First bytes of every SQLite database."""
_ID_PLACE: Final = slice(68, 72)
"""Place of the application's number in a database's header."""
_JOURNAL_MAGIC: Final = bytes.fromhex("d9d505f920a163d7")
_JOURNAL_PAGES: Final = slice(16, 20)
"""Place of the former number of pages in a journal's header."""
_HEADER_BYTES: Final = 100

_open_here: weakref.WeakKeyDictionary[object, tuple[int, int]] = weakref.WeakKeyDictionary()
"""Device and number of the files that stores of this process have open."""
_lock: Final = threading.Lock()


def is_store(text: str) -> bool:
    """Returns whether a text names a database rather than another kind of file.

    >>> is_store("sqlite:///games.db"), is_store("match.jsonl")
    (True, False)
    """
    if isinstance(text, str) and "://" in text:
        return True
    try:
        path = check_path(text, StoreError)
        header = read_header(path)
        return header is not None and (header.startswith(_MAGIC) or _is_half_created(path))
    except (OSError, StoreError):
        return False


def check_file(path: Path) -> bool:
    """Returns whether there is a store already; writes nothing, not even beside it.

    Reads only bytes that never change in a store. SQLite alone may judge the rest: it also reads the journal or log
    of a process that died.

    Raises:
        StoreError: if there is something else.
    """
    try:
        header = read_header(path)
        if header is None:
            if not path.parent.is_dir():
                raise StoreError(f"cannot write {path}: there is no folder {path.parent}")
            return False
        if header[: len(_MAGIC)] == _MAGIC and int.from_bytes(header[_ID_PLACE]) == APPLICATION_ID:
            return True
        if not header or _is_half_created(path):
            return False
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror}") from None
    if header[: len(_MAGIC)] == _MAGIC and len(header) == _HEADER_BYTES:
        raise StoreError(f"{path} is a database, but not a store of lastcard's; it stays as it is")
    raise StoreError(f"{path} is not a database; it stays as it is")


def read_header(path: Path) -> bytes | None:
    """The first bytes of a file; None if there is none.

    Raises:
        OSError: if it cannot be read.
        StoreError: if it is not a file.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise StoreError(f"{path} is not a file")
    if _is_open_here(status):
        # Closing a file drops every lock that this process has on it, SQLite's as well.
        return _MAGIC.ljust(_ID_PLACE.start, b"\0") + APPLICATION_ID.to_bytes(4) + bytes(_HEADER_BYTES - _ID_PLACE.stop)
    with path.open("rb") as file:
        return file.read(_HEADER_BYTES)


def _is_half_created(path: Path) -> bool:
    """Returns whether a journal says that the database was empty: its process died before the first commit."""
    try:
        with path.with_name(f"{path.name}-journal").open("rb") as file:
            header = file.read(_JOURNAL_PAGES.stop)
    except FileNotFoundError:
        return False
    return header.startswith(_JOURNAL_MAGIC) and not any(header[_JOURNAL_PAGES])


def _is_open_here(status: os.stat_result) -> bool:
    with _lock:
        return (status.st_dev, status.st_ino) in _open_here.values()


def note_open(owner: object, path: Path) -> None:
    """Remembers that a store of this process has the file open."""
    with suppress(FileNotFoundError):  # removed meanwhile: nothing can open it by its name
        status = path.stat()
        with _lock:
            _open_here[owner] = (status.st_dev, status.st_ino)


def note_closed(owner: object) -> None:
    """Forgets a store that is closed."""
    with _lock:
        _open_here.pop(owner, None)
