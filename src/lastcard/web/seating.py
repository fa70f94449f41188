"""Whom one can play and ask: levels and agents by name, with the options that a server allows."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from lastcard.agents import LEVELS, Agent, find_agent, list_agents, make_agent
from lastcard.errors import AgentError, RequestError, shorten
from lastcard.web.limits import Limits

PERSON: Final = "human"
"""The person's name in records."""
YOU: Final = "You"
_NAMES: Final = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ivo")
_OPTIONS: Final = ("simulations", "seconds")
"""What may follow an agent's name; others name files, threads or memory."""


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who sits there, as everybody may know."""

    name: str
    level: str
    """The level or agent; empty for a person."""
    agent: str
    """As the record names it."""
    is_person: bool


def seat_opponents(opponents: Sequence[str], players: int, seat: int, limits: Limits) -> tuple[SeatInfo, ...]:
    """Seats a person among agents; the last opponent repeats.

    Raises:
        RequestError: if there are too many of them, or one is not to be had.

    >>> [info.name for info in seat_opponents(["easy", "hard"], players=3, seat=0, limits=Limits())]
    ['You', 'Ada', 'Ben']
    """
    if len(opponents) > players - 1:
        message = f"opponents must be at most {players - 1} for {players} players, not {len(opponents)}"
        raise RequestError(message, status=422, field="opponents")
    others = [*opponents, *[opponents[-1]] * (players - 1 - len(opponents))]
    seats = [
        SeatInfo(name, level, check_agent(level, limits, "opponents"), False)
        for name, level in zip(_NAMES, others, strict=False)
    ]
    seats.insert(seat, SeatInfo(YOU, "", PERSON, True))
    return tuple(seats)


def check_agent(text: str, limits: Limits, field: str) -> str:
    """The agent of a level or name, with options only as the server allows.

    Raises:
        RequestError: if there is no such agent, or it is not to be had here.

    >>> check_agent("hard", Limits(), "opponents")
    'halving:simulations=1000'
    """
    if text in LEVELS:
        return LEVELS[text].agent
    for option in filter(None, text.partition(":")[2].split(",")):
        name = option.partition("=")[0].strip()
        if name not in _OPTIONS:
            message = (
                f"{shorten(text)}: here agents take the options {' and '.join(_OPTIONS)} only, not {shorten(name)}"
            )
            raise RequestError(message, status=422, field=field)
    try:
        agent: Any = make_agent(text)
    except AgentError as error:
        known = f"or a level: {', '.join(LEVELS)}"
        raise RequestError(f"{error}; {known}", status=422, field=field) from None
    config = getattr(agent, "config", None)
    for name, most in zip(_OPTIONS, (limits.max_simulations, limits.max_seconds), strict=True):
        if getattr(config, name, 0) > most:
            message = f"{shorten(text)}: {name} must be at most {most:g}"
            raise RequestError(message, status=422, field=field)
    return text


def make_window_agent(text: str, seed: int, limits: Limits) -> Agent:
    """The agent as it answers in a window, where it has to be quick."""
    info = find_agent(text)
    agent: Any = make_agent(text, seed)
    if not set(_OPTIONS) <= set(info.options):
        return agent  # type: ignore[no-any-return]
    config = agent.config
    is_quick = config.seconds == 0 and config.simulations <= limits.window_simulations
    if is_quick:
        return agent  # type: ignore[no-any-return]
    agent.config = dataclasses.replace(config, simulations=limits.window_simulations, seconds=0.0)
    return agent  # type: ignore[no-any-return]


def list_analysts() -> dict[str, str]:
    """The agents that can say what they think, each with what it is."""
    return {
        info.name: info.summary
        for info in list_agents()
        if hasattr(info.make, "search") and set(_OPTIONS) <= set(info.options)
    }
