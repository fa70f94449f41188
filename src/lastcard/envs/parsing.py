"""Cards, colors and actions as they are, or as text."""

from __future__ import annotations

from collections.abc import Sequence

from lastcard.actions import Action, parse_action
from lastcard.cards import Card, Color, parse_card, parse_cards, parse_color


def read_card(card: Card | str) -> Card:
    """The card.

    >>> read_card("r5").text
    'r5'
    """
    return card if isinstance(card, Card) else parse_card(card)


def read_cards(cards: Sequence[Card] | str) -> list[Card]:
    """The cards, in a list of their own.

    >>> len(read_cards("r5 w"))
    2
    """
    return list(parse_cards(cards)) if isinstance(cards, str) else [read_card(card) for card in cards]


def read_color(color: Color | str | None) -> Color | None:
    """The color, if there is one.

    >>> read_color("g")
    <Color.GREEN: 2>
    """
    return parse_color(color) if isinstance(color, str) else color


def read_action(action: Action | str) -> Action:
    """The action.

    >>> read_action("w:g").draw_penalty
    0
    """
    return action if isinstance(action, Action) else parse_action(action)
