"""Prints what a decision costs late in a round: `python -m benchmarks.speed.history [--save]`.

Seats draw while they hold few cards, so that rounds go on and hands are as large at ply 5,000 as at ply 50.
A decision is an observation and a search. Costs are CPU time of one thread; what a budget in seconds takes is also
measured by the clock on the wall, which a busy machine makes longer.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator

import lastcard as lc
from benchmarks.speed.figures import make_parser, report

EARLY, LATE = 50, 5_000
TABLES = (("official", 2), ("official", 4), ("tournament", 4), ("house", 4), ("house", 10))
AGENTS = ("halving", "halving:simulations=16", "ismcts:simulations=1000", "pomcp:simulations=1000")
FEW, MANY = 5, 9
"""Cards in the hand of a seat whose decision counts."""
BUDGET = "halving:seconds=0.005"
MOST_RATIO = 3.0
MOST_MS = 8.0


def keep_going(rules: lc.Rules, seed: int) -> Iterator[lc.State]:
    """The states of a round that nobody ends."""
    rng = random.Random(seed)
    state = lc.deal(rules, seed=seed)
    while state.ply < LATE + 2_000:
        if state.is_over:
            raise RuntimeError(f"{rules}: seed {seed} ended after {state.ply} plies")
        yield state
        legal = state.legal_actions
        seat = state.seat
        assert seat is not None
        draws = [action for action in legal if action.text in ("draw", "keep")]
        rest = [action for action in legal if action.text not in ("draw", "keep")]
        state = state.after(rng.choice(draws if draws and (len(state.hand(seat)) < FEW + 1 or not rest) else rest))


def find_decisions(rules: lc.Rules, first_ply: int, count: int, seed: int = 1) -> list[tuple[lc.State, int]]:
    """The first so many decisions of ordinary hands from that ply on."""
    found = []
    for state in keep_going(rules, seed):
        seat = state.seat
        if state.ply < first_ply or seat is None or not FEW <= len(state.hand(seat)) <= MANY:
            continue
        if len(state.legal_actions) > 2:
            found.append((state, seat))
        if len(found) == count:
            return found
    raise RuntimeError(f"{rules}: only {len(found)} decisions from ply {first_ply} on")


def cost(agent: str, decisions: list[tuple[lc.State, int]]) -> float:
    """CPU milliseconds of a decision in the mean."""
    spent = 0.0
    for state, seat in decisions:
        player = lc.make_agent(agent, seed=1)
        best = float("inf")
        for _ in range(2):
            start = time.process_time()
            player.choose(lc.observe(state, seat))
            best = min(best, time.process_time() - start)
        spent += best
    return 1e3 * spent / len(decisions)


def measure_budget(rules: lc.Rules, count: int) -> dict[str, float]:
    """The 99th percentile of what a budget of 5 ms takes, over decisions from all over a round."""
    states = find_decisions(rules, EARLY, count // 2) + find_decisions(rules, LATE, count - count // 2)
    clock, spent = [], []
    for state, seat in states:
        player = lc.make_agent(BUDGET, seed=1)
        start, start_cpu = time.perf_counter(), time.process_time()
        player.choose(lc.observe(state, seat))
        clock.append(1e3 * (time.perf_counter() - start))
        spent.append(1e3 * (time.process_time() - start_cpu))
    return {"CPU": statistics.quantiles(spent, n=100)[98], "clock": statistics.quantiles(clock, n=100)[98]}


def measure(decisions: int, budgets: int) -> dict[str, float]:
    """Returns every figure."""
    figures = {}
    for preset, players in TABLES:
        rules = lc.Rules.preset(preset, players=players, max_plies=10_000)
        early, late = (find_decisions(rules, ply, decisions) for ply in (EARLY, LATE))
        for agent in AGENTS:
            before, after = cost(agent, early), cost(agent, late)
            where = f"{preset} {players}, {agent}"
            figures[f"{where}: ms at ply {EARLY}"] = before
            figures[f"{where}: ms at ply {LATE}"] = after
            figures[f"{where}: ratio"] = after / before
        for kind, value in measure_budget(rules, budgets).items():
            figures[f"{preset} {players}, {BUDGET}: 99th percentile, ms by {kind}"] = value
    return figures


def main() -> None:
    """Measures, prints, and saves when asked."""
    parser = make_parser("speed-history", __doc__, repetitions=0)
    parser.add_argument("--decisions", type=int, default=40, help="decisions at each ply (default 40)")
    parser.add_argument("--budgets", type=int, default=1000, help="decisions with a budget in time (default 1000)")
    options = parser.parse_args()
    figures = measure(options.decisions, options.budgets)
    ratio, slowest = "largest ratio", "largest 99th percentile, ms by CPU"
    figures[ratio] = max(value for name, value in figures.items() if name.endswith("ratio"))
    figures[slowest] = max(value for name, value in figures.items() if "by CPU" in name)
    report("speed-history", figures, saves=options.save, at_most={ratio: MOST_RATIO, slowest: MOST_MS})


if __name__ == "__main__":
    main()
