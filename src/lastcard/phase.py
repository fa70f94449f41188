"""What a seat is asked, why a round ends, and the numbers for it in the core."""

from __future__ import annotations

from enum import Enum
from typing import Final

NONE: Final = 255
NO_COLOR: Final = 4


class Phase(Enum):
    """What the seat to act is being asked.

    >>> Phase("turn")
    <Phase.TURN: 'turn'>
    """

    TURN = "turn"
    """To play or draw."""
    DRAWN = "drawn"
    """To play the card just drawn, or keep it."""
    NAME_COLOR = "name_color"
    """To name the color of a turned-up Wild."""
    ANSWER = "answer"
    """To accept, stack on or challenge a draw card."""
    SWAP = "swap"
    """To choose whom to swap hands with."""
    CATCH = "catch"
    """Whether to call a forgotten UNO late, or to catch it."""
    JUMP_IN = "jump_in"
    """Whether to play the identical card out of turn."""
    OVER = "over"
    """Nothing: the round is over."""


class Ending(Enum):
    """Why a round is over.

    >>> Ending("blocked")
    <Ending.BLOCKED: 'blocked'>
    """

    WENT_OUT = "went_out"
    BLOCKED = "blocked"
    MAX_PLIES = "max_plies"


PHASES: Final = tuple(Phase)
ENDINGS: Final = (None, *Ending)
