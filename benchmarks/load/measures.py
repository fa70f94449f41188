"""What is measured and checked under load; `python -m benchmarks.load` runs it."""

from __future__ import annotations

import asyncio
import http.client
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from benchmarks.load.history import check_store
from benchmarks.load.player import LOST, Player
from benchmarks.load.serving import Served, ask

Progress = Callable[[str], None]
WARM_SECONDS: Final = 3.0
FLOODING: Final = 8
"""Connections of one flooding user."""
FLOOD_GAMES: Final = 50
RESUME_SECONDS: Final = 2.0
_ROOMY: Final = ("max_games=5000", "max_sockets=5000", "max_connections=10000")
_FREE: Final = ("requests_per_second=1000000", "new_games_per_minute=1000000", "max_games_per_user=100000")


@dataclass(frozen=True, slots=True)
class Latency:
    """How long acknowledgments took."""

    games: int
    actions: int
    p50_ms: float
    p95_ms: float

    @classmethod
    def of(cls, players: list[Player]) -> Latency:
        """Of everything that the players have sent since `forget`."""
        taken = sorted(1000 * seconds for player in players for seconds in player.latencies)
        assert taken, "nobody acted"
        at = [round(taken[int(share * (len(taken) - 1))], 2) for share in (0.5, 0.95)]
        return cls(len(players), len(taken), *at)


def _user(number: int) -> str:
    """An address of its own for each player."""
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


@contextmanager
def _serve(folder: Path, *limits: str) -> Iterator[Served]:
    with Served(folder / "web.db", *_ROOMY, *limits) as served:
        yield served


async def _measure(players: list[Player], seconds: float, every_seconds: float = 1.0) -> Latency:
    """Lets everybody play, and measures once they have begun."""
    begun = time.monotonic()
    playing = [
        asyncio.create_task(player.play(lambda: time.monotonic() > begun + WARM_SECONDS + seconds, every_seconds))
        for player in players
    ]
    await asyncio.sleep(WARM_SECONDS)
    for player in players:
        player.latencies.clear()
    await asyncio.gather(*playing)
    return Latency.of(players)


def measure_games(folder: Path, few: int, many: int, seconds: float, tell: Progress) -> dict[str, Any]:
    """Few games, then many, on one server: one action a second in each."""
    with _serve(folder) as served:
        players = [Player(served, _user(number), number) for number in range(few)]
        before = asyncio.run(_measure(players, seconds))
        tell(f"{few} games: p95 {before.p95_ms} ms")
        players += [Player(served, _user(number), number) for number in range(few, many)]
        after = asyncio.run(_measure(players, seconds))
        tell(f"{many} games: p95 {after.p95_ms} ms")
        acknowledged = check_store(served.file, [player.ledger for player in players])
    ratio = round(after.p95_ms / before.p95_ms, 2)
    return {"few": asdict(before), "many": asdict(after), "ratio": ratio, "acknowledged": acknowledged}


def measure_flood(folder: Path, seconds: float, tell: Progress) -> dict[str, Any]:
    """Games while nobody and while one user asks for as many searches as it can."""
    with _serve(folder) as served:
        players = [Player(served, _user(number), number) for number in range(FLOOD_GAMES)]
        quiet = asyncio.run(_measure(players, seconds))
        tell(f"quiet: p95 {quiet.p95_ms} ms")
        flooded, answers = asyncio.run(_flood(served, players, seconds))
        tell(f"flooded: p95 {flooded.p95_ms} ms, answers {answers}")
    ratio = round(flooded.p95_ms / quiet.p95_ms, 2)
    return {"quiet": asdict(quiet), "flooded": asdict(flooded), "ratio": ratio, "answers": answers}


async def _flood(served: Served, players: list[Player], seconds: float) -> tuple[Latency, dict[str, int]]:
    user = "192.0.2.1"
    target = Player(served, user, seed=0)
    answers: dict[str, int] = {}
    is_over = False

    def hint() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
        while not is_over:
            status, _ = ask(connection, f"/api/games/{target.game}/hint", {}, target.token, user)
            answers[str(status)] = answers.get(str(status), 0) + 1
        connection.close()

    async def analyse() -> None:
        number = 0
        while not is_over:
            try:
                async with target.join() as socket:
                    join = {"type": "join", "game": target.game, "token": target.token}
                    await socket.send(orjson.dumps(join).decode())
                    while not is_over:
                        number += 1
                        message = {"type": "analyse", "id": number, "simulations": 200_000}
                        await socket.send(orjson.dumps(message).decode())
                        kind = orjson.loads(await socket.recv())["type"]
                        answers[kind] = answers.get(kind, 0) + 1
            except LOST:
                answers["left"] = answers.get("left", 0) + 1

    flooding = [asyncio.to_thread(hint) for _ in range(FLOODING)]
    tasks = [asyncio.create_task(work) for work in (*flooding, *(analyse() for _ in range(FLOODING)))]
    measured = await _measure(players, seconds)
    is_over = True
    await asyncio.gather(*tasks)
    return measured, answers


def check_kills(
    folder: Path, kills: int, games: int, tell: Progress, seed: int = 1, most_seconds: float = RESUME_SECONDS
) -> dict[str, Any]:
    """Kills a server under load again and again.

    Raises:
        AssertionError: if an acknowledged action is lost or doubled, or a game is not back in time.
    """
    with _serve(folder, *_FREE) as served:
        players = [Player(served, _user(number), seed + number) for number in range(games)]
        slowest = asyncio.run(_kill(served, players, kills, random.Random(seed), tell))
        acknowledged = check_store(served.file, [player.ledger for player in players])
    assert slowest <= most_seconds, f"a game was back after {slowest:.2f} s"
    return {"kills": kills, "games": games, "acknowledged": acknowledged, "slowest_resume_s": round(slowest, 2)}


async def _kill(served: Served, players: list[Player], kills: int, rng: random.Random, tell: Progress) -> float:
    is_over, slowest = False, 0.0
    playing = [asyncio.create_task(player.play(lambda: is_over, every_seconds=0.05)) for player in players]
    for number in range(1, kills + 1):
        await asyncio.sleep(rng.uniform(0.05, 0.6))
        served.kill()
        begun = time.monotonic()
        await asyncio.to_thread(served.start)
        while any(player.heard_at < begun for player in players):
            for task in playing:
                if task.done():
                    task.result()
            await asyncio.sleep(0.005)
        slowest = max(slowest, max(player.heard_at for player in players) - begun)
        tell(f"{number} of {kills} kills")
    is_over = True
    await asyncio.gather(*playing)
    return slowest


def check_drops(folder: Path, drops: int, games: int, tell: Progress, seed: int = 1) -> dict[str, Any]:
    """Cuts connections, often in the middle of an action, and looks whether everybody comes back to the same seat.

    Raises:
        AssertionError: if somebody does not, or an acknowledged action is lost or doubled.
    """
    with _serve(folder, *_FREE) as served:
        players = [Dropping(served, _user(number), seed + number) for number in range(games)]
        each = -(-drops // games)
        asyncio.run(_drop(players, each, tell))
        acknowledged = check_store(served.file, [player.ledger for player in players])
    joined = sum(player.num_joins for player in players)
    assert joined >= drops
    return {"drops": each * games, "games": games, "joins": joined, "acknowledged": acknowledged}


class Dropping(Player):
    """A person whose connection breaks in the middle of everything."""

    def join(self) -> Any:
        """A connection that will not live long."""
        opening = super().join()
        asyncio.get_running_loop().call_later(self._rng.uniform(0.01, 0.12), _cut, opening)
        return opening


def _cut(opening: Any) -> None:
    """Breaks the connection off without a word."""
    connection = getattr(opening, "connection", None)
    if connection is not None:
        connection.transport.abort()


async def _drop(players: list[Dropping], each: int, tell: Progress) -> None:
    playing = [
        asyncio.create_task(player.play(lambda player=player: player.num_joins > each, every_seconds=0.01))  # type: ignore[misc]
        for player in players
    ]
    while not all(task.done() for task in playing):
        tell(f"{sum(player.num_joins for player in players)} times back")
        await asyncio.sleep(0.5)
    await asyncio.gather(*playing)
