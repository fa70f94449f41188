"""Limits of connections: how many an address may hold, and how long a request may take to arrive."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from lastcard.web.limits import Limits, Share, user_of
from lastcard.web.metrics import CONNECTIONS_REFUSED

_MOST_ADDRESSES: Final = 1_000
"""Addresses that are remembered: reading one takes longer than all else that a refused connection costs."""
_TOO_MANY, _TOO_SLOW = map(CONNECTIONS_REFUSED.labels, ("too many", "too slow"))


@dataclass(frozen=True)
class _Bounds:
    """The limits of one server, and the connections that count."""

    held: Share
    request_seconds: float
    is_proxy: Callable[[str | None], bool]
    private: tuple[str, int] | None

    def counts(self, address: str | None, server: Sequence[object]) -> bool:
        """Returns whether a connection of that address to that server is counted by address."""
        return not self.is_proxy(address) and not (self.private and tuple(server[:2]) == self.private)


class _LimitedProtocol(H11Protocol):
    """uvicorn's protocol, with a time limit for every request; gives back what its address has taken."""

    bounds: _Bounds
    user: str | None = None
    _timer: asyncio.TimerHandle | None = None
    _is_upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
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
            self._timer = self.loop.call_later(self.bounds.request_seconds, self._give_up)
        elif not is_arriving:
            self._stop_timer()

    def _give_up(self) -> None:
        _TOO_SLOW.inc()
        self.transport.abort()

    def _forget(self) -> None:
        self._stop_timer()
        if self.user is not None:
            self.bounds.held.give_back(self.user)
            self.user = None

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class _Gate(asyncio.Protocol):
    """Closes a connection too many before anything is made for it, and gives any other to uvicorn's protocol."""

    bounds: ClassVar[_Bounds]

    def __init__(self, **made_of: Any) -> None:
        self._made_of = made_of

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        peer, user = transport.get_extra_info("peername"), None
        address = peer[0] if peer else None
        if self.bounds.counts(address, transport.get_extra_info("sockname")):
            user = user_of(address)
            if not self.bounds.held.has_room(user):
                _TOO_MANY.inc()
                transport.abort()  # an answer would cost more than the connection
                return
            self.bounds.held.take(user)
        protocol = _LimitedProtocol(**self._made_of)
        protocol.bounds, protocol.user = self.bounds, user
        transport.set_protocol(protocol)
        protocol.connection_made(transport)


def limit_connections(
    limits: Limits, proxies: Sequence[str], private: tuple[str, int] | None = None
) -> type[asyncio.Protocol]:
    """Makes the protocol of a server, which closes what goes beyond its limits without a word.

    Connections of proxies, and those to the private address, are not counted by address: behind them are many users.
    """
    held = Share("connections", limits.max_connections, limits.max_connections_per_user)

    class Gate(_Gate):
        bounds = _Bounds(held, limits.request_seconds, _trust(proxies), private)

    return Gate


def _trust(proxies: Sequence[str]) -> Callable[[str | None], bool]:
    """A test whether an address is one of the proxies.

    >>> is_proxy = _trust(["192.0.2.1", "10.0.0.0/8"])
    >>> is_proxy("10.1.2.3"), is_proxy("192.0.2.2"), is_proxy(None)
    (True, False, False)
    """
    networks = [ipaddress.ip_network(proxy, strict=False) for proxy in proxies]

    @lru_cache(maxsize=_MOST_ADDRESSES)
    def is_proxy(address: str | None) -> bool:
        try:
            read = ipaddress.ip_address(address or "")
        except ValueError:
            return False
        return any(read in network for network in networks)

    return is_proxy
