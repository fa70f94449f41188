"""Whom one can play and ask: levels and agents by name, with the options that a server allows."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lastcard.agents import LEVELS, Agent, find_agent, find_level, is_built_in, list_agents, make_agent, split_name
from lastcard.errors import AgentError, RequestError, shorten
from lastcard.rules import Rules
from lastcard.web.limits import Limits

PERSON: Final = "human"
"""The person's name in records."""
YOU: Final = "You"
MOST_NAME: Final = 20
"""Characters of a person's name."""
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
    """Whether the seat is for a person."""
    stand_in: str = "heuristic"
    """The agent that plays there while no person does."""


def seat_opponents(
    opponents: Sequence[str], rules: Rules, seat: int, limits: Limits, friends: int = 0
) -> tuple[SeatInfo, ...]:
    """Seats a person, friends and agents, in this order from the person's seat on; the last opponent repeats.

    The agent of the first opponent stands in for friends.

    Raises:
        RequestError: if there are too many of them, or one is not to be had.

    >>> seats = seat_opponents(["easy", "hard"], Rules(players=4), seat=0, limits=Limits(), friends=1)
    >>> [(info.name, info.level) for info in seats]
    [('You', 'easy'), ('Ada', 'easy'), ('Ben', 'easy'), ('Cleo', 'hard')]
    """
    players = rules.players
    if friends > players - 1:
        message = f"friends must be at most {players - 1} for {players} players, not {friends}"
        raise RequestError(message, status=422, field="friends")
    room = players - 1 - friends
    if len(opponents) > max(room, 1):
        guests = f" with {friends} friends" if friends else ""
        message = f"opponents must be at most {max(room, 1)} for {players} players{guests}, not {len(opponents)}"
        raise RequestError(message, status=422, field="opponents")
    agents = {level: check_agent(level, limits, "opponents") for level in opponents}
    for level, agent in agents.items():
        if not find_agent(agent).can_play(rules):
            message = f"{shorten(level)} does not play by these rules: {rules}"
            raise RequestError(message, status=422, field="opponents")
    first = opponents[0]
    levels = [first] * friends + [*opponents, *[opponents[-1]] * room][:room]
    seats = [
        SeatInfo(name, level, PERSON if number < friends else agents[level], number < friends, agents[level])
        for number, (name, level) in enumerate(zip(_NAMES, levels, strict=False))
    ]
    seats.insert(seat, SeatInfo(YOU, first, PERSON, True, agents[first]))
    return tuple(seats)


def find_name(wanted: str, taken: Collection[str]) -> str:
    """What a person shall be called: what is wanted, with a number if others go by that.

    Raises:
        RequestError: with status 422, if it is no name.

    >>> find_name(" Ada ", ["You", "Ada"])
    'Ada 2'
    """
    name = " ".join(wanted.split())
    if not name or not name.isprintable() or len(name) > MOST_NAME:
        message = f"name must be 1 to {MOST_NAME} characters that can be printed, not {shorten(wanted)}"
        raise RequestError(message, status=422, field="name")
    others = {other.casefold() for other in (*taken, YOU)}
    numbered = (f"{name} {number}" for number in range(2, len(others) + 3))
    return next(found for found in (name, *numbered) if found.casefold() not in others)


def check_agent(text: str, limits: Limits, field: str) -> str:
    """The agent of a level or name, with options only as the server allows.

    Raises:
        RequestError: if there is no such agent, or it is not to be had here.

    >>> check_agent("hard", Limits(), "opponents")
    'halving:simulations=1000'
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
        raise RequestError(f"{error}; {known}", status=422, field=field) from None
    config = getattr(agent, "config", None)
    for name, most in zip(_OPTIONS, (limits.max_simulations, limits.max_seconds), strict=True):
        if getattr(config, name, 0) > most:
            message = f"{shorten(text)}: {name} must be at most {most:g}"
            raise RequestError(message, status=422, field=field)
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


def check_offered(seats: Sequence[SeatInfo]) -> None:
    """Makes sure that the agents of a stored game are still there: plug-ins are only while the operator names them.

    Raises:
        RequestError: with status 409, naming the one that is not.
    """
    for name in (info.stand_in if info.is_person else info.agent for info in seats):
        try:
            find_agent(name)
        except AgentError:
            message = f"this game is against {shorten(name)}, which this server does not offer any more"
            raise RequestError(message, status=409) from None


def list_guests() -> dict[str, str]:
    """The agents of other packages that whoever runs the server has named, each with what it is."""
    return {info.name: info.summary for info in list_agents() if not is_built_in(info.name)}


def list_analysts() -> dict[str, str]:
    """The agents that can say what they think, each with what it is."""
    return {
        info.name: info.summary for info in list_agents() if hasattr(info.make, "search") and "seconds" in info.options
    }
