"""Errors as clients are sent them: `{"field": ..., "message": ...}`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from lastcard.errors import LastcardError, RequestError, StoreError

_BUSY: Final = "the store cannot be reached; try again later"
_WHERE: Final = ("body", "query", "path", "header")


def status_of(error: LastcardError) -> int:
    """The HTTP status of an error."""
    if isinstance(error, RequestError):
        return error.status
    return 503 if isinstance(error, StoreError) else 422


def problem_of(error: LastcardError) -> dict[str, str]:
    """The error as JSON values.

    >>> problem_of(RequestError("players must be at least 2", status=422, field="players"))
    {'field': 'players', 'message': 'players must be at least 2'}
    """
    message = _BUSY if isinstance(error, StoreError) else printable(str(error))
    field = error.field if isinstance(error, RequestError) else None
    return {"field": field, "message": message} if field else {"message": message}


def validation_error(errors: Sequence[Any]) -> RequestError:
    """The first error that a model found, as a request error."""
    first = errors[0]
    place = [str(part) for part in first.get("loc", ()) if part not in _WHERE]
    field = printable(".".join(place))[:100]
    return RequestError(str(first.get("msg", "not readable")), status=422, field=field or None)


def printable(text: str) -> str:
    """The text, with characters escaped that no encoding can write."""
    return text.encode("utf-8", "backslashreplace").decode()
