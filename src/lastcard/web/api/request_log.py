"""Counts and logs requests by route: a path may hold the key of a game, and headers hold tokens."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from starlette.types import Message, Scope, Send

from lastcard.web.logs import REQUEST_LOG
from lastcard.web.metrics import REQUEST_SECONDS, REQUESTS

_LOG: Final = logging.getLogger(REQUEST_LOG)


@contextmanager
def watch_request(scope: Scope, send: Send) -> Iterator[Send]:
    """Counts a request when it is over; gives the function with which to send its response."""
    begun, status = time.perf_counter(), 499  # as nginx calls a request whose client left before the response

    async def note_status(message: Message) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        await send(message)

    try:
        yield note_status
    finally:
        route, seconds = route_of(scope), time.perf_counter() - begun
        REQUESTS.labels(route, str(status)).inc()
        REQUEST_SECONDS.observe(seconds)
        if _LOG.isEnabledFor(logging.INFO):
            fields = {"method": scope["method"], "route": route, "status": status, "ms": round(1000 * seconds, 1)}
            _LOG.info("%(method)s %(route)s %(status)d %(ms).1f ms", fields, extra={"fields": fields})


def route_of(scope: Scope) -> str:
    """The template of the route, such as `/api/games/{game}`: there are few, whatever paths are asked for."""
    path = getattr(scope.get("route"), "path", None)
    return path if isinstance(path, str) else "refused or page"
