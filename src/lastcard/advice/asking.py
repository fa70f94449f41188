"""Who searches a situation, and for how long, unless one says otherwise: the same wherever one asks.

Messages name what was given as `agent`, `simulations` and so on, in backticks, as those of a situation do.
"""

from __future__ import annotations

import dataclasses
from typing import Final

from lastcard.agents import find_agent, list_agents, make_agent
from lastcard.errors import AgentError, shorten
from lastcard.search.dispatch import SearchConfig
from lastcard.search.expectiminimax import ExpectiminimaxConfig

HYPOTHESES: Final = 4096
"""More than a search needs, so that the probabilities shown are steady to about a percent."""
SIMULATIONS: Final = 20_000
"""Of `halving`, unless asked otherwise."""


def make_config(
    agent: str = "halving", simulations: int | None = None, seconds: float = 0.0, belief: str = ""
) -> SearchConfig:
    """The search that is meant: the agent's own options, with what else was asked for in their place.

    Raises:
        AgentError: if it does not search, or has no such option.

    >>> make_config().simulations, make_config("ismcts", simulations=50).simulations
    (20000, 50)
    """
    try:
        config = getattr(make_agent(agent), "config", None)
    except AgentError as error:
        raise AgentError(f"`agent`: {error}") from None
    if not isinstance(config, SearchConfig):
        names = ", ".join(info.name for info in list_agents() if "belief" in info.options)
        raise AgentError(f"`agent` must be one that searches ({names}), not {shorten(agent)}")
    changes: dict[str, object] = {"simulations": simulations, "seconds": seconds or None, "belief": belief or None}
    options = find_agent(agent).options
    if simulations is not None and "simulations" not in options:
        raise AgentError(f"`simulations` is no option of {shorten(agent)}; give it `seconds`, or options of its own")
    if not isinstance(config, ExpectiminimaxConfig) and config.hypotheses == options["hypotheses"]:
        changes["hypotheses"] = HYPOTHESES
    if simulations is None and agent.strip() == "halving":
        changes["simulations"] = SIMULATIONS
    try:
        return dataclasses.replace(config, **{name: value for name, value in changes.items() if value is not None})  # type: ignore[arg-type]
    except AgentError as error:
        name, space, rest = str(error).partition(" ")
        raise AgentError(f"`{name}`{space}{rest}") from None
