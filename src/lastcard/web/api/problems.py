"""Errors as clients are sent them: `{"message": ..., "field": ..., "code": ..., "values": ...}`."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, Final

from lastcard.errors import LastcardError, RequestError, StoreError
from lastcard.web.logs import log_failure
from lastcard.web.refusals import refuse

_WHERE: Final = ("body", "query", "path", "header")
_LOG: Final = logging.getLogger(__name__)


def status_of(error: LastcardError) -> int:
    """The HTTP status of an error."""
    if isinstance(error, RequestError):
        return error.status
    return 503 if isinstance(error, StoreError) else 422


def problem_of(error: LastcardError) -> dict[str, Any]:
    """The error as JSON values; of a store that failed, the log has the reason, and clients are not told.

    >>> problem_of(RequestError("players must be at least 2", status=422, field="players"))
    {'message': 'players must be at least 2', 'field': 'players'}
    >>> problem_of(refuse("acted_already", ply=3))
    {'message': 'you have acted at ply 3 already', 'field': 'ply', 'code': 'acted_already', 'values': {'ply': 3}}
    """
    if isinstance(error, StoreError):
        log_failure(_LOG, "the store failed", error)
        error = refuse("store_away")
    problem: dict[str, Any] = {"message": printable(str(error))}
    if isinstance(error, RequestError):
        values = {name: printable(value) if isinstance(value, str) else value for name, value in error.values.items()}
        told = {"field": error.field, "code": error.code, "values": values}
        problem |= {name: value for name, value in told.items() if value}
    return problem


def validation_error(errors: Sequence[Any]) -> RequestError:
    """The first error that a model found, as a request error."""
    first = errors[0]
    place = [str(part) for part in first.get("loc", ()) if part not in _WHERE]
    field = printable(".".join(place))[:100]
    return refuse("bad_request", at=field or None, reason=str(first.get("msg", "not readable")))


def printable(text: str) -> str:
    """The text, with characters escaped that no encoding can write."""
    return text.encode("utf-8", "backslashreplace").decode()
