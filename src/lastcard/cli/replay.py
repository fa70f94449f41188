"""`lastcard replay`: a record, ply by ply, as it was or as one seat saw it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.text import Text

from lastcard.cli.narration import Teller, short_names
from lastcard.cli.screen import Screen, ink
from lastcard.cli.shared_options import JsonOption
from lastcard.errors import RecordError, StateError
from lastcard.files import name_file
from lastcard.observation import Observation, observe
from lastcard.record import Record, load_texts, parse_record
from lastcard.rules import format_rules
from lastcard.shell import command
from lastcard.state import State

_LACKS: Final = re.compile(r"header \w+ is missing$|lead to no result$|words where \d+ belong$|^line \d+: [\"']\[")
"""Errors of records of which the end is missing: the last pattern is a header without its bracket."""


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record that play, watch or games wrote.")],
    seat: Annotated[int | None, typer.Option("--seat", metavar="SEAT", help="Show the view of this seat.")] = None,
    truth: Annotated[bool, typer.Option("--truth", help="Show all cards (the default).")] = False,
    game: Annotated[
        int | None, typer.Option("--game", metavar="N", help="Number of the game, if the file holds several.")
    ] = None,
    number: Annotated[int | None, typer.Option("--round", metavar="ROUND", help="Only this round.")] = None,
    step: Annotated[
        bool | None,
        typer.Option("--step/--all", help="Pause after each ply, or print all; pauses by default on a terminal."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Step through a record, from any seat or with all cards face up.

    With --json: one line per ply, with the whole state or the view of the seat.

    Example: lastcard replay game.txt --seat 0
    """
    if truth and seat is not None:
        raise StateError("--truth shows all hands and --seat only one; give one of them")
    record = load_game(file, game)
    if seat is not None and not 0 <= seat < record.rules.players:
        raise StateError(f"--seat must be from 0 to {record.rules.players - 1}, not {seat}")
    indices = _choose_rounds(record, number)
    if as_json:
        for index in indices:
            for state in record.states(index):
                print(json.dumps(state.to_dict() if seat is None else observe(state, seat).to_dict()))
        return
    screen = Screen()
    screen.say(f"{' against '.join(record.agents)}: {format_rules(record.rules)}")
    screen.say("All cards face up." if seat is None else f"As seat {seat} ({record.agents[seat]}) saw it.")
    frames = [frame for index in indices for frame in _frames(record, index, seat)]
    if screen.is_terminal if step is None else step:
        _step(screen, frames)
    else:
        for frame in frames:
            frame.show(screen)


def load_game(file: Path, game: int | None) -> Record:
    """The record in a file, or the one of that number, from 1, where it holds several.

    Raises:
        RecordError: if it cannot be read, or it is not clear which game is meant.
    """
    try:
        texts = load_texts(file)
    except RecordError as error:
        if file.exists():
            raise
        raise RecordError(f"{error}; make one with: {command('play', '--record', str(file))}") from None
    if game is None and len(texts) > 1:
        raise RecordError(f"{file} holds {len(texts)} games; choose one with --game, from 1 to {len(texts)}")
    if game is not None and not 1 <= game <= len(texts):
        raise RecordError(f"--game must be from 1 to {len(texts)}, not {game}")
    return read_record(file, texts[(game or 1) - 1])


def read_record(file: Path, text: str) -> Record:
    """Reads the text of a record from a file.

    Raises:
        RecordError: naming the file, and saying so if it was probably cut off.
    """
    try:
        return parse_record(text)
    except RecordError as error:
        is_cut = text.startswith(("[Lastcard ", "{")) and (not text.endswith("\n") or _LACKS.search(str(error)))
        hint = "; the file may be cut off" if is_cut else ""
        raise RecordError(f"{name_file(file)}: {error}{hint}") from None


def _choose_rounds(record: Record, number: int | None) -> list[int]:
    if number is None:
        return list(range(len(record.rounds)))
    indices = [index for index, played in enumerate(record.rounds) if played.number == number]
    if not indices:
        have = ", ".join(str(played.number) for played in record.rounds) or "none"
        raise RecordError(f"no round {number} in the record; there are: {have}")
    return indices


@dataclass(frozen=True, slots=True)
class Frame:
    """The view after one ply."""

    number: int
    ply: int
    last: int
    note: str
    lines: list[Text]

    def show(self, screen: Screen) -> None:
        """Prints the view."""
        screen.say()
        screen.rule(f"Round {self.number}, ply {self.ply} of {self.last}", self.note)
        for line in self.lines:
            screen.say(line, indent=2)


def _frames(record: Record, index: int, seat: int | None) -> Iterator[Frame]:
    """A frame for each ply; from a seat, only where it saw something new."""
    played = record.rounds[index]
    names = short_names(record.agents)
    teller = Teller(record.rules, names, you=seat)
    before: dict[str, object] | None = None
    for action_index, state in enumerate(record.states(index)):
        observation = None if seat is None else observe(state, seat)
        if observation:
            facts = observation.facts()
            if facts == before:
                continue
            before = facts
        view = observation or state
        news = teller.news(view.history)
        lines = [*news, *_hands(state, observation, teller)]
        if view.outcome:
            lines += [Text(), Text(teller.result(view.outcome)), Text(f"Scores: {teller.scores(view.scores)}")]
        pile = observation.draw_pile_size if observation else len(state.draw_pile)
        color = view.active_color
        top = ink(view.top_card, color).plain
        yield Frame(played.number, action_index, len(played.actions), f"top card {top} · draw pile {pile}", lines)


def _hands(state: State, observation: Observation | None, teller: Teller) -> list[Text]:
    to_act = observation.seat if observation else state.seat
    sizes = observation.hand_sizes if observation else tuple(len(player.hand) for player in state.players)
    width = max(3, *map(len, teller.names))
    lines = []
    for seat, size in enumerate(sizes):
        line = Text(f"{'>' if seat == to_act else ' '} {teller.name(seat):<{width}}  {size:>2}  ")
        hand = state.hand(seat) if observation is None else observation.hand if seat == observation.observer else ()
        lines.append(line.append_text(Text(" ").join([ink(card) for card in hand])))
    return lines


def _step(screen: Screen, frames: list[Frame]) -> None:
    at = 0
    while frames:
        frame = frames[at]
        frame.show(screen)
        while True:
            try:
                answer = screen.ask("  Enter next, b back, a number for that ply, q quit: ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                screen.say()
                return
            if answer in ("q", "quit") or (answer in ("", "n") and at == len(frames) - 1):
                return
            to = _go(answer, at, frames)
            if to is not None:
                at = to
                break
            screen.say(f"{answer[:20]!r} is neither Enter, b, q nor a ply of round {frame.number}.", indent=2)


def _go(answer: str, at: int, frames: list[Frame]) -> int | None:
    """Returns the frame to show; None if there is none."""
    if answer in ("", "n", "next"):
        return at + 1
    if answer in ("b", "back"):
        return max(at - 1, 0)
    if not answer.isdecimal():
        return None
    here = [index for index, frame in enumerate(frames) if frame.number == frames[at].number]
    wanted = int(answer[:9])
    if wanted > frames[at].last:
        return None
    return max((index for index in here if frames[index].ply <= wanted), default=here[0])
