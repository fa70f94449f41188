"""Responses over HTTP."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import orjson
from starlette.responses import Response

from lastcard.errors import LastcardError, RequestError
from lastcard.web.api.problems import problem_of, status_of


def json_response(content: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """JSON values as a response."""
    return Response(orjson.dumps(content), status, headers, "application/json")


def error_response(error: LastcardError) -> Response:
    """The error as a response."""
    headers: dict[str, str] = {}
    if isinstance(error, RequestError) and error.retry_after_seconds is not None:
        headers["Retry-After"] = str(max(math.ceil(error.retry_after_seconds), 1))
    if isinstance(error, RequestError) and error.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return json_response({"error": problem_of(error)}, status_of(error), headers)
