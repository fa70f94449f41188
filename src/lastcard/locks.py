"""Locks on open files, on every operating system."""

from __future__ import annotations

import os
import sys
from typing import Final

_WINDOWS_OFFSET: Final = 1 << 62
"""The byte that is locked on Windows: a lock there also blocks readers, so it is far behind the end of the file."""


def lock_file(file: int) -> None:
    """Locks an open file against other processes until it is closed, without waiting.

    Raises:
        OSError: if another process holds the lock, or the file system has no locks.
    """
    if sys.platform == "win32":
        import msvcrt

        position = os.lseek(file, 0, os.SEEK_CUR)
        os.lseek(file, _WINDOWS_OFFSET, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(file, position, os.SEEK_SET)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
