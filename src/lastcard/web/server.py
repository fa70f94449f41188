"""The server: a socket, a store and an event loop."""

from __future__ import annotations

import gc
import ipaddress
import logging
import re
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import uvicorn

from lastcard.errors import RequestError, StoreError
from lastcard.files import state_folder
from lastcard.store import open_store
from lastcard.web.addresses import address_of, format_address, list_addresses
from lastcard.web.api.app import create_app
from lastcard.web.api.coalescing import CoalescingProtocol
from lastcard.web.api.connections import limit_connections
from lastcard.web.gauges import serve_metrics
from lastcard.web.limits import Limits
from lastcard.web.service import Service

if sys.platform == "win32":  # where uvloop does not exist
    from asyncio import run
else:
    from uvloop import run

_ALLOCATIONS_PER_COLLECTION: Final = 20_000


def default_store() -> Path:
    """Default path of the store, in the user's state folder, which is created.

    Raises:
        StoreError: if it cannot be created.
    """
    return state_folder(StoreError) / "web.db"


def bind(host: str, port: int) -> socket.socket:
    """Opens a socket; port 0 takes any that is free.

    Raises:
        RequestError: if the address is not available.
    """
    with ExitStack() as opened:
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            listening = opened.enter_context(socket.socket(family, kind, protocol))
            # A restarted server must not wait until the kernel forgets the connections of the last one.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen(128)
        except OSError as error:
            raise RequestError(f"cannot listen on {host} port {port}: {error.strerror}", status=503) from None
        opened.pop_all()
    return listening


def read_private_address(text: str) -> tuple[str, int]:
    """Reads the address at which other processes reach this one; without a port, any that is free.

    Raises:
        RequestError: if it is none, or stands for several.

    >>> read_private_address("10.0.0.5"), read_private_address("[fd00::5]:8001")
    (('10.0.0.5', 0), ('fd00::5', 8001))
    """
    found = re.fullmatch(r"(?:\[(?P<six>.+)\]|(?P<four>[^:]+))(?::(?P<port>[0-9]{1,5}))?", text)
    try:
        host = ipaddress.ip_address((found["six"] or found["four"]) if found else text)
    except ValueError:
        host = ipaddress.ip_address("0.0.0.0")
    port = int(found["port"] or 0) if found else 0
    if host.is_unspecified or port > 65535:
        raise RequestError(f"--private must be an address such as 10.0.0.5 or 10.0.0.5:8001, not {text}", status=422)
    return str(host), port


def serve(
    listening: socket.socket,
    store_url: str | Path,
    *,
    origins: Sequence[str] = (),
    proxies: Sequence[str] = (),
    limits: Limits | None = None,
    metrics: tuple[str, int] | None = None,
    private: tuple[str, int] = ("127.0.0.1", 0),
    ready: Callable[[], None] | None = None,
) -> None:
    """Serves until interrupted, or until SIGTERM ends the process with status 0.

    Args:
        listening: The socket from `bind`.
        store_url: The store of the games.
        origins: Origins of pages that may use it besides its own.
        proxies: Addresses or networks of proxies that are trusted to say where a request comes from.
        limits: Limits of the server.
        metrics: Host and port on which to serve metrics.
        private: Host and port at which other processes that serve the same store in PostgreSQL reach this one.
        ready: Called once the server answers.

    Raises:
        StoreError: if the store cannot be opened.
    """
    if threading.current_thread() is threading.main_thread():
        # The store is closed before the process ends, as after Ctrl-C; for systemd, a status other than 0 is a failure.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with open_store(store_url) as store, ExitStack() as opened:
        _collect_less()
        service = Service(store, limits)
        if metrics is not None:
            opened.enter_context(serve_metrics(service, *metrics))
        sockets = [listening]
        if store.can_be_shared:
            sockets.append(opened.enter_context(bind(*private)))
        server = make_server(sockets, service, origins=origins, proxies=proxies, ready=ready)
        run(server.serve(sockets=sockets))


def _collect_less() -> None:
    """Collects cyclic garbage less often: a busy server spent a tenth of its time to find almost none."""
    gc.freeze()
    gc.set_threshold(_ALLOCATIONS_PER_COLLECTION, *gc.get_threshold()[1:])


def make_server(
    sockets: Sequence[socket.socket],
    service: Service,
    *,
    origins: Sequence[str] = (),
    proxies: Sequence[str] = (),
    ready: Callable[[], None] | None = None,
) -> uvicorn.Server:
    """Makes the server, which answers once its `serve` is run.

    The arguments are those of `serve`; a second socket is the one at which other processes reach it.
    """
    listening, private = sockets[0], sockets[1].getsockname()[:2] if len(sockets) > 1 else None
    app = create_app(
        service,
        hosts=_hosts(listening, origins),
        origins=origins,
        list_addresses=lambda: list_addresses(listening, origins),
        private=private,
    )
    settings = uvicorn.Config(
        app,
        http=limit_connections(service.limits, proxies, private),
        ws=CoalescingProtocol,
        ws_per_message_deflate=False,  # messages are short: packing them takes longer than sending them
        ws_max_size=service.limits.max_frame_bytes,
        limit_concurrency=service.limits.max_connections,  # more get a 503 before any of our code runs
        access_log=False,  # paths hold keys of games
        log_config=None,
        log_level=logging.WARNING,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        server_header=False,  # no need to say which version to attack
        timeout_graceful_shutdown=2,  # sockets stay open as long as people play: waiting for them would not end
    )
    return _Server(settings, service, private and format_address(*private).removeprefix("http://"), ready)


class _Server(uvicorn.Server):
    """Shares the store with other processes while it runs, and calls back when it answers."""

    def __init__(
        self, config: uvicorn.Config, service: Service, private: str | None, ready: Callable[[], None] | None
    ) -> None:
        super().__init__(config)
        self._ownership = service.ownership
        self._private = private
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        if self._private:
            await self._ownership.join(self._private)
        await super().startup(sockets)
        if self._ready and not self.should_exit:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Clients that connect again must find another process; then that one may have their games.
        if self._private:
            for server in self.servers:
                server.close()
            await self._ownership.hand_over()
        await super().shutdown(sockets)


def describe_address(listening: socket.socket, origins: Sequence[str] = ()) -> str:
    """The address on this machine and, if the server listens for others, the one for them."""
    own, others = address_of(listening), list_addresses(listening, origins)
    if others:
        return own if own in others else f"{own} and for others at {others[0]}"
    is_for_all = ipaddress.ip_address(listening.getsockname()[0]).is_unspecified
    return f"{own} ; this machine has no address that others can reach" if is_for_all else own


def _hosts(listening: socket.socket, origins: Sequence[str]) -> tuple[str, ...]:
    """Names that a server on loopback answers to, so that no other site can pose as it; elsewhere any.

    A proxy on the same machine passes on the name of the origin it serves.
    """
    host = listening.getsockname()[0]
    if not ipaddress.ip_address(host).is_loopback:
        return ()
    return "localhost", "127.0.0.1", "[::1]", host, *(urlsplit(origin).hostname or "" for origin in origins)
