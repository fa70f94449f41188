"""The standard streams: those that are missing, and one that takes no more output."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from typing import Final

_OUTPUT_ERRORS: Final = (errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC)


def prepare_streams() -> None:
    """Opens the standard streams that the process was started without, and lets any text be printed.

    A file opened later could take the number of a missing stream, and would then receive what is printed.
    """
    # Standard output gets a stream that refuses writing: printing must fail, not vanish.
    for number, name, flags in ((0, "stdin", os.O_RDONLY), (1, "stdout", os.O_RDONLY), (2, "stderr", os.O_WRONLY)):
        if getattr(sys, name) is not None:
            continue
        null = os.open(os.devnull, flags)
        if null != number and not _is_open(number):
            os.dup2(null, number)
        setattr(sys, name, open(null, "w" if number else "r", encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # file names may hold bytes that are no text


def describe_output_error(error: OSError) -> str:
    """Describes an output error; the error itself names no file, so this does."""
    if error.filename is not None or error.errno not in _OUTPUT_ERRORS:
        return str(error)
    drop_output()
    if error.errno == errno.EBADF:
        return "standard output is closed"
    return f"cannot write standard output: {error.strerror}"


def drop_output() -> None:
    """Discards what is still to be printed: Python would try again when it exits."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
