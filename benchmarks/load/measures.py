"""Measures and checks under load; `python -m benchmarks.load` runs them."""

from __future__ import annotations

import asyncio
import math
import random
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from websockets.asyncio.client import ClientConnection

from benchmarks.load.flooding import Flood
from benchmarks.load.history import Ledger, check_store
from benchmarks.load.player import Player
from benchmarks.load.serving import PATIENCE_SECONDS, Cluster, Restarted, Served
from benchmarks.load.starving import Opposed, Starving

Progress = Callable[[str], None]
WARM_SECONDS: Final = 3.0
RESUME_SECONDS: Final = 2.0
TAKE_OVER_SECONDS: Final = 5.0
EARLY_CUTS: Final = 0.25
LIVES_SECONDS: Final = 0.1
LONG_ROUNDS: Final = 20
"""Rounds of a game; one to 500 points of two players takes thirteen on average."""
ROOMY: Final = ("max_games=5000", "max_sockets=5000", "max_connections=10000")
FREE: Final = ("requests_per_second=1000000", "new_games_per_minute=1000000", "max_games_per_user=100000")


@dataclass(frozen=True, slots=True)
class Latency:
    """Time from sending an action until the server says that it is on the disk."""

    games: int
    actions: int
    per_second: float
    """Actions of all games together: fewer than planned means that a client could not keep up."""
    p50_ms: float
    p95_ms: float
    max_ms: float

    @classmethod
    def of(cls, players: Sequence[Player], seconds: float) -> Latency:
        """Returns the latency of all actions that the players sent since their latencies were cleared, that long ago.

        >>> class Quick:
        ...     latencies = [number / 1000 for number in range(1, 101)]
        >>> Latency.of([Quick()], seconds=50.0)
        Latency(games=1, actions=100, per_second=2.0, p50_ms=50.0, p95_ms=95.0, max_ms=100.0)
        """
        taken = sorted(1000 * seconds for player in players for seconds in player.latencies)
        assert taken, "nobody acted"
        at = [round(taken[math.ceil(share * len(taken)) - 1], 2) for share in (0.5, 0.95, 1.0)]
        return cls(len(players), len(taken), round(len(taken) / seconds, 1), *at)


def name_user(number: int) -> str:
    """An address for each player, in a network of its own."""
    return f"10.{number >> 8 & 255}.{number & 255}.1"


async def measure_latency(players: Sequence[Player], seconds: float, every_seconds: float = 1.0) -> Latency:
    """Lets everybody play, and measures for that long once all have begun."""
    is_over, joins = False, [player.num_joins for player in players]
    playing = [asyncio.create_task(player.play(lambda: is_over, every_seconds)) for player in players]
    async with asyncio.timeout(PATIENCE_SECONDS):
        while any(player.num_joins == before for player, before in zip(players, joins, strict=True)):
            _fail_with(playing)
            await asyncio.sleep(0.05)
    await asyncio.sleep(WARM_SECONDS)
    begun = time.monotonic()
    for player in players:
        player.latencies.clear()
    await asyncio.sleep(seconds)
    is_over = True
    # What is on its way counts, too: it may be what took longest.
    await asyncio.gather(*playing)
    # What is sent again after a cut would count from then on.
    assert all(player.num_joins == before + 1 for player, before in zip(players, joins, strict=True)), "cut off"
    return Latency.of(players, time.monotonic() - begun)


def _fail_with(playing: Sequence[asyncio.Task[None]]) -> None:
    """Raises the error of a client that failed."""
    for task in playing:
        if task.done():
            task.result()


def measure_games(store: str | Path, few: int, many: int, seconds: float, tell: Progress) -> dict[str, Any]:
    """Few games, then many, on one server: one action a second in each."""
    with Served(store, *ROOMY) as served:
        players = [Player(served, name_user(number), number) for number in range(few)]
        before = asyncio.run(measure_latency(players, seconds))
        tell(f"{few} games: p95 {before.p95_ms} ms")
        players += [Player(served, name_user(number), number) for number in range(few, many)]
        after = asyncio.run(measure_latency(players, seconds))
        tell(f"{many} games: p95 {after.p95_ms} ms")
        acknowledged = check_store(served.store, [player.ledger for player in players])
    ratio = round(after.p95_ms / before.p95_ms, 2)
    return {"few": asdict(before), "many": asdict(after), "ratio": ratio, "acknowledged": acknowledged}


def measure_flood(store: str | Path, games: int, connections: int, seconds: float, tell: Progress) -> dict[str, Any]:
    """Games while nobody and while one address holds as many connections as it can, none with a whole request."""
    with Served(store, *ROOMY) as served:
        players = [Player(served, name_user(number), number) for number in range(games)]
        quiet = asyncio.run(measure_latency(players, seconds))
        tell(f"quiet: p95 {quiet.p95_ms} ms")
        with Flood(served, connections) as flood:
            flooded = asyncio.run(measure_latency(players, seconds))
        tell(f"flooded: p95 {flooded.p95_ms} ms, {flood.counts}")
        acknowledged = check_store(served.store, [player.ledger for player in players])
    ratio = round(flooded.p95_ms / quiet.p95_ms, 2)
    found = {"quiet": asdict(quiet), "flooded": asdict(flooded), "ratio": ratio, "connections": connections}
    return {**found, **flood.counts, "acknowledged": acknowledged}


def measure_starving(store: str | Path, games: int, tables: int, seconds: float, tell: Progress) -> dict[str, Any]:
    """Games against agents that search, while nobody and while one user's agents compute as much as they may."""
    with Served(store, *ROOMY) as served:
        players = [Opposed(served, name_user(number), number) for number in range(games)]
        quiet = asyncio.run(measure_latency(players, seconds))
        tell(f"quiet: p95 {quiet.p95_ms} ms")
        starved, actions = asyncio.run(_starve(players, Starving(served, tables), seconds))
        tell(f"starved: p95 {starved.p95_ms} ms")
        acknowledged = check_store(served.store, [player.ledger for player in players])
    ratio = round(starved.p95_ms / quiet.p95_ms, 2)
    found = {"quiet": asdict(quiet), "starved": asdict(starved), "ratio": ratio, "tables": tables}
    return {**found, "actions_of_the_attack": actions, "acknowledged": acknowledged}


async def _starve(players: Sequence[Opposed], attack: Starving, seconds: float) -> tuple[Latency, int]:
    async with attack:
        return await measure_latency(players, seconds), attack.num_actions


def check_kills(
    store: str | Path, kills: int, games: int, tell: Progress, seed: int = 1, most_seconds: float = RESUME_SECONDS
) -> dict[str, Any]:
    """Kills a server under load again and again; the time until games are back is from the kill on.

    Raises:
        AssertionError: if an acknowledged action is lost or doubled, or a game is not back in time.
    """
    with Restarted(store, *ROOMY, *FREE) as served:
        tables = Tables(served, games, seed)
        slowest = asyncio.run(_kill(served, tables, kills, random.Random(seed), tell))
        acknowledged = check_store(served.store, tables.ledgers)
    assert slowest <= most_seconds, f"a game was back after {slowest:.2f} s"
    return {"kills": kills, "games": games, "acknowledged": acknowledged, "slowest_resume_s": round(slowest, 2)}


class Tables:
    """A number of games at a time; when one is as long as any that people play, another takes its place."""

    def __init__(self, served: Served | Cluster, games: int, seed: int) -> None:
        self._served = served
        self._seed = seed
        self._num_begun = 0
        self._is_over = False
        self._ended: set[Player] = set()
        self._playing: dict[asyncio.Task[None], Player] = {}
        self.ledgers: list[Ledger] = []
        """Ledgers of every game that was begun."""
        self._waiting = [self._begin() for _ in range(games)]

    @property
    def players(self) -> list[Player]:
        """Players of the games in progress."""
        return list(self._playing.values())

    async def go_on(self) -> None:
        """Ends games that are long enough, and begins others in their places; the server is there.

        Raises:
            Exception: the error of the first client that failed.
        """
        self._ended = {player for player in self.players if player.view["round"] > LONG_ROUNDS}
        for task in [task for task, player in self._playing.items() if player in self._ended]:
            await task
            del self._playing[task]
            self._waiting.append(await asyncio.to_thread(self._begin))
        while self._waiting:
            player = self._waiting.pop()
            self._playing[asyncio.create_task(player.play(partial(self._is_enough, player), 0.05))] = player

    def look(self) -> None:
        """Raises the error of a client that failed."""
        _fail_with(list(self._playing))

    async def end(self) -> None:
        """Waits until everybody has played what is on its way."""
        self._is_over = True
        await asyncio.gather(*self._playing)

    def _begin(self) -> Player:
        self._num_begun += 1
        player = Player(self._served, name_user(self._num_begun), self._seed + self._num_begun)
        self.ledgers.append(player.ledger)
        return player

    def _is_enough(self, player: Player) -> bool:
        return self._is_over or player in self._ended


async def _kill(served: Served, tables: Tables, kills: int, rng: random.Random, tell: Progress) -> float:
    slowest = 0.0
    for number in range(1, kills + 1):
        await tables.go_on()
        await asyncio.sleep(rng.uniform(0.05, 0.6))
        begun = time.monotonic()
        served.kill()
        await asyncio.to_thread(served.start)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while any(player.opened_at < begun for player in tables.players):
                tables.look()
                await asyncio.sleep(0.005)
        slowest = max(slowest, max(player.back_at for player in tables.players) - begun)
        tell(f"{number} of {kills} kills")
    await tables.end()
    return slowest


def check_take_overs(
    store: str | Path,
    kills: int,
    games: int,
    tell: Progress,
    seed: int = 1,
    how: signal.Signals = signal.SIGKILL,
    most_seconds: float = TAKE_OVER_SECONDS,
) -> dict[str, Any]:
    """Ends one of two servers on a PostgreSQL under load, again and again: every game continues on the other.

    Raises:
        AssertionError: if an acknowledged action is lost or doubled, or a game does not continue in time.
    """
    with Cluster(store, *ROOMY, *FREE) as cluster:
        found = take_over(cluster, kills, games, tell, seed, how)
    slowest = found["slowest_take_over_s"]
    assert slowest <= most_seconds, f"a game continued after {slowest:.2f} s"
    return found


def take_over(
    cluster: Cluster, kills: int, games: int, tell: Progress, seed: int = 1, how: signal.Signals = signal.SIGKILL
) -> dict[str, Any]:
    """Does what `check_take_overs` says, in any time."""
    tables = Tables(cluster, games, seed)
    slowest = asyncio.run(_take_over(cluster, tables, kills, how, random.Random(seed), tell))
    acknowledged = check_store(cluster.store, tables.ledgers)
    return {"kills": kills, "games": games, "acknowledged": acknowledged, "slowest_take_over_s": round(slowest, 2)}


async def _take_over(
    cluster: Cluster, tables: Tables, kills: int, how: signal.Signals, rng: random.Random, tell: Progress
) -> float:
    slowest = 0.0
    for number in range(1, kills + 1):
        await tables.go_on()
        await asyncio.sleep(rng.uniform(0.05, 0.6))
        served, begun = rng.choice(cluster.running), time.monotonic()
        cluster.end(served, how)
        before = {player: len(player.ledger.acknowledged) for player in tables.players}
        async with asyncio.timeout(PATIENCE_SECONDS):
            while any(len(player.ledger.acknowledged) <= count for player, count in before.items()):
                tables.look()
                await asyncio.sleep(0.005)
        slowest = max(slowest, time.monotonic() - begun)
        await asyncio.to_thread(cluster.start, served)
        tell(f"{number} of {kills} kills")
    await tables.end()
    return slowest


def check_drops(store: str | Path, drops: int, games: int, tell: Progress, seed: int = 1) -> dict[str, Any]:
    """Cuts connections, often in the middle of an action, and looks whether everybody comes back to the same seat.

    Raises:
        AssertionError: if a client does not, or an acknowledged action is lost or doubled.
    """
    with Served(store, *ROOMY, *FREE) as served:
        players = [Dropping(served, name_user(number), seed + number) for number in range(games)]
        each = -(-drops // games)
        asyncio.run(_drop(players, each, tell))
        acknowledged = check_store(served.store, [player.ledger for player in players])
    dropped, joined = (sum(getattr(player, name) for player in players) for name in ("num_drops", "num_joins"))
    assert joined >= dropped >= drops
    return {"drops": dropped, "games": games, "joins": joined, "acknowledged": acknowledged}


class Dropping(Player):
    """A person whose connection breaks in the middle of everything."""

    num_drops = 0
    """Connections that were cut off while the person was there."""

    async def _come_back(self, socket: ClientConnection) -> None:
        """Comes back to a connection that will not live long; now and then not even until the person is back."""
        loop, joins = asyncio.get_running_loop(), self.num_joins
        if self._rng.random() < EARLY_CUTS:
            loop.call_later(self._rng.uniform(0.0, LIVES_SECONDS), self._cut, socket, joins)
        await super()._come_back(socket)
        loop.call_later(self._rng.uniform(0.0, LIVES_SECONDS), self._cut, socket, joins)

    def _cut(self, socket: ClientConnection, joins: int) -> None:
        """Breaks the connection off without a word."""
        if not socket.transport.is_closing():
            socket.transport.abort()
            self.num_drops += self.num_joins > joins


async def _drop(players: list[Dropping], each: int, tell: Progress) -> None:
    playing = [
        asyncio.create_task(player.play(partial(_has_dropped, player, each), every_seconds=0.01)) for player in players
    ]
    while not all(task.done() for task in playing):
        _fail_with(playing)
        tell(f"{sum(player.num_drops for player in players)} times cut off")
        await asyncio.sleep(0.5)
    await asyncio.gather(*playing)


def _has_dropped(player: Dropping, often: int) -> bool:
    """Returns True if the person was cut off that often, and is back."""
    return player.num_drops >= often and player.num_joins > often
