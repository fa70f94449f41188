"""Results of a round that an engine forfeits: by rule it loses, whatever it held."""

from __future__ import annotations

from dataclasses import dataclass

from lastcard.errors import LastcardError, StateError, require_int
from lastcard.state import State


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A round that ended because a seat forfeited."""

    seat: int
    """The seat that loses."""
    reason: str
    winner: int
    """The other seat with the fewest points in hand."""
    points: tuple[int, ...]
    """Points that each seat adds to its score."""

    def to_dict(self) -> dict[str, object]:
        """Returns JSON values."""
        return {"seat": self.seat, "reason": self.reason, "winner": self.winner, "points": list(self.points)}


def judge_forfeit(state: State, seat: int, error: LastcardError) -> Forfeit:
    """Scores a forfeited round (Rule 9.4): of the other seats, the fewest points in hand win.

    >>> from lastcard.state import parse_state
    >>> judge_forfeit(parse_state("top r5 | seat 0: r1 | seat 1: g9 w"), 0, LastcardError("engine died")).points
    (0, 1)
    """
    require_int("seat", seat, 0, state.rules.players - 1, StateError)
    winner, points = state._round.score_forfeit(seat)
    return Forfeit(seat, str(error), winner, tuple(points))
