"""The long counts, run by hand: `python -m tests.soak [--rounds N] [--agreement N]`.

`make soak` runs both in full: 200,000,000 random rounds with every invariant checked after every ply, and 300,000
rounds in the core and in the rulebook at once. Ctrl-C stops and says how far it came.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import sys
import time
from collections.abc import Callable

from tests.oracle.agreement import agree_on_round
from tests.property.rounds import check_rounds

ROUNDS = 200_000_000
AGREEMENT = 300_000
CHUNK = 50


class Meter:
    """A line of progress with the time left."""

    def __init__(self, what: str, total: int) -> None:
        self.what = what
        self.total = total
        self.start = time.monotonic()
        self.told = 0.0

    def tell(self, done: int, plies: int) -> None:
        """Prints at most once every five seconds, and at the end."""
        now = time.monotonic()
        if now - self.told < 5 and done < self.total:
            return
        self.told = now
        left = (now - self.start) / max(done, 1) * (self.total - done)
        line = f"{self.what}: {done:,} of {self.total:,} rounds, {plies:,} plies, {left / 60:.0f} min left"
        print(f"\r{line}  ", end="\n" if done >= self.total else "", file=sys.stderr, flush=True)


def agree_on_chunk(first: int) -> int:
    """Plies of a few rounds from `first` on."""
    gc.disable()  # nothing here makes cycles, and looking for them takes a tenth of the time
    return sum(agree_on_round(seed) for seed in range(first, first + CHUNK))


def soak_agreement(num_rounds: int, first_seed: int, jobs: int, progress: Callable[[int, int], None]) -> int:
    """Compares core and rulebook over that many rounds; returns their plies."""
    done = plies = 0
    with multiprocessing.Pool(jobs) as pool:
        for chunk in pool.imap_unordered(agree_on_chunk, range(first_seed, first_seed + num_rounds, CHUNK)):
            done += CHUNK
            plies += chunk
            progress(done, plies)
    return plies


def main() -> None:
    """Runs the counts and prints what was found."""
    parser = argparse.ArgumentParser(prog="tests.soak", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds with invariants (default {ROUNDS:,})")
    parser.add_argument("--agreement", type=int, default=AGREEMENT, help=f"rounds compared (default {AGREEMENT:,})")
    parser.add_argument("--jobs", type=int, default=2, help="threads or processes (default 2)")
    parser.add_argument("--seed", type=int, default=1_000_000, help="where the seeds start")
    options = parser.parse_args()
    try:
        if options.rounds:
            plies = check_rounds(options.rounds, options.seed, options.jobs, Meter("invariants", options.rounds).tell)
            print(f"invariants hold over {options.rounds:,} rounds, {plies:,} plies")
        if options.agreement:
            meter = Meter("agreement", options.agreement)
            plies = soak_agreement(options.agreement, options.seed, options.jobs, meter.tell)
            print(f"core and rulebook agree over {options.agreement:,} rounds, {plies:,} plies")
    except KeyboardInterrupt:
        print("\nstopped; nothing had failed so far", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
