"""Counts how often the score changes what a network plays: `python -m benchmarks.strength.scores FILE [--save]`.

`heuristic` plays rounds of two seats. Every decision between several actions is put to the network several times, with
other scores and all else the same. `--save` writes benchmarks/results/scores.json.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.strength.lineup import RESULTS
from benchmarks.strength.options import at_least, refuse_in_one_line
from lastcard import deal, make_agent, observe, parse_rules
from lastcard.network import Network

SAVED: Final = RESULTS / "scores.json"
SEED: Final = 20_261_119
"""Seed of the first deal; no training has it."""
SCORES: Final = ((480, 0), (0, 480), (480, 480))
"""Its own score, and the other's: each is compared with 0 to 0."""


def count_changes(network: Network, rules_text: str, rounds: int, scores: Sequence[tuple[int, int]]) -> Counter[str]:
    """Counts the decisions, and those that another score changes."""
    rules, counts = parse_rules(rules_text).replace(players=2), Counter[str]()
    for seed in range(SEED, SEED + rounds):
        for mine in range(2):
            states = [deal(rules, seed, scores=pair[:: 1 - 2 * mine]) for pair in ((0, 0), *scores)]
            agents = [make_agent("heuristic", seed), make_agent("heuristic", seed + 1)]
            while not states[0].is_over:
                seat = states[0].seat
                assert seat is not None
                if seat == mine and len(states[0].legal_actions) > 1:
                    even, *others = (network.choose(observe(state, seat)) for state in states)
                    counts["decisions"] += 1
                    counts.update(
                        format_pair(pair) for pair, chosen in zip(scores, others, strict=True) if chosen != even
                    )
                action = agents[seat].choose(observe(states[0], seat))
                states = [state.after(action) for state in states]
    return counts


def format_pair(pair: tuple[int, int]) -> str:
    """Names a pair of scores.

    >>> format_pair((480, 0))
    'another action at 480 to 0, %'
    """
    return f"another action at {pair[0]} to {pair[1]}, %"


def main() -> None:
    """Reads the options, counts, prints and writes."""
    parser = argparse.ArgumentParser(prog="benchmarks.strength.scores", description=__doc__)
    parser.add_argument("network", type=Path, metavar="FILE", help="a network that was trained for games")
    parser.add_argument("--rules", default="family", help="default family")
    parser.add_argument("--rounds", type=at_least(1), default=500, help="deals, each seen from both seats; default 500")
    parser.add_argument("--save", action="store_true", help=f"write {SAVED.name}")
    options = parser.parse_args()
    with refuse_in_one_line(parser):
        network = Network.find(str(options.network), parse_rules(options.rules).replace(players=2))
    counts = count_changes(network, options.rules, options.rounds, SCORES)
    decisions = counts["decisions"]
    figures = {format_pair(pair): round(100 * counts[format_pair(pair)] / decisions, 1) for pair in SCORES}
    for name, value in {"decisions": decisions, **figures}.items():
        print(f"{name:<36} {value:>10,}")
    if options.save:
        found = {
            "network": options.network.name,
            "rules": options.rules,
            "figures": {"decisions": decisions, **figures},
        }
        SAVED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
