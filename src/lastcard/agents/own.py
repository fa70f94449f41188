"""Agents of your own: an object, a class or a function, made into what the registry knows of its agents."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lastcard.actions import Action
from lastcard.agents.info import AgentInfo
from lastcard.agents.interface import Agent
from lastcard.errors import AgentError, LastcardError, shorten
from lastcard.observation import Observation
from lastcard.options import list_options

AgentLike = str | Agent | type[Agent] | Callable[..., Agent] | AgentInfo
"""Everything that is accepted where an agent is expected."""


@dataclass(frozen=True, slots=True)
class NoOptions:
    """The config of an agent that has no options."""


@dataclass(frozen=True, slots=True)
class Maker:
    """Calls a class or function of your own with what it takes: `config`, `seed`, both or nothing."""

    name: str
    source: Any
    parameters: tuple[str, ...]

    def __call__(self, config: Any, seed: int) -> Agent:
        """Makes an agent.

        Raises:
            AgentError: if that fails, or what is made cannot choose.
        """
        given = {"config": config, "seed": seed}
        try:
            agent = self.source(**{name: given[name] for name in self.parameters})
        except LastcardError:
            raise
        except Exception as error:  # code of others may raise anything; the message names the agent, not our stack
            raise AgentError(f"{self.name} cannot be made: {type(error).__name__}: {error}") from error
        if not can_choose(agent):
            raise AgentError(f"{self.name} does not make an agent: {shorten(agent)} has no method choose(observation)")
        return agent  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Same:
    """An object of your own, which plays in every seat and round itself."""

    source: Any

    def __call__(self, config: Any, seed: int) -> Agent:
        """Returns the object."""
        return self.source  # type: ignore[no-any-return]


class GuardedAgent:
    """Plays as an agent of your own does; whatever that raises becomes an `AgentError`, which is said in one line."""

    def __init__(self, name: str, agent: Agent) -> None:
        self.name = name
        self._agent = agent

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        try:
            return self._agent.choose(observation)
        except LastcardError:
            raise
        except Exception as error:
            raise AgentError(f"{self.name} failed to choose: {type(error).__name__}: {error}") from error

    def __repr__(self) -> str:
        return repr(self._agent)


def can_choose(agent: object) -> bool:
    """Returns True for an object with `choose(observation)`."""
    return not isinstance(agent, type) and callable(getattr(agent, "choose", None))


def name_own(agent: object) -> str:
    """Returns the name of an agent of your own: its `name`, or the name of its class or function.

    >>> class Mine:
    ...     def choose(self, observation): ...
    >>> name_own(Mine), name_own(Mine())
    ('Mine', 'Mine')
    """
    name = getattr(agent, "name", None)
    if isinstance(name, str):
        if not name:
            raise AgentError(f"{shorten(agent)} has an empty name: give it one, or leave `name` out")
        return name
    while isinstance(agent, functools.partial):
        agent = agent.func
    is_named = isinstance(agent, type) or inspect.isroutine(agent)
    return str(getattr(agent if is_named else type(agent), "__name__", "agent"))


def describe_own(agent: object, name: str = "") -> AgentInfo:
    """Describes an agent of your own as the registry describes its agents.

    A class or function is called with `seed=` if it has a parameter of that name, and with `config=` if it has one that
    is annotated with a dataclass: its fields are the options.

    Raises:
        AgentError: if it is no agent and makes none.

    >>> describe_own(lambda: None, "mine").options
    {}
    >>> describe_own(3)
    Traceback (most recent call last):
    lastcard.errors.AgentError: 3 is not an agent: expected an object with choose(observation), or a class ...
    """
    if isinstance(agent, AgentInfo):
        _check_options(agent.config, agent.name)
        return dataclasses.replace(agent, name=name or agent.name)
    name = name or name_own(agent)
    if can_choose(agent):
        return AgentInfo(name, _summarize(agent), NoOptions, Same(agent))
    if isinstance(agent, type) and not callable(getattr(agent, "choose", None)):
        raise AgentError(f"{name} is not an agent: the class has no method choose(observation)")
    if not callable(agent):
        expected = "an object with choose(observation), or a class or function that makes one"
        raise AgentError(f"{shorten(agent)} is not an agent: expected {expected}")
    config, parameters = _read_parameters(agent, name)
    return AgentInfo(name, _summarize(agent), config, Maker(name, agent, parameters))


def _read_parameters(agent: Callable[..., Any], name: str) -> tuple[type[Any], tuple[str, ...]]:
    """The type of its config, and which of `config` and `seed` it takes."""
    try:
        parameters = inspect.signature(agent).parameters.values()
    except (TypeError, ValueError):
        return NoOptions, ()
    named = [each for each in parameters if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    taken = tuple(each.name for each in named if each.name in ("config", "seed") and each.kind != each.POSITIONAL_ONLY)
    others = [each.name for each in named if each.default is each.empty and each.name not in taken]
    if others:
        raise AgentError(f"{name} cannot be made: it needs {', '.join(others)}; only config and seed are given")
    if "config" not in taken:
        return NoOptions, taken
    try:
        made_by: Any = agent.__init__ if isinstance(agent, type) else agent  # type: ignore[misc]
        config = typing.get_type_hints(made_by).get("config")
    except Exception as error:
        raise AgentError(f"{name}: the annotation of config cannot be read: {error}") from None
    if not (isinstance(config, type) and dataclasses.is_dataclass(config)):
        raise AgentError(f"{name}: config must be annotated with a dataclass, whose fields are the options")
    _check_options(config, name)
    return config, taken


def _check_options(config: type[Any], name: str) -> None:
    """Makes sure that every option can be written as text."""
    for option, default in list_options(config).items():
        if not isinstance(default, bool | int | float | str):
            wanted = "a default that is a number, a text, True or False"
            raise AgentError(f"{name}: option {option} must have {wanted}, not {shorten(default)}")


def _summarize(agent: object) -> str:
    """The first line of its docstring."""
    text = inspect.getdoc(agent) or ""
    return text.partition("\n")[0].strip() or "an agent of your own"
