"""Records as text: headers as in chess's PGN, then the actions, each go led by its seat."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeVar

from lastcard.actions import parse_action
from lastcard.cards import parse_cards
from lastcard.errors import RecordError, require_int, shorten
from lastcard.round_record import Place, RoundRecord, at_line, check_text, check_version, parse_outcome

WIDTH: Final = 80
_T = TypeVar("_T")


def format_header(name: str, value: str) -> str:
    """Writes a header; those with many cards are wrapped."""
    line = f'[{name} "{value}"]'
    return textwrap.fill(line, WIDTH, break_long_words=False) if name in ("Deck", "Reshuffle") else line


_TOKEN: Final = re.compile(r'\[(?P<name>[A-Za-z0-9]+)\s+"(?P<value>(?:[^"\\]|\\.)*)"\]|(?P<word>[^\s\[\]"]+)')
_SPACE: Final = re.compile(r"\s*")


@dataclass(slots=True)
class Part:
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
        with at_line(self.lines[name]):
            return parse(self.fields[name])

    def line_of(self, place: Place) -> int:
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


def read_parts(text: str) -> list[Part]:
    """Splits a text into its head and its rounds.

    Raises:
        RecordError: saying on which line, what was read and what was expected.
    """
    parts = [Part(1)]
    for name, value, line in _tokens(check_text(text)):
        with at_line(line):
            if not parts[0].fields and name != "Lastcard":
                check_version(value)
            if name == "Round":
                parts.append(Part(line))
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
    with at_line(1):
        check_version(parts[0].fields.get("Lastcard"))
    return parts


def read_name(text: str) -> str:
    """A name, with quotes and line breaks escaped as in JSON."""
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        raise RecordError(
            f"{shorten(text)} is not a name; quotes and backslashes need a backslash before them"
        ) from None


def read_round(part: Part) -> RoundRecord:
    """Reads a round of a text."""
    return RoundRecord(
        number=part.read("Round", lambda text: read_whole(text, "Round")),
        dealer=part.read("Dealer", lambda text: read_whole(text, "Dealer")),
        scores=part.read("Scores", lambda text: tuple(read_whole(word, "Scores") for word in text.split())),
        deck=part.read("Deck", parse_cards),
        actions=tuple(_read_each(parse_action, part.actions)),
        seed=read_seed(part, "RoundSeed"),
        reshuffles=tuple(_read_each(parse_cards, part.reshuffles)),
        outcome=part.read("Result", parse_outcome) if "Result" in part.fields else None,
    )


def _read_each(parse: Callable[[str], _T], texts: Iterable[tuple[str, int]]) -> Iterator[_T]:
    for text, line in texts:
        with at_line(line):
            yield parse(text)


def read_seed(part: Part, name: str) -> int | None:
    """Reads the header of a seed; None if it is left out."""
    if name not in part.fields:
        return None
    return part.read(name, lambda text: require_int(name, read_whole(text, name), 0, 2**256 - 1, RecordError))


def read_whole(text: str, name: str) -> int:
    """Reads a whole number."""
    if not re.fullmatch(r"-?[0-9]{1,80}", text):
        raise RecordError(f"{name}: {shorten(text)} is not a whole number")
    return int(text)
