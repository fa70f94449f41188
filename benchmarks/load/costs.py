"""Costs: processor time, memory and storage of an action, of a game, and of many players."""

from __future__ import annotations

import asyncio
import itertools
import math
import os
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.load.disk import Disk
from benchmarks.load.history import check_store, list_deeds
from benchmarks.load.measures import FREE, ROOMY, Progress, measure_latency, name_user
from benchmarks.load.player import Player
from benchmarks.load.postgres import Server, measure_cpu_seconds
from benchmarks.load.serving import Cluster, Served
from lastcard.rules import Rules
from lastcard.store import open_store
from lastcard.table import Table

COST_TURNS: Final = 3
"""Times that each kind is measured, in turn, so that what else the machine does is in all of them."""
COSTS: Final = ("sqlite", "one", "two", "mixed")
"""Kinds: one process on SQLite; one and two on PostgreSQL; two, with every second player connected to the wrong one."""
LEAST_COST_SECONDS: Final = 1.0
KNEE_STEP: Final = 50
COUNTED_GAMES: Final = 200
KNEE_MS: Final = 50.0
SECONDS_PER_ACTION: Final = 10.0
TRAFFIC_GAMES: Final = 8
CONNECTIONS_PER_PROCESS: Final = 9
"""To a database: one that writes, and at most eight that read."""
CONNECTIONS_PER_DATABASE: Final = 300
"""An assumption: PostgreSQL serves a few hundred well."""


@dataclass(frozen=True, slots=True)
class Prices:
    """Assumed prices in US dollars, in the range of what large providers ask; replace them by those of your own."""

    core_hour: float = 0.04
    """A core for an hour."""
    stored_gb_month: float = 0.10
    """A GB of storage for a month."""
    sent_gb: float = 0.05
    """A GB that is sent to players."""
    kept_months: float = 12.0
    """Months for which a game is kept."""


def measure_processes(store: str | Path, server: Server, games: int, seconds: float, tell: Progress) -> dict[str, Any]:
    """Processor time of one process with SQLite, at that path, and of one and two with PostgreSQL.

    Each process has as many games: one with less to do wakes up more often for an action, and commits fewer together.
    A proxy that sends an address to one process brings every player to the process that has the game: so it is in
    `two`. One that knows no rule brings half of them elsewhere: so it is in `mixed`.
    """
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in COSTS}
    for turn in range(1, COST_TURNS + 1):
        for name in COSTS:
            found[name].append(_measure_kind(name, store, server, games, seconds / COST_TURNS))
            tell(f"turn {turn}, {name}: {found[name][-1]['cpu_ms']} ms")
    return {
        **{name: _take_medians(turns) for name, turns in found.items()},
        "ratio": _compare(found["two"], found["one"]),
        "mixed_ratio": _compare(found["mixed"], found["one"]),
        "acknowledged": sum(each["acknowledged"] for turns in found.values() for each in turns),
    }


def _measure_kind(name: str, store: str | Path, server: Server, games: int, seconds: float) -> dict[str, Any]:
    if name == "sqlite":
        with Served(store, *ROOMY) as served:
            return _measure_cost(served, [served], games, seconds)
    processes = 1 if name == "one" else 2
    with Cluster(server.make_url(), *ROOMY, processes=processes) as cluster:
        every = 2 if name == "mixed" else 0
        return _measure_cost(cluster, cluster.processes, games * processes, seconds, server, every)


def _take_medians(turns: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {key: round(statistics.median(turn[key] for turn in turns), 3) for key in turns[0]}


def _compare(some: Sequence[dict[str, Any]], others: Sequence[dict[str, Any]]) -> float:
    """Median ratio of processor times that were measured one after the other."""
    ratios: list[float] = [one["cpu_ms"] / other["cpu_ms"] for one, other in zip(some, others, strict=True)]
    return round(statistics.median(ratios), 3)


def _measure_cost(
    served: Served | Cluster,
    processes: Sequence[Served],
    games: int,
    seconds: float,
    database: Server | None = None,
    forwarded_every: int = 0,
) -> dict[str, Any]:
    """Processor time per action; games are spread over the processes.

    Args:
        served: The server, or all of them.
        processes: The servers one by one.
        games: How many games.
        seconds: How long to measure.
        database: The PostgreSQL of the store.
        forwarded_every: One player of so many is connected to another process than the one that has the game.
    """
    homes = [processes[number % len(processes)] for number in range(games)]
    players = [Player(home, name_user(number), number) for number, home in enumerate(homes)]
    # In steps of all processes: each of them passes as much on as the others.
    for number in range(0, games, forwarded_every * len(processes)) if forwarded_every else ():
        for home in range(len(processes)):
            players[number + home].move_to(processes[(home + 1) % len(processes)])

    def measure_cpu() -> tuple[float, float]:
        server = measure_cpu_seconds([each.pid for each in processes])
        return server, 0.0 if database is None else database.measure_cpu_seconds()

    asyncio.run(measure_latency(players, LEAST_COST_SECONDS))  # begins the games, which costs more than to play them
    before, actions = measure_cpu(), -_count_acknowledged(players)
    waits = -database.count_lock_waits() if database else 0
    with Disk() as disk:
        latency = asyncio.run(measure_latency(players, seconds))
    actions += _count_acknowledged(players)
    server_seconds, database_seconds = (after - each for after, each in zip(measure_cpu(), before, strict=True))
    return {
        **asdict(latency),
        "cpu_ms": round(1000 * (server_seconds + database_seconds) / actions, 3),
        "database_cpu_ms": round(1000 * database_seconds / actions, 3),
        "lock_waits": waits + (database.count_lock_waits() if database else 0),
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
    with Served(store, *ROOMY, *FREE) as served:
        idle = measure_memory_bytes(served.pid)
        players = [Player(served, name_user(number), number) for number in range(games)]
        asyncio.run(
            measure_latency(players, LEAST_COST_SECONDS)
        )  # begins the games, which takes longer than to play them
        for rate in itertools.count(KNEE_STEP, KNEE_STEP):
            before, actions = measure_cpu_seconds([served.pid]), -_count_acknowledged(players)
            latency = asyncio.run(measure_latency(players, seconds, every_seconds=games / rate))
            actions += _count_acknowledged(players)
            cpu_ms = round(1000 * (measure_cpu_seconds([served.pid]) - before) / actions, 3)
            curve.append({"offered": rate, **asdict(latency), "cpu_ms": cpu_ms})
            tell(f"{rate} actions a second: p95 {latency.p95_ms} ms")
            if latency.p95_ms >= KNEE_MS or latency.per_second < 0.9 * rate:
                break
        memory = measure_memory_bytes(served.pid) - idle
        traffic = _measure_traffic(players)
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
        "network_bytes_per_action": traffic,
    }
    found = {"curve": curve, **figures, "game": measure_game(figures["cpu_ms"], COUNTED_GAMES)}
    return {**plan(found), "acknowledged": acknowledged}


def plan(found: dict[str, Any], prices: Prices | None = None) -> dict[str, Any]:
    """Adds what follows from a measurement at these prices: the cost of a game, and a plan for a million people.

    It replaces an earlier plan, so that a new price or figure needs no new measurement.
    """
    prices = prices or Prices()
    game = price_game(found["game"], found["network_bytes_per_action"], prices)
    return {**found, "game": game, "million": plan_for(1_000_000, found, prices)}


def measure_traffic(store: str | Path, seconds: float) -> int:
    """Bytes of messages per action of a player, in a few games."""
    with Served(store, *ROOMY, *FREE) as served:
        players = [Player(served, name_user(number), number) for number in range(TRAFFIC_GAMES)]
        asyncio.run(measure_latency(players, seconds, every_seconds=0.05))
        return _measure_traffic(players)


def _measure_traffic(players: Sequence[Player]) -> int:
    return round(sum(player.num_bytes for player in players) / _count_acknowledged(players))


def _count_acknowledged(players: Sequence[Player]) -> int:
    return sum(len(player.ledger.acknowledged) for player in players)


def measure_memory_bytes(pid: int) -> int:
    """Memory that a process holds, on Linux."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def plan_for(players: int, found: dict[str, Any], prices: Prices) -> dict[str, int]:
    """Resources for so many people who play at the same time, from the figures of `measure_knee`.

    Each acts once in 10 s, as people do, in a game of two of them; processes run at half of the knee. Both people are
    shown each action.

    >>> figures = {"knee_per_second": 1000.0, "cpu_ms": 0.8, "memory_kb_per_game": 50.0, "store_bytes_per_action": 60}
    >>> made = plan_for(1_000_000, {**figures, "network_bytes_per_action": 2000}, Prices())
    >>> [made[name] for name in ("processes", "cores", "memory_gb", "store_gb_per_day")]
    [200, 80, 25, 518]
    >>> [made[name] for name in ("sockets_per_process", "database_connections", "databases", "network_mb_per_second")]
    [5000, 1800, 6, 400]
    >>> made["dollars_per_hour_without_storage"]
    75
    """
    actions = players / SECONDS_PER_ACTION
    processes = math.ceil(actions / (found["knee_per_second"] / 2))
    cores = math.ceil(actions * found["cpu_ms"] / 1000)
    sent_bytes = 2 * actions * found["network_bytes_per_action"]
    return {
        "actions_per_second": round(actions),
        "processes": processes,
        "cores": cores,
        "memory_gb": math.ceil(players / 2 * found["memory_kb_per_game"] / 1e6),
        "sockets_per_process": math.ceil(players / processes),
        "database_connections": processes * CONNECTIONS_PER_PROCESS,
        "databases": math.ceil(processes * CONNECTIONS_PER_PROCESS / CONNECTIONS_PER_DATABASE),
        "network_mb_per_second": round(sent_bytes / 1e6),
        "store_gb_per_day": round(actions * 86_400 * found["store_bytes_per_action"] / 1e9),
        "dollars_per_hour_without_storage": round(cores * prices.core_hour + sent_bytes * 3600 / 1e9 * prices.sent_gb),
    }


def price_game(game: dict[str, float], network_bytes_per_action: float, prices: Prices) -> dict[str, float]:
    """The cost of a game that `measure_game` measured, at these prices.

    >>> measured = {"actions of one player": 200, "cpu seconds": 0.9, "store kb": 20.0}
    >>> price_game(measured, 5000, Prices())["dollars per million games"]
    84
    """
    network_mb = game["actions of one player"] * network_bytes_per_action / 1e6
    computing = game["cpu seconds"] / 3600 * prices.core_hour
    storage = game["store kb"] / 1e6 * prices.stored_gb_month * prices.kept_months
    total = computing + storage + network_mb / 1e3 * prices.sent_gb
    return {**game, "network mb": round(network_mb, 2), "dollars per million games": round(1e6 * total)}


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
