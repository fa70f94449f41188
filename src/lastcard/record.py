"""Records: everything needed to replay a round or game, as readable text or JSON lines."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lastcard import _core
from lastcard.errors import RecordError, StateError, ask_core, require_int, shorten
from lastcard.files import check_path, read_file, write_file
from lastcard.round_record import RoundRecord, compile_round, read_round
from lastcard.rules import Rules
from lastcard.seeds import seed_bytes
from lastcard.state import State

FORMAT_VERSION: Final = _core.RECORD_VERSION
MAX_RECORD_CHARACTERS: Final = _core.MOST_RECORD_CHARACTERS

__all__ = [
    "FORMAT_VERSION",
    "MAX_RECORD_CHARACTERS",
    "Record",
    "RoundRecord",
    "check_people",
    "load_texts",
    "parse_record",
]


_Parse = Callable[[str], _core.GameRecord]


@dataclass(frozen=True, slots=True)
class Record:
    """The record of a round, of several, or of a whole game.

    >>> from lastcard.table import Table
    >>> record = Table(Rules.preset("mini"), ["random", "random"], seed=7).play_round()
    >>> Record.from_text(record.to_text()) == record
    True
    """

    rules: Rules
    agents: tuple[str, ...]
    """Names of the players by seat."""
    rounds: tuple[RoundRecord, ...]
    seed: int | None = None
    """The table's seed; None where it is withheld."""
    people: tuple[int, ...] = ()
    """The seats that people played."""

    # Playing it again

    def states(self, round_index: int = 0) -> Iterator[State]:
        """Every state of a round, from the deal on.

        Raises:
            RecordError: saying where, if the record does not replay.
        """
        # `replay` changes one state in place; callers that collect states need copies.
        return map(State.copy, self.replay(round_index))

    def replay(self, round_index: int = 0) -> Iterator[State]:
        """Like `states`, but yields the same object, changed in place: faster for callers that keep none of them.

        Raises:
            RecordError: saying where, if the record does not replay.
        """
        if not self.rounds:
            raise RecordError("the record has no round")
        require_int("round_index", round_index, 0, len(self.rounds) - 1, RecordError)
        played = self.rounds[round_index]
        again = ask_core(RecordError, _core.Replay, self.rules._compiled, compile_round(played))
        bots = tuple(seat not in self.people for seat in range(self.rules.players))
        state = State(again.round, self.rules, bots)
        yield state
        while ask_core(RecordError, again.step):
            yield state

    def check(self) -> Record:
        """Replays every round.

        Raises:
            RecordError: at the first thing that does not fit.
        """
        ask_core(RecordError, self._compile().check)
        return self

    def _compile(self) -> _core.GameRecord:
        """The same as the core reads it."""
        for name in self.agents:
            if not isinstance(name, str):
                raise RecordError(f"agents must be names, not {shorten(name)}")
        try:
            seed = None if self.seed is None else seed_bytes(self.seed)
        except StateError as error:
            raise RecordError(str(error)) from None
        return _core.GameRecord(
            rules=self.rules._compiled,
            agents=list(self.agents),
            people=list(check_people(self.people, self.rules.players)),
            seed=seed,
            rounds=[compile_round(played) for played in self.rounds],
        )

    # As text

    def to_text(self) -> str:
        """Writes headers as in chess's PGN, then the actions, each turn after its seat."""
        return ask_core(RecordError, self._compile().to_text)

    @classmethod
    def from_text(cls, text: str) -> Record:
        """Reads what `to_text` wrote, and replays it.

        Raises:
            RecordError: saying on which line, what was read and what was expected.
        """
        return cls._parse(_core.parse_text, text)

    # As JSON lines

    def to_json_lines(self) -> str:
        """One line about the record, then one line per round."""
        return ask_core(RecordError, self._compile().to_json_lines)

    @classmethod
    def from_json_lines(cls, text: str) -> Record:
        """Reads what `to_json_lines` wrote, and replays it.

        Raises:
            RecordError: saying on which line, what was read and what was expected.
        """
        return cls._parse(_core.parse_json_lines, text)

    @classmethod
    def _parse(cls, parse: _Parse, text: str) -> Record:
        if not isinstance(text, str):
            raise RecordError(f"expected a record as text, not {shorten(text)}")
        read = ask_core(RecordError, parse, text)
        seed = None if read.seed is None else int.from_bytes(read.seed, "little")
        rules = Rules._of(read.rules)
        return cls(rules, tuple(read.agents), tuple(map(read_round, read.rounds)), seed, tuple(read.people))

    # As files

    def save(self, path: str | Path) -> None:
        """Writes a file completely or not at all: JSON lines if its name ends in `.jsonl`, else text.

        Raises:
            RecordError: naming the file, if it cannot be written.
        """
        is_json = check_path(path, RecordError).suffix == ".jsonl"
        write_file(path, self.to_json_lines() if is_json else self.to_text(), RecordError)

    @classmethod
    def load(cls, path: str | Path) -> Record:
        """Reads a file that `save` wrote, text or JSON lines.

        Raises:
            RecordError: if it cannot be read, or does not hold just one record.
        """
        return parse_record(_read_file(path))


def parse_record(text: str) -> Record:
    """Reads a record, text or JSON lines, and replays it.

    Raises:
        RecordError: saying what was read and what was expected.
    """
    is_json = isinstance(text, str) and text.lstrip().startswith("{")
    return Record.from_json_lines(text) if is_json else Record.from_text(text)


def load_texts(path: str | Path) -> list[str]:
    """The records in a file that holds one or more, one after the other, all as text or all as JSON lines.

    Raises:
        RecordError: if it cannot be read.
    """
    text = _read_file(path)
    begins = _JSON_BEGINS if text.lstrip().startswith("{") else _TEXT_BEGINS
    starts = [found.start() for found in begins.finditer(text)]
    # Whatever stands before the first is part of it, for the parser to refuse.
    return [text[start:end] for start, end in itertools.pairwise([0, *starts[1:], len(text)])]


_TEXT_BEGINS: Final = re.compile(r"^\[Lastcard\s", re.MULTILINE)
_JSON_BEGINS: Final = re.compile(r'^\s*\{\s*"lastcard"\s*:', re.MULTILINE)


def _read_file(path: str | Path) -> str:
    try:
        text = read_file(path, RecordError).decode()
    except UnicodeDecodeError:
        raise RecordError(f"{path} is not a record: it is not text") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def check_people(people: Collection[object], players: int) -> tuple[int, ...]:
    """The seats that people play, ascending.

    Raises:
        RecordError: if there is no such seat.
    """
    if not isinstance(people, Collection) or isinstance(people, str):
        raise RecordError(f"people must be seats, not {shorten(people)}")
    return tuple(sorted({require_int("people", seat, 0, players - 1, RecordError) for seat in people}))
