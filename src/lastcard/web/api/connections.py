"""Limits of connections: how many an address may hold, and how long a request may take to arrive."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from lastcard.errors import RequestError
from lastcard.web.limits import Limits, Share, user_of


@dataclass(frozen=True)
class _Bounds:
    """The limits of one server, and the connections that count."""

    held: Share
    request_seconds: float
    is_proxy: Callable[[str | None], bool]
    private: tuple[str, int] | None

    def counts(self, address: str | None, server: tuple[str, int | None] | None) -> bool:
        """Whether a connection of that address to that server is counted by address."""
        return not self.is_proxy(address) and server != self.private


class _LimitedProtocol(H11Protocol):
    """uvicorn's protocol, with a time limit for every request and a share for every address."""

    bounds: ClassVar[_Bounds]
    _user: str | None = None
    _timer: asyncio.TimerHandle | None = None
    _is_upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else None
        if self.bounds.counts(address, self.server):
            try:
                self.bounds.held.take(user_of(address))
            except RequestError:
                transport.abort()  # an answer would cost more than the connection
                return
            self._user = user_of(address)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._is_upgraded = True
        self._forget()  # sockets have limits of their own
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Starts the time of a request with the connection or its first byte; more bytes do not prolong it."""
        is_done = self._is_upgraded or self.transport.is_closing()
        is_arriving = not is_done and self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
        if is_arriving and self._timer is None:
            self._timer = self.loop.call_later(self.bounds.request_seconds, self.transport.abort)
        elif not is_arriving:
            self._stop_timer()

    def _forget(self) -> None:
        self._stop_timer()
        if self._user is not None:
            self.bounds.held.give_back(self._user)
            self._user = None

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def limit_connections(
    limits: Limits, proxies: Sequence[str], private: tuple[str, int] | None = None
) -> type[H11Protocol]:
    """Makes the protocol of a server, which closes what goes beyond its limits without a word.

    Connections of proxies, and those to the private address, are not counted by address: behind them are many users.
    """
    held = Share("connections", limits.max_connections, limits.max_connections_per_user)

    class Protocol(_LimitedProtocol):
        bounds = _Bounds(held, limits.request_seconds, _trust(proxies), private)

    return Protocol


def _trust(proxies: Sequence[str]) -> Callable[[str | None], bool]:
    """A test whether an address is one of the proxies.

    >>> is_proxy = _trust(["192.0.2.1", "10.0.0.0/8"])
    >>> is_proxy("10.1.2.3"), is_proxy("192.0.2.2"), is_proxy(None)
    (True, False, False)
    """
    networks = [ipaddress.ip_network(proxy, strict=False) for proxy in proxies]

    def is_proxy(address: str | None) -> bool:
        try:
            read = ipaddress.ip_address(address or "")
        except ValueError:
            return False
        return any(read in network for network in networks)

    return is_proxy
