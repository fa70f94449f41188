"""Frames: a round as one seat saw it, ply by ply. All that a study sends of a seat's view is made here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lastcard.cards import Card
from lastcard.events import Event
from lastcard.observation import Observation
from lastcard.web.games.log import describe_event


def make_frame(observation: Observation, ply: int, events: Sequence[Event]) -> dict[str, Any]:
    """The table as the observer saw it after that many actions, with the new events, as JSON values."""
    color, drawn = observation.active_color, observation.drawn_card
    return {
        "ply": ply,
        "to_act": observation.seat,
        "phase": observation.phase.value,
        "direction": observation.direction,
        "active_color": color and color.letter,
        "top_card": observation.top_card.text,
        "drawn_card": drawn and drawn.text,
        "draw_pile_size": observation.draw_pile_size,
        "draw_sum": observation.draw_sum,
        "cards": list(observation.hand_sizes),
        "hands": [
            list_cards(observation.hand) if seat == observation.observer else None
            for seat in range(len(observation.hand_sizes))
        ],
        "declared": list(observation.declared_uno),
        "log": [describe_event(event, dict(event.hands)) for event in events],
    }


def list_cards(cards: Sequence[Card]) -> list[str]:
    """Cards in notation."""
    return [card.text for card in cards]
