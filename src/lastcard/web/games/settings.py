"""Settings of a game, its agents, and the services of its server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn, Protocol

from lastcard.actions import Action
from lastcard.agents import Agent
from lastcard.errors import RequestError
from lastcard.observation import Observation
from lastcard.store.store import Store
from lastcard.web.contract.base import Length
from lastcard.web.games.seating import PERSON, SeatInfo
from lastcard.web.lease import Lease
from lastcard.web.limits import Limits


class Person:
    """Placeholder for a person at the table."""

    name = PERSON

    def choose(self, observation: Observation) -> NoReturn:
        """Refuses: a person acts without being asked."""
        raise RequestError(f"seat {observation.observer} is played by a person", status=409)


class DecisionRunner(Protocol):
    """Runs an agent's decision, as `Workers` does in a thread."""

    async def choose(self, agent: Agent, observation: Observation, quick: Agent | None = None) -> Action:
        """Returns the agent's action, or that of `quick` if the agent takes too long."""
        ...


class DecisionRunners(Protocol):
    """Gives each user a share, as `Workers` does."""

    def serve(self, user: str) -> DecisionRunner:
        """Runs the decisions of that user's games."""
        ...


@dataclass(frozen=True, slots=True)
class GameSettings:
    """Settings that a game is begun with."""

    seats: tuple[SeatInfo, ...]
    length: Length
    pace_seconds: float
    """Least time between an action and the next one of an agent."""
    window_seconds: float
    """Time that a window waits for a person."""
    turn_seconds: float = 0.0
    """Time for a person's turn before an agent plays; 0 for no limit."""


@dataclass(frozen=True, slots=True)
class Players:
    """Agents of a game, for turns and, with less time, for windows; in people's seats those that stand in."""

    turns: tuple[Agent, ...]
    windows: tuple[Agent, ...]


@dataclass(frozen=True, slots=True)
class GameServices:
    """Services of the server that a game uses."""

    store: Store
    workers: DecisionRunners
    limits: Limits
    clock: Callable[[], float]
    lease: Lease
