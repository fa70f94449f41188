"""The game with open hands: its exact value, by backward induction."""

from __future__ import annotations

from lastcard.exact.chances import Line, follow, list_deals
from lastcard.exact.tree import value_of
from lastcard.phase import Phase
from lastcard.rules import Rules
from lastcard.state import State


def open_value(rules: Rules) -> float:
    """Win probability of seat 0 if both see all hands and play perfectly; only draws are random.

    A round that nobody wins counts as half a win.

    Raises:
        RulesError: if the rules are not such as to be written out.

    >>> from lastcard.cards import Deck, parse_cards
    >>> rules = Rules.preset("mini", deck=Deck.of(parse_cards("r1 r2 y1 y2")), hand_size=1)
    >>> round(open_value(rules), 6)
    0.666667
    """
    solver = _Solver()
    return 0.5 + sum(chance * solver.solve(line, line.replay()) for chance, line in list_deals(rules))


class _Solver:
    """Remembers the value of every position it has met, however it came about."""

    def __init__(self) -> None:
        self._values: dict[tuple[object, ...], float] = {}

    def solve(self, line: Line, state: State) -> float:
        """Value of the state for seat 0: the best action of the seat to act, the mean over draws."""
        if state.outcome:
            return value_of(state.outcome)
        position = _position(state)
        if position not in self._values:
            values = [
                sum(odds * self.solve(below, after) for odds, below, after in follow(line, state, action))
                for action in state.legal_actions
            ]
            self._values[position] = max(values) if state.seat == 0 else min(values)
        return self._values[position]


def _position(state: State) -> tuple[object, ...]:
    """Everything that matters from here on; the order of the piles does not, and the discards follow from the rest."""
    return (
        state.seat,
        state.phase,
        state.ply,
        state.hand(0),
        state.hand(1),
        tuple(sorted(state.draw_pile)),
        state.top_card,
        state.active_color,
        state.last_color if state.phase is Phase.ANSWER else None,  # decides a challenge (Rule 6.4)
        state.drawn_card,
        state.direction,
        state.stuck_passes,
    )
