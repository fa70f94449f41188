"""Responses over HTTP."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import orjson
from starlette.responses import Response

from lastcard.errors import LastcardError, RequestError
from lastcard.web.api.problems import problem_of, status_of
from lastcard.web.service import Place

TEXT: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}
"""Schema of a response that is plain text."""


def json_response(content: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """JSON values as a response."""
    return Response(orjson.dumps(content), status, headers, "application/json")


def place_response(place: Place) -> Response:
    """A seat that was taken, with the view from it."""
    seat = {"game": place.game.key, "seat": place.seat, "token": place.token, "invite": place.invite}
    return json_response({**seat, "view": place.game.view(place.seat)}, 201)


def error_response(error: LastcardError) -> Response:
    """The error as a response."""
    headers: dict[str, str] = {}
    if isinstance(error, RequestError) and error.retry_after_seconds is not None:
        headers["Retry-After"] = str(max(math.ceil(error.retry_after_seconds), 1))
    if isinstance(error, RequestError) and error.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return json_response({"error": problem_of(error)}, status_of(error), headers)
