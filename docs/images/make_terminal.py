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
ANSWERS = ("b5", "hint")
TARGET = Path(__file__).with_name("terminal.svg")

SVG = """<svg viewBox="0 0 {width} {height}" xml:space="preserve" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: {char_height}px;
line-height: {line_height}px; white-space: pre; }}
{styles}
</style>
<defs>{lines}</defs>
<rect fill="#1b1e24" width="100%" height="100%" rx="10"/>
<g transform="translate(16, 14)">
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
    shown = ""
    answers = list(ANSWERS)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            if select.select([terminal], [], [], 0.1)[0]:
                shown += os.read(terminal, 65536).decode()
        except OSError:  # the program has left
            break
        if re.search(r"Your turn: (\x1b\[[0-9;]*m)*$", shown):
            if not answers:
                break
            os.write(terminal, answers.pop(0).encode() + b"\n")
            time.sleep(0.2)
    os.close(terminal)
    return shown.replace("\r\n", "\n")


def main() -> None:
    """Writes the picture."""
    text = play()
    turns = re.split(r"\n(?=[^\n]*Round 1, turn)", text)
    panel = "\n".join(turns[-2:]).strip("\n")
    console = Console(record=True, width=WIDTH, file=open(os.devnull, "w"), force_terminal=True)  # noqa: SIM115
    console.print(Text.from_ansi(panel))
    TARGET.write_text(console.export_svg(title="lastcard play", code_format=SVG, unique_id="lastcard"))
    print(f"wrote {TARGET}")


if __name__ == "__main__":
    main()
