"""Prints how strong the tree searches are: `python -m benchmarks.strength.trees [matches|corrections] [--save]`.

`matches` holds the goals. `corrections` takes each search apart: the published form, then with one correction, the
whole corrected form, and the tuned form without one of its ingredients. Every deal is played once from every seat,
`official` rules; deals differ from those of tuning.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from benchmarks.strength.__main__ import HEURISTIC, RANDOM, RESULTS, Pairing, play_table
from lastcard.options import set_options
from lastcard.search import IsmctsConfig, MctsConfig, PomcpConfig

ISMCTS = IsmctsConfig(simulations=10_000)
POMCP = PomcpConfig(simulations=5_000)
MCTS = MctsConfig()
MCTS_PUBLISHED = MctsConfig.as_published()
POMCP_PUBLISHED = PomcpConfig.as_published()
MCTS_CORRECTIONS = ("draws_from_pile", "draws_penalties", "follows_turns", "searches_color", "values_unfinished")
MCTS_CORRECTED = replace(MCTS_PUBLISHED, **dict.fromkeys(MCTS_CORRECTIONS, True))  # type: ignore[arg-type]

MATCHES = (
    Pairing("ismcts 10,000 against heuristic, 2 players", ISMCTS, HEURISTIC, 2, 4_000, 0.54),
    Pairing("pomcp 5,000 against heuristic, 2 players", POMCP, HEURISTIC, 2, 4_000, 0.54),
    Pairing("pomcp as published against heuristic, 2 players", POMCP_PUBLISHED, HEURISTIC, 2, 4_000),
    Pairing("mcts as published against three random", MCTS_PUBLISHED, RANDOM, 4, 4_000),
    Pairing("mcts corrected against three random", MCTS_CORRECTED, RANDOM, 4, 4_000),
    Pairing("mcts against three random", MCTS, RANDOM, 4, 4_000, 0.33),
)


def changed(base: Any, name: str, **changes: object) -> tuple[str, Any]:
    """A config under a name."""
    return name, set_options(base, changes)


MCTS_ROWS = (
    ("mcts as published", MCTS_PUBLISHED),
    *(changed(MCTS_PUBLISHED, f"mcts as published, {name} on", **{name: True}) for name in MCTS_CORRECTIONS),
    ("mcts corrected: all five on", MCTS_CORRECTED),
    *(changed(MCTS_CORRECTED, f"mcts corrected, {name} off", **{name: False}) for name in MCTS_CORRECTIONS),
    changed(MCTS_CORRECTED, "mcts corrected, played to the end", max_depth=0),
    changed(MCTS_CORRECTED, "mcts corrected, belief particle", belief="particle"),
    changed(MCTS_CORRECTED, "mcts corrected, heuristic playouts to the end", playouts="heuristic", max_depth=0),
)
POMCP_ROWS = (
    ("pomcp as published", POMCP_PUBLISHED),
    changed(POMCP_PUBLISHED, "pomcp as published, 5,000 simulations", simulations=5_000),
    ("pomcp", POMCP),
    changed(POMCP, "pomcp, belief uniform", belief="uniform"),
    changed(POMCP, "pomcp, random rollouts and opponents", playouts="random", opponents="random"),
    changed(POMCP, "pomcp, rollouts of 10 decisions", rollout_depth=10),
    changed(POMCP, "pomcp, gamma = 0.95", discount=0.95),
    changed(POMCP, "pomcp, c = sqrt 2", exploration=2**0.5),
    changed(POMCP, "pomcp, nodes expanded immediately", patience=1),
    changed(POMCP, "pomcp, any untried action first", heuristic_first=False),
    changed(POMCP, "pomcp, not reinvigorated", refill_particles=False),
    changed(POMCP, "pomcp, a new tree every decision", keeps_tree=False),
    changed(POMCP, "pomcp, chooses by value", choice="value"),
)
ISMCTS_SHORT = replace(ISMCTS, simulations=2_000)
ISMCTS_ROWS = (
    ("ismcts 2,000", ISMCTS_SHORT),
    changed(
        ISMCTS_SHORT, "ismcts 2,000, textbook", patience=1, heuristic_first=False, playouts="random", belief="uniform"
    ),
    changed(ISMCTS_SHORT, "ismcts 2,000, belief uniform", belief="uniform"),
    changed(ISMCTS_SHORT, "ismcts 2,000, random playouts", playouts="random"),
    changed(ISMCTS_SHORT, "ismcts 2,000, nodes expanded immediately", patience=1),
    changed(ISMCTS_SHORT, "ismcts 2,000, any untried action first", heuristic_first=False),
)
CORRECTIONS = (
    *(Pairing(name, config, RANDOM, 4, 1_000) for name, config in MCTS_ROWS),
    *(Pairing(name, config, HEURISTIC, 2, 1_000) for name, config in (*POMCP_ROWS, *ISMCTS_ROWS)),
)


def main() -> None:
    """Plays the requested matches."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", nargs="?", choices=("matches", "corrections"), default="matches")
    parser.add_argument("--only", default="", help="pairings whose name contains this")
    parser.add_argument("--deals", type=int, help="fewer deals, for a first look")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/trees-TABLE.json")
    options = parser.parse_args()
    table = MATCHES if options.table == "matches" else CORRECTIONS
    path = RESULTS / f"trees-{options.table}.json" if options.save else None
    play_table(table, options.only, options.deals, options.threads, path)


if __name__ == "__main__":
    main()
