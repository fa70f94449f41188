"""The Markdown that people read, and the blocks in it that are run."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = {
    file.relative_to(ROOT).as_posix(): file for file in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
}
_FENCE: Final = re.compile(r"^```(?P<kind>\w+)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)


def read_page(page: str) -> str:
    return PAGES[page].read_text(encoding="utf-8")


def blocks(text: str, kind: str) -> Iterator[str]:
    """The fenced blocks of that kind, in order."""
    return (found["body"] for found in _FENCE.finditer(text) if found["kind"] == kind)


def program(page: str) -> str:
    """The Python of a page, each line where it is on the page."""
    text = read_page(page)
    lines = [""] * text.count("\n")
    for found in _FENCE.finditer(text):
        body, first = found["body"], text.count("\n", 0, found.start("body"))
        examples = [(each.lineno, each.source) for each in doctest.DocTestParser().get_examples(body)] or [(0, body)]
        for number, source in examples if found["kind"] == "python" else ():
            lines[first + number : first + number + source.count("\n")] = source.splitlines()
    return "\n".join(lines) + "\n"


def shell_lines(text: str) -> list[str]:
    """Every command of a page's `sh` blocks, lines that go on joined."""
    joined = "".join(blocks(text, "sh")).replace("\\\n", " ")
    return [line.strip() for line in joined.splitlines() if line.strip() and not line.startswith("#")]
