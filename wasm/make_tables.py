"""Writes the tables of the WebAssembly module from the Python package: `python wasm/make_tables.py FILE`.

Options and weights are stated in Python, and nowhere else.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from lastcard.agents import LEVELS, list_agents
from lastcard.agents.info import option_help
from lastcard.analysis import ANALYST
from lastcard.network import SHIPPED
from lastcard.version import __version__
from lastcard.weights import Weights

PIECE: Final = 8000
"""Compilers take strings of at most some ten thousand characters, and join neighbors."""


def describe() -> dict[str, object]:
    """Everything that a page can offer besides rules."""
    return {
        "version": __version__,
        "agents": {info.name: _describe_agent(info) for info in list_agents()},
        "levels": {name: dataclasses.asdict(level) for name, level in LEVELS.items()},
        "networks": {use: dict(by) for use, by in SHIPPED.items()},
    }


def _describe_agent(info: Any) -> dict[str, object]:
    return {
        "summary": info.summary,
        "options": info.options,
        "help": option_help(info.config),
        "published": info.published,
        "main_option": info.main_option,
    }


def make_header() -> str:
    """The file as it should be."""
    text = json.dumps(describe(), separators=(",", ":"))
    pieces = (text[start : start + PIECE] for start in range(0, len(text), PIECE))
    lines = [
        "// Made by wasm/make_tables.py.",
        "#pragma once",
        "",
        "namespace lastcard::tables {",
        "",
        f"inline constexpr const char* JUDGE = {json.dumps(ANALYST)};",
        _numbers("TWO_PLAYER_WEIGHTS", Weights.shipped(2).values),
        _numbers("MORE_PLAYER_WEIGHTS", Weights.shipped(3).values),
        "inline constexpr const char* DESCRIPTION =",
        *(f"    {json.dumps(piece)}" for piece in pieces),
        "    ;",
        "",
        "}  // namespace lastcard::tables",
    ]
    return "\n".join(lines) + "\n"


def _numbers(name: str, values: Iterable[float]) -> str:
    return f"inline constexpr double {name}[] = {{{', '.join(map(repr, values))}}};"


def write_tables(target: Path) -> None:
    """Writes the file, unless it is as it should be: then nothing has to be compiled again."""
    header = make_header()
    if not target.exists() or target.read_text(encoding="utf-8") != header:
        target.write_text(header, encoding="utf-8")


if __name__ == "__main__":
    Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
    write_tables(Path(sys.argv[1]))
