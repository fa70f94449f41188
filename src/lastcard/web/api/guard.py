"""The guard that every request passes first: origin, host, rate and size."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lastcard.errors import RequestError, shorten
from lastcard.web.api.page import IMMUTABLE
from lastcard.web.api.request_log import route_of, watch_request
from lastcard.web.api.responses import error_response
from lastcard.web.limits import user_of
from lastcard.web.logs import log_failure
from lastcard.web.metrics import SOCKETS_CLOSED
from lastcard.web.peers import KEY_HEADER, PROOF_HEADER, RELAYED, USER_HEADER
from lastcard.web.refusals import refuse
from lastcard.web.service import Service

PAGE_POLICY: Final = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'; form-action 'self'"
)
"""The page loads from its own host alone; its scripts may compile WebAssembly, and nothing else."""
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": f"{PAGE_POLICY}; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_FORBIDDEN, _FAILED = 1008, 1011
"""Codes with which a socket is closed."""
_LOG: Final = logging.getLogger(__name__)


class Guard:
    """Middleware around the application."""

    def __init__(
        self,
        app: ASGIApp,
        service: Service,
        hosts: Sequence[str],
        origins: Sequence[str],
        private: tuple[str, int] | None = None,
    ) -> None:
        self._app = app
        self._private = private
        self._service = service
        self._hosts = frozenset(host.lower() for host in hosts)
        self._origins = frozenset(origin.lower().rstrip("/") for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or refuses it."""
        if scope["type"] == "http":
            with watch_request(scope, send) as watched:
                await self._answer(scope, receive, watched)
        elif scope["type"] == "websocket":
            await self._answer(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        send = _with_proof(scope, send)
        try:
            self._check(scope, headers)
        except RequestError as error:
            if error.status == 429:
                await self._service.throttle(_user(scope))
            await self._refuse(scope, receive, send, error)
            return
        try:
            if scope["type"] == "http":
                receive = _Body(receive, self._service.limits.body_bytes(scope["path"]))
                send = _with_headers(scope, send)
            await self._app(scope, receive, send)
        except Exception as error:
            log_failure(_LOG, f"{route_of(scope)} failed", error)
            await self._refuse(scope, receive, send, refuse("server_failed"))

    def _check(self, scope: Scope, headers: Headers) -> None:
        is_peer = self._private is not None and tuple(scope["server"] or ()) == self._private
        if is_peer:
            self._check_peer(scope, headers)
        else:
            self._check_page(headers)
        length = headers.get("content-length", "0")
        most = self._service.limits.body_bytes(scope["path"])
        # 20 digits are above any limit, and converting thousands of digits would be slow.
        if scope["type"] == "http" and length.isdecimal() and int(length[:20]) > most:
            raise refuse("too_large", most=most)
        if not is_peer:  # the other process has counted it
            self._service.requests.take(_user(scope))

    def _check_peer(self, scope: Scope, headers: Headers) -> None:
        """Lets another process speak for a user whose request it has checked."""
        user = headers.get(USER_HEADER, "unknown")
        proof = self._service.peers.admit(headers.get(KEY_HEADER, ""), user)
        if proof is None:
            raise RequestError("only processes that serve the same store may ask here", status=403)
        scope["client"] = (user, 0)
        scope[RELAYED] = proof

    def _check_page(self, headers: Headers) -> None:
        host = headers.get("host", "")
        name = re.sub(r":[0-9]*$", "", host.lower())
        # Another site could point its name at this address and read what it has no token for (DNS rebinding).
        if self._hosts and name not in self._hosts:
            raise refuse("wrong_host", host=shorten(host))
        # Browsers let any page open a WebSocket anywhere; only the Origin header shows whose page it is.
        origin = headers.get("origin")
        if origin is not None and not self._is_own(origin.lower(), host.lower()):
            raise refuse("wrong_origin", origin=shorten(origin))

    def _is_own(self, origin: str, host: str) -> bool:
        if origin in self._origins:
            return True
        try:
            split = urlsplit(origin)
        except ValueError:
            return False
        return split.scheme in ("http", "https") and bool(host) and split.netloc == host

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, error: RequestError) -> None:
        if scope["type"] == "websocket":
            with suppress(RuntimeError):
                code = _FAILED if error.status == 500 else _FORBIDDEN
                SOCKETS_CLOSED.labels(str(code)).inc()
                # A close frame has room for 123 bytes.
                await send({"type": "websocket.close", "code": code, "reason": str(error)[:100]})
            return
        with suppress(RuntimeError):  # a response may have begun
            await error_response(error)(scope, receive, _with_headers(scope, send))


def _user(scope: Scope) -> str:
    client = scope.get("client")
    return user_of(client[0] if client else None)


class _Body:
    """Counts the bytes of a body."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._left = most
        self._most = most

    async def __call__(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise refuse("too_large", most=self._most)
        return message


def _cache_control(path: str, status: int) -> str:
    """Games are never cached, the page is revalidated, and its assets, named by their hash, are cached for ever.

    Browsers look for the icon again and again, also in a game that asks the server for nothing.
    """
    if path.startswith("/api/"):
        return "no-store"
    if status == 200 and path == "/icon.svg":
        return "public, max-age=86400"
    return IMMUTABLE if path.startswith("/assets/") and status == 200 else "no-cache"


def _with_proof(scope: Scope, send: Send) -> Send:
    """Proves who answers, if another process asks, also where it refuses."""

    async def send_with_proof(message: Message) -> None:
        if RELAYED in scope and message["type"] in ("http.response.start", "websocket.accept"):
            MutableHeaders(scope=message)[PROOF_HEADER] = scope[RELAYED]
        await send(message)

    return send_with_proof


def _with_headers(scope: Scope, send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", _cache_control(scope["path"], message["status"]))
        await send(message)

    return send_with_headers
