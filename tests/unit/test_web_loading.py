"""Games that are loaded: one live game of each key, whatever fails meanwhile, and room for those who return."""

from __future__ import annotations

import asyncio
import dataclasses
import random
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from lastcard.errors import LastcardError, RequestError, StoreError
from lastcard.web.contract.games import NewGame
from lastcard.web.games.live_game import LiveGame
from lastcard.web.limits import Limits, Rate, user_of
from lastcard.web.searches.lanes import Usage
from lastcard.web.service import Place, Service
from tests.counts import counted
from tests.unit.asgi import FREE, PATIENCE_SECONDS, serving

WANTED = NewGame(players=2, friends=1, opponents=["beginner"], length="round", pace=0.0, window=600.0)
GUEST = "198.51.100.1"
SMALL = dataclasses.replace(FREE, max_games=20, max_games_per_user=2)
DELAY_SECONDS = 0.004
"""Reading a game takes about as long: requests meet at any point of it."""
Scenario = Callable[[Service], Awaitable[None]]


def run(folder: Path, scenario: Scenario, limits: Limits = FREE, clock: Callable[[], float] = time.monotonic) -> None:
    async def main() -> None:
        async with serving(folder, limits, clock) as client:
            await scenario(client.service)

    asyncio.run(main())


def find_user(number: int) -> str:
    """A user in a network that no other has."""
    return f"10.{number >> 8 & 255}.{number & 255}.1"


async def begin(service: Service, user: str) -> tuple[str, list[str], str]:
    """A game of two people: its key, their tokens, and the invitation."""
    host = await service.begin(WANTED, user)
    friend: Place = await service.take_seat(host.game, host.invite, "Finn")
    return host.game.key, [host.token, friend.token], host.invite


# What fails while a game is loaded


@contextmanager
def wrong_token(service: Service, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    yield "a guess"


@contextmanager
def over_a_limit(service: Service, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with service.games.reserve("another", GUEST):
        yield None


def fail_once(service: Service, monkeypatch: pytest.MonkeyPatch, name: str, error: LastcardError) -> None:
    usual, errors = getattr(service.store, name), [error]

    def read(*given: Any) -> Any:
        if errors:
            raise errors.pop()
        return usual(*given)

    monkeypatch.setattr(service.store, name, read)


@contextmanager
def damaged_rows(service: Service, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patched:
        fail_once(service, patched, "read_table", StoreError("game 1 is damaged"))
        yield None


@contextmanager
def unreadable_store(service: Service, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patched:
        fail_once(service, patched, "find_sitting", StoreError("cannot read the store"))
        yield None


@contextmanager
def lost_lease(service: Service, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    claims = [False]

    def claim(_: int) -> Future[bool]:
        told: Future[bool] = Future()
        told.set_result(claims.pop() if claims else True)
        return told

    with monkeypatch.context() as patched:
        patched.setattr(service.store, "owner", 7)
        patched.setattr(service.store, "claim", claim)
        patched.setattr(service.store, "release", lambda _: None)
        yield None


FAILURES = (wrong_token, over_a_limit, damaged_rows, unreadable_store, lost_lease)


async def come_back(service: Service, key: str, token: str, user: str, after: float) -> LiveGame:
    """Asks again until there is the game, as a page does."""
    while True:
        await asyncio.sleep(after)
        with suppress(LastcardError):
            return (await service.find(key, token, user))[0]


@pytest.mark.slow
@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.__name__)
def test_a_load_that_fails_never_splits_a_game(
    failure: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(failure.__name__)
    splits = list[int]()

    async def scenario(service: Service) -> None:
        for number in range(counted(200)):
            user = find_user(number)
            key, tokens, invite = await begin(service, user)
            service.games.forget(key)
            with failure(service, monkeypatch) as stranger_token:
                stranger = asyncio.create_task(service.find(key, stranger_token or invite, GUEST))
                await asyncio.sleep(0)
                live = await asyncio.gather(
                    *(come_back(service, key, token, user, rng.uniform(0, DELAY_SECONDS)) for token in tokens)
                )
                with suppress(LastcardError):
                    await stranger
            if len({*live, service.games.peek(key)}) > 1:
                splits.append(number)
            service.games.forget(key)

    run(tmp_path, scenario, dataclasses.replace(FREE, max_games_per_user=1))
    assert not splits


def test_a_player_who_comes_while_another_loads_the_game_waits_for_the_same_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_end, loads = threading.Event(), threading.Event(), []

    async def scenario(service: Service) -> None:
        key, tokens, _ = await begin(service, GUEST)
        service.games.forget(key)
        usual = service.store.read_table

        def read(*given: Any) -> Any:
            loads.append(given)
            begun.set()
            assert may_end.wait(PATIENCE_SECONDS)
            return usual(*given)

        monkeypatch.setattr(service.store, "read_table", read)
        stranger = asyncio.create_task(service.find(key, "a guess", GUEST))
        first = asyncio.create_task(service.find(key, tokens[0], GUEST))
        assert await asyncio.to_thread(begun.wait, PATIENCE_SECONDS)
        second = asyncio.create_task(service.find(key, tokens[1], GUEST))
        with pytest.raises(RequestError, match="belongs to another game"):
            await stranger
        await asyncio.sleep(0.05)  # until the second waits, too; if that takes longer, it finds the game in memory
        may_end.set()
        assert (await first)[0] is (await second)[0]

    run(tmp_path, scenario)
    assert len(loads) == 1


def test_a_rematch_that_has_left_memory_is_loaded_again(tmp_path: Path) -> None:
    async def scenario(service: Service) -> None:
        key, _, _ = await begin(service, GUEST)
        live = service.games.peek(key)
        assert live
        live.journal.is_finished = True
        first = await service.rematch(live, 0, GUEST)
        service.games.forget(first.game.key)
        second = await service.rematch(live, 1, GUEST)
        assert second.game is service.games.peek(first.game.key)

    run(tmp_path, scenario)


# Room


def test_games_that_are_begun_at_the_same_moment_do_not_exceed_the_limit(tmp_path: Path) -> None:
    async def scenario(service: Service) -> None:
        begun = await asyncio.gather(*(begin(service, find_user(n)) for n in range(40)), return_exceptions=True)
        assert len(service.games) == 10
        assert sum(isinstance(each, RequestError) for each in begun) == 30

    run(tmp_path, scenario, dataclasses.replace(FREE, max_games=10), clock=lambda: 0.0)


def test_one_delegated_prefix_leaves_room_for_others(tmp_path: Path) -> None:
    """Every /64 of a /48, then of its /56, is another user."""

    async def scenario(service: Service) -> None:
        async def count(prefixes: list[str]) -> int:
            tried = (begin(service, user_of(f"{prefix}::{n}")) for prefix in prefixes for n in range(3))
            return sum(isinstance(each, tuple) for each in await asyncio.gather(*tried, return_exceptions=True))

        assert await count(["2001:db8:0:0"]) == 2
        assert await count([f"2001:db8:0:{n:x}" for n in range(20)]) == 2
        assert await count([f"2001:db8:0:{n:x}" for n in range(0, 0x10000, 0x800)]) == 4
        assert await count(["2001:db8:1:0"]) == 2

    run(tmp_path, scenario, SMALL, clock=lambda: 0.0)


def test_neighboring_addresses_share_a_limit_that_grows(tmp_path: Path) -> None:
    async def scenario(service: Service) -> None:
        begun = await asyncio.gather(*(begin(service, f"192.0.2.{n // 3}") for n in range(60)), return_exceptions=True)
        assert sum(isinstance(each, tuple) for each in begun) == 8
        await begin(service, "192.0.3.1")

    run(tmp_path, scenario, SMALL, clock=lambda: 0.0)


def test_requests_and_computing_of_a_prefix_are_counted_together() -> None:
    rate, usage = Rate("requests", per_second=1.0, burst=10, clock=lambda: 0.0), Usage(clock=lambda: 0.0)
    users = [user_of(f"2001:db8:0:{n:x}::1") for n in range(5)]
    for user in users[:2]:
        rate.take(user, 10)
        usage.add(user, 4.0)
    with pytest.raises(RequestError, match="too many requests; try again in 5 s"):
        rate.take(users[2], 10)
    assert [usage.of(user) for user in (users[0], users[2], "192.0.2.1")] == [4.0, 4.0, 0.0]
    neighbor = user_of("2001:db8:0:100::1")
    rate.take(neighbor, 10)
    assert usage.of(neighbor) == 2.0


def test_players_who_return_are_never_refused(tmp_path: Path) -> None:
    """A prefix asks for all its games again and again; others come back to theirs at the same time."""
    users, most = [user_of(f"2001:db8:0:{n:x}::1") for n in range(18)], SMALL.max_games

    async def scenario(service: Service) -> None:
        async def return_to(key: str, token: str, user: str) -> None:
            await service.find(key, token, user)
            assert len(service.games) <= most * 1.1

        hostile, others = [], []
        for number, user in enumerate(users * 3):
            key, tokens, _ = await begin(service, find_user(number))
            hostile.append((key, tokens[0], user))
            service.games.forget(key)
        for number in range(30):
            user = find_user(number)
            key, tokens, _ = await begin(service, user)
            others.append((key, tokens[0], user))
            service.games.forget(key)
        for _ in range(3):
            await asyncio.gather(*(return_to(*each) for each in hostile + others))
        # The prefix has made room for everybody else, and not the other way round.
        assert sum(service.games.has(key) for key, *_ in others) >= most // 2

    run(tmp_path, scenario, SMALL, clock=lambda: 0.0)


def test_games_without_sockets_leave_memory_first(tmp_path: Path) -> None:
    async def scenario(service: Service) -> None:
        away, tokens, invite = await begin(service, find_user(0))
        service.games.forget(away)
        watched, left = [(await begin(service, find_user(number)))[0] for number in (1, 2)]
        live = service.games.peek(watched)
        assert live
        live.join(0, lambda: None)
        with pytest.raises(RequestError, match="too many games on this server"):
            await service.find(away, invite, GUEST)  # spectators do not return
        await service.find(away, tokens[0], GUEST)
        assert [service.games.has(key) for key in (watched, left, away)] == [True, False, True]

    run(tmp_path, scenario, dataclasses.replace(FREE, max_games=2), clock=lambda: 0.0)
