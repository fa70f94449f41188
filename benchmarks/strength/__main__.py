"""Prints tables of strength: `python -m benchmarks.strength [matches|ingredients] [--only TEXT] [--deals N] [--save]`.

Every deal is played once from every seat, `official` rules. `matches` holds the figures the project promises, with what
was promised (against `heuristic` at two seats, two points less once that exceeds 72 % against `random`). `ingredients`
takes `halving` apart, one ingredient at a time. Seeds differ from those of tuning. With all deals both take about an
hour on two cores.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import lastcard as lc
from lastcard.arena.core_match import (
    Contestant,
    HeuristicContestant,
    MatchResult,
    NetContestant,
    RandomContestant,
    play_match,
)
from lastcard.belief import BeliefConfig
from lastcard.search.halving import HalvingConfig

RESULTS = Path(__file__).parents[1] / "results"
SEED = 20_261_115


@dataclass(frozen=True)
class Pairing:
    """One against all others, so many deals, and the share that was promised."""

    name: str
    one: Contestant
    others: Contestant
    players: int
    deals: int
    promised: float | None = None


RANDOM = RandomContestant()
HEURISTIC = HeuristicContestant()
NET = NetContestant()
HALVING = HalvingConfig(simulations=1_000)
HALVING_LONG = HalvingConfig(simulations=10_000)

MATCHES = (
    Pairing("heuristic against random, 2 players", HEURISTIC, RANDOM, 2, 50_000, 0.70),
    Pairing("halving 1,000 against random, 2 players", HALVING, RANDOM, 2, 4_000, 0.76),
    Pairing("halving 1,000 against heuristic, 2 players", HALVING, HEURISTIC, 2, 4_000, 0.60),
    Pairing("halving 10,000 against heuristic, 2 players", HALVING_LONG, HEURISTIC, 2, 4_000, 0.63),
    Pairing("heuristic against three random", HEURISTIC, RANDOM, 4, 25_000, 0.37),
    Pairing("halving 10,000 against three heuristic", HALVING_LONG, HEURISTIC, 4, 4_000, 0.29),
    Pairing("net against random, 2 players", NET, RANDOM, 2, 50_000, 0.78),
    Pairing("net against heuristic, 2 players", NET, HEURISTIC, 2, 50_000, 0.56),
    Pairing("net against three random", NET, RANDOM, 4, 25_000, 0.41),
    Pairing("net against three heuristic", NET, HEURISTIC, 4, 25_000, 0.27),
    Pairing("halving 10,000 against net, 2 players", HALVING_LONG, NET, 2, 2_000),
    Pairing("halving 10,000 against three net", HALVING_LONG, NET, 4, 500),
)

FREQUENCY = "frequency against random, 2 players"

INGREDIENTS = tuple(
    Pairing(name, config, HEURISTIC, 2, 2_000)
    for name, config in (
        ("everything", HALVING),
        ("belief: hard facts only", replace(HALVING, belief=BeliefConfig("constrained"))),
        ("belief: counts only", replace(HALVING, belief=BeliefConfig("uniform"))),
        ("no sequential halving, budget split evenly", replace(HALVING, drop_losers=False)),
        ("determinizations not shared by the actions", replace(HALVING, common_random_numbers=False)),
        ("never draws or keeps on purpose", replace(HALVING, consider_drawing=False)),
        ("advised by the heuristic, not the network", replace(HALVING, advisor="heuristic")),
        ("no advice", replace(HALVING, bonus=0.0)),
        ("random playouts", replace(HALVING, playouts="random")),
        ("playouts that err one time in ten", replace(HALVING, epsilon=0.1)),
        ("opponents' model not adapted in playouts", replace(HALVING, model_random_opponents=False)),
    )
)


def play_pairing(pairing: Pairing, threads: int) -> MatchResult:
    """Plays all its deals inside the core."""
    rules = lc.Rules.preset("official", players=pairing.players)
    seating = [pairing.one, *[pairing.others] * (pairing.players - 1)]
    return play_match(rules, seating, pairing.deals, SEED, threads)


def play_frequency(deals: int) -> tuple[float, float]:
    """`frequency` against `random`, through the table: share and error."""
    rules = lc.Rules.preset("official")
    shares = []
    for deal in range(deals):
        won = 0.0
        for seat in (0, 1):
            agents = ["random", "random"]
            agents[seat] = "frequency"
            outcome = lc.Table(rules, agents, seed=SEED + deal).play_round().rounds[0].outcome
            won += 0.5 if outcome is None or outcome.winner is None else float(outcome.winner == seat)
        shares.append(won / 2)
    mean = sum(shares) / deals
    variance = sum((share - mean) ** 2 for share in shares) / deals
    return mean, 1.96 * (variance / deals) ** 0.5


def row(name: str, share: float, error: float, deals: int, promised: float | None, seconds: float) -> dict[str, object]:
    """A line of the table, printed as soon as it is known."""
    goal = "" if promised is None else f"  promised {100 * promised:.0f}"
    print(f"{name:<46} {100 * share:5.1f} ± {100 * error:.1f} %  {deals:>6,} deals{goal}", flush=True)
    print(f"  {seconds:.0f} s of CPU", file=sys.stderr, flush=True)
    return {"name": name, "share": round(share, 5), "error": round(error, 5), "deals": deals, "promised": promised}


def save(path: Path, found: dict[str, object], names: list[str]) -> None:
    """Writes the row immediately, in place of an earlier one of its name, so that no result is lost."""
    rows = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    kept = {row["name"]: row for row in [*rows, found]}
    written = [kept[name] for name in names if name in kept]
    path.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")


def play_table(table: tuple[Pairing, ...], only: str, deals: int | None, threads: int, path: Path | None) -> None:
    """Plays the pairings whose name contains `only`, and writes each row to the file as soon as it is known."""
    for pairing in table:
        if only not in pairing.name:
            continue
        start = time.process_time()
        match = play_pairing(replace(pairing, deals=deals or pairing.deals), threads)
        spent = time.process_time() - start
        found = row(pairing.name, match.shares[0], match.errors[0], match.num_deals, pairing.promised, spent)
        if path:
            save(path, found, [*(other.name for other in table), FREQUENCY])


def main() -> None:
    """Plays the requested matches."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", nargs="?", choices=("matches", "ingredients"), default="matches")
    parser.add_argument("--only", default="", help="pairings whose name contains this")
    parser.add_argument("--deals", type=int, help="fewer deals, for a first look")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/strength-TABLE.json")
    options = parser.parse_args()
    path = RESULTS / f"strength-{options.table}.json" if options.save else None
    table = MATCHES if options.table == "matches" else INGREDIENTS
    play_table(table, options.only, options.deals, options.threads, path)
    if options.table == "matches" and options.only in FREQUENCY:
        start, deals = time.process_time(), options.deals or 5_000
        share, error = play_frequency(deals)
        found = row(FREQUENCY, share, error, deals, None, time.process_time() - start)
        if path:
            save(path, found, [*(pairing.name for pairing in MATCHES), FREQUENCY])


if __name__ == "__main__":
    main()
