"""Measures and checks under load; `python -m benchmarks.load` runs them."""

from __future__ import annotations

import asyncio
import itertools
import math
import os
import random
import signal
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from websockets.asyncio.client import ClientConnection

from benchmarks.load.disk import Disk
from benchmarks.load.flooding import Flood
from benchmarks.load.history import Ledger, check_store, list_deeds
from benchmarks.load.player import Player
from benchmarks.load.postgres import Server, measure_cpu_seconds
from benchmarks.load.serving import PATIENCE_SECONDS, Cluster, Restarted, Served
from benchmarks.load.starving import Opposed, Starving
from lastcard.rules import Rules
from lastcard.store import open_store
from lastcard.table import Table

Progress = Callable[[str], None]
WARM_SECONDS: Final = 3.0
LEAST_COST_SECONDS: Final = 1.0
KNEE_STEP: Final = 50
COUNTED_GAMES: Final = 200
KNEE_MS: Final = 50.0
SECONDS_PER_ACTION: Final = 10.0
RESUME_SECONDS: Final = 2.0
TAKE_OVER_SECONDS: Final = 5.0
EARLY_CUTS: Final = 0.25
LIVES_SECONDS: Final = 0.1
LONG_ROUNDS: Final = 20
"""Rounds of a game; one to 500 points of two players takes thirteen on average."""
_ROOMY: Final = ("max_games=5000", "max_sockets=5000", "max_connections=10000")
_FREE: Final = ("requests_per_second=1000000", "new_games_per_minute=1000000", "max_games_per_user=100000")


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


def _user(number: int) -> str:
    """An address of its own for each player."""
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


async def _measure(players: Sequence[Player], seconds: float, every_seconds: float = 1.0) -> Latency:
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
    with Served(store, *_ROOMY) as served:
        players = [Player(served, _user(number), number) for number in range(few)]
        before = asyncio.run(_measure(players, seconds))
        tell(f"{few} games: p95 {before.p95_ms} ms")
        players += [Player(served, _user(number), number) for number in range(few, many)]
        after = asyncio.run(_measure(players, seconds))
        tell(f"{many} games: p95 {after.p95_ms} ms")
        acknowledged = check_store(served.store, [player.ledger for player in players])
    ratio = round(after.p95_ms / before.p95_ms, 2)
    return {"few": asdict(before), "many": asdict(after), "ratio": ratio, "acknowledged": acknowledged}


def measure_flood(store: str | Path, games: int, connections: int, seconds: float, tell: Progress) -> dict[str, Any]:
    """Games while nobody and while one address holds as many connections as it can, none with a whole request."""
    with Served(store, *_ROOMY) as served:
        players = [Player(served, _user(number), number) for number in range(games)]
        quiet = asyncio.run(_measure(players, seconds))
        tell(f"quiet: p95 {quiet.p95_ms} ms")
        with Flood(served, connections) as flood:
            flooded = asyncio.run(_measure(players, seconds))
        tell(f"flooded: p95 {flooded.p95_ms} ms, {flood.counts}")
        acknowledged = check_store(served.store, [player.ledger for player in players])
    ratio = round(flooded.p95_ms / quiet.p95_ms, 2)
    found = {"quiet": asdict(quiet), "flooded": asdict(flooded), "ratio": ratio, "connections": connections}
    return {**found, **flood.counts, "acknowledged": acknowledged}


def measure_starving(store: str | Path, games: int, tables: int, seconds: float, tell: Progress) -> dict[str, Any]:
    """Games against agents that search, while nobody and while one user's agents compute as much as they may."""
    with Served(store, *_ROOMY) as served:
        players = [Opposed(served, _user(number), number) for number in range(games)]
        quiet = asyncio.run(_measure(players, seconds))
        tell(f"quiet: p95 {quiet.p95_ms} ms")
        starved, actions = asyncio.run(_starve(players, Starving(served, tables), seconds))
        tell(f"starved: p95 {starved.p95_ms} ms")
        acknowledged = check_store(served.store, [player.ledger for player in players])
    ratio = round(starved.p95_ms / quiet.p95_ms, 2)
    found = {"quiet": asdict(quiet), "starved": asdict(starved), "ratio": ratio, "tables": tables}
    return {**found, "actions_of_the_attack": actions, "acknowledged": acknowledged}


def measure_processes(store: str | Path, server: Server, games: int, seconds: float, tell: Progress) -> dict[str, Any]:
    """Processor time of one process with SQLite, at that path, and of one and two with PostgreSQL.

    Each process has as many games: one with less to do wakes up more often for an action, and commits fewer together.
    """
    with Served(store, *_ROOMY) as served:
        found = {"sqlite": _measure_cost(served, [served], games, seconds)}
    tell(f"SQLite: {found['sqlite']['cpu_ms']} ms")
    for processes, names in ((1, ("one",)), (2, ("two", "forwarded"))):
        with Cluster(server.make_url(), *_ROOMY, processes=processes) as cluster:
            for name in names:
                is_forwarded = name == "forwarded"
                found[name] = _measure_cost(
                    cluster, cluster.processes, games * processes, seconds, server, is_forwarded
                )
                tell(f"{name}: {found[name]['cpu_ms']} ms")
    ratio = round(found["two"]["cpu_ms"] / found["one"]["cpu_ms"], 3)
    return {**found, "ratio": ratio, "acknowledged": sum(each["acknowledged"] for each in found.values())}


def _measure_cost(
    served: Served | Cluster,
    processes: Sequence[Served],
    games: int,
    seconds: float,
    database: Server | None = None,
    is_forwarded: bool = False,
) -> dict[str, Any]:
    """Processor time per action; games are spread over the processes.

    Args:
        served: The server, or all of them.
        processes: The servers one by one.
        games: How many games.
        seconds: How long to measure.
        database: The PostgreSQL of the store.
        is_forwarded: Whether every player is connected to another process than the one that has the game.
    """
    homes = [processes[number % len(processes)] for number in range(games)]
    players = [Player(home, _user(number), number) for number, home in enumerate(homes)]
    for number, player in enumerate(players if is_forwarded else ()):
        player.move_to(processes[(number + 1) % len(processes)])

    def measure_cpu() -> tuple[float, float]:
        server = measure_cpu_seconds([each.pid for each in processes])
        return server, 0.0 if database is None else database.measure_cpu_seconds()

    asyncio.run(_measure(players, LEAST_COST_SECONDS))  # begins the games, which costs more than to play them
    before, actions = measure_cpu(), -_count_acknowledged(players)
    with Disk() as disk:
        latency = asyncio.run(_measure(players, seconds))
    actions += _count_acknowledged(players)
    server_seconds, database_seconds = (after - each for after, each in zip(measure_cpu(), before, strict=True))
    return {
        **asdict(latency),
        "cpu_ms": round(1000 * (server_seconds + database_seconds) / actions, 3),
        "database_cpu_ms": round(1000 * database_seconds / actions, 3),
        "disk_p95_ms": disk.p95_ms,
        "disk_max_ms": disk.max_ms,
        "acknowledged": check_store(served.store, [player.ledger for player in players]),
    }


def measure_knee(store: str | Path, games: int, seconds: float, tell: Progress) -> dict[str, Any]:
    """Rates of one process that grow until p95 is above a limit.

    The last rate below it is the knee. The figures are for one process; those per game are what it holds in memory and
    in its store.
    """
    curve: list[dict[str, Any]] = []
    with Served(store, *_ROOMY, *_FREE) as served:
        idle = measure_memory_bytes(served.pid)
        players = [Player(served, _user(number), number) for number in range(games)]
        asyncio.run(_measure(players, LEAST_COST_SECONDS))  # begins the games, which takes longer than to play them
        for rate in itertools.count(KNEE_STEP, KNEE_STEP):
            before, actions = measure_cpu_seconds([served.pid]), -_count_acknowledged(players)
            latency = asyncio.run(_measure(players, seconds, every_seconds=games / rate))
            actions += _count_acknowledged(players)
            cpu_ms = round(1000 * (measure_cpu_seconds([served.pid]) - before) / actions, 3)
            curve.append({"offered": rate, **asdict(latency), "cpu_ms": cpu_ms})
            tell(f"{rate} actions a second: p95 {latency.p95_ms} ms")
            if latency.p95_ms >= KNEE_MS or latency.per_second < 0.9 * rate:
                break
        memory = measure_memory_bytes(served.pid) - idle
        acknowledged = check_store(served.store, [player.ledger for player in players])
        with open_store(served.store, read_only=True) as opened:
            size = opened.measure_bytes()
    below = [each for each in curve if each["p95_ms"] < KNEE_MS]
    assert below, f"p95 is {curve[0]['p95_ms']} ms at the lowest rate"
    knee = max(each["per_second"] for each in below)
    figures = {
        "knee_per_second": knee,
        "cpu_ms": below[-1]["cpu_ms"],
        "memory_kb_per_game": round(memory / games / 1000, 1),
        "store_bytes_per_action": round(size / acknowledged),
    }
    plans = {"million": plan_for(1_000_000, figures), "game": measure_game(figures["cpu_ms"], COUNTED_GAMES)}
    return {"curve": curve, **figures, **plans, "acknowledged": acknowledged}


def _count_acknowledged(players: Sequence[Player]) -> int:
    return sum(len(player.ledger.acknowledged) for player in players)


def measure_memory_bytes(pid: int) -> int:
    """Memory that a process holds, on Linux."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def plan_for(players: int, found: dict[str, Any]) -> dict[str, int]:
    """Resources for so many people who play at the same time, from the figures of `measure_knee`.

    Each acts once in 10 s, as people do, in a game of two of them; processes run at half of the knee.

    >>> figures = {"knee_per_second": 1000.0, "cpu_ms": 0.8, "memory_kb_per_game": 50.0, "store_bytes_per_action": 60}
    >>> plan_for(1_000_000, figures)
    {'actions_per_second': 100000, 'processes': 200, 'cores': 80, 'memory_gb': 25, 'store_gb_per_day': 518}
    """
    actions = players / SECONDS_PER_ACTION
    return {
        "actions_per_second": round(actions),
        "processes": math.ceil(actions / (found["knee_per_second"] / 2)),
        "cores": math.ceil(actions * found["cpu_ms"] / 1000),
        "memory_gb": math.ceil(players / 2 * found["memory_kb_per_game"] / 1e6),
        "store_gb_per_day": round(actions * 86_400 * found["store_bytes_per_action"] / 1e9),
    }


def measure_game(cpu_ms: float, games: int) -> dict[str, float]:
    """Cost of one game to 500 points of a person against an agent, at so much processor time per action.

    The actions of `heuristic` stand for the person's. Like the server, the store writes the agent's replies together
    with them.
    """
    rules = Rules.preset("official", players=2)
    records = [Table(rules, ["heuristic", "heuristic"], seed).play_game() for seed in range(games)]
    actions = sum(len(list_deeds(record, 0)) for record in records) / games
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder, "games.db")) as store:
        empty = store.measure_bytes()
        for record in records:
            store.add_game(record)
        store.flush()
        store.compact()
        size = store.measure_bytes() - empty
    return {
        "actions of one player": round(actions),
        "cpu seconds": round(actions * cpu_ms / 1000, 3),
        "store kb": round(size / games / 1000, 1),
    }


async def _starve(players: Sequence[Opposed], attack: Starving, seconds: float) -> tuple[Latency, int]:
    async with attack:
        return await _measure(players, seconds), attack.num_actions


def check_kills(
    store: str | Path, kills: int, games: int, tell: Progress, seed: int = 1, most_seconds: float = RESUME_SECONDS
) -> dict[str, Any]:
    """Kills a server under load again and again; the time until games are back is from the kill on.

    Raises:
        AssertionError: if an acknowledged action is lost or doubled, or a game is not back in time.
    """
    with Restarted(store, *_ROOMY, *_FREE) as served:
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
        player = Player(self._served, _user(self._num_begun), self._seed + self._num_begun)
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
    with Cluster(store, *_ROOMY, *_FREE) as cluster:
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
    with Served(store, *_ROOMY, *_FREE) as served:
        players = [Dropping(served, _user(number), seed + number) for number in range(games)]
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
