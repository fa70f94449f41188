"""Limits of connections: how many an address may hold, and how long a request may take to arrive."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from lastcard.web.limits import Limits, Share, user_of

_MOST_ADDRESSES: Final = 1_000
"""Addresses that are remembered: reading one takes longer than all else that a refused connection costs."""


def limit_connections(
    limits: Limits, proxies: Sequence[str], private: tuple[str, int] | None = None
) -> type[asyncio.Protocol]:
    """Makes the protocol of a server, which closes what goes beyond its limits without a word.

    Connections of proxies, and those to the private address, are not counted by address: behind them are many users.
    """
    held = Share("connections", limits.max_connections, limits.max_connections_per_user)
    is_proxy = _trust(proxies)

    class Gate(asyncio.Protocol):
        """Closes a connection too many before anything is made for it, and gives any other to uvicorn's protocol."""

        def __init__(self, **made_of: Any) -> None:
            self._made_of = made_of

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            peer, user = transport.get_extra_info("peername"), None
            address = peer[0] if peer else None
            if not is_proxy(address) and not (private and transport.get_extra_info("sockname")[:2] == private):
                user = user_of(address)
                if not held.has_room(user):
                    transport.abort()  # an answer would cost more than the connection
                    return
                held.take(user)
            protocol = LimitedProtocol(**self._made_of)
            protocol.user = user
            transport.set_protocol(protocol)
            protocol.connection_made(transport)

    class LimitedProtocol(H11Protocol):
        """uvicorn's protocol, with a time limit for every request; gives back what its address has taken."""

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
                self._timer = self.loop.call_later(limits.request_seconds, self.transport.abort)
            elif not is_arriving:
                self._stop_timer()

        def _forget(self) -> None:
            self._stop_timer()
            if self.user is not None:
                held.give_back(self.user)
                self.user = None

        def _stop_timer(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

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
