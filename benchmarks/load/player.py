"""A person at a real socket who plays, is cut off now and then, and keeps a ledger."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from benchmarks.load.history import Ledger
from benchmarks.load.serving import Cluster, Served, patiently

PATIENCE_SECONDS: Final = 60.0
_AGAIN_SECONDS: Final = 0.05
_ALREADY_DEALT: Final = "the round is not over"
LOST: Final = (OSError, EOFError, WebSocketException, TimeoutError)
"""Errors that mean a lost connection."""
WANTED: Final = {
    "players": 2,
    "opponents": ["heuristic"],
    "pace": 0.0,
    "window": 600.0,
    "length": "game",
    "rules": "official target_score=1000000",
}
"""Rounds without end against `heuristic`."""


class Player:
    """One seat of one game."""

    def __init__(self, served: Served | Cluster, user: str, seed: int, **wanted: Any) -> None:
        self.user = user
        self.latencies: list[float] = []
        """Seconds from sending an action to its acknowledgment."""
        self.num_joins = 0
        self.num_bytes = 0
        """Bytes of the messages of both sides."""
        self.opened_at = self.back_at = 0.0
        """Time at which the last return's connection was opened, and at which everything was as it had been."""
        self._served = served
        self._rng = random.Random(seed)
        status, place = patiently(lambda: served.ask("/api/games", {**WANTED, **wanted}, user=user))
        assert status == 201, place
        self.game: str = place["game"]
        self.token: str = place["token"]
        self.invite: str = place["invite"]
        self.view: dict[str, Any] = place["view"]
        self.ledger = Ledger(self.game, place["seat"])
        self._pending: tuple[int, str] | None = None

    def move_to(self, served: Served) -> None:
        """Connects to another server from now on."""
        self._served = served

    async def play(self, until: Callable[[], bool], every_seconds: float = 1.0) -> None:
        """Acts as often as that, and joins again whenever the connection is lost, until it is enough."""
        due = time.monotonic() + self._rng.random() * every_seconds
        while not until():
            try:
                async with self.join() as socket:
                    opened_at = time.monotonic()
                    await self._come_back(socket)
                    self.opened_at, self.back_at = opened_at, time.monotonic()
                    while not until():
                        await self._wait_until_due(socket, due)
                        await self._act(socket)
                        due = max(due + every_seconds, time.monotonic())
            except LOST:
                await asyncio.sleep(_AGAIN_SECONDS)

    def join(self) -> Any:
        """A connection to the server, not joined yet."""
        address = f"ws://127.0.0.1:{self._served.port}/ws"
        headers = {"X-Forwarded-For": self.user}
        return connect(address, additional_headers=headers, compression=None, ping_interval=None, open_timeout=10)

    async def _come_back(self, socket: ClientConnection) -> None:
        """Joins the game again, and looks whether everything is as it was."""
        before, pending = self.view, self._pending
        await self._say(socket, {"type": "join", "game": self.game, "token": self.token})
        await self._hear_view(socket)
        self.num_joins += 1
        # An action may have been acknowledged without a view of what it led to.
        has_acted = pending is not None or before["ply"] in self.ledger.acknowledged
        check_return(before, self.view, has_acted=has_acted)
        if pending is None:
            return
        # No answer came: the same again is acknowledged whether or not it has counted, and counts once.
        ply, action = pending
        refusal = await self._send(socket, ply, action)
        assert refusal is None, f"game {self.game}, ply {ply}: {action} was refused when it was sent again: {refusal}"

    async def _act(self, socket: ClientConnection) -> None:
        """Waits for a decision, and makes it at random."""
        while not self.view["legal"]:
            if self.view["phase"] == "over":
                await self._say(socket, {"type": "next"})
            await self._hear_view(socket)
        action = self._rng.choice(self.view["legal"])
        refusal = await self._send(socket, self.view["ply"], action)
        assert refusal is None, f"game {self.game}: {action} was refused: {refusal}"

    async def _send(self, socket: ClientConnection, ply: int, action: str) -> dict[str, Any] | None:
        """Sends an action and waits for the view that it leads to; returns why, if it is refused."""
        self.ledger.send(ply, action)
        begun = time.monotonic()
        self._pending = (ply, action)
        await self._say(socket, {"type": "act", "id": ply, "ply": ply, "action": action})
        while True:
            message = await self._hear(socket)
            if message["type"] == "ack" and message["ply"] == ply:
                self.latencies.append(time.monotonic() - begun)
                self.ledger.acknowledge(ply, action)
                self._pending = None
            if message["type"] == "refused" and message["id"] == ply:
                self._pending = None
                return dict(message["error"])
            # Sent again, it may have led to the view that was shown on coming back.
            if self._pending is None and self.view["ply"] > ply:
                return None

    async def _wait_until_due(self, socket: ClientConnection, due: float) -> None:
        """Hears what happens meanwhile."""
        while (left := due - time.monotonic()) > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._hear(socket)

    async def _hear_view(self, socket: ClientConnection) -> None:
        while (await self._hear(socket))["type"] != "view":
            pass

    async def _hear(self, socket: ClientConnection) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE_SECONDS):
            told = await socket.recv(decode=False)
        self.num_bytes += len(told)
        message: dict[str, Any] = orjson.loads(told)
        assert message["type"] != "error", (self.game, self._served.port, message)
        # A client that reconnects may ask for a round that was dealt meanwhile: it did not see that before the break.
        if message["type"] == "refused" and message["id"] is None:
            assert message["error"]["message"] == _ALREADY_DEALT, message
        if message["type"] == "view":
            self.view = message["view"]
        return message

    async def _say(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        text = orjson.dumps(message).decode()
        self.num_bytes += len(text)
        await socket.send(text)


def check_return(before: dict[str, Any], after: dict[str, Any], *, has_acted: bool) -> None:
    """Looks whether a person who comes back finds what was there.

    Raises:
        AssertionError: if seat, hand or turn are others than they were.
    """
    assert (after["game"], after["seat"]) == (before["game"], before["seat"])
    assert (after["round"], after["ply"]) >= (before["round"], before["ply"]), "what was seen has happened"
    if before["legal"] and not has_acted:
        assert _comparable(after) == _comparable(before), "the same ply, hand and turn"


def _comparable(view: dict[str, Any]) -> dict[str, Any]:
    """Returns the view without the parts that may differ: window timers restart, events are new, people come and go."""
    seats = [{**seat, "connected": None, "is_away": None} for seat in view["seats"]]
    return {**view, "deadline": None, "log": [], "seats": seats}
