"""The view: all that a seat is sent about its game is made here.

It is made from the seat's own observation and from public facts, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lastcard.cards import Card
from lastcard.observation import Observation, PublicObservation
from lastcard.rules import PRESETS, Rules, format_rules
from lastcard.web.contract.base import Length
from lastcard.web.games.log import last_deeds, list_log
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

    It has all that `Observation.from_dict` needs, so that a client can search by itself.

    Args:
        observation: The seat's own; a public one for a spectator.
        table: Public facts.
        earlier: Events of earlier rounds.
        since: The log starts after the event of that number.
        deadline_seconds: Time left to the seat, if it is limited.
    """
    own = observation if isinstance(observation, Observation) else None
    seat = own.observer if own else None
    return {
        "game": table.game,
        "seat": seat,
        **_table_facts(observation),
        **_own_facts(observation, table),
        "length": table.length,
        "seats": _list_seats(observation, table, seat),
        "log": list_log(observation, seat, earlier, since),
        "ply": earlier + observation.num_events,
        "deadline": None if deadline_seconds is None else round(max(deadline_seconds, 0.0), 2),
        "game_outcome": {"winner": table.winner, "scores": list(observation.scores)} if table.is_over else None,
        "deal_hash": table.deal_hash,
        "seed": None if table.seed is None else str(table.seed),
        "rematch": table.has_rematch,
        "hands": table.hands and [[card.text for card in hand] for hand in table.hands],
        "observation": own.describe(max(since - earlier, 0)) if own else None,
    }


def _table_facts(observation: PublicObservation) -> dict[str, Any]:
    """Facts that are the same for every seat."""
    color, last_color, outcome = observation.active_color, observation.last_color, observation.outcome
    return {
        "players": observation.rules.players,
        "rules": _describe_rules(observation.rules),
        "round": observation.round_number,
        "to_act": observation.seat,
        "direction": observation.direction,
        "active_color": color and color.letter,
        "last_color": last_color and last_color.letter,
        "top_card": observation.top_card.text,
        "top_player": observation.top_player,
        "draw_pile_size": observation.draw_pile_size,
        "discard_pile_size": len(observation.discards),
        "draw_sum": observation.draw_sum,
        "dealer": observation.dealer,
        "outcome": outcome and {**outcome.to_dict(), "scores": list(observation.scores)},
    }


def _own_facts(observation: PublicObservation, table: TableFacts) -> dict[str, Any]:
    """Facts of the observer: its phase, cards and legal actions; of a spectator, only the phase."""
    own = observation if isinstance(observation, Observation) else None
    is_asked = own is not None and own.seat == own.observer and not table.is_gathering and not table.has_acted
    phase = "gathering" if table.is_gathering else observation.phase.value
    return {
        "phase": phase if is_asked or observation.outcome or table.is_gathering else "waiting",
        "drawn_card": own.drawn_card.text if own and own.drawn_card else None,
        "hand": [card.text for card in own.hand] if own else [],
        "legal": [action.text for action in own.legal_actions] if own and is_asked else [],
    }


@lru_cache(maxsize=256)
def _describe_rules(rules: Rules) -> dict[str, str | None]:
    """The rules as text, and their preset, for any number of players."""
    fields = {**rules.to_dict(), "players": None}
    presets = (name for name in PRESETS if {**Rules.preset(name).to_dict(), "players": None} == fields)
    return {"text": format_rules(rules), "name": next(presets, None)}


def _list_seats(observation: PublicObservation, table: TableFacts, observer: int | None) -> list[dict[str, Any]]:
    sizes, declared, scores = observation.hand_sizes, observation.declared_uno, observation.scores
    deeds = last_deeds(observation.recall(), observer, len(table.seats))
    # No agent plays at a table that all have left. A person who only let the time run out can come back.
    is_left = not any(table.here)
    return [
        {
            "seat": seat,
            "name": table.names[seat],
            "level": "" if table.held[seat] else info.level,
            "is_person": table.held[seat],
            "is_open": table.open[seat],
            "is_away": table.held[seat]
            and not table.here[seat]
            and not table.is_gathering
            and (table.connected[seat] or not is_left),
            "cards": sizes[seat],
            "declared": seat in declared,
            "score": scores[seat],
            "last": deeds[seat],
            "connected": table.connected[seat],
        }
        for seat, info in enumerate(table.seats)
    ]
