"""Prints how fast the agents think: `python -m benchmarks.speed.search [--save]`.

CPU time, one thread, two players, `official`; the best of several repetitions over the decisions of 60 rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import lastcard as lc
from benchmarks.speed.figures import make_parser, report
from lastcard.arena.core_match import HeuristicContestant, RandomContestant, play_match
from lastcard.belief import Belief, BeliefConfig
from lastcard.search.halving import HalvingConfig, search_by_halving

AT_MOST = {
    "heuristic, ns a ply in whole rounds": 100.0,
    "belief of 512 hands, µs": 200.0,
    "halving 10,000 simulations, ms a decision": 15.0,
}
AT_LEAST = {"heuristic against random, rounds a second": 300_000.0}


def decisions(num_rounds: int) -> list[lc.Observation]:
    """Returns the observations of seats that had a choice."""
    seen = []
    for seed in range(num_rounds):
        table = lc.Table(lc.Rules.preset("official"), ["heuristic", "heuristic"], seed=seed)
        while not table.state.is_over:
            observation = lc.observe(table.state, table.state.seat or 0)
            if len(observation.legal_actions) > 1:
                seen.append(observation)
            table.play_ply()
    return seen


def seconds(work: Callable[[], object], repetitions: int) -> float:
    """CPU time of the quickest repetition."""
    best = float("inf")
    for _ in range(repetitions):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def measure(repetitions: int) -> dict[str, float]:
    """Every figure of the table."""
    rules = lc.Rules.preset("official")
    seen = decisions(60)
    some = seen[:: max(len(seen) // 150, 1)]
    heuristic = HeuristicContestant()
    plies = play_match(rules, [heuristic, heuristic], 20_000).plies
    config = HalvingConfig(simulations=10_000)
    return {
        "heuristic, ns a ply in whole rounds": 1e9
        * seconds(lambda: play_match(rules, [heuristic, heuristic], 20_000), repetitions)
        / plies,
        "heuristic against random, rounds a second": 40_000
        / seconds(lambda: play_match(rules, [heuristic, RandomContestant()], 20_000), repetitions),
        "belief of 512 hands, µs": 1e6
        * seconds(lambda: [Belief(observation, BeliefConfig()) for observation in seen], repetitions)
        / len(seen),
        "halving 10,000 simulations, ms a decision": 1e3
        * seconds(lambda: [search_by_halving(observation, config) for observation in some], max(repetitions // 2, 1))
        / len(some),
    }


def main() -> None:
    """Measures, prints, and saves when asked."""
    options = make_parser("speed-search", __doc__).parse_args()
    report("speed-search", measure(options.repetitions), saves=options.save, at_least=AT_LEAST, at_most=AT_MOST)


if __name__ == "__main__":
    main()
