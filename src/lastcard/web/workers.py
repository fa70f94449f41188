"""Threads in which agents decide and analyses search; the core lets go of Python's lock meanwhile."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, TypeVar

from lastcard.actions import Action
from lastcard.agents import Agent
from lastcard.agents.first_legal import FirstLegalAgent
from lastcard.agents.heuristic import HeuristicAgent
from lastcard.agents.random import RandomAgent
from lastcard.observation import Observation
from lastcard.web.limits import Limits, Share

T = TypeVar("T")


_LOWER_PRIORITY: Final = 10
_QUICK: Final = (FirstLegalAgent, HeuristicAgent, RandomAgent)
"""They answer in less time than it takes to ask them in a thread."""


def _give_way() -> None:
    """Lets everything else go first in this thread: who plays must not wait for who analyses."""
    if sys.platform != "linux":  # elsewhere threads have no priority of their own
        return
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOWER_PRIORITY)


class Workers:
    """Two pools, so that no number of analyses keeps the agents from playing."""

    def __init__(self, limits: Limits) -> None:
        self._bots = ThreadPoolExecutor(limits.bot_threads, "lastcard bot")
        self._searches = ThreadPoolExecutor(limits.analysis_threads, "lastcard analysis", _give_way)
        self._slots = asyncio.Semaphore(limits.analysis_threads)
        self.share = Share("searches", limits.analysis_threads + limits.max_waiting, limits.max_searches_per_user)
        """Hints and analyses that run or wait."""

    async def choose(self, agent: Agent, observation: Observation) -> Action:
        """What the agent answers. A game asks one at a time, so no more wait here than games are played."""
        if isinstance(agent, _QUICK):
            return agent.choose(observation)
        return await asyncio.get_running_loop().run_in_executor(self._bots, agent.choose, observation)

    async def search(self, work: Callable[[], T]) -> T:
        """Runs a slice of a search once a thread is free; if the caller gives up, so does what has not begun."""
        async with self._slots:
            return await asyncio.get_running_loop().run_in_executor(self._searches, work)

    def close(self) -> None:
        """Ends, without waiting for what is being searched."""
        self._bots.shutdown(wait=False, cancel_futures=True)
        self._searches.shutdown(wait=False, cancel_futures=True)
