"""Forwarding: requests about a game go to the process that has it."""

from __future__ import annotations

import re
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from lastcard.errors import LastcardError
from lastcard.web.api.requests import read_user
from lastcard.web.api.responses import error_response
from lastcard.web.metrics import FORWARDED
from lastcard.web.service import Service

_GAME: Final = re.compile(r"/api/games/([^/]{1,40})(?:/.*)?")
_FINISHED: Final = re.compile(r"/api/studies/([^/]{1,40})")
_UP: Final = ("authorization", "content-type")
_DOWN: Final = ("content-type", "retry-after", "www-authenticate")
"""Headers that are passed on; the others are of the connection, or the guard sets them."""


class Forwarding:
    """Middleware inside the guard."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request here, or lets another process do it."""
        key = find_key(scope["method"], scope["path"]) if scope["type"] == "http" else None
        if key is None:
            await self._app(scope, receive, send)
            return
        try:
            peer = await self._service.ownership.locate(key)
            if peer is None:
                await self._app(scope, receive, send)
                return
            FORWARDED.labels("request").inc()
            request, headers = Request(scope, receive), Headers(scope=scope)
            query = scope["query_string"].decode("latin-1")
            target = scope["raw_path"].decode("latin-1") + (f"?{query}" if query else "")
            known = {name: headers[name] for name in _UP if name in headers}
            body, user = await request.body(), read_user(request)
            answer = await self._service.peers.ask(peer, user, scope["method"], target, known, body)
        except LastcardError as error:
            await error_response(error)(scope, receive, send)
            return
        kept = {name: answer.headers[name] for name in _DOWN if name in answer.headers}
        await Response(answer.body, answer.status, kept)(scope, receive, send)


def find_key(method: str, path: str) -> str | None:
    """The key of the game that a request needs in memory.

    Finished games are read by any process; to delete one, its owner has to know.

    >>> find_key("POST", "/api/games/abc/actions"), find_key("GET", "/api/studies/abc"), find_key("POST", "/api/games")
    ('abc', None, None)
    """
    found = _GAME.fullmatch(path) or (_FINISHED.fullmatch(path) if method == "DELETE" else None)
    return found[1] if found else None
