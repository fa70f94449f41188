"""Playouts in bulk: random play from given positions to the end of the round, inside the core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lastcard import _core
from lastcard.belief import Belief
from lastcard.errors import StateError, require_int, shorten
from lastcard.rules import Rules
from lastcard.state import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PART: Final = 1_000_000
_MOST_POSITIONS: Final = 2**24
_MOST_PLAYOUTS: Final = 10**12


class Positions:
    """Start positions of playouts: states, or assignments of the cards that a seat cannot see.

    A position knows which cards the draw pile holds and nothing of their order.

    >>> from lastcard.state import deal
    >>> len(Positions.of_states([deal(Rules.preset("official"), seed=seed) for seed in range(3)]))
    3
    """

    __slots__ = ("_core", "_rules")

    def __init__(self, core: _core.Positions, rules: Rules) -> None:
        """Wraps positions of the core; `of_states` and `of_belief` make some."""
        self._core = core
        self._rules = rules

    @classmethod
    def of_states(cls, states: Sequence[State]) -> Positions:
        """The truth of each state, all of the same rules; a round that is over may be among them.

        Raises:
            StateError: naming the state that does not fit.
        """
        if not isinstance(states, Sequence) or isinstance(states, str | bytes):
            raise StateError(f"states must be a list of States, not {shorten(states)}")
        require_int("the number of states", len(states), 1, _MOST_POSITIONS, StateError)
        for i, state in enumerate(states):
            if not isinstance(state, State):
                raise StateError(f"states[{i}] must be a State, not {shorten(state)}")
            if state.rules != states[0].rules:
                raise StateError(f"states[{i}] must be of the rules {states[0].rules}, not {state.rules}")
        rules = states[0].rules
        return cls(_core.positions_of_rounds(rules._compiled, [state._round for state in states]), rules)

    @classmethod
    def of_belief(cls, belief: Belief, count: int, seed: int = 0) -> Positions:
        """Draws determinizations from the belief of the seat to act.

        Raises:
            StateError: naming the argument that is impossible, or if it is not the observer who is to act.

        >>> from lastcard.observation import observe
        >>> from lastcard.state import deal
        >>> len(Positions.of_belief(Belief(observe(deal(Rules.preset("official"), seed=7), seat=0)), count=100))
        100
        """
        if not isinstance(belief, Belief):
            raise StateError(f"belief must be a Belief, not {shorten(belief)}")
        require_int("count", count, 1, _MOST_POSITIONS, StateError)
        require_int("seed", seed, 0, 2**64 - 1, StateError)
        seen = belief.observation
        if not seen.legal_actions:
            raise StateError(f"belief must be of the seat to act, not of seat {seen.observer}, which is not asked")
        return cls(_core.positions_of_belief(seen._core, belief._core, count, seed), seen.rules)

    @property
    def rules(self) -> Rules:
        """The rules of the positions."""
        return self._rules

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return f"<{len(self)} Positions, {self.rules}>"


@dataclass(frozen=True, slots=True)
class Playouts:
    """Results of playouts, one row per position: arrays of NumPy, or of CuPy if a GPU played.

    >>> from lastcard.state import parse_state
    >>> positions = Positions.of_states([parse_state("top r5 | seat 0: r7 | seat 1: g1 g1 yR")])
    >>> result = play_out(positions, num_playouts=50)
    >>> result.wins.tolist(), result.points.tolist(), result.plies.tolist()
    ([[50, 0]], [[1100, 0]], [50])
    """

    num_playouts: int
    """Number of playouts from each position."""
    wins: NDArray[np.int64]
    """Number of playouts that each seat won."""
    points: NDArray[np.int64]
    """Points of each seat, summed over all playouts."""
    plies: NDArray[np.int64]
    """Played from the position on, all playouts together."""
    signatures: NDArray[np.uint64]
    """Change when the course of any playout does."""

    @property
    def draws(self) -> NDArray[np.int64]:
        """Number of playouts without a winner."""
        drawn: NDArray[np.int64] = self.num_playouts - self.wins.sum(axis=1)
        return drawn

    @classmethod
    def of_rows(cls, rows: Any, num_playouts: int) -> Playouts:
        """Takes the rows of the core apart, without a copy: wins and points by seat, plies, signature."""
        players = (rows.shape[1] - 2) // 2
        return cls(
            num_playouts,
            rows[:, :players],
            rows[:, players : 2 * players],
            rows[:, 2 * players],
            rows[:, 2 * players + 1].view("uint64"),
        )


def row_shape(positions: Positions) -> tuple[int, int]:
    """The shape of the rows that the core, or a GPU, writes."""
    return len(positions), 2 * positions.rules.players + 2


def check_playouts(positions: object, num_playouts: int, seed: int) -> None:
    """Refuses arguments of `play_out` that are impossible.

    Raises:
        StateError: naming the argument.
    """
    if not isinstance(positions, Positions):
        raise StateError(
            f"positions must be Positions, not {shorten(positions)}; make them with Positions.of_states(...)"
        )
    require_int("num_playouts", num_playouts, 1, _MOST_PLAYOUTS // len(positions), StateError)
    require_int("seed", seed, 0, 2**64 - 1, StateError)


def play_out(positions: Positions, num_playouts: int, seed: int = 0, threads: int = 1) -> Playouts:
    """Plays every position out many times as `random` (drawing only when nothing else is legal).

    The result depends on positions, number and seed, not on the number of threads. Needs NumPy.

    Raises:
        StateError: naming the argument that is impossible.

    >>> from lastcard.state import deal
    >>> positions = Positions.of_states([deal(Rules.preset("official", players=4), seed=7)])
    >>> int(play_out(positions, num_playouts=1000, seed=1).wins.sum())
    1000
    """
    check_playouts(positions, num_playouts, seed)
    require_int("threads", threads, 1, 1024, StateError)
    import numpy as np

    rows = np.zeros(row_shape(positions), np.int64)
    total = len(positions) * num_playouts
    for first in range(0, total, _PART):  # in parts, so that Ctrl-C is heard
        last = min(first + _PART, total)
        try:
            _core.play_out(
                positions._core, num_playouts, seed, first, last, min(threads, last - first), rows.view(np.uint64)
            )
        except RuntimeError as error:
            raise StateError(f"threads={threads} cannot be started here: {error}") from None
    return Playouts.of_rows(rows, num_playouts)
