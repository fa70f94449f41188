"""Kinds of decisions, ways a round ends, and their numbers in the core."""

from __future__ import annotations

from enum import Enum
from typing import Final

NONE: Final = 255
NO_COLOR: Final = 4


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
