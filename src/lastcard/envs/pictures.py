"""Pictures of a table with all hands open: as text, and as pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from lastcard.cards import Card, Color, format_cards
from lastcard.errors import StateError, shorten
from lastcard.state import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RENDER_MODES: Final = ("human", "ansi", "rgb_array")
"""Printed, as text, and as pixels."""
_PIXEL: Final = 4
"""Screen pixels a side of each dot drawn."""
_CARD_WIDTH, _CARD_HEIGHT, _GAP = 9, 11, 2
_WIDTH: Final = 2 * _GAP + 5 + 14 * (_CARD_WIDTH + 1)
"""Dots: a marker, and room for fourteen cards side by side; longer hands overlap."""

_FELT, _BLACK, _WHITE, _BACK = (28, 60, 48), (24, 24, 24), (245, 245, 245), (110, 110, 120)
_COLORS: Final = {
    Color.RED: (205, 45, 45),
    Color.YELLOW: (225, 180, 20),
    Color.GREEN: (45, 150, 70),
    Color.BLUE: (45, 95, 200),
}
# Three dots wide and five high; an octal digit for each row.
_GLYPHS: Final = {
    **{"0": "75557", "1": "26227", "2": "71747", "3": "71717", "4": "55711", "5": "74717", "6": "74757"},
    **{"7": "71244", "8": "75757", "9": "75717", "S": "55255", "R": "65655", "+": "02720"},
}


def write_table(state: State) -> str:
    """The table as lines of text, with a mark at the seat to act.

    >>> from lastcard.state import parse_state
    >>> print(write_table(parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR")))
    top r5, red; 101 to draw; turns ascend
    > seat 0  r7 b2 w
      seat 1  yR g1 g1
    """
    color = state.active_color.word if state.active_color else "no color yet"
    order = "ascend" if state.direction == 1 else "descend"
    lines = [f"top {state.top_card}, {color}; {len(state.draw_pile)} to draw; turns {order}"]
    for seat in range(state.rules.players):
        lines.append(f"{'>' if seat == state.seat else ' '} seat {seat}  {format_cards(state.hand(seat))}")
    if state.outcome is not None:
        winner = state.outcome.winner
        lines.append("nobody wins" if winner is None else f"seat {winner} wins")
    return "\n".join(lines)


def paint_table(state: State) -> NDArray[np.uint8]:
    """The table as an image, the same size for all rounds of as many players.

    First the top card on its active color and what is left to draw, then a row for each seat, the one to act marked.

    >>> from lastcard.rules import Rules
    >>> from lastcard.state import deal
    >>> paint_table(deal(Rules.preset("official"), seed=7)).shape
    (172, 596, 3)
    """
    import numpy as np

    row_height = _CARD_HEIGHT + _GAP
    dots = np.empty((_GAP + (1 + state.rules.players) * row_height + _GAP, _WIDTH, 3), np.uint8)
    dots[:] = _FELT
    left = _GAP + 5
    if state.active_color is not None:
        dots[1 : _GAP + _CARD_HEIGHT + 1, left - 1 : left + _CARD_WIDTH + 1] = _COLORS[state.active_color]
    _paint_card(dots[_GAP:, left:], state.top_card)
    _paint_pile(dots[_GAP:, left + _CARD_WIDTH + 4 :], len(state.draw_pile))
    for seat in range(state.rules.players):
        row = dots[_GAP + (1 + seat) * row_height :]
        if seat == state.seat or (state.outcome is not None and seat == state.outcome.winner):
            row[3 : _CARD_HEIGHT - 3, _GAP : _GAP + 3] = _WHITE
        _paint_hand(row[:, left:], state.hand(seat))
    return dots.repeat(_PIXEL, axis=0).repeat(_PIXEL, axis=1)


def _paint_hand(dots: NDArray[np.uint8], cards: Sequence[Card]) -> None:
    room = dots.shape[1] - _GAP - _CARD_WIDTH
    apart = min(float(_CARD_WIDTH + 1), room / max(len(cards) - 1, 1))
    for place, card in enumerate(cards):
        _paint_card(dots[:, int(place * apart) :], card)


def _paint_card(dots: NDArray[np.uint8], card: Card) -> None:
    face = dots[:_CARD_HEIGHT, :_CARD_WIDTH]
    face[:] = _BLACK
    if card.color is not None:
        face[1:-1, 1:-1] = _COLORS[card.color]
    else:
        middle, center = _CARD_HEIGHT // 2, _CARD_WIDTH // 2
        for color, rows, columns in zip(
            Color,
            (slice(1, middle), slice(1, middle), slice(middle + 1, -1), slice(middle + 1, -1)),
            (slice(1, center), slice(center + 1, -1), slice(1, center), slice(center + 1, -1)),
            strict=True,
        ):
            face[rows, columns] = _COLORS[color]
    symbol = card.rank.value.removeprefix("w")
    _paint_text(face[3:, (_CARD_WIDTH - 4 * len(symbol) + 1) // 2 :], symbol)


def _paint_pile(dots: NDArray[np.uint8], size: int) -> None:
    dots[:_CARD_HEIGHT, :_CARD_WIDTH] = _BLACK
    dots[1 : _CARD_HEIGHT - 1, 1 : _CARD_WIDTH - 1] = _BACK if size else _FELT
    _paint_text(dots[3:, _CARD_WIDTH + 2 :], str(size))


def _paint_text(dots: NDArray[np.uint8], text: str) -> None:
    for place, letter in enumerate(text):
        for y, bits in enumerate(_GLYPHS[letter]):
            for x in range(3):
                if int(bits) >> (2 - x) & 1:
                    dots[y, 4 * place + x] = _WHITE


def check_render_mode(mode: object) -> None:
    """Makes sure that there is such a way to render.

    Raises:
        StateError: if there is none.
    """
    if mode is not None and mode not in RENDER_MODES:
        raise StateError(f"render_mode must be None or one of {', '.join(RENDER_MODES)}, not {shorten(mode)}")


def render_table(state: State, mode: str | None) -> NDArray[np.uint8] | str | None:
    """The table as `human` (printed), `ansi` (text) or `rgb_array` (pixels), all hands open."""
    if mode == "rgb_array":
        return paint_table(state)
    text = write_table(state)
    if mode == "human":
        print(text, end="\n\n")
        return None
    return text
