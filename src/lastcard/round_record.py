"""One recorded round: how it was dealt, what was done, and errors that say where a record goes wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from lastcard.actions import Action, parse_action
from lastcard.cards import Card, format_cards, parse_cards
from lastcard.errors import LastcardError, RecordError, require_int, shorten
from lastcard.phase import Ending
from lastcard.state import Outcome, State

FORMAT_VERSION: Final = 1
MAX_RECORD_CHARACTERS: Final = 20_000_000


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One round: how it was dealt and what was done.

    >>> import lastcard as lc
    >>> table = lc.Table(lc.Rules.preset("official"), ["random", "random"], seed=7)
    >>> first = table.play_round().rounds[0]
    >>> first.number, first.dealer, len(first.deck)
    (1, 1, 108)
    """

    number: int
    dealer: int
    scores: tuple[int, ...]
    """Before the round."""
    deck: tuple[Card, ...]
    """The order it was dealt from, top last."""
    actions: tuple[Action, ...]
    seed: int | None = None
    """The deal's seed, which also fixes reshuffles to come; None where it is withheld."""
    reshuffles: tuple[tuple[Card, ...], ...] = ()
    """The order, top last, of each reshuffle."""
    outcome: Outcome | None = None
    """None while the round is unfinished."""

    @classmethod
    def of(cls, state: State, deck: tuple[Card, ...], actions: Iterable[Action], seed: int | None) -> RoundRecord:
        """The record of a round that has come to `state`; the seed may be withheld."""
        points = state.outcome.points if state.outcome else (0,) * state.rules.players
        before = tuple(score - point for score, point in zip(state.scores, points, strict=True))
        return cls(
            state.round_number,
            state.dealer,
            before,
            deck,
            tuple(actions),
            seed,
            state.reshuffle_orders,
            state.outcome,
        )


@dataclass(frozen=True, slots=True)
class Place:
    """The place of an error in a record: a round, one of its actions or a header."""

    round_index: int
    ply: int | None = None
    """From 0."""
    header: str | None = None


def locate(played: RoundRecord, round_index: int, ply: int) -> tuple[str, Place]:
    """Progress of a replay, in words and as a place; ply -1 is the deal."""
    if ply < 0:
        return f"round {played.number}", Place(round_index)
    return f"round {played.number}, ply {ply + 1}", Place(round_index, ply)


class ReplayError(RecordError):
    """A record that can be read, but not played again."""

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(message)
        self.place = place


@contextmanager
def at_line(line: int) -> Iterator[None]:
    """Adds the line of an error to its message."""
    try:
        yield
    except LastcardError as error:
        raise RecordError(f"line {line}: {error}") from None


def check_succession(earlier: RoundRecord, later: RoundRecord, place: Place) -> None:
    """Checks that a round follows the one before."""
    where = f"round {later.number}"
    if earlier.outcome is None:
        raise ReplayError(f"{where}: round {earlier.number} before it is not finished", place)
    if later.number != earlier.number + 1:
        raise ReplayError(f"{where}: expected round {earlier.number + 1} after round {earlier.number}", place)
    scores = tuple(score + points for score, points in zip(earlier.scores, earlier.outcome.points, strict=False))
    if later.scores != scores:
        message = f"{where}: scores {later.scores} do not follow from the round before, which leads to {scores}"
        raise ReplayError(message, place)


def format_outcome(outcome: Outcome) -> str:
    """Writes an outcome so that `parse_outcome` reads it back."""
    winner = "nobody" if outcome.winner is None else str(outcome.winner)
    return f"{winner} {outcome.reason.value} {' '.join(map(str, outcome.points))}"


def parse_outcome(text: str) -> Outcome:
    """Reads what `format_outcome` wrote."""
    found = re.fullmatch(r"(nobody|[0-9]) ([a-z_]+)((?: -?[0-9]{1,9})+)", text)
    if not found or found[2] not in {ending.value for ending in Ending}:
        raise RecordError(f"{shorten(text)} is not a result; expected one such as '0 went_out 57 0'")
    winner = None if found[1] == "nobody" else int(found[1])
    return Outcome(winner, Ending(found[2]), tuple(map(int, found[3].split())))


def check_text(text: str) -> str:
    """Returns the text of a record, unless it is too long."""
    if not isinstance(text, str):
        raise RecordError(f"expected a record as text, not {shorten(text)}")
    if len(text) > MAX_RECORD_CHARACTERS:
        raise RecordError(f"a record has at most {MAX_RECORD_CHARACTERS:,} characters, this one {len(text):,}")
    return text


def check_version(version: object) -> None:
    """Refuses a record of another version."""
    if isinstance(version, bool) or version not in (FORMAT_VERSION, str(FORMAT_VERSION)):
        raise RecordError(
            f"not a lastcard record of version {FORMAT_VERSION}: its first line says {shorten(version)};"
            f' expected [Lastcard "{FORMAT_VERSION}"]'
        )


def read_object(line: str) -> dict[str, object]:
    """Reads a line of JSON."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise RecordError(f"{shorten(line)} is not JSON") from None
    if not isinstance(value, dict):
        raise RecordError(f"expected a JSON object on each line, not {shorten(line)}")
    return value


def round_to_dict(played: RoundRecord) -> dict[str, object]:
    """Returns a round as JSON values."""
    return {
        "round": played.number,
        "dealer": played.dealer,
        "scores": list(played.scores),
        "seed": played.seed,
        "deck": format_cards(played.deck),
        "reshuffles": [format_cards(order) for order in played.reshuffles],
        "actions": " ".join(action.text for action in played.actions),
        "outcome": played.outcome and played.outcome.to_dict(),
    }


def round_from_dict(fields: Mapping[str, object]) -> RoundRecord:
    """Reads what `round_to_dict` wrote."""
    outcome = fields.get("outcome")
    return RoundRecord(
        number=_int(fields, "round"),
        dealer=_int(fields, "dealer"),
        scores=tuple(
            require_int("scores", score, -10_000_000, 10_000_000, RecordError) for score in read_list(fields, "scores")
        ),
        deck=parse_cards(_str(fields, "deck")),
        actions=tuple(map(parse_action, _str(fields, "actions").split())),
        seed=read_optional_seed(fields, "seed"),
        reshuffles=tuple(parse_cards(order) for order in read_list(fields, "reshuffles")),  # type: ignore[arg-type]
        outcome=None if outcome is None else _outcome_from(outcome),
    )


def _outcome_from(outcome: object) -> Outcome:
    if not isinstance(outcome, Mapping):
        raise RecordError(f"outcome must be an object, not {shorten(outcome)}")
    winner = "nobody" if outcome.get("winner") is None else outcome.get("winner")
    return parse_outcome(f"{winner} {outcome.get('reason')} {' '.join(map(str, read_list(outcome, 'points')))}")


def _int(fields: Mapping[str, object], name: str) -> int:
    return require_int(name, fields.get(name), -(10**9), 10**9, RecordError)


def _str(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise RecordError(f"{name} must be text, not {shorten(value)}")
    return value


def read_list(fields: Mapping[str, object], name: str) -> list[object]:
    """Reads a list from a JSON object; empty if it is left out."""
    value = fields.get(name, [])
    if not isinstance(value, list):
        raise RecordError(f"{name} must be a list, not {shorten(value)}")
    return value


def read_optional_seed(fields: Mapping[str, object], name: str) -> int | None:
    """Reads a seed from a JSON object; None if it is left out."""
    value = fields.get(name)
    return None if value is None else require_int(name, value, 0, 2**256 - 1, RecordError)
