"""Records: everything needed to replay a round or game, as readable text or JSON lines."""

from __future__ import annotations

import itertools
import json
import re
import textwrap
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lastcard.cards import format_cards
from lastcard.errors import LastcardError, RecordError, require_int, shorten
from lastcard.files import check_path, read_file, write_file
from lastcard.record_text import WIDTH, Part, format_header, read_name, read_parts, read_round, read_seed, read_whole
from lastcard.round_record import (
    FORMAT_VERSION,
    MAX_RECORD_CHARACTERS,
    Place,
    ReplayError,
    RoundRecord,
    at_line,
    check_succession,
    check_text,
    check_version,
    format_outcome,
    locate,
    read_list,
    read_object,
    read_optional_seed,
    round_from_dict,
    round_to_dict,
)
from lastcard.rules import Rules, format_rules, parse_rules
from lastcard.state import State, deal

__all__ = [
    "FORMAT_VERSION",
    "MAX_RECORD_CHARACTERS",
    "Record",
    "RoundRecord",
    "check_people",
    "load_texts",
    "parse_record",
]


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
        played, ply = self.rounds[round_index], -1
        try:
            state = deal(
                self.rules,
                seed=played.seed or 0,
                deck=played.deck,
                reshuffles=played.reshuffles,
                dealer=played.dealer,
                round_number=played.number,
                scores=played.scores,
                bots=[seat not in self.people for seat in range(self.rules.players)],
            )
            yield state
            for action in played.actions:
                ply += 1
                state.apply_in_place(action)
                if not state.follows_script:
                    raise RecordError("the recorded reshuffle does not hold the cards that were discarded")
                yield state
        except LastcardError as error:
            where, at = locate(played, round_index, ply)
            raise ReplayError(f"{where}: {error}", at) from None
        where, at = locate(played, round_index, ply)
        if state.outcome != played.outcome:
            told = f"the record says {played.outcome}, the actions lead to {state.outcome}"
            raise ReplayError(f"{where}: {told}", Place(round_index, header="Result"))
        if state.reshuffle_orders != played.reshuffles:
            raise ReplayError(f"{where}: {len(played.reshuffles)} reshuffles recorded, {state.reshuffles} happened", at)

    def check(self) -> Record:
        """Replays every round.

        Raises:
            RecordError: at the first thing that does not fit.
        """
        check_people(self.people, self.rules.players)
        if len(self.agents) != self.rules.players:
            raise RecordError(f"{len(self.agents)} agents recorded for {self.rules.players} seats")
        for index, played in enumerate(self.rounds):
            if index:
                check_succession(self.rounds[index - 1], played, Place(index))
            for _ in self.replay(index):
                pass
        return self

    # As text

    def to_text(self) -> str:
        """Writes headers as in chess's PGN, then the actions, each turn after its seat."""
        lines = [format_header("Lastcard", str(FORMAT_VERSION)), format_header("Rules", format_rules(self.rules))]
        lines += [f"[Seat{seat} {json.dumps(name, ensure_ascii=False)}]" for seat, name in enumerate(self.agents)]
        if self.people:
            lines.append(format_header("People", " ".join(map(str, self.people))))
        if self.seed is not None:
            lines.append(format_header("Seed", str(self.seed)))
        for index, played in enumerate(self.rounds):
            lines += ["", format_header("Round", str(played.number)), format_header("Dealer", str(played.dealer))]
            lines.append(format_header("Scores", " ".join(map(str, played.scores))))
            if played.seed is not None:
                lines.append(format_header("RoundSeed", str(played.seed)))
            lines.append(format_header("Deck", format_cards(played.deck)))
            lines += [format_header("Reshuffle", format_cards(order)) for order in played.reshuffles]
            if played.outcome:
                lines.append(format_header("Result", format_outcome(played.outcome)))
            lines += ["", *textwrap.wrap(" ".join(self._spoken(index)), WIDTH, break_long_words=False)]
        return "\n".join(lines) + "\n"

    def _spoken(self, index: int) -> Iterator[str]:
        speaker = None
        for state, action in zip(self.replay(index), self.rounds[index].actions, strict=False):
            if state.seat != speaker:
                speaker = state.seat
                yield f"{speaker}:"
            yield action.text

    @classmethod
    def from_text(cls, text: str) -> Record:
        """Reads what `to_text` wrote, and replays it.

        Raises:
            RecordError: saying on which line, what was read and what was expected.
        """
        head, *rounds = read_parts(text)
        rules = head.read("Rules", parse_rules)
        seats = [f"Seat{seat}" for seat in range(rules.players)]
        agents = tuple(head.read(seat, read_name) for seat in seats)
        people = head.read("People", lambda told: _read_people(told, rules)) if "People" in head.fields else ()
        head.refuse_unknown(("Lastcard", "Rules", "People", "Seed", *seats))
        for part in rounds:
            part.refuse_unknown(("Round", "Dealer", "Scores", "RoundSeed", "Deck", "Result"))
        record = cls(rules, agents, tuple(map(read_round, rounds)), read_seed(head, "Seed"), people)
        try:
            for index, part in enumerate(rounds):
                record._check_speakers(index, part)
            return record.check()
        except ReplayError as error:
            line = rounds[error.place.round_index].line_of(error.place)
            raise RecordError(f"line {line}: {error}") from None

    def _check_speakers(self, index: int, part: Part) -> None:
        """Each go must be led by the seat whose go it is."""
        spoken, number = list(self._spoken(index)), self.rounds[index].number
        for place, ((read, line), expected) in enumerate(zip(part.words, spoken, strict=False), 1):
            if read.lower() != expected.lower():
                raise RecordError(f"line {line}: round {number}, word {place}: read {read}, expected {expected}")
        if len(part.words) != len(spoken):
            line = part.words[min(len(spoken), len(part.words) - 1)][1] if part.words else part.line
            raise RecordError(f"line {line}: round {number}: {len(part.words)} words where {len(spoken)} belong")

    # As JSON lines

    def to_json_lines(self) -> str:
        """One line about the record, then one line per round."""
        head = {
            "lastcard": FORMAT_VERSION,
            "rules": self.rules.to_dict(),
            "agents": list(self.agents),
            "seed": self.seed,
            "people": list(self.people),
        }
        return "".join(json.dumps(line) + "\n" for line in (head, *map(round_to_dict, self.rounds)))

    @classmethod
    def from_json_lines(cls, text: str) -> Record:
        """Reads what `to_json_lines` wrote, and replays it.

        Raises:
            RecordError: saying on which line, what was read and what was expected.
        """
        lines = [(line, number) for number, line in enumerate(check_text(text).splitlines(), 1) if line.strip()]
        first, *others = lines or [("{}", 1)]
        with at_line(first[1]):
            head = read_object(first[0])
            check_version(head.get("lastcard"))
            rules = Rules.from_dict(head.get("rules"))  # type: ignore[arg-type]
            agents = read_list(head, "agents")
            if not all(isinstance(name, str) for name in agents):
                raise RecordError(f"agents must be names, not {shorten(agents)}")
            people = check_people(read_list(head, "people"), rules.players)
            seed = read_optional_seed(head, "seed")
        rounds = []
        for line, number in others:
            with at_line(number):
                rounds.append(round_from_dict(read_object(line)))
        record = cls(rules, tuple(map(str, agents)), tuple(rounds), seed, people)
        try:
            return record.check()
        except ReplayError as error:
            raise RecordError(f"line {others[error.place.round_index][1]}: {error}") from None
        except RecordError as error:
            raise RecordError(f"line {first[1]}: {error}") from None

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


def _read_people(text: str, rules: Rules) -> tuple[int, ...]:
    return check_people([read_whole(word, "People") for word in text.split()], rules.players)
