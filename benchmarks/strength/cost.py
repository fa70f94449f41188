"""Prints what strength costs: `python -m benchmarks.strength.cost [--seconds S] [--only NAME] [--json]`.

Core-hours per million rounds for every part of the standing tournament, from CPU time on one core: as many rounds are
played as fill the seconds, at least two deals.
"""

from __future__ import annotations

import argparse
import json
import time
from fnmatch import fnmatchcase
from itertools import takewhile

from benchmarks.strength.standing import Entry, read_entries
from lastcard.arena.chunks import play_chunk


def measure(entry: Entry, seconds: float) -> tuple[int, float]:
    """Rounds played, and the CPU seconds they took; starting does not count."""
    cup = entry.tournament()
    chunks = [chunk for chunk in cup.chunks if chunk.pairing == 0 and chunk.number > 0] or [cup.chunks[0]]
    start = time.process_time()
    num_deals = sum(
        play_chunk(cup, chunk).num_deals
        for chunk in takewhile(lambda chunk: chunk is chunks[0] or time.process_time() - start < seconds, chunks)
    )
    return num_deals * entry.players, time.process_time() - start


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="benchmarks.strength.cost", description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="CPU seconds for each pairing (default 5)")
    parser.add_argument("--only", default="*", help="agents of this name; * stands for anything")
    parser.add_argument("--json", action="store_true", help="a JSON object a line")
    options = parser.parse_args()
    if not options.json:
        print(f"{'pairing':<52} {'rounds':>8} {'ms a round':>11} {'core-hours / 10⁶ rounds':>24}")
    for entry in read_entries():
        if not fnmatchcase(entry.agent, options.only):
            continue
        rounds, seconds = measure(entry, options.seconds)
        hours = seconds / rounds * 1e6 / 3600
        rivals = entry.rival if entry.players == 2 else f"{entry.players - 1} {entry.rival}"
        if options.json:
            fields = {
                "agent": entry.agent,
                "rival": entry.rival,
                "rules": entry.rules,
                "players": entry.players,
                "rounds": rounds,
            }
            print(json.dumps({**fields, "cpu_seconds": round(seconds, 3), "core_hours_per_million": round(hours, 4)}))
        else:
            name = f"{entry.rules}: {entry.agent} against {rivals}"
            print(f"{name:<52} {rounds:>8,} {1e3 * seconds / rounds:>11.4f} {hours:>24.3g}", flush=True)


if __name__ == "__main__":
    main()
