"""Measures the published error bound of `expectiminimax`: `python -m benchmarks.strength.bound [--save]`.

The bound is 1/sqrt N + gamma^d + 1/sqrt m. Each term is put beside the root mean square of what the values of root
actions really differ by, on decisions of `numbers`. `--save` writes benchmarks/results/expectiminimax-error.json.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import lastcard as lc
from lastcard.search.expectiminimax import ExpectiminimaxConfig, search_by_expectiminimax

SAVED = Path(__file__).parents[1] / "results" / "expectiminimax-error.json"
SEED = 20_261_116
PUBLISHED = ExpectiminimaxConfig.as_published()
GAMMA = 0.01 ** (1 / 3)  # from the published 0.01 at depth 3


def list_decisions(count: int) -> Iterator[lc.Observation]:
    """Decisions of rounds between heuristics that err one time in four, with something to choose."""
    rng = random.Random(SEED)
    heuristic = lc.make_agent("heuristic")
    while count:
        state = lc.deal(lc.Rules.preset("numbers"), seed=rng.randrange(2**32))
        while count and state.seat is not None:
            legal = state.legal_actions
            if len(legal) > 1 and rng.random() < 0.2:
                yield lc.observe(state, state.seat)
                count -= 1
            errs = rng.random() < 0.25
            state = state.after(rng.choice(legal) if errs else heuristic.choose(lc.observe(state, state.seat)))


def measure_distance(one: ExpectiminimaxConfig, other: ExpectiminimaxConfig, seen: list[lc.Observation]) -> float:
    """The root mean square of what the values of root actions differ by, as a share of the range from -100 to 100."""
    squares, count = 0.0, 0
    for observation in seen:
        found = search_by_expectiminimax(observation, one, 1), search_by_expectiminimax(observation, other, 2)
        values = [{row.action: row.value for row in report.actions} for report in found]
        squares += sum((value - values[1][action]) ** 2 for action, value in values[0].items())
        count += len(values[0])
    return math.sqrt(squares / count)


def measure(count: int) -> Iterator[dict[str, object]]:
    """The three terms of the published bound, and what each comes to."""
    seen = list(list_decisions(count))
    wide = replace(PUBLISHED, determinizations=2_000)
    shared = replace(wide, determinizations=500)
    played_out = replace(ExpectiminimaxConfig(), depth=0, group=1, bonus=0.0, belief="constrained")
    terms = [(f"1/sqrt N, N = {n}", n**-0.5, replace(wide, determinizations=n), wide) for n in (12, 50, 200)]
    terms += [
        (f"gamma^d, d = {depth}", GAMMA**depth, replace(wide, depth=depth), replace(played_out, determinizations=2_000))
        for depth in (1, 2, 3)
    ]
    terms += [
        (f"1/sqrt m, m = {m}", m**-0.5, replace(shared, draw_samples=m), replace(shared, draw_samples=108))
        for m in (1, 5, 20)
    ]
    for term, bound, one, other in terms:
        yield {"term": term, "bound": round(bound, 4), "measured": round(measure_distance(one, other, seen), 4)}


def main() -> None:
    """Measures, prints and saves."""
    parser = argparse.ArgumentParser(prog="benchmarks.strength.bound", description=__doc__)
    parser.add_argument("--positions", type=int, default=60, help="decisions (default 60)")
    parser.add_argument("--save", action="store_true", help=f"write {SAVED.name}")
    options = parser.parse_args()
    rows = []
    for row in measure(options.positions):
        print(f"{row['term']:<20} bound {row['bound']}  measured {row['measured']}", flush=True)
        rows.append(row)
    if options.save:
        SAVED.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
