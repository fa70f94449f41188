"""The texts that people read avoid the words that had to be replaced most often."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
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
NOT_FIRST: Final = {
    *("What", "How", "Whether", "Who", "Whom", "Whose", "Which", "Where", "When", "Why"),
    *("Of", "As", "That"),
}
"""Words with which no docstring starts: it starts with a verb or a noun."""
FOLDERS: Final = ("core", "docs", "examples", ".github", "tools", "benchmarks", "src", "tests", "wasm", "frontend/src")
"""Folders whose texts people read."""
KINDS: Final = {".md", ".py", ".hpp", ".cpp", ".toml", ".yml", ".yaml", ".js", ".mjs", ".ts", ".svelte", ""}
SPARED: Final = {Path(__file__)}
"""This file has to name the words."""
_CODE: Final = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)


def list_texts() -> list[Path]:
    """Returns the root's Markdown files, the Makefile, and every text in the folders."""
    found = [*ROOT.glob("*.md"), ROOT / "Makefile"]
    for folder in FOLDERS:
        found += [file for file in (ROOT / folder).rglob("*") if file.is_file() and file.suffix in KINDS]
    return sorted(file for file in found if not {"__pycache__", "static"} & set(file.parts) and file not in SPARED)


def find_docstrings(source: str) -> Iterator[tuple[int, str]]:
    """Yields the docstrings of a module, its classes, functions and attributes, each with its line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


def find_words(text: str) -> list[str]:
    """Returns the words of the list that a text holds, also across lines; code in Markdown does not count."""
    prose = " ".join(_CODE.sub(" ", text).split())
    return [word for word in INSTEAD if re.search(rf"\b{word}\b", prose, re.IGNORECASE)]


def test_texts_have_none_of_the_words() -> None:
    found = [
        f"{file.relative_to(ROOT)}: {word}: write {INSTEAD[word]}"
        for file in list_texts()
        for word in find_words(file.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize("word", INSTEAD)
def test_a_word_is_found(word: str) -> None:
    first, *others = word.split()
    assert find_words(f"Play it {first.title()}\n{' '.join(others)} again.") == [word]
    assert find_words(f"The code `{word}` and not{word}.") == []


def test_docstrings_start_with_a_verb_or_a_noun() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}: {text}"
        for file in list_texts()
        if file.suffix == ".py"
        for line, text in find_docstrings(file.read_text(encoding="utf-8"))
        if (text.split() or [""])[0] in NOT_FIRST
    ]
    assert found == []


def test_every_kind_of_docstring_is_read() -> None:
    source = '"""M."""\nclass A:\n    """C."""\n    x: int\n    """X."""\n    def f(self):\n        """F."""\n'
    assert sorted(find_docstrings(source)) == [(1, "M."), (3, "C."), (5, "X."), (7, "F.")]
