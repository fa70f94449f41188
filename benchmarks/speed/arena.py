"""Prints how fast the arena plays: `python -m benchmarks.speed.arena [--save]`.

Rounds a second a thread are CPU time; two jobs over one is wall time, so it wants a machine that does nothing else.
Both are the best of several repetitions; repetitions with one and with two jobs take turns.
"""

from __future__ import annotations

import sys
import time

from benchmarks.speed.figures import make_parser, report
from lastcard.arena.chunks import play_chunk
from lastcard.arena.schedule import Tournament
from lastcard.arena.tournament_run import run_tournament
from lastcard.rules import Rules

ROUNDS = "heuristic against random, rounds a second a thread"
JOBS = "2 jobs over 1 (wall time)"
AT_LEAST = {ROUNDS: 300_000.0, JOBS: 1.8}
OFFICIAL = Rules.preset("official")


def rounds_a_second(repetitions: int) -> float:
    """`heuristic` against `random` by CPU time; the first chunk, which times decisions as well, is left out."""
    cup = Tournament(("heuristic", "random"), OFFICIAL, num_deals=10_000 * (repetitions + 1), seed=1)
    best = 0.0
    for chunk in cup.chunks[1:]:
        start = time.process_time()
        played = play_chunk(cup, chunk)
        best = max(best, played.num_deals * OFFICIAL.players / (time.process_time() - start))
    return best


def jobs_over_one(repetitions: int, num_deals: int) -> float:
    """Wall time of a tournament with one job over that with two, processes started and ended included."""
    cup = Tournament(("halving:simulations=1000", "heuristic"), OFFICIAL, num_deals, seed=1)
    best = {1: float("inf"), 2: float("inf")}
    for repetition in range(repetitions):
        for jobs in (1, 2):
            print(f"repetition {repetition + 1} of {repetitions}, {jobs} jobs", file=sys.stderr, flush=True)
            start = time.perf_counter()
            run_tournament(cup, jobs)
            best[jobs] = min(best[jobs], time.perf_counter() - start)
    return best[1] / best[2]


def main() -> None:
    """Measures, prints, and saves when asked."""
    parser = make_parser("speed-arena", __doc__)
    parser.add_argument("--deals", type=int, default=640, help="deals of the tournament that takes turns (default 640)")
    options = parser.parse_args()
    figures = {ROUNDS: rounds_a_second(options.repetitions), JOBS: jobs_over_one(options.repetitions, options.deals)}
    report("speed-arena", figures, saves=options.save, at_least=AT_LEAST)


if __name__ == "__main__":
    main()
