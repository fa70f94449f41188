"""Outages of a database: each is one event, however many writes fail meanwhile."""

from __future__ import annotations

from lastcard.errors import StoreError


class Outage:
    """A time in which every commit fails."""

    is_logged = False
    """True once the log has its cause."""


class OutageError(StoreError):
    """A write failed because the database does."""

    def __init__(self, message: str, outage: Outage) -> None:
        super().__init__(message)
        self.outage = outage
