"""What a game is played on: the terms, the agents, and what it needs of its server."""

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
from lastcard.web.limits import Limits


class Person:
    """Holds a person's place at the table."""

    name = PERSON

    def choose(self, observation: Observation) -> NoReturn:
        """Nobody can ask it: it answers by itself."""
        raise RequestError(f"seat {observation.observer} is a person's", status=409)


class DecisionRunner(Protocol):
    """What runs an agent's decision, as `Workers` does in a thread."""

    async def choose(self, agent: Agent, observation: Observation) -> Action:
        """What the agent answers."""
        ...


@dataclass(frozen=True, slots=True)
class GameSettings:
    """What was agreed on when the game was begun."""

    seats: tuple[SeatInfo, ...]
    length: Length
    pace_seconds: float
    """The least time between what an agent does and what happened before."""
    window_seconds: float
    """How long a window waits for a person."""
    turn_seconds: float = 0.0
    """How long others wait for a person's turn before an agent plays; 0 for all the time in the world."""


@dataclass(frozen=True, slots=True)
class Players:
    """The agents of a game: for turns and, quicker, for windows; in people's seats those that stand in."""

    turns: tuple[Agent, ...]
    windows: tuple[Agent, ...]


@dataclass(frozen=True, slots=True)
class GameServices:
    """What a game needs of the server it is played on."""

    store: Store
    workers: DecisionRunner
    limits: Limits
    clock: Callable[[], float]
