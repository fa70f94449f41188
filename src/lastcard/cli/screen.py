"""The screen: where text goes, and how cards look on it."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final, Literal

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from lastcard.cards import Card, Color

PLAIN_WIDTH: Final = 80
MAX_WIDTH: Final = 100  # wider lines are hard to read

SPELLED: Final = "lastcard.spelled"
_ASCII: Final = str.maketrans("░▒▓▁▂▃▄▅▆▇█·─│┤×…µ†", "13612345678.-||x~u*") | {ord("±"): "+-", ord("∞"): "inf"}
_CHIPS: Final[Mapping[Color | None, str]] = {
    Color.RED: "bold white on red",
    Color.YELLOW: "black on yellow",
    Color.GREEN: "black on green",
    Color.BLUE: "bold white on blue",
    None: "black on white",
}
_INK: Final[Mapping[Color | None, str]] = {
    Color.RED: "bold red",
    Color.YELLOW: "bold yellow",
    Color.GREEN: "bold green",
    Color.BLUE: "bold blue",
    None: "bold",
}


class Screen:
    """Standard output: in color on a terminal or where FORCE_COLOR is set; 80 columns wide without a terminal."""

    def __init__(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError, ValueError):
                stream.reconfigure(errors=SPELLED)  # type: ignore[union-attr]
        self.is_terminal = is_terminal()
        self.has_color = wants_color()
        if self.is_terminal and self.has_color:
            _edit_lines()
        self.console = Console(
            color_system=_choose_colors(self.has_color),
            no_color=not self.has_color,
            width=None if self.is_terminal else PLAIN_WIDTH,
            highlight=False,
            markup=False,
            emoji=False,
        )

    @property
    def width(self) -> int:
        """Number of columns to use."""
        return min(self.console.width, MAX_WIDTH)

    def say(self, text: Text | str = "", indent: int = 0, hang: int = 0, *, whole: bool = False) -> None:
        """Prints a line, wrapped between words unless `whole`; lines after the first are indented by `hang` more."""
        text = Text(text) if isinstance(text, str) else text
        room = max(self.width - indent, 20)
        hang = min(hang, room - 20)
        lines = [text]
        if text.cell_len > room and not whole:
            first, *rest = text.wrap(self.console, room)
            lines = [first]
            if rest:
                tail = text[len(first.plain.rstrip()) :]
                tail = tail[len(tail.plain) - len(tail.plain.lstrip()) :]
                lines += tail.wrap(self.console, room - hang)
        for index, line in enumerate(lines):
            if not whole:
                line.rstrip()
            margin = " " * (indent + (hang if index else 0)) if line.plain else ""
            # The line is wrapped already; rich must not wrap it once more.
            self.console.print(Text.assemble(margin, line), soft_wrap=True)

    def rule(self, left: str, right: str = "") -> None:
        """Prints a line across the screen: a title on the left, and as many parts of a note on the right as fit."""
        room = self.width - cell_len(left) - 10
        while right and cell_len(right) > room:
            right = right.rpartition(" · ")[0]
        gap = self.width - cell_len(left) - cell_len(right) - (8 if right else 5)
        line = Text.assemble(
            ("── ", "dim"),
            (left, "bold"),
            (f" {'─' * max(gap, 0)}", "dim"),
            (f" {right} ", "") if right else "",
            ("──" if right else "─", "dim"),
        )
        self.console.print(line, soft_wrap=True)

    def ask(self, prompt: str) -> str:
        """Reads a line; wraps the prompt between words.

        Raises:
            EOFError: if there is no more input.
        """
        text = prompt.strip()
        indent = prompt[: prompt.index(text)]
        *lines, last = Text(text).wrap(self.console, max(self.width - len(prompt) + len(text), 20))
        for line in lines:
            line.rstrip()
            self.say(line, indent=len(indent), whole=True)
        self.console.file.flush()
        return input(f"{indent}{last} ")


def _spell(error: UnicodeError) -> tuple[str, int]:
    """Replaces characters that a terminal lacks: blocks by digits, others by what looks alike or a question mark."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return error.object[error.start : error.end].translate(_ASCII).encode("ascii", "replace").decode(), error.end


codecs.register_error(SPELLED, _spell)


def _edit_lines() -> None:
    """Lets the arrow keys work while typing."""
    with suppress(ImportError):
        import readline

        readline.parse_and_bind("set enable-bracketed-paste off")


def is_terminal() -> bool:
    """True if input and output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def wants_color() -> bool:
    """True if escape codes are written: NO_COLOR forbids them, FORCE_COLOR forces them, a terminal gets them."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb")


def _choose_colors(has_color: bool) -> Literal["auto", "standard"] | None:
    """Color system of the terminal; if colors are forced elsewhere, the standard sixteen."""
    if not has_color:
        return None
    return "auto" if sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb" else "standard"


def ink(card: Card, color: Color | None = None) -> Text:
    """A card within a sentence; for a Wild, the color it names can be added."""
    text = f"{card.text}:{color.letter}" if color and card.is_wild else card.text
    return Text(text, _INK[color if card.is_wild else card.color])


def color_ink(color: Color) -> Text:
    """A color's name in its color."""
    return Text(color.word, _INK[color])


def chip(card: Card, color: Color | None = None) -> Text:
    """A card lying on the table or in the hand."""
    text = f"{card.text}:{color.letter}" if color and card.is_wild else card.text
    return Text(f" {text} ", _CHIPS[color if card.is_wild else card.color])


def faded(card: Card) -> Text:
    """A card that cannot be played now."""
    return Text(f" {card.text} ", f"dim {_INK[card.color].removeprefix('bold').strip()}".strip())


def in_columns(cells: Sequence[Text], width: int, gap: int = 1) -> list[Text]:
    """Lays cells out in rows of equal columns."""
    column = max((cell.cell_len for cell in cells), default=0) + gap
    per_row = max((width + gap) // column, 1)
    rows = []
    for start in range(0, len(cells), per_row):
        row = Text()
        for cell in cells[start : start + per_row]:
            row.append(" " * (-row.cell_len % column))
            row.append_text(cell)
        rows.append(row)
    return rows
