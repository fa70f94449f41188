"""Damaged rows: the error names the row and the fix."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy.exc import DBAPIError

from lastcard.errors import StoreError, shorten

UNREADABLE: Final = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    OverflowError,
    RecursionError,
    DBAPIError,
)
"""Errors that values may raise which lastcard did not write."""
_MOST_REASON: Final = 200


class DamageError(StoreError):
    """A row of a store holds values that lastcard did not write."""

    def __init__(self, message: str, row: str) -> None:
        super().__init__(message)
        self.row = row
        """Names the row without any value in it, nor its key: a log may say it."""


@contextmanager
def naming(row: str, key: str | None = None) -> Iterator[None]:
    """Names the row, and its key if it is found by that, if reading it raises.

    Raises:
        DamageError: if it cannot be read.
    """
    try:
        yield
    except StoreError:
        raise
    except UNREADABLE as error:
        reason = getattr(error, "orig", None) or error
        reason_text = f"{type(reason).__name__}: {reason}" if isinstance(error, KeyError) else str(reason)
        reason_text = " ".join(reason_text.split())
        what = row if key is None else f"{row} with the key {shorten(key)}"
        message = f"{what} is damaged ({reason_text[:_MOST_REASON]}); restore it from a backup"
        raise DamageError(message, row) from None


def read_object(text: object, *fields: str) -> dict[str, Any]:
    """Reads a JSON object of a row, which must have these fields.

    Raises:
        ValueError: if it is none.
    """
    if not isinstance(text, str):
        raise ValueError(f"expected JSON, not {shorten(text)}")
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError(f"expected a JSON object, not {shorten(text)}")
    for field in fields:
        if field not in value:
            raise ValueError(f"the field {field} is missing in {shorten(text)}")
    return value


def read_text(name: str, value: object) -> str:
    """Reads a text of a row.

    Raises:
        ValueError: if it is none.
    """
    if not isinstance(value, str):
        raise ValueError(f"{name} must be text, not {shorten(value)}")
    return value
