"""Agents by name, with options: `heuristic:wild_below=2`."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from lastcard.agents.base import Agent
from lastcard.agents.first_legal import FirstLegalAgent, FirstLegalConfig
from lastcard.agents.heuristic import HeuristicAgent, HeuristicConfig
from lastcard.agents.random import RandomAgent, RandomConfig
from lastcard.errors import AgentError, shorten
from lastcard.seeds import split_seed


@dataclass(frozen=True, slots=True)
class AgentInfo:
    """An agent one can ask for by name."""

    name: str
    summary: str
    config: type[Any]
    make: Callable[[Any, int], Agent]

    @property
    def options(self) -> dict[str, object]:
        """Each option with its default."""
        return {field.name: field.default for field in dataclasses.fields(self.config)}


_AGENTS: Final[Mapping[str, AgentInfo]] = {
    info.name: info
    for info in (
        AgentInfo("random", "any legal action, but draws only when it must", RandomConfig, RandomAgent),
        AgentInfo("first_legal", "the first legal action in the list", FirstLegalConfig, FirstLegalAgent),
        AgentInfo("heuristic", "rules of thumb, no search", HeuristicConfig, HeuristicAgent),
    )
}


def list_agents() -> tuple[AgentInfo, ...]:
    """Every agent there is.

    >>> [info.name for info in list_agents()]
    ['random', 'first_legal', 'heuristic']
    """
    return tuple(_AGENTS.values())


def make_agent(name: str, seed: int = 0) -> Agent:
    """The agent of that name, with options after a colon: `heuristic:wild_below=2,four_below=3`.

    Raises:
        AgentError: if there is no such agent or option, saying which there are.

    >>> make_agent("heuristic:wild_below=2").config.wild_below
    2
    """
    kind, _, options = name.partition(":") if isinstance(name, str) else ("", "", "")
    info = _AGENTS.get(kind.strip())
    if info is None:
        raise AgentError(f"no agent {shorten(name)}; there are {', '.join(_AGENTS)}")
    return info.make(_read_config(info, options), split_seed(seed, "agent"))


def _read_config(info: AgentInfo, text: str) -> Any:
    values: dict[str, object] = {}
    for part in text.split(",") if text.strip() else ():
        name, separator, value = (word.strip() for word in part.partition("="))
        default = info.options.get(name)
        if not separator or name not in info.options:
            known = ", ".join(info.options) or "none"
            raise AgentError(f"{info.name} has no option {shorten(part.strip())}; there are: {known}")
        if name in values:
            raise AgentError(f"{info.name}: {name} is given twice")
        try:
            values[name] = _read_like(default, value)
        except ValueError:
            raise AgentError(
                f"{info.name}: {name} must be a {type(default).__name__} such as {default}, not {shorten(value)}"
            ) from None
    return info.config(**values)


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
