"""Worlds that a seat cannot tell apart."""

import random

from lastcard.cards import format_cards
from lastcard.state import State


def other_world(state: State, seat: int, rng: random.Random) -> State | None:
    """The same for the seat, but with two cards that it cannot see swapped, and another seed for what is to come."""
    fields = state.to_dict()
    players: list[dict[str, object]] = fields["players"]  # type: ignore[assignment]
    hidden = {other: list(state.hand(other)) for other in range(len(players)) if other != seat}
    hidden[-1] = list(state.draw_pile)
    places = [
        (place, i)
        for place, cards in hidden.items()
        for i, card in enumerate(cards)
        if place != state.seat or card is not state.drawn_card  # that one has to stay
    ]
    pairs = [
        ((place, i), (where, j))
        for place, i in rng.sample(places, min(8, len(places)))
        for where, j in rng.sample(places, min(8, len(places)))
        if place != where and hidden[place][i] is not hidden[where][j]
    ]
    if not pairs:
        return None
    (place, i), (where, j) = rng.choice(pairs)
    hidden[place][i], hidden[where][j] = hidden[where][j], hidden[place][i]
    for other, cards in hidden.items():
        if other >= 0:
            players[other]["hand"] = format_cards(cards)
    fields["draw_pile"] = format_cards(hidden[-1])
    fields["seed"] = state.seed + 1
    return State.from_dict(fields)
