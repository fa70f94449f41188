"""Lines: a round with one line per turn, in columns."""

from __future__ import annotations

from rich.text import Text

from lastcard.cli.narration import Teller, Turn
from lastcard.cli.screen import Screen
from lastcard.state import Outcome, State

_ON = 7
"""Columns for the card played on."""
_NARROW = 72
"""Width below which columns stand closer together."""
_COLUMNS = (22, 12, 0)
"""Columns where the result of a turn may start, the better first."""
_MOST_HANDS = 5
"""Most seats whose hand sizes are all shown; with more, only that of the seat that acted."""


class Lines:
    """Prints a round's turns as they come to an end."""

    def __init__(self, screen: Screen, teller: Teller) -> None:
        self.screen = screen
        self.teller = teller
        self._printed = 0
        self._gap = 2 if screen.width >= _NARROW else 1
        self._number = 2 + self._gap
        self._on = _ON - 2 + self._gap
        self._margin = self._number + self._gap + self._on + max(map(len, teller.names)) + self._gap

    def head(self) -> None:
        """Prints the deal and the names of the columns."""
        teller = self.teller
        self.screen.say(teller.sentence(teller.turns[0]))
        self.screen.say()
        self._row(
            Text("turn" if self._gap == 2 else " no"),
            Text("on"),
            Text("who"),
            Text("does"),
            Text("hands" if len(teller.names) <= _MOST_HANDS else "holds"),
            "dim",
        )
        self._printed = 1

    def follow(self, state: State) -> None:
        """Prints the turns that are complete by now."""
        self.teller.hear(state.history)
        complete = len(self.teller.turns) - (0 if state.is_over else 1)
        if not self._printed:
            self.head()
        for turn in self.teller.turns[self._printed : complete]:
            self.turn(turn)
        self._printed = max(self._printed, complete)

    def turn(self, turn: Turn) -> None:
        """Prints one turn."""
        assert turn.seat is not None
        name = self.teller.name(turn.seat)
        hands = self._hands(turn)
        befell = self._befell(turn)
        room = self._room(hands)
        layouts = [_beside(deeds, befell, at) for deeds in (turn.deeds, turn.short_deeds) for at in _COLUMNS]
        brief = _beside(turn.short_deeds, self._befell(turn, brief=True), 0)
        briefest = _beside(turn.short_deeds, _without_verb(self._befell(turn, brief=True)), 0)
        otherwise = layouts[-1] if self._gap == 2 else brief
        does = next((layout for layout in (*layouts, brief, briefest) if layout.cell_len <= room), otherwise)
        self._row(Text(str(turn.number), "dim"), turn.on, Text(name), does, hands)

    def result(self, outcome: Outcome, scores: tuple[int, ...]) -> None:
        """Prints how the round ended."""
        self.screen.say()
        turns = len(self.teller.turns) - 1
        text = self.teller.result(outcome)
        self.screen.say(f"{text.removesuffix('.')} after {turns} turn{'s' if turns != 1 else ''}.")
        self.screen.say(f"Scores: {self.teller.scores(scores)}")

    def _hands(self, turn: Turn) -> Text:
        if len(turn.sizes) > _MOST_HANDS and turn.seat is not None:
            return Text(f"{turn.sizes[turn.seat]}")
        text = Text()
        for seat, size in enumerate(turn.sizes):
            text.append("-" if seat else "", "dim").append(str(size), "bold" if size == 1 else "")
        return text

    def _befell(self, turn: Turn, *, brief: bool = False) -> Text:
        """Results of the turn; the brief form omits that a seat that draws is also skipped."""
        said = []
        for seat, effects in turn.effects:
            clauses = (
                [text for text in effects if text.plain != "is skipped"] if brief and len(effects) > 1 else effects
            )
            kept = [_without_is(text) if index or seat == turn.seat else text for index, text in enumerate(clauses)]
            whose = "" if seat == turn.seat and clauses[0].plain.startswith("is ") else f"{self.teller.name(seat)} "
            said.append(Text.assemble(whose, Text(", ").join(kept)))
        return Text("; ").join(said)

    def _room(self, hands: Text) -> int:
        """Number of columns left for the events."""
        return self.screen.width - self._margin - hands.cell_len - self._gap

    def _row(self, number: Text, on: Text, who: Text, does: Text, hands: Text, style: str = "") -> None:
        row = Text(style=style)
        row.append(" " * (self._number - number.cell_len)).append_text(number).append(" " * self._gap)
        row.append_text(on).append(" " * (self._on - on.cell_len))
        row.append_text(who).append(" " * (self._margin - row.cell_len))
        room = self._room(hands)
        lines = does.wrap(self.screen.console, max(room, 20)) if does.cell_len > room else [does]
        for index, line in enumerate(lines):
            line.rstrip()
            whole = Text(" " * self._margin) if index else row
            whole.append_text(line)
            if not index:
                whole.append(" " * (room + self._gap - line.cell_len)).append_text(hands)
            self.screen.console.print(whole, soft_wrap=True)


def _beside(deeds: list[Text], befell: Text, column: int) -> Text:
    does = Text(", ").join(deeds)
    if befell:
        does.append(" " * max(column - does.cell_len, 2)).append_text(befell)
    return does


def _without_is(clause: Text) -> Text:
    return clause[3:] if clause.plain.startswith("is ") else clause


def _without_verb(befell: Text) -> Text:
    """Results in the fewest words: `heuristic skipped` instead of `heuristic is skipped`."""
    parts = befell.split(" is ")
    return Text(" ").join(parts)
