"""Holds agents to the exact answers on `mini`: `python -m benchmarks.strength.mini [--only TEXT] [--json] [--save]`.

Each agent is asked at every information set of the game. *Exploitability* is how much more than half of its rounds a
best answer to the agent wins. The *loss* is against an opponent who plays an equilibrium: by how much the best action
would have won more often than the chosen one, in the mean over the decisions the agent comes to, and over a round.
Agents that search are asked with 100, 1,000 and 10,000 simulations; the loss with 10,000 has to be below 0.05 and below
the one with 100.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from lastcard.agents import list_agents
from lastcard.errors import AgentError
from lastcard.exact import (
    CfrPlus,
    Policy,
    Tree,
    build_tree,
    expected_value,
    exploitability,
    loss,
    open_value,
    uniform_policy,
)
from lastcard.exact.agents import policy_of
from lastcard.rules import Rules

RESULTS = Path(__file__).parents[1] / "results" / "strength-mini.json"
BUDGETS = (100, 1_000, 10_000)
MOST_LOSS = 0.05
EXACT_ENOUGH = 1e-5


@dataclass(frozen=True)
class Row:
    """Result of one agent."""

    agent: str
    exploitability: float
    mean_loss: float
    round_loss: float

    def to_dict(self) -> dict[str, object]:
        """Returns the row as JSON values."""
        return {
            "agent": self.agent,
            "exploitability": round(self.exploitability, 6),
            "mean_loss": round(self.mean_loss, 6),
            "round_loss": round(self.round_loss, 6),
        }


def list_contestants(only: str = "") -> list[str]:
    """Every agent there is, with every budget if it has one."""
    names = []
    for info in list_agents():
        searches = "simulations" in info.options
        names += [f"{info.name}:simulations={budget}" for budget in BUDGETS] if searches else [info.name]
    return [name for name in names if only in name]


def solve(tree: Tree) -> tuple[Policy, int]:
    """An equilibrium that can be exploited by less than a hundred-thousandth, and the iterations it took."""
    solver = CfrPlus(tree)
    while True:
        solver.run(20)
        policy = solver.average()
        if exploitability(tree, policy) < EXACT_ENOUGH:
            return policy, solver.iterations


def judge(name: str, tree: Tree, policy: Policy, equilibrium: Policy) -> Row:
    """A row of the table."""
    given = loss(tree, policy, equilibrium)
    return Row(name, exploitability(tree, policy), given.mean, given.round)


def misses(rows: list[Row]) -> list[str]:
    """Lists, in words, the targets that the searching agents miss."""
    by_name = {row.agent: row.mean_loss for row in rows}
    found = []
    for name, mean in by_name.items():
        agent, searches, budget = name.partition(":simulations=")
        if not searches or int(budget) != BUDGETS[-1]:
            continue
        if mean >= MOST_LOSS:
            found.append(f"{name}: mean loss {mean:.4f} is not below {MOST_LOSS}")
        few = by_name.get(f"{agent}:simulations={BUDGETS[0]}")
        if few is not None and mean >= few:
            found.append(f"{name}: mean loss {mean:.4f} is not below {few:.4f}, that of {BUDGETS[0]} simulations")
    return found


def describe(tree: Tree, equilibrium: Policy, iterations: int) -> dict[str, object]:
    """Figures of the game itself."""
    return {
        "deals": tree.num_deals,
        "nodes": tree.num_nodes,
        "decisions": tree.num_decisions,
        "information_sets": len(tree.information_sets),
        "open_value": round(open_value(tree.rules), 6),
        "equilibrium_value": round(expected_value(tree, equilibrium), 6),
        "equilibrium_exploitability": float(f"{exploitability(tree, equilibrium):.2g}"),
        "iterations": iterations,
    }


def measure(tree: Tree, equilibrium: Policy, names: list[str], num_seeds: int, rows: list[Row]) -> None:
    """Adds a row for each agent, and prints it as soon as it is known."""
    rows.append(judge("(uniform)", tree, uniform_policy(tree), equilibrium))
    show(rows[-1])
    for name in names:
        start = time.process_time()
        try:
            policy = policy_of(name, tree, num_seeds)
        except AgentError as error:  # a network knows only the rules it was trained on
            print(f"{name} is left out: {error}", file=sys.stderr, flush=True)
            continue
        rows.append(judge(name, tree, policy, equilibrium))
        show(rows[-1])
        print(f"  {time.process_time() - start:.0f} s of CPU", file=sys.stderr, flush=True)


def show(row: Row) -> None:
    """A line of the table, on standard error so that JSON has standard output to itself."""
    print(
        f"{row.agent:<32} {row.exploitability:14.5f} {row.mean_loss:16.5f} {row.round_loss:13.5f}",
        file=sys.stderr if "--json" in sys.argv else sys.stdout,
        flush=True,
    )


def main() -> None:
    """Solves the game, asks the agents and prints what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="agents whose name contains this")
    parser.add_argument("--seeds", type=int, default=4, help="seeds that each agent is asked with (default 4)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--save", action="store_true", help=f"write benchmarks/results/{RESULTS.name}")
    options = parser.parse_args()
    out = sys.stderr if options.json else sys.stdout
    tree = build_tree(Rules.preset("mini"))
    equilibrium, iterations = solve(tree)
    game = describe(tree, equilibrium, iterations)
    for name, value in game.items():
        print(f"{name.replace('_', ' '):<32} {value:>14,}", file=out)
    print(f"\n{'agent':<32} {'exploitability':>14} {'loss a decision':>16} {'loss a round':>13}", file=out, flush=True)
    rows: list[Row] = []
    is_whole = True
    try:
        measure(tree, equilibrium, list_contestants(options.only), options.seeds, rows)
    except KeyboardInterrupt:
        is_whole = False
    for line in misses(rows):
        print(f"MISSED {line}", file=out)
    result = {"game": game, "seeds": options.seeds, "agents": [row.to_dict() for row in rows], "missed": misses(rows)}
    if options.json:
        print(json.dumps(result))
    if options.save and is_whole:
        RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    sys.exit(0 if is_whole else 130)


if __name__ == "__main__":
    main()
