"""Draws the README's picture: a real `lastcard play` in a pseudo-terminal, as SVG.

Run it with `python docs/images/make_terminal.py` after changing what the terminal shows.
"""

from __future__ import annotations

import os
import pty
import re
import select
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.text import Text

WIDTH = 80
ANSWERS = ("b5", "1", "1", "2", "quit")
TARGET = Path(__file__).with_name("terminal.svg")

SVG = """<svg class="rich-terminal" viewBox="0 0 {terminal_width} {terminal_height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: {char_height}px;
line-height: {line_height}px; font-variant-east-asian: full-width; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}</defs>
<rect fill="#1b1e24" x="0" y="0" width="{terminal_width}" height="{terminal_height}" rx="10"/>
<g transform="translate(16, 16)" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g></g></svg>
"""


def play() -> str:
    """Plays a few turns by hand and returns everything the terminal showed."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS=str(WIDTH), LINES="40")
        os.environ.pop("NO_COLOR", None)
        os.execv(sys.executable, [sys.executable, "-m", "lastcard.cli", "play", "--seed", "7"])
    shown = b""
    answers = list(ANSWERS)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        ready, _, _ = select.select([terminal], [], [], 0.7)
        try:
            if ready:
                shown += os.read(terminal, 65536)
            elif answers:
                os.write(terminal, answers.pop(0).encode() + b"\n")
        except OSError:
            break
    os.waitpid(child, 0)
    return shown.decode().replace("\r\n", "\n")


def main() -> None:
    """Writes the picture."""
    text = play()
    turns = re.split(r"\n(?=[^\n]*Round 1, turn)", text)
    panel = "\n".join(turns[-2:]).strip("\n")
    panel = panel[: panel.rindex("quit")].rstrip()
    console = Console(record=True, width=WIDTH, file=open(os.devnull, "w"), force_terminal=True)  # noqa: SIM115
    console.print(Text.from_ansi(panel))
    TARGET.write_text(console.export_svg(title="lastcard play", code_format=SVG, unique_id="lastcard"))
    print(f"wrote {TARGET}")


if __name__ == "__main__":
    main()
