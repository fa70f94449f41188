"""A record prepared for the store: its text, and the columns to search by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lastcard.record import Record
from lastcard.rules import format_rules
from lastcard.table import judge_game


@dataclass(frozen=True, slots=True)
class SeatEntry:
    """A seat, its player, and the final score."""

    name: str
    is_person: bool
    points: int


@dataclass(frozen=True, slots=True)
class RoundEntry:
    """A round, without its cards."""

    number: int
    dealer: int
    winner: int | None
    ending: str | None
    """None if it was broken off."""
    points: tuple[int, ...]
    plies: int
    actions: tuple[tuple[int, str], ...]
    """Seat and notation of each."""


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game as a store keeps it.

    >>> from lastcard.rules import Rules
    >>> from lastcard.table import Table
    >>> entry = GameEntry.of(Table(Rules.preset("official"), ["heuristic", "random"], seed=7).play_round())
    >>> entry.winner == entry.rounds[0].winner
    True
    """

    text: str
    rules: str
    seed: int | None
    seats: tuple[SeatEntry, ...]
    rounds: tuple[RoundEntry, ...]
    winner: int | None
    """The seat that won the only round, or the game."""

    @property
    def plies(self) -> int:
        """Plies of all rounds."""
        return sum(played.plies for played in self.rounds)

    @property
    def actions(self) -> Iterator[tuple[int, int, int, str]]:
        """Round, place in it from 1, seat and notation of each."""
        for played in self.rounds:
            for number, (seat, action) in enumerate(played.actions, 1):
                yield played.number, number, seat, action

    @classmethod
    def of(cls, record: Record, ruling: tuple[int | None, Sequence[int]] | None = None) -> GameEntry:
        """Prepares a record.

        Args:
            record: Record of one or several rounds.
            ruling: Winner and score of each seat, where they were not played out.

        Raises:
            RecordError: if it does not replay.
        """
        record.check()
        rounds = tuple(_enter_round(record, index) for index in range(len(record.rounds)))
        scores = _final_scores(record) if ruling is None else tuple(ruling[1])
        seats = tuple(SeatEntry(name, seat in record.people, scores[seat]) for seat, name in enumerate(record.agents))
        if ruling is not None:
            winner = ruling[0]
        else:
            winner = rounds[0].winner if len(rounds) == 1 else _find_winner(record, scores)
        return cls(record.to_text(), format_rules(record.rules), record.seed, seats, rounds, winner)


def _enter_round(record: Record, index: int) -> RoundEntry:
    played = record.rounds[index]
    seats, plies = [], 0
    for state in record.replay(index):  # not `states`: a copy of each would take gigabytes in a long round
        seats.append(-1 if state.seat is None else state.seat)
        plies = state.ply
    actions = tuple((seat, action.text) for seat, action in zip(seats, played.actions, strict=False))
    outcome = played.outcome
    return RoundEntry(
        played.number,
        played.dealer,
        outcome.winner if outcome else None,
        outcome.reason.value if outcome else None,
        outcome.points if outcome else (0,) * record.rules.players,
        plies,
        actions,
    )


def _final_scores(record: Record) -> tuple[int, ...]:
    if not record.rounds:
        return (0,) * record.rules.players
    last = record.rounds[-1]
    points = last.outcome.points if last.outcome else (0,) * record.rules.players
    # A single round is worth its own points, whatever was scored before.
    before = last.scores if len(record.rounds) > 1 else (0,) * record.rules.players
    return tuple(score + point for score, point in zip(before, points, strict=True))


def _find_winner(record: Record, scores: tuple[int, ...]) -> int | None:
    is_over = bool(record.rounds) and record.rounds[-1].outcome is not None
    outcome = judge_game(record.rules, scores) if is_over else None
    return outcome.winner if outcome else None
