"""The view: all that a seat is sent about its game is made here.

It is made from the seat's own observation and from public facts, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lastcard import _core
from lastcard.cards import Card
from lastcard.observation import PublicObservation
from lastcard.web.contract.base import Length
from lastcard.web.games.seating import SeatInfo


@dataclass(frozen=True, slots=True)
class TableFacts:
    """Public facts about the table that observations do not have."""

    game: str
    length: Length
    seats: tuple[SeatInfo, ...]
    names: Sequence[str]
    """Name of each seat."""
    held: tuple[bool, ...]
    """True for each seat that a person holds."""
    open: tuple[bool, ...]
    """True for each seat that can be taken by a link."""
    here: tuple[bool, ...]
    """True for each seat for which a person decides, not an agent."""
    connected: tuple[bool, ...]
    """True for each seat whose player is connected; agents always are."""
    is_gathering: bool
    """True while the first round waits for people."""
    has_acted: bool
    """True if the receiver has acted, and the result is not shown yet."""
    has_rematch: bool
    """True if another player waits at a rematch."""
    deal_hash: str
    """SHA-256 of the seed."""
    is_over: bool
    """True if nothing is left to play."""
    winner: int | None
    """The seat that won, once nothing is left to play."""
    seed: int | None
    """The seed of the game, once nothing is left to play."""
    hands: tuple[tuple[Card, ...], ...] | None
    """All hands, once the round is over."""


def make_view(
    observation: PublicObservation,
    table: TableFacts,
    *,
    earlier: int = 0,
    since: int = 0,
    deadline_seconds: float | None = None,
) -> dict[str, Any]:
    """Makes the view of an observer, as JSON values.

    It has all that an observation has, so that a client can search by itself.

    Args:
        observation: The seat's own; a public one for a spectator.
        table: Public facts.
        earlier: Events of earlier rounds.
        since: The log starts after the event of that number.
        deadline_seconds: Time left to the seat, if it is limited.
    """
    return _core.describe_view(
        observation._core,
        {
            "game": table.game,
            "length": table.length,
            "seats": _list_seats(table),
            "is_gathering": table.is_gathering,
            "has_acted": table.has_acted,
            "earlier": earlier,
            "since": since,
            "deadline": None if deadline_seconds is None else round(max(deadline_seconds, 0.0), 2),
            "game_outcome": {"winner": table.winner, "scores": list(observation.scores)} if table.is_over else None,
            "deal_hash": table.deal_hash,
            "seed": None if table.seed is None else str(table.seed),
            "rematch": table.has_rematch,
            "hands": table.hands and [[card.text for card in hand] for hand in table.hands],
        },
    )


def _list_seats(table: TableFacts) -> list[dict[str, Any]]:
    # No agent plays at a table that all have left. A person who only let the time run out can come back.
    is_left = not any(table.here)
    return [
        {
            "name": table.names[seat],
            "level": "" if table.held[seat] else info.level,
            "is_person": table.held[seat],
            "is_open": table.open[seat],
            "is_away": table.held[seat]
            and not table.here[seat]
            and not table.is_gathering
            and (table.connected[seat] or not is_left),
            "connected": table.connected[seat],
        }
        for seat, info in enumerate(table.seats)
    ]
