"""Lease: how long this process knows that its games are its own."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final

from lastcard.store.lease_rows import LEASE_SECONDS
from lastcard.web.peers import MovedError


def _clock() -> float:
    """Seconds, also those in which the process is paused or the machine sleeps."""
    return time.clock_gettime(_BOOT) if _BOOT is not None else time.monotonic()


_BOOT: Final[int | None] = getattr(time, "CLOCK_BOOTTIME", None)


class Lease:
    """Time until which no other process can have a game of this one; without end if it shares no store."""

    def __init__(self, now: Callable[[], float] = _clock) -> None:
        self.now = now
        self._until = math.inf

    def note_renewed(self, asked: float) -> None:
        """Notes that the store has renewed it, after it was asked at that time."""
        self._until = asked + LEASE_SECONDS

    @property
    def is_sure(self) -> bool:
        """True if it has not run out."""
        return self.now() < self._until

    def check(self) -> None:
        """Refuses to show a game that another process may have continued.

        Raises:
            MovedError: with status 503.
        """
        if not self.is_sure:
            raise MovedError
