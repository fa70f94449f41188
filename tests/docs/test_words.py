"""The texts that people read avoid the words that had to be replaced most often."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.docs.pages import ROOT

INSTEAD: Final = {
    "whoever": "a player, a seat, anyone who",
    "somebody": "someone, another player",
    "anew": "again, from scratch",
    "goes on with": "resumes, continues",
    "go on with": "resume, continue",
    "a line a ply": "one line per ply",
    "what there is": "the available ..., everything",
}
"""Words that stay out of our texts, with what to write."""
FOLDERS: Final = (
    *("core", "docs", "examples", ".github", "tools", "benchmarks"),
    *(
        f"src/lastcard/{part}"
        for part in ("analysis", "arena", "engine", "envs", "exact", "gpu", "learning", "puzzles", "store", "web")
    ),
)
"""Folders whose texts have been rewritten; add one when its texts have been."""
KINDS: Final = {".md", ".py", ".hpp", ".cpp", ".toml", ".yml", ".yaml", ""}
_CODE: Final = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)


def list_texts() -> list[Path]:
    """Returns the root's Markdown files, the Makefile, the core's tour, and every text in the folders."""
    found = [*ROOT.glob("*.md"), ROOT / "Makefile", ROOT / "core" / "README.md"]
    for folder in FOLDERS:
        found += [file for file in (ROOT / folder).rglob("*") if file.is_file() and file.suffix in KINDS]
    return sorted(file for file in found if "__pycache__" not in file.parts)


def find_words(text: str) -> list[str]:
    """Returns the words of the list that a text holds, also across lines; code in Markdown does not count."""
    prose = " ".join(_CODE.sub(" ", text).split())
    return [word for word in INSTEAD if re.search(rf"\b{word}\b", prose, re.IGNORECASE)]


@pytest.mark.parametrize("file", list_texts(), ids=lambda file: file.relative_to(ROOT).as_posix())
def test_a_text_has_none_of_the_words(file: Path) -> None:
    found = find_words(file.read_text(encoding="utf-8"))
    assert found == [], "; ".join(f"{word}: write {INSTEAD[word]}" for word in found)


@pytest.mark.parametrize("word", INSTEAD)
def test_a_word_is_found(word: str) -> None:
    first, *others = word.split()
    assert find_words(f"Play it {first.title()}\n{' '.join(others)} again.") == [word]
    assert find_words(f"The code `{word}` and not{word}.") == []
