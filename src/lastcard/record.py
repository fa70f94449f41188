"""Records: everything needed to play a round or game again, as readable text or JSON lines."""

from __future__ import annotations

import itertools
import json
import re
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from lastcard.actions import Action, parse_action
from lastcard.cards import Card, format_cards, parse_cards
from lastcard.errors import LastcardError, RecordError, require_int, shorten
from lastcard.files import check_path, read_file, write_file
from lastcard.phase import Ending
from lastcard.rules import Rules, format_rules, parse_rules
from lastcard.state import Outcome, State, deal

FORMAT_VERSION: Final = 1
MAX_RECORD_CHARACTERS: Final = 20_000_000
_WIDTH: Final = 80
_T = TypeVar("_T")


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
class Record:
    """A round, several, or a whole game.

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
            where, at = _locate(played, round_index, ply)
            raise _ReplayError(f"{where}: {error}", at) from None
        where, at = _locate(played, round_index, ply)
        if state.outcome != played.outcome:
            told = f"the record says {played.outcome}, the actions lead to {state.outcome}"
            raise _ReplayError(f"{where}: {told}", _Place(round_index, header="Result"))
        if state.reshuffle_orders != played.reshuffles:
            raise _ReplayError(
                f"{where}: {len(played.reshuffles)} reshuffles recorded, {state.reshuffles} happened", at
            )

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
                _check_succession(self.rounds[index - 1], played, _Place(index))
            for _ in self.replay(index):
                pass
        return self

    # As text

    def to_text(self) -> str:
        """Headers as in chess's PGN, then the actions, each go led by its seat."""
        lines = [_header("Lastcard", str(FORMAT_VERSION)), _header("Rules", format_rules(self.rules))]
        lines += [f"[Seat{seat} {json.dumps(name, ensure_ascii=False)}]" for seat, name in enumerate(self.agents)]
        if self.people:
            lines.append(_header("People", " ".join(map(str, self.people))))
        if self.seed is not None:
            lines.append(_header("Seed", str(self.seed)))
        for index, played in enumerate(self.rounds):
            lines += ["", _header("Round", str(played.number)), _header("Dealer", str(played.dealer))]
            lines.append(_header("Scores", " ".join(map(str, played.scores))))
            if played.seed is not None:
                lines.append(_header("RoundSeed", str(played.seed)))
            lines.append(_header("Deck", format_cards(played.deck)))
            lines += [_header("Reshuffle", format_cards(order)) for order in played.reshuffles]
            if played.outcome:
                lines.append(_header("Result", _format_outcome(played.outcome)))
            lines += ["", *textwrap.wrap(" ".join(self._spoken(index)), _WIDTH, break_long_words=False)]
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
        return _read_text(text)

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
        return "".join(json.dumps(line) + "\n" for line in (head, *map(_round_to_dict, self.rounds)))

    @classmethod
    def from_json_lines(cls, text: str) -> Record:
        """Reads what `to_json_lines` wrote, and replays it.

        Raises:
            RecordError: saying on which line, what was read and what was expected.
        """
        lines = [(line, number) for number, line in enumerate(_checked_text(text).splitlines(), 1) if line.strip()]
        first, *others = lines or [("{}", 1)]
        with _at_line(first[1]):
            head = _json_object(first[0])
            _check_version(head.get("lastcard"))
            rules = Rules.from_dict(head.get("rules"))  # type: ignore[arg-type]
            agents = _list(head, "agents")
            if not all(isinstance(name, str) for name in agents):
                raise RecordError(f"agents must be names, not {shorten(agents)}")
            people = check_people(_list(head, "people"), rules.players)
            seed = _optional_seed(head, "seed")
        rounds = []
        for line, number in others:
            with _at_line(number):
                rounds.append(_round_from_dict(_json_object(line)))
        record = cls(rules, tuple(map(str, agents)), tuple(rounds), seed, people)
        try:
            return record.check()
        except _ReplayError as error:
            raise RecordError(f"line {others[error.place.round_index][1]}: {error}") from None
        except RecordError as error:
            raise RecordError(f"line {first[1]}: {error}") from None

    # As files

    def save(self, path: str | Path) -> None:
        """Writes a file whole or not at all: JSON lines if its name ends in `.jsonl`, else text.

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


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of an error in a record: a round, one of its actions or a header."""

    round_index: int
    ply: int | None = None
    """From 0."""
    header: str | None = None


def _locate(played: RoundRecord, round_index: int, ply: int) -> tuple[str, _Place]:
    """Progress of a replay, in words and as a place; ply -1 is the deal."""
    if ply < 0:
        return f"round {played.number}", _Place(round_index)
    return f"round {played.number}, ply {ply + 1}", _Place(round_index, ply)


class _ReplayError(RecordError):
    """A record that can be read, but not played again."""

    def __init__(self, message: str, place: _Place) -> None:
        super().__init__(message)
        self.place = place


@contextmanager
def _at_line(line: int) -> Iterator[None]:
    """Adds the line of an error to its message."""
    try:
        yield
    except LastcardError as error:
        raise RecordError(f"line {line}: {error}") from None


def _check_succession(earlier: RoundRecord, later: RoundRecord, place: _Place) -> None:
    """Checks that a round follows the one before."""
    where = f"round {later.number}"
    if earlier.outcome is None:
        raise _ReplayError(f"{where}: round {earlier.number} before it is not finished", place)
    if later.number != earlier.number + 1:
        raise _ReplayError(f"{where}: expected round {earlier.number + 1} after round {earlier.number}", place)
    scores = tuple(score + points for score, points in zip(earlier.scores, earlier.outcome.points, strict=False))
    if later.scores != scores:
        message = f"{where}: scores {later.scores} do not follow from the round before, which leads to {scores}"
        raise _ReplayError(message, place)


def _header(name: str, value: str) -> str:
    line = f'[{name} "{value}"]'
    return textwrap.fill(line, _WIDTH, break_long_words=False) if name in ("Deck", "Reshuffle") else line


def _format_outcome(outcome: Outcome) -> str:
    winner = "nobody" if outcome.winner is None else str(outcome.winner)
    return f"{winner} {outcome.reason.value} {' '.join(map(str, outcome.points))}"


def _parse_outcome(text: str) -> Outcome:
    found = re.fullmatch(r"(nobody|[0-9]) ([a-z_]+)((?: -?[0-9]{1,9})+)", text)
    if not found or found[2] not in {ending.value for ending in Ending}:
        raise RecordError(f"{shorten(text)} is not a result; expected one such as '0 went_out 57 0'")
    winner = None if found[1] == "nobody" else int(found[1])
    return Outcome(winner, Ending(found[2]), tuple(map(int, found[3].split())))


_TOKEN: Final = re.compile(r'\[(?P<name>[A-Za-z0-9]+)\s+"(?P<value>(?:[^"\\]|\\.)*)"\]|(?P<word>[^\s\[\]"]+)')
_SPACE: Final = re.compile(r"\s*")


def _checked_text(text: str) -> str:
    if not isinstance(text, str):
        raise RecordError(f"expected a record as text, not {shorten(text)}")
    if len(text) > MAX_RECORD_CHARACTERS:
        raise RecordError(f"a record has at most {MAX_RECORD_CHARACTERS:,} characters, this one {len(text):,}")
    return text


def _check_version(version: object) -> None:
    if isinstance(version, bool) or version not in (FORMAT_VERSION, str(FORMAT_VERSION)):
        raise RecordError(
            f"not a lastcard record of version {FORMAT_VERSION}: its first line says {shorten(version)};"
            f' expected [Lastcard "{FORMAT_VERSION}"]'
        )


@dataclass(slots=True)
class _Part:
    """The head of a text, or a round of it, with the line number of every part."""

    line: int
    fields: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    reshuffles: list[tuple[str, int]] = field(default_factory=list)
    words: list[tuple[str, int]] = field(default_factory=list)
    """The actions, each go led by its seat."""

    @property
    def actions(self) -> list[tuple[str, int]]:
        """The words that are no seats."""
        return [(word, line) for word, line in self.words if not re.fullmatch(r"[0-9]:", word)]

    def read(self, name: str, parse: Callable[[str], _T]) -> _T:
        """The value of a header that must be there."""
        if name not in self.fields:
            raise RecordError(f"line {self.line}: header {name} is missing")
        with _at_line(self.lines[name]):
            return parse(self.fields[name])

    def line_of(self, place: _Place) -> int:
        """The place of an error in this round."""
        if place.ply is not None:
            return self.actions[place.ply][1]
        return self.lines.get(place.header or "Round", self.line)

    def refuse_unknown(self, known: Iterable[str]) -> None:
        """Takes no header that is not known."""
        for name, line in self.lines.items():
            if name not in known:
                raise RecordError(f"line {line}: unknown header {shorten(name)}; expected {', '.join(known)}")


def _tokens(text: str) -> Iterator[tuple[str | None, str, int]]:
    """Headers with their values, and words, each with the line it begins on."""
    end = len(text.rstrip())
    at, line = 0, 1
    while at < end:
        space = _SPACE.match(text, at)
        start = space.end() if space else at
        line += text.count("\n", at, start)
        found = _TOKEN.match(text, start, end)
        if not found:
            raise RecordError(
                f"line {line}: {shorten(text[start : start + 40].strip())} is neither a header nor an action"
            )
        yield found["name"], found["value"] if found["name"] else found["word"], line
        line += text.count("\n", start, found.end())
        at = found.end()


def _read_text(text: str) -> Record:
    head, *rounds = _read_parts(text)
    rules = head.read("Rules", parse_rules)
    seats = [f"Seat{seat}" for seat in range(rules.players)]
    agents = tuple(head.read(seat, _read_name) for seat in seats)
    people = head.read("People", lambda told: _read_people(told, rules)) if "People" in head.fields else ()
    head.refuse_unknown(("Lastcard", "Rules", "People", "Seed", *seats))
    for part in rounds:
        part.refuse_unknown(("Round", "Dealer", "Scores", "RoundSeed", "Deck", "Result"))
    record = Record(rules, agents, tuple(map(_read_round, rounds)), _read_seed(head, "Seed"), people)
    try:
        for index, part in enumerate(rounds):
            _check_speakers(record, index, part)
        return record.check()
    except _ReplayError as error:
        line = rounds[error.place.round_index].line_of(error.place)
        raise RecordError(f"line {line}: {error}") from None


def _read_parts(text: str) -> list[_Part]:
    parts = [_Part(1)]
    for name, value, line in _tokens(_checked_text(text)):
        with _at_line(line):
            if not parts[0].fields and name != "Lastcard":
                _check_version(value)
            if name == "Round":
                parts.append(_Part(line))
            part = parts[-1]
            if name == "Reshuffle" and len(parts) > 1:
                part.reshuffles.append((value, line))
            elif name:
                if name in part.fields:
                    raise RecordError(f"header {name} is given twice")
                part.fields[name] = value if name.startswith("Seat") else " ".join(value.split())
                part.lines[name] = line
            elif len(parts) > 1:
                part.words.append((value, line))
            else:
                raise RecordError(f'{shorten(value)} stands before the first round; expected [Round "1"]')
    with _at_line(1):
        _check_version(parts[0].fields.get("Lastcard"))
    return parts


def _read_people(text: str, rules: Rules) -> tuple[int, ...]:
    return check_people([_whole(word, "People") for word in text.split()], rules.players)


def _read_name(text: str) -> str:
    """A name, with quotes and line breaks escaped as in JSON."""
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        raise RecordError(
            f"{shorten(text)} is not a name; quotes and backslashes need a backslash before them"
        ) from None


def _read_round(part: _Part) -> RoundRecord:
    return RoundRecord(
        number=part.read("Round", lambda text: _whole(text, "Round")),
        dealer=part.read("Dealer", lambda text: _whole(text, "Dealer")),
        scores=part.read("Scores", lambda text: tuple(_whole(word, "Scores") for word in text.split())),
        deck=part.read("Deck", parse_cards),
        actions=tuple(_read_each(parse_action, part.actions)),
        seed=_read_seed(part, "RoundSeed"),
        reshuffles=tuple(_read_each(parse_cards, part.reshuffles)),
        outcome=part.read("Result", _parse_outcome) if "Result" in part.fields else None,
    )


def _read_each(parse: Callable[[str], _T], texts: Iterable[tuple[str, int]]) -> Iterator[_T]:
    for text, line in texts:
        with _at_line(line):
            yield parse(text)


def _read_seed(part: _Part, name: str) -> int | None:
    if name not in part.fields:
        return None
    return part.read(name, lambda text: require_int(name, _whole(text, name), 0, 2**256 - 1, RecordError))


def _check_speakers(record: Record, index: int, part: _Part) -> None:
    """Each go must be led by the seat whose go it is."""
    spoken, number = list(record._spoken(index)), record.rounds[index].number
    for place, ((read, line), expected) in enumerate(zip(part.words, spoken, strict=False), 1):
        if read.lower() != expected.lower():
            raise RecordError(f"line {line}: round {number}, word {place}: read {read}, expected {expected}")
    if len(part.words) != len(spoken):
        line = part.words[min(len(spoken), len(part.words) - 1)][1] if part.words else part.line
        raise RecordError(f"line {line}: round {number}: {len(part.words)} words where {len(spoken)} belong")


def _whole(text: str, name: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,80}", text):
        raise RecordError(f"{name}: {shorten(text)} is not a whole number")
    return int(text)


def _json_object(line: str) -> dict[str, object]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise RecordError(f"{shorten(line)} is not JSON") from None
    if not isinstance(value, dict):
        raise RecordError(f"expected a JSON object on each line, not {shorten(line)}")
    return value


def _round_to_dict(played: RoundRecord) -> dict[str, object]:
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


def _round_from_dict(fields: Mapping[str, object]) -> RoundRecord:
    outcome = fields.get("outcome")
    return RoundRecord(
        number=_int(fields, "round"),
        dealer=_int(fields, "dealer"),
        scores=tuple(
            require_int("scores", score, -10_000_000, 10_000_000, RecordError) for score in _list(fields, "scores")
        ),
        deck=parse_cards(_str(fields, "deck")),
        actions=tuple(map(parse_action, _str(fields, "actions").split())),
        seed=_optional_seed(fields, "seed"),
        reshuffles=tuple(parse_cards(order) for order in _list(fields, "reshuffles")),  # type: ignore[arg-type]
        outcome=None if outcome is None else _outcome_from(outcome),
    )


def _outcome_from(outcome: object) -> Outcome:
    if not isinstance(outcome, Mapping):
        raise RecordError(f"outcome must be an object, not {shorten(outcome)}")
    winner = "nobody" if outcome.get("winner") is None else outcome.get("winner")
    return _parse_outcome(f"{winner} {outcome.get('reason')} {' '.join(map(str, _list(outcome, 'points')))}")


def _int(fields: Mapping[str, object], name: str) -> int:
    return require_int(name, fields.get(name), -(10**9), 10**9, RecordError)


def _str(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise RecordError(f"{name} must be text, not {shorten(value)}")
    return value


def _list(fields: Mapping[str, object], name: str) -> list[object]:
    value = fields.get(name, [])
    if not isinstance(value, list):
        raise RecordError(f"{name} must be a list, not {shorten(value)}")
    return value


def _optional_seed(fields: Mapping[str, object], name: str) -> int | None:
    value = fields.get(name)
    return None if value is None else require_int(name, value, 0, 2**256 - 1, RecordError)
