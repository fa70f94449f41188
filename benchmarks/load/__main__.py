"""Loads a real server: `python -m benchmarks.load [games|flood|kills|drops|tokens] ...`.

games    500 live games at one action a second, against 50 in the same run
flood    50 games while one user asks for as many searches as it can, against none
kills    200 SIGKILLs under load; nothing acknowledged is lost or doubled, and games are back within 2 s
drops    10,000 connections cut off; everybody comes back to the same seat
tokens   100,000 tokens guessed, stale or somebody else's; nothing private is shown

Without a name, all of them. `--scale 0.01` runs a hundredth of each, for a first look.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.load.measures import check_drops, check_kills, measure_flood, measure_games
from benchmarks.load.tokens import try_tokens

MEASURES = ("games", "flood", "kills", "drops", "tokens")
FEW, MANY = 50, 500
SECONDS = 30.0
KILLS, KILLED_GAMES = 200, 20
DROPS, DROPPED_GAMES = 10_000, 50
TOKENS = 100_000


def measure(name: str, folder: Path, scale: float, tell: Callable[[str], None]) -> dict[str, Any]:
    """Runs one of them, at a part of its full count."""

    def part(whole: int, least: int = 1) -> int:
        return max(round(whole * scale), least)

    match name:
        case "games":
            return measure_games(folder, part(FEW, 2), part(MANY, 4), max(SECONDS * scale, 4.0), tell)
        case "flood":
            return measure_flood(folder, max(SECONDS * scale, 4.0), tell)
        case "kills":
            return check_kills(folder, part(KILLS), KILLED_GAMES, tell)
        case "drops":
            return check_drops(folder, part(DROPS), DROPPED_GAMES, tell)
        case _:
            return try_tokens(folder, part(TOKENS), tell)


def main() -> None:
    """Prints a line of JSON for each measure."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.load", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(MEASURES)}; all if none is given")
    parser.add_argument("--scale", type=float, default=1.0, help="part of the full counts (default 1)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="a JSON file that the results are entered into")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in MEASURES]
    if unknown:
        parser.error(f"no measure {unknown[0]}; there are: {', '.join(MEASURES)}")

    def tell(text: str) -> None:
        print(f"\r{text}  ", end="", file=sys.stderr, flush=True)

    for name in options.names or MEASURES:
        with tempfile.TemporaryDirectory() as folder:
            found = measure(name, Path(folder), options.scale, tell)
        print("\r", end="", file=sys.stderr)
        print(json.dumps({"measure": name, **found}), flush=True)
        if options.out:
            known = json.loads(options.out.read_text(encoding="utf-8")) if options.out.exists() else {}
            options.out.write_text(json.dumps({**known, name: found}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
