"""Threads in which agents decide and analyses search; the core lets go of Python's lock meanwhile."""

from __future__ import annotations

import asyncio
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
from lastcard.observation import Observation
from lastcard.search.priority import give_way
from lastcard.search.stopping import StopFlag, stopped_by
from lastcard.web.limits import Limits, Share

T = TypeVar("T")
_QUICK: Final = (FirstLegalAgent, HeuristicAgent, RandomAgent)


def is_quick(agent: Agent) -> bool:
    """Returns True if the agent answers faster than a thread could be asked."""
    return isinstance(agent, _QUICK)


class Workers:
    """Two pools, so that no number of analyses keeps the agents from playing."""

    def __init__(self, limits: Limits) -> None:
        self._bots = ThreadPoolExecutor(limits.bot_threads, "lastcard bot")
        self._searches = ThreadPoolExecutor(limits.analysis_threads, "lastcard analysis", give_way)
        self.slots = asyncio.Semaphore(limits.analysis_threads)
        """Threads for searches that are free."""
        self._share = Share("searches", limits.analysis_threads + limits.max_waiting, limits.max_searches_per_user)
        self._running: set[StopFlag] = set()
        # Weak: a user's lock goes away with the last question that waits for it.
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @property
    def num_asking(self) -> int:
        """Hints and analyses that run or wait."""
        return self._share.total

    async def choose(self, agent: Agent, observation: Observation) -> Action:
        """Returns the agent's answer. A game asks one agent at a time, so at most one call per game waits here."""
        if is_quick(agent):
            return agent.choose(observation)
        return await self._follow(*self._start(self._bots, lambda: agent.choose(observation)))

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
        self._bots.shutdown(wait=False, cancel_futures=True)
        self._searches.shutdown(wait=False, cancel_futures=True)


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
