"""Seats of a new game: who sits there and what they are called."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from lastcard.agents import find_agent
from lastcard.errors import AgentError, shorten
from lastcard.rules import Rules
from lastcard.web.limits import Limits, check_agent
from lastcard.web.refusals import refuse

PERSON: Final = "human"
"""The person's name in records."""
YOU: Final = "You"
MOST_NAME: Final = 20
"""Characters of a person's name."""
_NAMES: Final = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ivo")


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A seat and its player, as everyone may know."""

    name: str
    level: str
    """The level or agent; empty for a person."""
    agent: str
    """The agent's name in the record."""
    is_person: bool
    """True for a seat that is for a person."""
    stand_in: str = "heuristic"
    """The agent that plays there while no person does."""


def seat_opponents(
    opponents: Sequence[str], rules: Rules, seat: int, limits: Limits, friends: int = 0
) -> tuple[SeatInfo, ...]:
    """Seats a person, friends and agents, in this order from the person's seat on; the last opponent repeats.

    The agent of the first opponent stands in for friends.

    Raises:
        RequestError: if there are too many, or one is not available.

    >>> seats = seat_opponents(["easy", "hard"], Rules(players=4), seat=0, limits=Limits(), friends=1)
    >>> [(info.name, info.level) for info in seats]
    [('You', 'easy'), ('Ada', 'easy'), ('Ben', 'easy'), ('Cleo', 'hard')]
    """
    players = rules.players
    if friends > players - 1:
        raise refuse("too_many_friends", most=players - 1, players=players, friends=friends)
    room = players - 1 - friends
    if len(opponents) > max(room, 1):
        most, given = max(room, 1), len(opponents)
        raise refuse("too_many_opponents", most=most, players=players, friends=friends, opponents=given)
    agents = {level: check_agent(level, limits, "opponents") for level in opponents}
    for level, agent in agents.items():
        if not find_agent(agent).can_play(rules):
            raise refuse("agent_rules", agent=shorten(level), rules=str(rules))
    first = opponents[0]
    levels = [first] * friends + [*opponents, *[opponents[-1]] * room][:room]
    seats = [
        SeatInfo(name, level, PERSON if number < friends else agents[level], number < friends, agents[level])
        for number, (name, level) in enumerate(zip(_NAMES, levels, strict=False))
    ]
    seats.insert(seat, SeatInfo(YOU, first, PERSON, True, agents[first]))
    return tuple(seats)


def find_name(wanted: str, taken: Collection[str]) -> str:
    """Name of a person: the wanted one, with a number if another seat has it.

    Raises:
        RequestError: with status 422, if it cannot be used.

    >>> find_name(" Ada ", ["You", "Ada"])
    'Ada 2'
    """
    name = " ".join(wanted.split())
    if not name or not name.isprintable() or len(name) > MOST_NAME:
        raise refuse("bad_name", most=MOST_NAME, name=shorten(wanted))
    others = {other.casefold() for other in (*taken, YOU)}
    numbered = (f"{name} {number}" for number in range(2, len(others) + 3))
    return next(found for found in (name, *numbered) if found.casefold() not in others)


def check_offered(seats: Sequence[SeatInfo]) -> None:
    """Checks that the agents of a stored game are still offered: the operator may have dropped a plug-in.

    Raises:
        RequestError: with status 409, naming the one that is not.
    """
    for name in (info.stand_in if info.is_person else info.agent for info in seats):
        try:
            find_agent(name)
        except AgentError:
            raise refuse("agent_gone", agent=shorten(name)) from None
