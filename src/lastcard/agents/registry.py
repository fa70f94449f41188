"""Agents by name, with options: `halving:simulations=5000`."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from lastcard.agents.base import Agent
from lastcard.agents.expectiminimax import ExpectiminimaxAgent
from lastcard.agents.first_legal import FirstLegalAgent, FirstLegalConfig
from lastcard.agents.frequency import FrequencyAgent, FrequencyConfig
from lastcard.agents.halving import HalvingAgent
from lastcard.agents.heuristic import HeuristicAgent, HeuristicConfig
from lastcard.agents.net import NetAgent, NetConfig
from lastcard.agents.random import RandomAgent, RandomConfig
from lastcard.agents.trees import IsmctsAgent, MctsAgent, PomcpAgent
from lastcard.errors import AgentError, shorten
from lastcard.network import is_shipped_for
from lastcard.rules import Rules
from lastcard.search.expectiminimax import ExpectiminimaxConfig
from lastcard.search.halving import HalvingConfig
from lastcard.search.ismcts import IsmctsConfig
from lastcard.search.mcts import MctsConfig
from lastcard.search.pomcp import PomcpConfig
from lastcard.seeds import split_seed


@dataclass(frozen=True, slots=True)
class AgentInfo:
    """An agent one can ask for by name.

    >>> find_agent("halving").options["simulations"]
    1000
    """

    name: str
    summary: str
    config: type[Any]
    make: Callable[[Any, int], Agent]
    main_option: str = ""
    """The option that can be given without its name: `net:FILE`."""
    can_play: Callable[[Rules], bool] = lambda rules: True
    """Whether it plays by these rules without options that say how."""

    @property
    def options(self) -> dict[str, object]:
        """Each option with its default."""
        return {field.name: field.default for field in dataclasses.fields(self.config)}

    @property
    def published(self) -> dict[str, object]:
        """The options that `as_published` sets otherwise; empty if the agent has no published form.

        >>> find_agent("mcts").published["max_depth"]
        20
        """
        if not hasattr(self.config, "as_published"):
            return {}
        values = dataclasses.asdict(self.config.as_published())
        return {name: value for name, value in values.items() if value != self.options[name]}

    @property
    def explanation(self) -> str:
        """How it plays, in a sentence or two."""
        return " ".join((inspect.getdoc(self.make) or self.summary).split())


_AGENTS: Final[Mapping[str, AgentInfo]] = {
    info.name: info
    for info in (
        AgentInfo("random", "any legal action, but draws only when it must", RandomConfig, RandomAgent),
        AgentInfo("first_legal", "the first legal action in the list", FirstLegalConfig, FirstLegalAgent),
        AgentInfo(
            "frequency", "plays what is most exhausted by the cards seen so far", FrequencyConfig, FrequencyAgent
        ),
        AgentInfo("heuristic", "a tuned score for every action, no search", HeuristicConfig, HeuristicAgent),
        AgentInfo("halving", "plays rounds out from hands that fit what was seen", HalvingConfig, HalvingAgent),
        AgentInfo(
            "expectiminimax",
            "looks a few actions ahead in hands that fit what was seen",
            ExpectiminimaxConfig,
            ExpectiminimaxAgent,
        ),
        AgentInfo("ismcts", "a tree over what the seat can tell apart", IsmctsConfig, IsmctsAgent),
        AgentInfo("mcts", "a tree of the seat's own actions, one belief particle a playout", MctsConfig, MctsAgent),
        AgentInfo("pomcp", "a tree of histories and particles, kept between decisions", PomcpConfig, PomcpAgent),
        AgentInfo(
            "net", "a network that learned by playing against itself", NetConfig, NetAgent, "file", is_shipped_for
        ),
    )
}


def list_agents(rules: Rules | None = None) -> tuple[AgentInfo, ...]:
    """Every agent there is, or those that can play by these rules.

    >>> [info.name for info in list_agents()]
    ['random', 'first_legal', 'frequency', 'heuristic', 'halving', 'expectiminimax', 'ismcts', 'mcts', 'pomcp', 'net']
    """
    return tuple(info for info in _AGENTS.values() if rules is None or info.can_play(rules))


def find_agent(name: str) -> AgentInfo:
    """What there is to know of the agent of that name, whatever options follow.

    Raises:
        AgentError: if there is no such agent, saying which there are.
    """
    info = _AGENTS.get(name.partition(":")[0].strip()) if isinstance(name, str) else None
    if info is None:
        raise AgentError(f"no agent {shorten(name)}; there are {', '.join(_AGENTS)}")
    return info


def option_help(config: type[Any]) -> dict[str, str]:
    """What each option of an agent does: the docstrings below the fields of its config.

    >>> option_help(HalvingConfig)["simulations"]
    'Simulations a decision, shared by all actions.'
    """
    found = {field.name: "" for field in dataclasses.fields(config)}
    for kind in reversed([kind for kind in config.__mro__ if dataclasses.is_dataclass(kind)]):
        body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, below in itertools.pairwise(body.body):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
                found[field.target.id] = " ".join(str(ast.literal_eval(below.value)).split())
    return found


def make_agent(name: str, seed: int = 0) -> Agent:
    """The agent of that name, with options after a colon: `halving:simulations=5000,threads=2`.

    `as_published` as the first option, such as `mcts:as_published`, sets all others to the values of the formulation
    that the agent comes from; more options may follow.

    Raises:
        AgentError: if there is no such agent or option, saying which there are.

    >>> make_agent("halving:simulations=5000").config.simulations
    5000
    >>> make_agent("mcts:as_published,simulations=50").config.exploration
    1.4
    """
    info = find_agent(name)
    config = read_config(info.name, info.config, name.partition(":")[2], info.main_option)
    return info.make(config, split_seed(seed, "agent"))


def format_agent(name: str) -> str:
    """The agent's name with all its options, so that what plays alike reads alike.

    Raises:
        AgentError: if there is no such agent or option, saying which there are.

    >>> format_agent("frequency: four_below=3") == format_agent("frequency:challenge_from=1,four_below=3")
    True
    """
    info = find_agent(name)
    config = read_config(info.name, info.config, name.partition(":")[2], info.main_option)
    options = ((option, getattr(config, option)) for option in info.options)
    told = ",".join(f"{option}={_format_option(value)}" for option, value in options if value is not None)
    return f"{info.name}:{told}" if told else info.name


def _format_option(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_config(name: str, config: type[Any], text: str, main_option: str = "") -> Any:
    """A config of that type with the options given as text; what names none is the value of the main one.

    Raises:
        AgentError: if it has no such option or value, under the name of whom it is for.

    >>> read_config("halving", HalvingConfig, "simulations=5000").simulations
    5000
    """
    defaults = {field.name: field.default for field in dataclasses.fields(config)}
    parts = text.split(",") if text.strip() else []
    values: dict[str, object] = {}
    if parts and parts[0].strip() == "as_published" and hasattr(config, "as_published"):
        values = dataclasses.asdict(config.as_published())
        parts = parts[1:]
    given: set[str] = set()
    for part in parts:
        option, separator, value = (word.strip() for word in part.partition("="))
        if main_option and option not in defaults:
            option, separator, value = main_option, "=", part.strip()
        if not separator or option not in defaults:
            known = ", ".join(defaults) or "none"
            raise AgentError(f"{name} has no option {shorten(part.strip())}; there are: {known}")
        if option in given:
            raise AgentError(f"{name}: {option} is given twice")
        given.add(option)
        default = defaults[option]
        try:
            values[option] = _read_like(default, value)
        except ValueError:
            raise AgentError(f"{name}: {option} must be {_wanted_like(default)}, not {shorten(value)}") from None
    try:
        return config(**values)
    except AgentError as error:
        raise AgentError(f"{name}: {str(error).removeprefix(f'{name}: ')}") from None


def _wanted_like(default: object) -> str:
    if isinstance(default, bool):
        return "true or false"
    return f"a whole number such as {default}" if isinstance(default, int) else f"a number such as {default}"


def _read_like(default: object, text: str) -> object:
    """Reads an option's value as what its default is."""
    if isinstance(default, bool):
        if text.lower() not in ("true", "false"):
            raise ValueError(text)
        return text.lower() == "true"
    if isinstance(default, int):
        if not re.fullmatch(r"-?[0-9]{1,18}", text):
            raise ValueError(text)
        return int(text)
    return float(text) if isinstance(default, float) else text
