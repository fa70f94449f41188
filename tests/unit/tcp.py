"""A client that talks to the real server over TCP, and looks at every byte.

The server runs in the same event loop, so that a test can reach into it; between the two is nothing but the network.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

from lastcard.store.store import Store
from lastcard.web.limits import Limits
from lastcard.web.server import bind, make_server
from tests.unit.asgi import FREE, PATIENCE_SECONDS, Client, Closed, Reply, find_store, make_service

KEY = "bm90aGluZyB0byBoaWRlIQ=="
"""Key of the handshake: always the same, and so is the answer."""
TEXT, CLOSE = 1, 8
MASK = b"\1\2\3\4"


class WireClient:
    """Works as `Client`, over TCP."""

    def __init__(self, inside: Client, port: int) -> None:
        self.inside = inside
        """Goes to the same application without a network."""
        self.service = inside.service
        self.port = port

    def through(self, other: WireClient) -> WireClient:
        """A client of the same server that is connected to another, which shares its store."""
        return WireClient(self.inside, other.port)

    async def get(self, path: str, token: str | None = None) -> Reply:
        return await self._request("GET", path, b"", token)

    async def post(self, path: str, body: object = None, token: str | None = None) -> Reply:
        return await self._request("POST", path, json.dumps({} if body is None else body).encode(), token)

    async def _request(self, method: str, path: str, body: bytes, token: str | None) -> Reply:
        headers = {"connection": "close", "content-type": "application/json", "content-length": str(len(body))}
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(self._head(method, path, headers) + body)
            head, _, told = (await asyncio.wait_for(reader.read(), PATIENCE_SECONDS)).partition(b"\r\n\r\n")
        finally:
            writer.close()
        return Reply(int(head.split()[1]), {"head": _without_date(head)}, told)

    def _head(self, method: str, path: str, headers: Mapping[str, str]) -> bytes:
        lines = [f"{method} {path} HTTP/1.1", f"host: 127.0.0.1:{self.port}"]
        return "\r\n".join([*lines, *(f"{name}: {value}" for name, value in headers.items()), "", ""]).encode()

    @asynccontextmanager
    async def joined(self, game: str, token: str) -> AsyncIterator[WireSocket]:
        upgrade = {"upgrade": "websocket", "connection": "Upgrade", "sec-websocket-version": "13"}
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(self._head("GET", "/ws", {**upgrade, "sec-websocket-key": KEY}))
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE_SECONDS)
            socket = WireSocket(reader, writer, _without_date(head), self.service.clock)
            socket.send({"type": "join", "game": game, "token": token})
            yield socket
            socket.stop()
        finally:
            writer.close()


def _without_date(head: bytes) -> str:
    """Returns the start of an answer without the time of day."""
    return "\r\n".join(line for line in head.decode().split("\r\n") if not line.lower().startswith("date:"))


class WireSocket:
    """Works as `Socket`; every frame has to be of one shape, so that nothing but its text can differ."""

    time = 0.0
    """Time at which the last message arrived, by the server's clock."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, welcome: str, clock: Callable[[], float]
    ) -> None:
        self.welcome = welcome
        """The server's answer to the handshake."""
        self._reader = reader
        self._writer = writer
        self._clock = clock
        self._arrived: asyncio.Queue[tuple[float, str | Exception]] = asyncio.Queue()
        self._reading = asyncio.create_task(self._read_forever())

    def stop(self) -> None:
        """Stops reading."""
        self._reading.cancel()

    def send(self, message: object) -> None:
        text = (message if isinstance(message, str) else json.dumps(message)).encode()
        mask = (MASK * (len(text) // 4 + 1))[: len(text)]
        masked = (int.from_bytes(text, "big") ^ int.from_bytes(mask, "big")).to_bytes(len(text), "big")
        head = _frame_head(TEXT, len(text))
        self._writer.write(head[:1] + bytes([head[1] | 0x80]) + head[2:] + MASK + masked)

    async def receive_text(self) -> str:
        self.time, told = await asyncio.wait_for(self._arrived.get(), PATIENCE_SECONDS)
        if isinstance(told, Exception):
            self._arrived.put_nowait((self.time, told))  # there is nothing after it
            raise told
        return told

    async def _read_forever(self) -> None:
        """Notes when each message arrives, however late it is asked for."""
        told: str | Exception = ""
        while isinstance(told, str):
            try:
                told = await self._read_text()
            except (AssertionError, Closed, EOFError, OSError) as error:
                told = error
            self._arrived.put_nowait((self._clock(), told))

    async def _read_text(self) -> str:
        head = await self._reader.readexactly(2)
        more = {126: 2, 127: 8}.get(head[1], 0)
        head += await self._reader.readexactly(more)
        length = int.from_bytes(head[2:], "big") if more else head[1]
        content = await self._reader.readexactly(length)
        if head == _frame_head(CLOSE, length):
            raise Closed(int.from_bytes(content[:2], "big"))
        assert head == _frame_head(TEXT, length), f"a frame begins with {head!r}"
        return content.decode()


def _frame_head(kind: int, length: int) -> bytes:
    """Returns the head of a frame that is whole, plain and no longer than it must be."""
    if length < 126:
        return bytes([0x80 | kind, length])
    size, mark = (2, 126) if length < 1 << 16 else (8, 127)
    return bytes([0x80 | kind, mark]) + length.to_bytes(size, "big")


@asynccontextmanager
async def serving_tcp(
    place: Path | str, limits: Limits = FREE, clock: Callable[[], float] = time.monotonic
) -> AsyncIterator[WireClient]:
    """The server that `lastcard serve` runs, on a store in a folder or, shared with others, at a URL."""
    with ExitStack() as opened:
        store, listening = opened.enter_context(Store(find_store(place))), opened.enter_context(bind("127.0.0.1", 0))
        sockets = [listening, *([opened.enter_context(bind("127.0.0.1", 0))] if store.can_be_shared else [])]
        service = make_service(store, limits, clock)
        is_ready = asyncio.Event()
        server: Any = make_server(sockets, service, ready=is_ready.set)
        server.capture_signals = nullcontext  # Ctrl-C ends the test
        running = asyncio.create_task(server.serve(sockets=sockets))
        try:
            await asyncio.wait_for(is_ready.wait(), PATIENCE_SECONDS)
            yield WireClient(Client(server.config.loaded_app, service), listening.getsockname()[1])
        finally:
            server.should_exit = True
            await running
