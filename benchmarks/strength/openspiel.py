"""NashConv on `mini` by OpenSpiel and by us: `python -m benchmarks.strength.openspiel [--only TEXT] [--save]`.

OpenSpiel walks every history of `openspiel_game`; `lastcard.exact` solves a tree of its own. A win is worth 1 and a
loss -1, so NashConv, what both seats together could gain, is four times the *exploitability* of `lastcard.exact`. Each
policy takes a quarter of a minute of CPU time. Where the two differ by more than a millionth, the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyspiel
from open_spiel.python import policy as openspiel_policy
from open_spiel.python.algorithms.exploitability import nash_conv

from benchmarks.strength.mini import solve
from lastcard.envs import index_of_action, openspiel_game
from lastcard.envs.unfolding import forget
from lastcard.envs.with_openspiel import write_information
from lastcard.exact import Policy, Tree, build_tree, exploitability, uniform_policy
from lastcard.exact.agent_policy import policy_of
from lastcard.rules import Rules

RESULTS = Path(__file__).parents[1] / "results" / "strength-openspiel.json"
AGENTS = ("first_legal", "frequency", "heuristic")
MOST_APART = 1e-6
Row = dict[str, Any]


class TablePolicy(openspiel_policy.Policy):  # type: ignore[misc]
    """A policy of `lastcard.exact`, as OpenSpiel asks for it."""

    def __init__(self, game: pyspiel.Game, tree: Tree, table: Policy) -> None:
        super().__init__(game, [0, 1])
        self._odds = {
            write_information(each.observation): {
                index_of_action(each.observation, action): odds
                for action, odds in zip(each.actions, table[each.number], strict=True)
            }
            for each in tree.information_sets
        }

    def action_probabilities(self, state: pyspiel.State, player_id: int | None = None) -> dict[int, float]:
        """Returns the probability of each legal action; a forced action has no entry in the tree."""
        legal = state.legal_actions()
        return {legal[0]: 1.0} if len(legal) == 1 else self._odds[state.information_state_string()]


def list_policies(tree: Tree, only: str) -> Iterator[tuple[str, Policy]]:
    """Policies by name, each made when it is asked for."""
    makers: dict[str, Callable[[], Policy]] = {
        "(uniform)": partial(uniform_policy, tree),
        **{name: partial(policy_of, name, tree) for name in AGENTS},
        "(equilibrium)": lambda: solve(tree)[0],
    }
    return ((name, make()) for name, make in makers.items() if only in name)


def measure(game: pyspiel.Game, tree: Tree, name: str, table: Policy) -> Row:
    """The NashConv of one policy, found twice, and the CPU time that OpenSpiel took."""
    policy = TablePolicy(game, tree, table)
    forget()  # each is timed with a game that has not been walked yet
    start = time.process_time()
    found = float(nash_conv(game, policy))
    seconds = round(time.process_time() - start, 1)
    ours = round(4 * exploitability(tree, table), 9)
    return {"policy": name, "ours": ours, "openspiel": round(found, 9), "cpu_seconds": seconds}


def agrees(row: Row) -> bool:
    """Returns True if the two are the same, but for rounding."""
    return bool(abs(row["ours"] - row["openspiel"]) <= MOST_APART)


def main() -> None:
    """Asks both and prints what each says."""
    parser = argparse.ArgumentParser(prog="benchmarks.strength.openspiel", description=__doc__)
    parser.add_argument("--only", default="", help="policies whose name contains this; nothing is saved")
    parser.add_argument("--save", action="store_true", help=f"write benchmarks/results/{RESULTS.name}")
    options = parser.parse_args()
    rules = Rules.preset("mini")
    tree, game = build_tree(rules), openspiel_game(rules)
    rows = []
    for name, table in list_policies(tree, options.only):
        rows.append(measure(game, tree, name, table))
        print(json.dumps(rows[-1]), flush=True)
    if options.save and not options.only:
        RESULTS.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    sys.exit(0 if all(map(agrees, rows)) else 1)


if __name__ == "__main__":
    main()
