"""Outages of a database: each is one event, however many writes fail meanwhile."""

from __future__ import annotations

import time
from typing import Final

from lastcard.errors import StoreError

_QUIET_SECONDS: Final = 60.0
"""Time without a failure after which the next one is another outage; longer than between two probes of a server."""


class Outage:
    """A time in which commits fail; some may succeed, as small ones do on a full disk."""

    is_logged = False
    """True once the log has its cause."""
    is_over = False
    """True once the log says that the store can be written again."""

    def __init__(self) -> None:
        self._failed = time.monotonic()

    def goes_on(self) -> bool:
        """Notes a failure; returns whether it belongs to this outage."""
        before, self._failed = self._failed, time.monotonic()
        return not self.is_over and self._failed - before < _QUIET_SECONDS


class OutageError(StoreError):
    """A write failed because the database does."""

    def __init__(self, message: str, outage: Outage) -> None:
        super().__init__(message)
        self.outage = outage
