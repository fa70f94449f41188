"""Threads in which agents decide; the core releases Python's lock meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from lastcard.actions import Action
from lastcard.agents import Agent
from lastcard.agents.first_legal import FirstLegalAgent
from lastcard.agents.heuristic import HeuristicAgent
from lastcard.agents.random import RandomAgent
from lastcard.errors import StoppedError
from lastcard.observation import Observation
from lastcard.search.priority import give_way
from lastcard.search.stopping import StopFlag
from lastcard.web.limits import Limits
from lastcard.web.searches.lanes import Lane, Usage

_QUICK: Final = (FirstLegalAgent, HeuristicAgent, RandomAgent)


def is_quick(agent: Agent) -> bool:
    """Returns True if the agent answers faster than a thread could be asked."""
    return isinstance(agent, _QUICK)


class Workers:
    """Threads for agents.

    A user's agents decide in the first lane. Once they have computed for `prompt_seconds`, they decide in the second
    lane, whose threads give way to all others: the operating system takes the processor from them at any moment.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._usage = Usage(clock)
        # One thread stays for others while there is more than one: a decision may run for `max_seconds`.
        most = max(limits.bot_threads - 1, 1)
        self._prompt = Lane("lastcard bot", limits.bot_threads, most, self._usage)
        self._patient = Lane("lastcard patient bot", limits.bot_threads, limits.bot_threads, self._usage, give_way)
        self._running: set[StopFlag] = set()

    @property
    def num_deciding(self) -> tuple[int, int]:
        """Decisions of agents that run, and that wait."""
        lanes = (self._prompt, self._patient)
        return sum(lane.num_running for lane in lanes), sum(lane.num_waiting for lane in lanes)

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

    def close(self) -> None:
        """Stops everything that is being searched."""
        for flag in self._running:
            flag.set()
        self._prompt.close()
        self._patient.close()


class UserWorkers:
    """Workers on behalf of one user."""

    def __init__(self, workers: Workers, user: str) -> None:
        self._workers = workers
        self._user = user

    async def choose(self, agent: Agent, observation: Observation, quick: Agent | None = None) -> Action:
        """Lets an agent decide; `quick` answers for it if it takes too long."""
        return await self._workers.choose(self._user, agent, observation, quick)
