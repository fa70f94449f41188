"""Parts that the programs of speed share: the options, the printed table, and the file of results."""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

RESULTS: Final = Path(__file__).parents[1] / "results"


def make_parser(name: str, description: str | None, repetitions: int = 5) -> argparse.ArgumentParser:
    """A parser with `--save`, and with `--repetitions` unless there are none to choose."""
    parser = argparse.ArgumentParser(prog=f"benchmarks.{name.replace('-', '.')}", description=description)
    if repetitions:
        what = f"best of how many (default {repetitions})"
        parser.add_argument("--repetitions", type=int, default=repetitions, help=what)
    parser.add_argument("--save", action="store_true", help=f"write {name}.json into benchmarks/results")
    return parser


def report(
    name: str,
    figures: Mapping[str, float],
    *,
    saves: bool,
    at_least: Mapping[str, float] | None = None,
    at_most: Mapping[str, float] | None = None,
    more: Mapping[str, Any] | None = None,
) -> None:
    """Prints each figure with its goal, and writes the file of results if asked."""
    goals = {figure: f"goal at least {goal:,.9g}" for figure, goal in (at_least or {}).items()}
    goals |= {figure: f"goal at most {goal:,.9g}" for figure, goal in (at_most or {}).items()}
    for figure, value in figures.items():
        text = f"{value:,.2f}" if value < 100 else f"{value:,.0f}"
        print(f"{figure:70} {text:>16}   {goals.get(figure, '')}".rstrip())
    if saves:
        about = {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()}
        rounded = {figure: round(value, 2) for figure, value in figures.items()}
        text = json.dumps({**about, **(more or {}), "figures": rounded}, indent=2, ensure_ascii=False)
        (RESULTS / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")
