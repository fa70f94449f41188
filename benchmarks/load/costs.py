"""Costs: processor time, memory and storage of an action, of a game, and of many players."""

from __future__ import annotations

import asyncio
import itertools
import math
import os
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
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
