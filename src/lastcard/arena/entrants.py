"""Who may enter a tournament: agents by name, other programs, and the ceilings.

A program is named like an agent, `engine:COMMAND`, so that it is part of what a tournament's seed and file fix; what it
may spend stands in brackets, `engine[seconds=0.5]:COMMAND`.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass, field
from typing import Final

from lastcard.agents import make_agent
from lastcard.agents.heuristic import HeuristicConfig
from lastcard.agents.net import NetConfig
from lastcard.agents.random import RandomConfig
from lastcard.agents.info import read_config
from lastcard.arena.ceilings import find_ceiling
from lastcard.engine.client import EngineAgent, EngineConfig
from lastcard.search.dispatch import SearchConfig
from lastcard.search.match import Contestant, HeuristicContestant, NetContestant, RandomContestant
from lastcard.weights import Weights

_ENGINE: Final = re.compile(r"\s*engine(?:\[(?P<options>[^\]]*)\])?:(?P<command>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class EngineEntrant:
    """A program that speaks the engine protocol.

    >>> find_engine("engine[seconds=0.5]:python3 engine.py")
    EngineEntrant(command='python3 engine.py', config=EngineConfig(simulations=0, seconds=0.5, ...))
    >>> find_engine("heuristic") is None
    True
    """

    command: str
    config: EngineConfig = field(default_factory=EngineConfig)

    @property
    def name(self) -> str:
        """As a tournament names it; `find_engine` reads it back."""
        changed = [
            f"{option.name}={getattr(self.config, option.name)}"
            for option in dataclasses.fields(self.config)
            if getattr(self.config, option.name) != option.default
        ]
        options = f"[{','.join(changed)}]" if changed else ""
        return f"engine{options}:{self.command}"

    def make(self, seed: int) -> EngineAgent:
        """The program as an agent that is not started yet."""
        return EngineAgent(self.command, self.config, seed)


def find_engine(name: str) -> EngineEntrant | None:
    """The program that goes by this name; None if it names no program.

    Raises:
        AgentError: if it has no command, or an option that engines do not have.
    """
    found = _ENGINE.fullmatch(name) if isinstance(name, str) else None
    if found is None:
        return None
    entrant = EngineEntrant(found["command"].strip(), read_config("engine", EngineConfig, found["options"] or ""))
    entrant.make(seed=0)  # whether there is a command in it
    return entrant


def check_entrant(name: str) -> None:
    """Makes sure that a tournament can seat who goes by this name.

    Raises:
        AgentError: if there is no such agent or option, saying which there are.
    """
    if find_engine(name) is None and find_ceiling(name) is None:
        make_agent(name)


def find_contestant(name: str, players: int) -> Contestant | None:
    """The agent as the core plays it; None if it needs Python or is another program.

    >>> find_contestant("random", players=2)
    RandomContestant()
    """
    if find_engine(name):
        return None
    if ceiling := find_ceiling(name):
        return ceiling.contestant()
    config = getattr(make_agent(name), "config", None)
    if isinstance(config, RandomConfig):
        return RandomContestant()
    if isinstance(config, HeuristicConfig):
        return HeuristicContestant(Weights.named(config.weights, players))
    if isinstance(config, NetConfig):
        return NetContestant(config.file)
    return config if isinstance(config, SearchConfig) else None
