"""Stopping a search from another thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lastcard import _core
from lastcard.errors import StoppedError


class StopFlag:
    """Ends the searches of a thread when another thread sets it.

    Ctrl-C needs no flag: it ends a search in the main thread with KeyboardInterrupt.

    >>> flag = StopFlag()
    >>> flag.set()
    >>> flag.is_set
    True
    """

    def __init__(self) -> None:
        self._core = _core.StopFlag()

    @property
    def is_set(self) -> bool:
        """True if the flag was set."""
        return self._core.is_set

    def set(self) -> None:
        """Ends what runs under the flag within milliseconds, and what begins under it later."""
        self._core.set()


@contextmanager
def stopped_by(flag: StopFlag) -> Iterator[None]:
    """Runs the searches, matches and playouts of this thread under the flag.

    Raises:
        StoppedError: if the flag ended one of them.

    >>> flag = StopFlag()
    >>> with stopped_by(flag):
    ...     "every search in here ends when the flag is set"
    'every search in here ends when the flag is set'
    """
    # Restored afterwards: such blocks can be nested.
    before = _core.use_stop_flag(flag._core)
    try:
        yield
    except _core.Stopped:
        raise StoppedError("stopped by its flag") from None
    finally:
        _core.use_stop_flag(before)
