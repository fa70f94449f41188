"""Agents by name, with options: `halving:simulations=5000`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lastcard.agents.first_legal import FirstLegalAgent, FirstLegalConfig
from lastcard.agents.frequency import FrequencyAgent, FrequencyConfig
from lastcard.agents.heuristic import HeuristicAgent, HeuristicConfig
from lastcard.agents.info import AgentInfo, format_option
from lastcard.agents.interface import Agent, ExplainingAgent
from lastcard.agents.net import ChampionAgent, ChampionConfig, NetAgent, NetConfig, can_champion_play
from lastcard.agents.own import AgentLike, can_choose, describe_own
from lastcard.agents.random import RandomAgent, RandomConfig
from lastcard.agents.searching import SearchAgent
from lastcard.errors import AgentError, RulesError, require, shorten, suggest
from lastcard.network import is_shipped_for
from lastcard.options import list_options
from lastcard.rules import Rules
from lastcard.search.expectiminimax import ExpectiminimaxConfig
from lastcard.search.halving import HalvingConfig
from lastcard.search.ismcts import IsmctsConfig
from lastcard.search.mcts import MctsConfig
from lastcard.search.pomcp import PomcpConfig

_AGENTS: Final[Mapping[str, AgentInfo]] = {
    info.name: info
    for info in (
        AgentInfo("random", "any legal action, but draws only when it must", RandomConfig, RandomAgent),
        AgentInfo("first_legal", "the first legal action in the list", FirstLegalConfig, FirstLegalAgent),
        AgentInfo(
            "frequency", "plays what is most exhausted by the cards seen so far", FrequencyConfig, FrequencyAgent
        ),
        AgentInfo("heuristic", "a tuned score for every action, no search", HeuristicConfig, HeuristicAgent),
        AgentInfo(
            "halving",
            "plays rounds out from hands that fit what was seen",
            HalvingConfig,
            SearchAgent,
            about="Weighs every legal action by playing rounds out from hands that fit what was seen.",
        ),
        AgentInfo(
            "expectiminimax",
            "looks a few actions ahead in hands that fit what was seen",
            ExpectiminimaxConfig,
            SearchAgent,
            about="Looks a few actions ahead in hands that fit what was seen: our best, the others' reply, the "
            "mean over draws.",
        ),
        AgentInfo(
            "ismcts",
            "a tree over what the seat can tell apart",
            IsmctsConfig,
            SearchAgent,
            about="Grows one tree of what its seat can tell apart, every simulation with hands of its own that "
            "fit what was seen.",
        ),
        AgentInfo(
            "mcts",
            "a tree of the seat's own actions, one belief particle a playout",
            MctsConfig,
            SearchAgent,
            about="Grows a tree of its own actions and plays the others by a model in between, one belief "
            "particle a playout.",
        ),
        AgentInfo(
            "pomcp",
            "a tree of histories and particles, kept between decisions",
            PomcpConfig,
            SearchAgent,
            about="Plans over histories and keeps the tree and its particles from one decision to the next. "
            "An observation that does not follow from the last one starts from scratch.",
        ),
        AgentInfo(
            "net", "a network that learned by playing, for any rules", NetConfig, NetAgent, "file", is_shipped_for
        ),
        AgentInfo(
            "champion",
            "the strongest network, with long rounds; official rules, two players",
            ChampionConfig,
            ChampionAgent,
            can_play=can_champion_play,
        ),
    )
}

_ADDED: Final[dict[str, AgentInfo]] = {}
"""Agents that this process added with `add_agent`. Nothing else gets in here: a name in a request, a record, a store
or a tournament's file can ask for an agent of another package only if the person who started the process named it."""


def list_agents(rules: Rules | None = None) -> tuple[AgentInfo, ...]:
    """Returns all known agents, or those that can play by these rules.

    >>> [info.name for info in list_agents() if not info.options]
    ['random', 'first_legal', 'champion']
    """
    if rules is not None:
        require("rules", rules, Rules, RulesError)
    known = (*_AGENTS.values(), *_ADDED.values())
    return tuple(info for info in known if rules is None or info.can_play(rules))


def is_built_in(name: str) -> bool:
    """Returns True if the agent comes with this package, with any options.

    >>> is_built_in("halving:simulations=5"), is_built_in("my_module:MyAgent")
    (True, False)
    """
    return isinstance(name, str) and name.partition(":")[0].strip().lower() in _AGENTS


def split_name(name: str) -> tuple[AgentInfo, str]:
    """The agent of that name, and the options that follow it.

    Raises:
        AgentError: if there is no such agent, listing the known ones.

    >>> split_name("halving:simulations=5")[1]
    'simulations=5'
    """
    head, _, rest = name.partition(":") if isinstance(name, str) else ("", "", "")
    head = head.strip()
    part, _, options = rest.partition(":")
    if head.lower() in _AGENTS:
        return _AGENTS[head.lower()], rest
    if found := _ADDED.get(f"{head}:{part.strip()}"):
        return found, options
    if found := _ADDED.get(head):
        return found, rest
    known = ", ".join((*_AGENTS, *_ADDED))
    own = "; one of your own must be named on the command line, or given to load_agent" if part else ""
    raise AgentError(f"no agent {shorten(name)}; there are {known}{suggest(head, _AGENTS)}{own}")


def find_agent(name: str) -> AgentInfo:
    """Returns the description of the agent of that name, with any options.

    Raises:
        AgentError: if there is no such agent, listing the known ones.
    """
    return split_name(name)[0]


def add_agent(agent: object, name: str = "") -> AgentInfo:
    """Adds your own agent, so that it can be used by name as long as this process runs.

    Args:
        agent: A class, a function that makes agents, an object with `choose(observation)`, or an `AgentInfo`.
        name: What to call it; by default its `name`, or the name of the class or function.

    Raises:
        AgentError: if it is no agent, or another one goes by that name.

    >>> class Last:
    ...     '''Plays the last legal action.'''
    ...
    ...     def choose(self, observation):
    ...         return observation.legal_actions[-1]
    >>> add_agent(Last, "last").summary
    'Plays the last legal action.'
    >>> make_agent("last").choose.__qualname__
    'Last.choose'
    >>> remove_agent("last")
    """
    info = describe_own(agent, name)
    if info.name.lower() in _AGENTS:
        raise AgentError(f"{info.name} is the name of an agent that comes with lastcard; choose another")
    if _ADDED.setdefault(info.name, info) != info:
        raise AgentError(f"another agent goes by the name {info.name}; choose another")
    return info


def remove_agent(name: str) -> None:
    """Removes an agent that `add_agent` or `load_agent` added.

    Raises:
        AgentError: if no agent of that name was added.

    >>> remove_agent("random")
    Traceback (most recent call last):
    lastcard.errors.AgentError: no agent 'random' was added; there are: none
    """
    if not isinstance(name, str) or name not in _ADDED:
        raise AgentError(f"no agent {shorten(name)} was added; there are: {', '.join(_ADDED) or 'none'}")
    del _ADDED[name]


def make_agent(name: str, seed: int = 0) -> Agent:
    """Makes an agent by its name, with options after a colon: `halving:simulations=5000,threads=2`.

    `as_published` as the first option, such as `mcts:as_published`, sets all others to their published values; more
    options may follow. Never imports anything for a name: `load_agent` does that.

    Raises:
        AgentError: if there is no such agent or option, listing the known ones.

    >>> make_agent("halving:simulations=5000").config.simulations
    5000
    >>> make_agent("mcts:as_published,simulations=50").config.exploration
    1.4
    """
    info, options = split_name(name)
    return info.build(options, seed)


def make_explaining_agent(name: str, seed: int = 0) -> ExplainingAgent:
    """Makes an agent that can show how it reaches a decision.

    Raises:
        AgentError: if there is no such agent, or it cannot be explained.

    >>> make_explaining_agent("halving:simulations=20")
    <Agent halving:simulations=20>
    """
    agent = make_agent(name, seed)
    if isinstance(agent, ExplainingAgent):
        return agent
    can = ", ".join(info.name for info in list_agents() if hasattr(info.make, "explain"))
    raise AgentError(f"{find_agent(name).name} cannot be explained; these agents can: {can}")


def seat_agent(agent: AgentLike, seed: int = 0) -> Agent:
    """Returns an agent for a seat: an object as it is, one that a class or function makes, or one by its name.

    Raises:
        AgentError: if there is no such agent.

    >>> seat_agent("random"), seat_agent(make_agent("random"))
    (<Agent random>, <Agent random>)
    """
    if isinstance(agent, str):
        return make_agent(agent, seed)
    if can_choose(agent):
        return agent  # type: ignore[return-value]
    return describe_own(agent).build(seed=seed)


def format_agent(name: str) -> str:
    """Returns the agent's name with all its options, so that equal agents have equal names.

    Raises:
        AgentError: if there is no such agent or option, listing the known ones.

    >>> format_agent("frequency: four_below=3") == format_agent("frequency:challenge_from=1,four_below=3")
    True
    """
    info, text = split_name(name)
    config = info.read_options(text)
    options = list_options(config).items()
    told = ",".join(f"{option}={format_option(value)}" for option, value in options if value is not None)
    return f"{info.name}:{told}" if told else info.name
