"""Phases and endings of a round, what the rules allow in them, and the core's turn made of them."""

from __future__ import annotations

from enum import Enum
from typing import Final

from lastcard import _core
from lastcard.cards import CARDS, Card, Color
from lastcard.rules import Rules


class Phase(Enum):
    """Kind of decision that the seat to act faces.

    >>> Phase("turn")
    <Phase.TURN: 'turn'>
    """

    TURN = "turn"
    """Play or draw."""
    DRAWN = "drawn"
    """Play the card just drawn, or keep it."""
    NAME_COLOR = "name_color"
    """Name the color of a turned-up Wild."""
    ANSWER = "answer"
    """Accept, stack on or challenge a draw card."""
    SWAP = "swap"
    """Choose the seat to swap hands with."""
    CATCH = "catch"
    """Call a forgotten UNO late, catch it, or pass."""
    JUMP_IN = "jump_in"
    """Play the identical card out of turn, or pass."""
    OVER = "over"
    """Nothing: the round is over."""


class Ending(Enum):
    """Way in which a round ended.

    >>> Ending("blocked")
    <Ending.BLOCKED: 'blocked'>
    """

    WENT_OUT = "went_out"
    BLOCKED = "blocked"
    MAX_PLIES = "max_plies"


PHASES: Final = tuple(Phase)
ENDINGS: Final = (None, *Ending)


def can_come_up(phase: Phase, rules: Rules, top: Card = CARDS[0]) -> bool:
    """Returns whether the rules ask for such a decision at all; answers and swaps depend on the card on top."""
    return _core.can_come_up(rules._compiled, PHASES.index(phase), top.index)


def can_stack(card: Card, rules: Rules, top: Card) -> bool:
    """Returns whether a card can be stacked on the draw card on top (Rule 10.1)."""
    return _core.can_stack(rules._compiled, card.index, top.index)


def can_be_owed(cards: int, rules: Rules, top: Card) -> bool:
    """Returns whether a seat can owe so many cards for the card on top (Rules 6.3 and 10.1)."""
    return _core.can_be_owed(rules._compiled, cards, top.index)


def can_challenge(rules: Rules, top: Card) -> bool:
    """Returns whether the card on top can be challenged (Rule 6.3)."""
    return _core.can_challenge(rules._compiled, top.index)


def is_uno_called(rules: Rules) -> bool:
    """Returns whether UNO is called for a seat, so that nobody can forget it (Rule 7.2)."""
    return not can_come_up(Phase.CATCH, rules)


def make_turn(
    phase: Phase,
    seat: int | None,
    *,
    active_color: Color | None,
    last_color: Color | None,
    drawn: Card | None,
    ending: Ending | None = None,
    **others: object,
) -> _core.Turn:
    """Makes the core's turn; `others` are fields of `_core.Turn` that need no translation."""
    return _core.Turn(
        phase=PHASES.index(phase),
        seat=seat,
        active_color=active_color and active_color.value,
        last_color=last_color and last_color.value,
        drawn=drawn and drawn.index,
        ending=ENDINGS.index(ending),
        **others,
    )
