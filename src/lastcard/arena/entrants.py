"""Entrants of a tournament: agents by name, your own agents, other programs, and the ceilings.

A program is named like an agent, `engine:COMMAND`, so that it is part of what a tournament's seed and file fix; what it
may spend stands in brackets, `engine[seconds=0.5]:COMMAND`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from lastcard.agents import Agent, AgentInfo, AgentLike, is_built_in, make_agent, split_name
from lastcard.agents.heuristic import HeuristicConfig
from lastcard.agents.info import read_config
from lastcard.agents.net import ChampionAgent, ChampionConfig, NetConfig
from lastcard.agents.own import describe_own
from lastcard.agents.random import RandomConfig
from lastcard.arena.ceilings import find_ceiling
from lastcard.arena.core_match import Contestant, HeuristicContestant, NetContestant, RandomContestant
from lastcard.engine.client import EngineAgent, EngineConfig
from lastcard.errors import AgentError, shorten
from lastcard.search.dispatch import SearchConfig
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
        """Name in a tournament; `find_engine` reads it back."""
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


@dataclass(frozen=True, slots=True)
class OwnEntrant:
    """An agent that does not come with this package: an object, a class or a function, or one that was loaded."""

    info: AgentInfo
    options: str = ""

    def make(self, seed: int) -> Agent:
        """Returns the agent for one round; an object is the same in all of them."""
        return self.info.build(self.options, seed)


def enter(agents: Sequence[AgentLike], own: Mapping[str, OwnEntrant]) -> tuple[tuple[str, ...], dict[str, OwnEntrant]]:
    """The names of all who take part, and those of them that do not come with this package.

    Args:
        agents: Names with options, objects, classes and functions.
        own: Agents under names that are not registered.

    Raises:
        AgentError: if there is no such agent or option, or two different ones go by one name.

    >>> enter(["random", lambda: None], {})[0]
    Traceback (most recent call last):
    lastcard.errors.AgentError: <lambda> does not make an agent: None has no method choose(observation)
    """
    names: list[str] = []
    found: dict[str, OwnEntrant] = {}
    for agent in agents:
        entrant = _find_own(agent, own)
        name = agent if isinstance(agent, str) else entrant.info.name if entrant else ""
        names.append(name)
        if entrant is None:
            continue
        if not isinstance(agent, str) and (is_built_in(name) or not is_agent(name)):
            raise AgentError(f"an agent of your own cannot be called {shorten(name)}; give it another `name`")
        if found.setdefault(name, entrant) != entrant:
            raise AgentError(f"two agents are called {shorten(name)}; give each a `name` of its own")
        entrant.make(seed=0)  # whether it can be made
    return tuple(names), found


def is_agent(name: str) -> bool:
    """Returns whether the name is meant for an agent: neither a program nor a ceiling.

    >>> is_agent("my_module:MyAgent"), is_agent("engine:python3 engine.py"), is_agent("omniscient")
    (True, False, False)
    """
    return find_engine(name) is None and find_ceiling(name) is None


def _find_own(agent: AgentLike, own: Mapping[str, OwnEntrant]) -> OwnEntrant | None:
    """The agent, if it does not come with this package."""
    if not isinstance(agent, str):
        return OwnEntrant(describe_own(agent))
    if agent in own:
        return own[agent]
    if not is_agent(agent):
        return None
    info, options = split_name(agent)
    info.build(options)
    return None if is_built_in(agent) else OwnEntrant(info, options)


def find_contestant(name: str, players: int) -> Contestant | None:
    """The agent as the core plays it; None if it needs Python or is another program.

    >>> find_contestant("random", players=2)
    RandomContestant()
    """
    if find_engine(name) or (is_agent(name) and not is_built_in(name)):
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
    if isinstance(config, ChampionConfig):
        return NetContestant(name=ChampionAgent.kind)
    return config if isinstance(config, SearchConfig) else None
