"""A client that talks to the web application in the same event loop, without a network."""

from __future__ import annotations

import asyncio
import json
import os
import random
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from lastcard.store.store import Store
from lastcard.web.api.app import create_app
from lastcard.web.contract.messages import ServerMessage
from lastcard.web.games.live_game import LiveGame
from lastcard.web.limits import Limits
from lastcard.web.service import Service

SERVER_MESSAGES: TypeAdapter[Any] = TypeAdapter(ServerMessage)
"""Every message in every test has to fit the contract that the page is compiled against."""
HOST = "127.0.0.1:8000"
FREE = Limits(
    cover_seconds=0.0,
    requests_per_second=1e6,
    refusal_seconds=0.0,
    new_games_per_minute=1e6,
    max_games_per_user=10_000,
)
"""Limits that do not get in the way of a test."""
PATIENCE_SECONDS = 60.0


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def message(self) -> str:
        return str(self.json["error"]["message"])


class Closed(Exception):  # noqa: N818 - an answer like any other
    def __init__(self, code: int) -> None:
        super().__init__(str(code))
        self.code = code


class Client:
    def __init__(self, app: Any, service: Service, address: str = "127.0.0.1") -> None:
        self.app = app
        self.service = service
        self.address = address

    async def get(self, path: str, token: str | None = None, **headers: str) -> Reply:
        return await self.request("GET", path, None, token, headers)

    async def post(self, path: str, body: object = None, token: str | None = None, **headers: str) -> Reply:
        return await self.request("POST", path, {} if body is None else body, token, headers)

    async def request(
        self, method: str, path: str, body: object, token: str | None, headers: Mapping[str, str]
    ) -> Reply:
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        sent = {"host": HOST, **headers}
        if content:
            sent.setdefault("content-type", "application/json")
        if token is not None:
            sent["authorization"] = f"Bearer {token}"
        messages: list[dict[str, Any]] = []
        waiting = [{"type": "http.request", "body": content, "more_body": False}]

        async def receive() -> dict[str, Any]:
            return waiting.pop() if waiting else {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            messages.append(message)

        await self.app(self._scope("http", path, sent, method=method), receive, send)
        start = messages[0]
        told = {name.decode(): value.decode() for name, value in start["headers"]}
        return Reply(start["status"], told, b"".join(message.get("body", b"") for message in messages[1:]))

    def _scope(self, kind: str, path: str, headers: Mapping[str, str], **more: object) -> dict[str, Any]:
        bare, _, query = path.partition("?")
        return {
            "type": kind,
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "http" if kind == "http" else "ws",
            "path": bare,
            "raw_path": bare.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.replace("_", "-").lower().encode(), value.encode()) for name, value in headers.items()],
            "client": (self.address, 40_000),
            "server": ("127.0.0.1", 8000),
            **more,
        }

    @asynccontextmanager
    async def socket(self, **headers: str) -> AsyncIterator[Socket]:
        socket = Socket(self.service.clock)
        scope = self._scope("websocket", "/ws", {"host": HOST, **headers}, subprotocols=[])
        task = asyncio.create_task(self.app(scope, socket.incoming.get, socket.hear))
        try:
            _, accepted = await asyncio.wait_for(socket.outgoing.get(), PATIENCE_SECONDS)
            if accepted["type"] == "websocket.close":
                raise Closed(accepted["code"])
            yield socket
        finally:
            socket.incoming.put_nowait({"type": "websocket.disconnect", "code": 1000})
            await asyncio.wait_for(task, PATIENCE_SECONDS)

    @asynccontextmanager
    async def joined(self, game: str, token: str, since: int = 0) -> AsyncIterator[Socket]:
        async with self.socket() as socket:
            socket.send({"type": "join", "game": game, "token": token, "since": since})
            yield socket


class Socket:
    welcome = ""
    """There is no handshake."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.outgoing: asyncio.Queue[tuple[float, dict[str, Any]]] = asyncio.Queue()
        self.time = 0.0
        """Time at which the last message was sent, by the server's clock."""
        self._clock = clock
        self.incoming.put_nowait({"type": "websocket.connect"})

    async def hear(self, message: dict[str, Any]) -> None:
        self.outgoing.put_nowait((self._clock(), message))

    def send(self, message: object) -> None:
        text = message if isinstance(message, str) else json.dumps(message)
        self.incoming.put_nowait({"type": "websocket.receive", "text": text})

    async def receive_text(self) -> str:
        self.time, message = await asyncio.wait_for(self.outgoing.get(), PATIENCE_SECONDS)
        if message["type"] == "websocket.close":
            raise Closed(message.get("code", 1000))
        return str(message["text"])

    async def receive(self, kind: str | None = None) -> dict[str, Any]:
        """The next message; of a kind, if one is asked for."""
        while True:
            message: dict[str, Any] = json.loads(await self.receive_text())
            SERVER_MESSAGES.validate_python(message)
            if kind is None or message["type"] == kind:
                return message

    async def view_when(self, is_wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while True:
            view: dict[str, Any] = (await self.receive("view"))["view"]
            if is_wanted(view):
                return view


def make_service(
    store: Store,
    limits: Limits = FREE,
    clock: Callable[[], float] = time.monotonic,
    make_secret: Callable[[int], str] | None = None,
) -> Service:
    """A test is dealt the same games every time."""
    seeds = random.Random(os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0])
    return Service(store, limits, clock, make_secret or secrets.token_urlsafe, make_seed=seeds.getrandbits)


def find_store(place: Path | str) -> Path | str:
    """The store in a folder, or the one at a URL."""
    return place / "web.db" if isinstance(place, Path) else place


@asynccontextmanager
async def serving(
    place: Path | str,
    limits: Limits = FREE,
    clock: Callable[[], float] = time.monotonic,
    make_secret: Callable[[int], str] | None = None,
) -> AsyncIterator[Client]:
    """A server on a store in a folder, or at a URL."""
    with Store(find_store(place)) as store:
        service = make_service(store, limits, clock, make_secret)
        app = create_app(service, hosts=("127.0.0.1", "localhost"))
        service.start()
        try:
            yield Client(app, service)
        finally:
            await service.close()


async def rest(live: LiveGame) -> None:
    """Waits until nothing happens in the game any more without a client."""
    task = live._driver._task
    if task is not None:
        await asyncio.wait([task])


def has_acted(seat: int) -> Callable[[dict[str, Any]], bool]:
    """Says of a view whether it tells something that the seat has done."""
    return lambda view: any(e["seat"] == seat and e["kind"] not in ("dealt", "passed") for e in view["log"])


def is_asked(view: dict[str, Any]) -> bool:
    return bool(view["legal"]) or view["phase"] == "over"
