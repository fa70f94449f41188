"""Computing is shared between users: who has computed little is served first, and who computes much gives way."""

from __future__ import annotations

import asyncio
import dataclasses
import threading
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import pytest

from lastcard.actions import Action
from lastcard.agents import make_agent
from lastcard.errors import StoppedError
from lastcard.observation import Observation, observe
from lastcard.rules import Rules
from lastcard.search.halving import HalvingConfig, search_by_halving
from lastcard.search.stopping import StopFlag
from lastcard.state import deal
from lastcard.web.limits import Limits
from lastcard.web.searches.lanes import HALF_LIFE_SECONDS, Lane, Usage
from lastcard.web.searches.workers import Workers


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Held:
    """Work that ends when it is told to."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.may_end = threading.Event()

    def __call__(self) -> None:
        self.begun.set()
        assert self.may_end.wait(60)


async def begin(lane: Lane, user: str, work: Callable[[], Any]) -> asyncio.Task[Any]:
    """Asks for a thread before anybody who asks later."""
    task = asyncio.create_task(lane.run(user, work, StopFlag(), None))
    await asyncio.sleep(0)
    return task


def run(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, 60))


@pytest.fixture(scope="module")
def seen() -> Observation:
    state = deal(Rules.preset("official"), 3)
    assert state.seat is not None
    return observe(state, state.seat)


def test_computing_is_forgotten_by_half_every_twenty_seconds() -> None:
    clock = Clock()
    usage = Usage(clock)
    usage.add("ann", 4.0)
    clock.now = HALF_LIFE_SECONDS
    assert usage.of("ann") == 2.0
    usage.add("ann", 1.0)
    clock.now = 2 * HALF_LIFE_SECONDS
    assert usage.of("ann") == 1.5


def test_a_free_thread_goes_to_the_user_who_has_computed_least() -> None:
    async def scenario() -> None:
        usage, held, order = Usage(Clock()), Held(), list[str]()
        lane = Lane("test", 1, 1, usage)
        usage.add("much", 9.0)
        usage.add("some", 3.0)
        first = await begin(lane, "first", held)
        later = [await begin(lane, user, partial(order.append, user)) for user in ("much", "much", "some", "new")]
        held.may_end.set()
        await asyncio.gather(first, *later)
        assert order == ["new", "some", "much", "much"]
        lane.close()

    run(scenario())


def test_one_user_never_holds_every_thread() -> None:
    async def scenario() -> None:
        held = [Held(), Held()]
        lane = Lane("test", 2, 1, Usage(Clock()))
        tasks = [await begin(lane, "many tables", work) for work in held]
        await asyncio.to_thread(held[0].begun.wait, 60)
        assert await lane.run("another", lambda: "served", StopFlag(), None) == "served"
        assert not held[1].begun.is_set()
        for work in held:
            work.may_end.set()
        await asyncio.gather(*tasks)
        lane.close()

    run(scenario())


def test_callers_who_give_up_free_their_turn_and_their_thread(seen: Observation) -> None:
    async def scenario() -> None:
        lane = Lane("test", 1, 1, Usage(Clock()))
        forever = HalvingConfig(simulations=10_000_000)
        searching = await begin(lane, "ann", lambda: search_by_halving(seen, forever))
        waiting = await begin(lane, "ann", lambda: search_by_halving(seen, forever))
        await asyncio.sleep(0.05)
        for task in (waiting, searching):
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert await lane.run("ben", lambda: "served", StopFlag(), None) == "served"
        lane.close()

    run(scenario())


def test_work_that_takes_too_long_is_stopped(seen: Observation) -> None:
    async def scenario() -> None:
        lane = Lane("test", 1, 1, Usage(Clock()))
        with pytest.raises(StoppedError):
            await lane.run(
                "ann", lambda: search_by_halving(seen, HalvingConfig(simulations=10_000_000)), StopFlag(), 0.05
            )
        assert await lane.run("ann", lambda: "served", StopFlag(), 0.05) == "served"
        lane.close()

    run(scenario())


class Noted:
    """An agent that notes in which thread it was asked."""

    def __init__(self) -> None:
        self.threads = list[str]()

    def choose(self, observation: Observation) -> Action:
        self.threads.append(threading.current_thread().name)
        return observation.legal_actions[0]


def test_agents_of_a_user_who_has_computed_much_give_way(seen: Observation) -> None:
    async def scenario() -> None:
        workers, agent, window = Workers(Limits(prompt_seconds=5.0), Clock()), Noted(), Noted()
        ann, ben = workers.serve("ann"), workers.serve("ben")
        await ann.choose(agent, seen, window)
        workers._usage.add("ann", 6.0)
        await ann.choose(agent, seen, window)
        await ben.choose(agent, seen, window)
        assert [name.rpartition("_")[0] for name in agent.threads] == [
            "lastcard bot",
            "lastcard patient bot",
            "lastcard bot",
        ]
        # How long a window takes must not depend on the load, or it would tell who was asked.
        await ann.choose(window, seen)
        assert window.threads[0].startswith("lastcard bot")
        workers.close()

    run(scenario())


def test_an_agent_that_takes_too_long_answers_with_fewer_simulations(seen: Observation) -> None:
    async def scenario() -> None:
        workers = Workers(dataclasses.replace(Limits(), max_seconds=0.05))
        slow, quick = make_agent("halving:simulations=10000000", 1), make_agent("halving:simulations=200", 1)
        assert await workers.serve("ann").choose(slow, seen, quick) == quick.choose(seen)
        workers.close()

    run(scenario())
