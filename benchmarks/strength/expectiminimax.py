"""Prints what `expectiminimax` is worth: `python -m benchmarks.strength.expectiminimax TABLE [--deals N] [--save]`.

Every deal is played once from every seat; seeds differ from those of tuning. `numbers`: against `first_legal`, as
published beside other depths, with each correction added, and tuned. `official`: against `heuristic`, as published
and tuned. `without` and `without-official`: the tuned form less one ingredient. `four`: one against three, by what the
others are taken to do. `error`: the published bound 1/sqrt N + gamma^d + 1/sqrt m beside the error that is measured.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Iterator
from dataclasses import replace

import lastcard as lc
from benchmarks.strength.__main__ import RESULTS, save
from lastcard.arena.core_match import Contestant, FirstLegalContestant, HeuristicContestant, play_match
from lastcard.search.expectiminimax import ExpectiminimaxConfig, search_by_expectiminimax

SEED = 20_261_115
PUBLISHED = ExpectiminimaxConfig.as_published()
TUNED = ExpectiminimaxConfig()
SMALL = replace(TUNED, determinizations=64, group=64, fewest=12)
Configs = dict[str, Contestant]
Row = dict[str, object]

CORRECTIONS: Configs = {
    "as published": PUBLISHED,
    "as published, depth 1": replace(PUBLISHED, depth=1),
    "as published, depth 2": replace(PUBLISHED, depth=2),
    "as published, N = 500": replace(PUBLISHED, determinizations=500),
    "+ 1 posterior: only what was held before the draw": replace(PUBLISHED, belief="constrained"),
    "+ 2 the same determinizations for all actions": replace(PUBLISHED, common_random_numbers=True),
    "+ 3 opponents follow a policy": replace(PUBLISHED, opponents="policy"),
    "+ 5 a skip keeps the turn": replace(PUBLISHED, keeps_turn=True),
    "+ 1, 2, 3 and 5": replace(
        PUBLISHED, belief="constrained", common_random_numbers=True, opponents="policy", keeps_turn=True
    ),
    "tuned, 64 determinizations": SMALL,
    "tuned": TUNED,
    "heuristic, for comparison": HeuristicContestant(),
}

OFFICIAL: Configs = {
    "tuned": TUNED,
    "tuned, 64 determinizations": SMALL,
    "as published, depth 1": replace(PUBLISHED, depth=1),
    "as published": PUBLISHED,
}

WITHOUT: Configs = {
    "tuned, 64 determinizations": SMALL,
    "belief: hard facts only": replace(SMALL, belief="constrained"),
    "belief: as published": replace(SMALL, belief="published"),
    "determinizations not shared by the actions": replace(SMALL, common_random_numbers=False),
    "the other seat follows every play": replace(SMALL, keeps_turn=False),
    "our later actions see the hidden cards": replace(SMALL, group=1),
    "and opponents minimise": replace(SMALL, group=1, opponents="minimise", depth=2),
    "leaves: difference of hand sizes": replace(SMALL, playouts=0),
    "no lookahead": replace(SMALL, depth=0),
    "no bonus for the heuristic's choice": replace(SMALL, bonus=0.0),
}

FOUR: Configs = {
    "as published, others minimise (paranoid)": PUBLISHED,
    "as published, others for themselves (max_n)": replace(PUBLISHED, several="max_n"),
    "corrected but for the policy, paranoid": replace(
        PUBLISHED, belief="particle", common_random_numbers=True, keeps_turn=True
    ),
    "corrected but for the policy, max_n": replace(
        PUBLISHED, belief="particle", common_random_numbers=True, keeps_turn=True, several="max_n"
    ),
    "tuned, 64 determinizations": SMALL,
}

TABLES: dict[str, tuple[str, Contestant, Configs]] = {
    "numbers": ("numbers", FirstLegalContestant(), CORRECTIONS),
    "official": ("official", HeuristicContestant(), OFFICIAL),
    "without": ("numbers", FirstLegalContestant(), WITHOUT),
    "without-official": ("official", HeuristicContestant(), WITHOUT),
    "four": ("official players=4", HeuristicContestant(), FOUR),
}


def play(name: str, rules: lc.Rules, one: Contestant, others: Contestant, deals: int, threads: int) -> Row:
    """One line of a table, printed as soon as it is known."""
    match = play_match(rules, [one, *[others] * (rules.players - 1)], deals, SEED, threads)
    print(f"{name:<50} {match}", flush=True)
    return {"name": name, "share": round(match.shares[0], 5), "error": round(match.errors[0], 5), "deals": deals}


def decisions(preset: str, count: int, seed: int) -> Iterator[lc.Observation]:
    """Decisions of rounds between heuristics that err one time in four, with something to choose."""
    rng = random.Random(seed)
    heuristic = lc.make_agent("heuristic")
    while count:
        state = lc.deal(lc.Rules.preset(preset), seed=rng.randrange(2**32))
        while count and state.seat is not None:
            legal = state.legal_actions
            if len(legal) > 1 and rng.random() < 0.2:
                yield lc.observe(state, state.seat)
                count -= 1
            errs = rng.random() < 0.25
            state = state.after(rng.choice(legal) if errs else heuristic.choose(lc.observe(state, state.seat)))


def time_decisions(preset: str, config: ExpectiminimaxConfig, count: int) -> Row:
    """CPU time of a decision."""
    spent = []
    for observation in decisions(preset, count, SEED):
        start = time.process_time()
        search_by_expectiminimax(observation, config)
        spent.append(1000 * (time.process_time() - start))
    spent.sort()
    mean, late = sum(spent) / count, spent[count * 95 // 100]
    print(f"tuned, a decision on {preset}: {mean:.1f} ms of CPU, 95 % within {late:.1f} ms", flush=True)
    return {"name": f"time {preset}", "mean_ms": round(mean, 2), "p95_ms": round(late, 2)}


def distance(one: ExpectiminimaxConfig, other: ExpectiminimaxConfig, seen: list[lc.Observation]) -> float:
    """The root mean square of what the values of root actions differ by, as a share of the range from -100 to 100."""
    squares, count = 0.0, 0
    for observation in seen:
        found = search_by_expectiminimax(observation, one, 1), search_by_expectiminimax(observation, other, 2)
        values = [{row.action: row.value for row in report.actions} for report in found]
        squares += sum((value - values[1][action]) ** 2 for action, value in values[0].items())
        count += len(values[0])
    return math.sqrt(squares / count)


def measure_error(count: int) -> list[Row]:
    """The three terms of the published bound, and what each comes to."""
    seen = list(decisions("numbers", count, SEED + 1))
    wide = replace(PUBLISHED, determinizations=2_000)
    played_out = replace(TUNED, depth=0, group=1, bonus=0.0, belief="constrained", determinizations=2_000)
    gamma = 0.01 ** (1 / 3)  # from the published 0.01 at depth 3
    rows: list[Row] = []

    def add(term: str, bound: float, measured: float) -> None:
        print(f"{term:<40} bound {bound:.3f}  measured {measured:.3f}", flush=True)
        rows.append({"term": term, "bound": round(bound, 4), "measured": round(measured, 4)})

    for number in (12, 50, 200):
        add(f"1/sqrt N, N = {number}", number**-0.5, distance(replace(wide, determinizations=number), wide, seen))
    for depth in (1, 2, 3):
        add(f"gamma^d, d = {depth}", gamma**depth, distance(replace(wide, depth=depth), played_out, seen))
    for cards in (1, 5, 20):
        shared = replace(wide, determinizations=500)
        add(
            f"1/sqrt m, m = {cards}",
            cards**-0.5,
            distance(replace(shared, draw_samples=cards), replace(shared, draw_samples=108), seen),
        )
    return rows


def play_table(preset: str, configs: Configs, others: Contestant, deals: int, threads: int) -> Iterator[Row]:
    """The lines, as they are played, and how long the tuned form thinks."""
    rules = lc.parse_rules(preset)
    for name, one in configs.items():
        yield play(name, rules, one, others, deals, threads)
        if rules.players == 2 and one is TUNED:
            yield time_decisions(preset, TUNED, 100)


def main() -> None:
    """Plays the requested matches."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=(*TABLES, "error"))
    parser.add_argument("--only", default="", help="the lines whose name contains this")
    parser.add_argument("--deals", type=int, default=4_000, help="fewer deals, for a first look")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/expectiminimax-TABLE.json")
    options = parser.parse_args()
    path = RESULTS / f"expectiminimax-{options.table}.json"
    if options.table == "error":
        terms = measure_error(60)
        if options.save:
            path.write_text(json.dumps(terms, indent=1) + "\n", encoding="utf-8")
        return
    rules, others, configs = TABLES[options.table]
    chosen = {name: config for name, config in configs.items() if options.only in name}
    for found in play_table(rules, chosen, others, options.deals, options.threads):
        if options.save:
            save(path, found, [*configs, f"time {rules}"])


if __name__ == "__main__":
    main()
