"""The time as a store keeps it."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """The current time in UTC, without a time zone."""
    return datetime.now(UTC).replace(tzinfo=None)
