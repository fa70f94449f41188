"""One user whose agents compute as much as the limits allow, while others play against agents that search."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any, Final

from websockets.asyncio.client import ClientConnection

from benchmarks.load.player import LOST, Player
from benchmarks.load.serving import Served

USER: Final = "192.0.2.1"
HEAVY: Final = {"players": 10, "opponents": ["halving:simulations=200000"] * 9}
OPPONENT: Final = {"opponents": ["hard"]}


class Opposed(Player):
    """A person who measures how long the agents take: from an action to the next decision, or the end of the round."""

    def __init__(self, served: Served, user: str, seed: int) -> None:
        super().__init__(served, user, seed, **OPPONENT)

    async def _send(self, socket: ClientConnection, ply: int, action: str) -> dict[str, Any] | None:
        begun = time.monotonic()
        refusal = await super()._send(socket, ply, action)
        while refusal is None and not self.view["legal"] and self.view["phase"] != "over":
            await self._hear_view(socket)
        # Replaces the time to the acknowledgment, which is gone if the measuring began meanwhile.
        del self.latencies[-1:]
        self.latencies.append(time.monotonic() - begun)
        return refusal


class Starving:
    """The user plays at so many tables for as long as the `async with` lasts."""

    def __init__(self, served: Served, tables: int) -> None:
        self._players = [Player(served, USER, number, **HEAVY) for number in range(tables)]
        self._is_over = False

    async def __aenter__(self) -> Starving:
        self._playing = [
            asyncio.create_task(player.play(lambda: self._is_over, every_seconds=0.0)) for player in self._players
        ]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._is_over = True
        for task in self._playing:
            task.cancel()
            with suppress(asyncio.CancelledError, *LOST):
                await task

    @property
    def num_actions(self) -> int:
        """Actions of the user: its games do go on."""
        return sum(len(player.latencies) for player in self._players)
