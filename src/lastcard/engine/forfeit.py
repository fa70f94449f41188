"""What comes of a round that an engine forfeits: by rule it loses, whatever it held."""

from __future__ import annotations

from dataclasses import dataclass

from lastcard.errors import LastcardError, StateError, require_int
from lastcard.state import State


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A round that ended because one seat could not go on."""

    seat: int
    """The seat that loses."""
    reason: str
    winner: int | None
    """Of the other seats the one with the fewest points in hand; None if several share them."""
    points: tuple[int, ...]
    """What each seat adds to its score."""

    def to_dict(self) -> dict[str, object]:
        """As JSON values."""
        return {"seat": self.seat, "reason": self.reason, "winner": self.winner, "points": list(self.points)}


def judge_forfeit(state: State, seat: int, error: LastcardError) -> Forfeit:
    """How a round counts that a seat forfeits: of the others the fewest points in hand win, and score by Rule 9.1.

    A tie adds nothing (Rule 5.3); where the lowest score wins, every seat keeps its own points (Rule 9.3).

    >>> from lastcard.state import parse_state
    >>> judge_forfeit(parse_state("top r5 | seat 0: r1 | seat 1: g9 w"), 0, LastcardError("engine died")).points
    (0, 1)
    """
    require_int("seat", seat, 0, state.rules.players - 1, StateError)
    held = [sum(card.points for card in player.hand) for player in state.players]
    others = [other for other in range(len(held)) if other != seat]
    fewest = min(held[other] for other in others)
    first = [other for other in others if held[other] == fewest]
    winner = first[0] if len(first) == 1 else None
    if winner is None:
        points = [0] * len(held)
    elif state.rules.scoring == "lowest":
        points = held
    else:
        points = [sum(held) - fewest if other == winner else 0 for other in range(len(held))]
    return Forfeit(seat, str(error), winner, tuple(points))
