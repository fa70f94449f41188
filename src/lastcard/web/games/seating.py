"""Seats of a new game: who sits there and what they are called."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from lastcard.agents import find_agent
from lastcard.errors import AgentError, RequestError, shorten
from lastcard.rules import Rules
from lastcard.web.limits import Limits, check_agent

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
    """Name of a person: the wanted one, with a number if another seat has it.

    Raises:
        RequestError: with status 422, if it cannot be used.

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


def check_offered(seats: Sequence[SeatInfo]) -> None:
    """Checks that the agents of a stored game are still offered: the operator may have dropped a plug-in.

    Raises:
        RequestError: with status 409, naming the one that is not.
    """
    for name in (info.stand_in if info.is_person else info.agent for info in seats):
        try:
            find_agent(name)
        except AgentError:
            message = f"this game is against {shorten(name)}, which this server does not offer any more"
            raise RequestError(message, status=409) from None
