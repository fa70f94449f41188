"""A finished game: its frames as a seat saw them or as they were, and branches from it."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lastcard import _core
from lastcard.observation import observe
from lastcard.record import Record, RoundRecord
from lastcard.rules import format_rules
from lastcard.store.reading import format_time
from lastcard.store.studies import StoredStudy
from lastcard.table import judge_game
from lastcard.web.finished.frames import make_frame
from lastcard.web.games.seating import YOU
from lastcard.web.refusals import refuse

MOST_FRAMES: Final = 500
"""Plies of a round that are sent; a round of ten players takes a third of it."""
PERSON: Final = "Player"
"""Name of a person who gave none."""


@dataclass(frozen=True, slots=True)
class FinishedSeat:
    """A seat and its player."""

    name: str
    agent: str
    """The agent's name in the record."""
    level: str
    is_person: bool


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game with nothing left to play."""

    key: str
    stored: StoredStudy
    record: Record
    seats: tuple[FinishedSeat, ...]

    @property
    def names(self) -> list[str]:
        """Name of each seat."""
        return [seat.name for seat in self.seats]

    def find_round(self, number: int) -> int:
        """Index in the record of the round with that number.

        Raises:
            RequestError: with status 404, if there is none.
        """
        for index, played in enumerate(self.record.rounds):
            if played.number == number:
                return index
        raise refuse("no_round", round=number)

    def check_seat(self, seat: int) -> None:
        """Refuses a seat that the game does not have.

        Raises:
            RequestError: with status 422.
        """
        most = self.record.rules.players - 1
        if not 0 <= seat <= most:
            raise refuse("no_seat", most=most, seat=seat)


def make_finished_game(key: str, stored: StoredStudy, record: Record) -> FinishedGame:
    """Makes a finished game of a stored one; people have the names they gave, or "Player"."""
    stored_seats: Sequence[Mapping[str, Any]] = stored.settings.get("seats", ())
    is_lone = len(record.people) == 1
    short = [name.partition(":")[0] for name in record.agents]
    often = Counter(short)
    seats = []
    for seat, agent in enumerate(record.agents):
        is_person = seat in record.people
        info = stored_seats[seat] if seat < len(stored_seats) else {}
        given = stored.called.get(seat) or (info.get("name") if info.get("name") != YOU else None)
        if is_person:
            usual = PERSON if is_lone else f"{PERSON} {seat}"
        else:
            usual = short[seat] if often[short[seat]] == 1 else f"{short[seat]} {seat}"
        level = "" if is_person else str(info.get("level") or "")
        seats.append(FinishedSeat(str(given or usual)[:40], agent[:200], level, is_person))
    return FinishedGame(key, stored, record, tuple(seats))


def describe_game(study: FinishedGame) -> dict[str, Any]:
    """Describes the game, without its cards, as JSON values."""
    record, stored = study.record, study.stored
    rounds = [_describe_round(record, played) for played in record.rounds]
    scores = rounds[-1]["scores"]
    is_game = stored.settings.get("length", "game") == "game" and not stored.is_branch
    outcome = judge_game(record.rules, tuple(scores)) if is_game and rounds[-1]["reason"] else None
    last = record.rounds[-1].outcome
    lone = last if len(rounds) == 1 else None
    end = outcome or lone
    return {
        "game": study.key,
        "source": "import" if stored.is_import else "branch" if stored.is_branch else "table",
        "began": format_time(stored.began),
        "rules": format_rules(record.rules),
        "players": record.rules.players,
        "seats": [
            {
                "seat": seat,
                "name": info.name,
                "agent": info.agent,
                "level": info.level,
                "is_person": info.is_person,
            }
            for seat, info in enumerate(study.seats)
        ],
        "rounds": rounds,
        "winner": end.winner if end else None,
        "is_over": end is not None,
        "scores": scores,
        "seed": None if record.seed is None else str(record.seed),
    }


def _describe_round(record: Record, played: RoundRecord) -> dict[str, Any]:
    outcome = played.outcome
    points = outcome.points if outcome else (0,) * record.rules.players
    return {
        "round": played.number,
        "dealer": played.dealer,
        "plies": len(played.actions),
        "winner": outcome.winner if outcome else None,
        "reason": outcome.reason.value if outcome else None,
        "points": list(points),
        "scores": [score + point for score, point in zip(played.scores, points, strict=True)],
    }


def list_frames(study: FinishedGame, index: int, seat: int | None) -> list[dict[str, Any]]:
    """A round, ply by ply, as that seat saw it; None for the truth."""
    states = itertools.islice(study.record.states(index), MOST_FRAMES + 1)
    frames = []
    heard = 0
    for ply, state in enumerate(states):
        if seat is None:
            frames.append(_core.describe_true_frame(state._round, ply, heard))
        else:
            frames.append(make_frame(observe(state, seat), ply, heard))
        heard += len(frames[-1]["log"])
    return frames


def branch_off(study: FinishedGame, index: int, ply: int, seat: int, agents: Sequence[str]) -> Record:
    """The round up to that ply, as a record that a table can continue with other agents.

    Raises:
        RequestError: with status 409 if nothing is left to play there, 422 if the round has no such ply.
    """
    record, played = study.record, study.record.rounds[index]
    if not 0 <= ply <= len(played.actions):
        raise refuse("no_ply", most=len(played.actions), ply=ply)
    state = next(itertools.islice(record.states(index), ply, None))
    if state.is_over:
        raise refuse("round_over_there")
    start = RoundRecord.of(state, played.deck, played.actions[:ply], played.seed)
    return Record(record.rules, tuple(agents), (start,), record.seed, (seat,))
