"""Threads in which agents decide and analyses search; the core releases Python's lock meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Final, TypeVar
from weakref import WeakValueDictionary

from lastcard.actions import Action
from lastcard.agents import Agent
from lastcard.agents.first_legal import FirstLegalAgent
from lastcard.agents.heuristic import HeuristicAgent
from lastcard.agents.random import RandomAgent
from lastcard.errors import StoppedError
from lastcard.observation import Observation
from lastcard.search.priority import give_way
from lastcard.search.stopping import StopFlag, stopped_by
from lastcard.web.limits import Limits, Share
from lastcard.web.searches.lanes import Lane, Usage

T = TypeVar("T")
_QUICK: Final = (FirstLegalAgent, HeuristicAgent, RandomAgent)


def is_quick(agent: Agent) -> bool:
    """Returns True if the agent answers faster than a thread could be asked."""
    return isinstance(agent, _QUICK)


class Workers:
    """Threads for agents and others for analyses, so that no number of analyses keeps the agents from playing.

    A user's agents decide in the first lane. Once they have computed for `prompt_seconds`, they decide in the second
    lane, whose threads give way to all others: the operating system takes the processor from them at any moment.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._usage = Usage(clock)
        # One thread stays for others while there is more than one: a search cannot be interrupted, only waited for.
        most = max(limits.bot_threads - 1, 1)
        self._prompt = Lane("lastcard bot", limits.bot_threads, most, self._usage)
        self._patient = Lane("lastcard patient bot", limits.bot_threads, limits.bot_threads, self._usage, give_way)
        self._searches = ThreadPoolExecutor(limits.analysis_threads, "lastcard analysis", give_way)
        self.slots = asyncio.Semaphore(limits.analysis_threads)
        """Threads for searches that are free."""
        self._share = Share("searches", limits.analysis_threads + limits.max_waiting, limits.max_searches_per_user)
        self._running: set[StopFlag] = set()
        # Weak: a user's lock goes away with the last question that waits for it.
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @property
    def num_deciding(self) -> tuple[int, int]:
        """Decisions of agents that run, and that wait."""
        lanes = (self._prompt, self._patient)
        return sum(lane.num_running for lane in lanes), sum(lane.num_waiting for lane in lanes)

    @property
    def num_asking(self) -> int:
        """Hints and analyses that run or wait."""
        return self._share.total

    def serve(self, user: str) -> UserWorkers:
        """Runs the decisions of that user's games."""
        return UserWorkers(self, user)

    async def choose(self, user: str, agent: Agent, observation: Observation, quick: Agent | None) -> Action:
        """Lets an agent decide for a game of the user; `quick` answers if the agent takes longer than `max_seconds`.

        Give no `quick` for a window: how long its answer takes must not depend on the load.
        """
        if is_quick(agent):
            return agent.choose(observation)
        is_heavy = quick is not None and self._usage.of(user) > self._limits.prompt_seconds
        lane, flag = self._patient if is_heavy else self._prompt, StopFlag()
        self._running.add(flag)
        try:
            most_seconds = None if quick is None else self._limits.max_seconds
            return await lane.run(user, lambda: agent.choose(observation), flag, most_seconds)
        except StoppedError:
            if quick is None:
                raise
        finally:
            self._running.discard(flag)
        return await self.choose(user, quick, observation, None)

    @contextmanager
    def asking(self, user: str) -> Iterator[Asking]:
        """Counts a user's question for as long as the `with` lasts.

        Raises:
            RequestError: with status 429, if there are too many of the user's or of all.
        """
        self._share.take(user)
        try:
            yield Asking(self, self._turns.setdefault(user, asyncio.Lock()))
        finally:
            self._share.give_back(user)

    async def search(self, work: Callable[[], T], end: Callable[[], None]) -> T:
        """Runs a slice of a search in a thread, then calls `end` from there; the caller holds one of the slots."""
        flag, future = self._start(self._searches, work)
        future.add_done_callback(lambda _: end())
        return await self._follow(flag, future)

    def _start(self, pool: ThreadPoolExecutor, work: Callable[[], T]) -> tuple[StopFlag, Future[T]]:
        flag = StopFlag()

        def run() -> T:
            with stopped_by(flag):
                return work()

        future = pool.submit(run)
        self._running.add(flag)
        return flag, future

    async def _follow(self, flag: StopFlag, future: Future[T]) -> T:
        """Waits for the work; if the caller gives up, so does the search."""
        try:
            return await asyncio.wrap_future(future)
        finally:
            flag.set()
            self._running.discard(flag)

    def close(self) -> None:
        """Stops everything that is being searched."""
        for flag in self._running:
            flag.set()
        self._prompt.close()
        self._patient.close()
        self._searches.shutdown(wait=False, cancel_futures=True)


class UserWorkers:
    """Workers on behalf of one user."""

    def __init__(self, workers: Workers, user: str) -> None:
        self._workers = workers
        self._user = user

    async def choose(self, agent: Agent, observation: Observation, quick: Agent | None = None) -> Action:
        """Lets an agent decide; `quick` answers for it if it takes too long."""
        return await self._workers.choose(self._user, agent, observation, quick)


class Asking:
    """Per-user queue: one search of a user runs at a time."""

    def __init__(self, workers: Workers, turn: asyncio.Lock) -> None:
        self._workers = workers
        self._turn = turn

    async def search(self, work: Callable[[], T]) -> T:
        """Runs a slice of a search when it is its turn and a thread is free.

        If the caller gives up, so does the search, whether it has begun or not.
        """
        loop, held = asyncio.get_running_loop(), list[asyncio.Lock | asyncio.Semaphore]()

        def let_go() -> None:
            for each in held:
                each.release()

        # Called in the thread: a search that was given up occupies its slot until it has really stopped, and locks of
        # asyncio may be released in the loop only.
        def end() -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(let_go)

        try:
            for each in (self._turn, self._workers.slots):
                await each.acquire()
                held.append(each)
        except BaseException:
            let_go()
            raise
        return await self._workers.search(work, end)
