"""Plays the standing tournament: `python -m benchmarks.strength.ladder [--rounds N] [--only NAME] [--rules NAME]`.

`ladder.toml` says who plays; what comes of it goes into benchmarks/results/ladder.jsonl, part by part, so that Ctrl-C
loses the part in progress only; then docs/explanation/ladder.md and its figure are rewritten. `make ladder` does all.
"""

from __future__ import annotations

import argparse
import sys
import time
from fnmatch import fnmatchcase
from pathlib import Path

from benchmarks.strength.ladder_page import write_page
from benchmarks.strength.standing import RESULTS, Line, keep_lines, play_entry, read_entries, read_lines, write_lines
from lastcard.arena.printing import format_share, format_time


def tell(line: Line) -> str:
    """A part in one line."""
    mark = " †" if line.ceiling else ""
    won = f"{format_share(line.estimate):>11} %"
    return (
        f"{line.preset} {line.players} players  {line.agent + mark:<28} {won} of {line.rounds:>7,} rounds,"
        f" {format_time(line.decision_seconds)} a decision, {line.cpu_seconds:.0f} s of CPU"
    )


def main(words: list[str] | None = None) -> None:
    """Plays the tournament, and stores and prints the results."""
    parser = argparse.ArgumentParser(prog="benchmarks.strength.ladder", description=__doc__)
    parser.add_argument("--rounds", type=int, help="at most so many rounds of each part, for a first look")
    parser.add_argument("--only", default="*", help="agents of this name; * stands for anything")
    parser.add_argument("--rules", default="*", help="ladders by these rules: official or family")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where results are kept")
    options = parser.parse_args(words)
    entries, start = read_entries(), time.perf_counter()
    for entry in entries:
        if not (fnmatchcase(entry.agent, options.only) and fnmatchcase(entry.rules, options.rules)):
            continue
        rounds = min(entry.rounds, options.rounds or entry.rounds)
        line = play_entry(entry, rounds, options.jobs)
        write_lines(keep_lines(entries, [*read_lines(options.results), line]), options.results)
        print(tell(line), flush=True)
    print(f"{time.perf_counter() - start:.0f} s in all", file=sys.stderr)
    if options.results == RESULTS:
        write_page()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("Stopped; finished parts are kept.")
