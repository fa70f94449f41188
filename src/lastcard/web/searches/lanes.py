"""Fair shares of computing: a free thread goes to the user who has computed the least lately."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, TypeVar

from lastcard.search.stopping import StopFlag, stopped_by
from lastcard.web.limits import networks_of
from lastcard.web.metrics import DECISION_SECONDS

T = TypeVar("T")
HALF_LIFE_SECONDS: Final = 20.0
_MOST_NETWORKS: Final = 10_000
_NOTHING: Final = 0.01
"""Seconds of computing below which a network is forgotten."""


class Usage:
    """Seconds that each user's agents have computed; what is 20 seconds old counts half.

    >>> usage = Usage(clock=lambda: 0.0)
    >>> usage.add("192.0.2.1", 3.0)
    >>> usage.of("192.0.2.1"), usage.of("198.51.100.1")
    (3.0, 0.0)
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._used: dict[str, tuple[float, float]] = {}  # seconds and when they were counted

    def of(self, user: str) -> float:
        """The user's seconds, as they count now; or more, if a network of the user has computed a lot."""
        return max(self._count(key) / growth for key, growth in networks_of(user))

    def add(self, user: str, seconds: float) -> None:
        """Adds seconds that were computed just now."""
        if len(self._used) > _MOST_NETWORKS:
            self._used = {key: used for key, used in self._used.items() if self._count(key) >= _NOTHING}
        for key, _ in networks_of(user):
            self._used[key] = (self._count(key) + seconds, self._clock())

    def _count(self, key: str) -> float:
        seconds, counted = self._used.get(key, (0.0, 0.0))
        return seconds * math.exp2((counted - self._clock()) / HALF_LIFE_SECONDS)


class Lane:
    """Threads that are lent to one decision at a time. Use it in one event loop."""

    def __init__(
        self,
        name: str,
        threads: int,
        most_per_user: int,
        usage: Usage,
        initializer: Callable[[], None] | None = None,
    ) -> None:
        """Makes the threads.

        Args:
            name: Name of the threads.
            threads: Number of threads.
            most_per_user: Threads that one user may hold while others are free.
            usage: Charged with the time that decisions compute, and asked whose turn is next.
            initializer: Called in each thread before its first decision.
        """
        self._pool = ThreadPoolExecutor(threads, name, initializer)
        self._free = threads
        self._most_per_user = most_per_user
        self._usage = usage
        self._held: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    @property
    def num_waiting(self) -> int:
        """Decisions that wait for a thread."""
        return sum(map(len, self._waiting.values()))

    @property
    def num_running(self) -> int:
        """Decisions that hold a thread."""
        return self._held.total()

    async def run(self, user: str, work: Callable[[], T], flag: StopFlag, most_seconds: float | None) -> T:
        """Does the work in a thread under the flag, once there is one for the user.

        If the caller gives up, the work ends within milliseconds, and only then the thread is free again.

        Raises:
            StoppedError: if the work did not end within `most_seconds`, where they are limited.
        """
        await self._wait_for_thread(user)
        loop = asyncio.get_running_loop()

        def do() -> tuple[T | BaseException, float]:
            begun = time.thread_time()
            try:
                with stopped_by(flag):
                    return work(), time.thread_time() - begun
            except BaseException as error:
                return error, time.thread_time() - begun

        def leave(seconds: float) -> None:
            DECISION_SECONDS.observe(seconds)
            self._usage.add(user, seconds)
            self._leave(user)

        job = self._pool.submit(do)
        timer = None if most_seconds is None else loop.call_later(most_seconds, flag.set)
        # Where the loop is closed, nobody waits for a thread any more.
        job.add_done_callback(lambda done: _call_soon(loop, leave, 0.0 if done.cancelled() else done.result()[1]))
        try:
            result, _ = await asyncio.wrap_future(job)
        finally:
            flag.set()
            if timer is not None:
                timer.cancel()
        if isinstance(result, BaseException):
            raise result
        return result

    async def _wait_for_thread(self, user: str) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(user, deque()).append(turn)
        self._lend()
        try:
            await turn
        except BaseException:
            if turn.done() and not turn.cancelled():
                self._leave(user)  # it was lent to a caller who gave up at the same moment
            raise

    def _lend(self) -> None:
        while self._free and (user := self._next_user()) is not None:
            turn = self._waiting[user].popleft()
            if not turn.done():  # else its caller gave up
                self._free -= 1
                self._held[user] += 1
                turn.set_result(None)

    def _next_user(self) -> str | None:
        """The user who has computed least; of those who have computed nothing, the one who has waited longest."""
        for user in [user for user, turns in self._waiting.items() if not turns]:
            del self._waiting[user]
        able = [user for user in self._waiting if self._held[user] < self._most_per_user]
        return min(able, key=self._usage.of, default=None)

    def _leave(self, user: str) -> None:
        self._free += 1
        self._held[user] -= 1
        if not self._held[user]:
            del self._held[user]
        self._lend()

    def close(self) -> None:
        """Begins nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _call_soon(loop: asyncio.AbstractEventLoop, callback: Callable[[float], None], seconds: float) -> None:
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(callback, seconds)
