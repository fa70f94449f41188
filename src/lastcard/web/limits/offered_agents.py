"""Agents that a server offers, with the options that its limits allow."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

from lastcard.agents import LEVELS, Agent, find_agent, find_level, is_built_in, list_agents, make_agent, split_name
from lastcard.errors import AgentError, shorten
from lastcard.web.limits.values import Limits
from lastcard.web.refusals import refuse

_OPTIONS: Final = ("simulations", "seconds")
"""Options that clients may set; others name files, threads or memory."""


def check_agent(text: str, limits: Limits, field: str) -> str:
    """The agent of a level or name, with options only as the server allows.

    Raises:
        RequestError: if there is no such agent, or it is not available here.

    >>> check_agent("hard", Limits(), "opponents")
    'halving:simulations=1000,short_rounds=true'
    """
    if text.strip().lower() in LEVELS:
        return find_level(text).agent
    try:
        info, options = split_name(text)
        allowed = [name for name in _OPTIONS if name in info.options]
        for option in filter(None, options.split(",")):
            name = option.partition("=")[0].strip()
            if name not in allowed:
                known = " and ".join(allowed) or "no options"
                raise AgentError(f"{shorten(text)} takes {known} here, not {shorten(name)}")
        agent: Any = make_agent(text)
    except AgentError as error:
        known = f"or a level: {', '.join(LEVELS)}"
        raise refuse("no_agent", at=field, reason=f"{error}; {known}") from None
    config = getattr(agent, "config", None)
    for name, most in zip(_OPTIONS, (limits.max_simulations, limits.max_seconds), strict=True):
        if getattr(config, name, 0) > most:
            raise refuse("no_agent", at=field, reason=f"{shorten(text)}: {name} must be at most {most:g}")
    return text


def make_window_agent(text: str, seed: int, limits: Limits) -> Agent:
    """The agent as it answers in a window, where it has to be quick."""
    options = find_agent(text).options if is_built_in(text) else {}
    agent: Any = make_agent(text, seed)
    if "simulations" in options:
        most = limits.window_simulations
        simulations = most if agent.config.seconds else min(agent.config.simulations, most)
        agent.config = dataclasses.replace(agent.config, simulations=simulations, seconds=0.0)
    elif "seconds" in options:
        agent.config = dataclasses.replace(agent.config, seconds=limits.window_seconds)
    return agent  # type: ignore[no-any-return]


def list_guests() -> dict[str, str]:
    """Agents of other packages that the operator has named, each with its summary."""
    return {info.name: info.summary for info in list_agents() if not is_built_in(info.name)}


def list_analysts() -> dict[str, str]:
    """Agents that can report their search, each with its summary; browsers have them as well."""
    return {
        info.name: info.summary
        for info in list_agents()
        if is_built_in(info.name) and hasattr(info.make, "search") and "seconds" in info.options
    }
