"""Compares agents with the exact answers on a small game: `python -m benchmarks.strength.mini [GAME] [--save]`.

The game is `mini` or `mini-bluff`. The size of the game is printed first, then it is solved, then each agent is asked
at every information set. *Exploitability* is how much more than half of its rounds a best answer to the agent wins. The
*loss* is against an opponent who plays an equilibrium: by how much the best action would have won more often than the
chosen one, in the mean over the decisions the agent comes to, and over a round. On `mini`, agents that search are asked
with 100, 1,000 and 10,000 simulations; the loss with 10,000 has to be below 0.05 and below the one with 100. On
`mini-bluff` they are asked with 1,000, and the shares of their chances to bluff and to challenge are counted against
the equilibrium.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import as_file
from pathlib import Path
from typing import Any, Final

from lastcard.agents import list_agents
from lastcard.exact import (
    CfrPlus,
    Choice,
    Frequencies,
    Policy,
    Tree,
    build_tree,
    expected_value,
    exploitability,
    frequencies,
    list_choices,
    loss,
    open_value,
    uniform_policy,
    weigh,
)
from lastcard.exact.agent_policy import policy_of
from lastcard.network import ANY, NETWORK_AGENTS, SHIPPED, shipped_file
from lastcard.rules import parse_rules

RESULTS = Path(__file__).parents[1] / "results"
MOST_LOSS = 0.05
ANY_NETWORK = f"net:{SHIPPED['net'][ANY]}"
"""The network for every table. It learned none of these decks, so `net` leaves it out; it is asked here by its file."""
LEAST_WEIGHT = 1e-4
"""Probability from which on a situation is shown: where a solver hardly comes, it has learned little."""


@dataclass(frozen=True)
class Plan:
    """A game: its rules, how it is solved, and which budgets and seeds the agents are asked with."""

    rules: str
    exact_enough: float
    """Exploitability at which the solver stops."""
    budgets: tuple[int, ...]
    seeds: int


PLANS: Final[Mapping[str, Plan]] = {
    "mini": Plan("mini", 1e-5, (100, 1_000, 10_000), 4),
    "mini-bluff": Plan("mini deck=mini-bluff hand_size=3 max_plies=4 wild_draw_four=bluff", 1e-4, (1_000,), 1),
}


@dataclass(frozen=True)
class Row:
    """Result of one agent."""

    agent: str
    exploitability: float
    mean_loss: float
    round_loss: float
    taken: Frequencies | None = None
    """Shares of bluffs and challenges, where the game has them."""

    def to_dict(self) -> dict[str, object]:
        """Returns the row as JSON values."""
        taken = {"bluffs": self.taken.bluff, "challenges": self.taken.challenge} if self.taken else {}
        return {
            "agent": self.agent,
            "exploitability": round(self.exploitability, 6),
            "mean_loss": round(self.mean_loss, 6),
            "round_loss": round(self.round_loss, 6),
            **{name: round(share, 4) for name, share in taken.items()},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Row:
        """The row that `to_dict` wrote."""
        taken = Frequencies(data["bluffs"], data["challenges"]) if "bluffs" in data else None
        return cls(data["agent"], data["exploitability"], data["mean_loss"], data["round_loss"], taken)


def list_contestants(only: str = "", budgets: tuple[int, ...] = PLANS["mini"].budgets) -> list[str]:
    """Every agent there is, with every budget if it has one; of the networks, the one for every table."""
    names = []
    for info in list_agents():
        if info.name in NETWORK_AGENTS:
            continue
        searches = "simulations" in info.options
        names += [f"{info.name}:simulations={budget}" for budget in budgets] if searches else [info.name]
    return [name for name in (*names, ANY_NETWORK) if only in name]


def ask(name: str, tree: Tree, num_seeds: int) -> Policy:
    """Returns the policy of an agent, asked in every information set."""
    if name != ANY_NETWORK:
        return policy_of(name, tree, num_seeds)
    with as_file(shipped_file(SHIPPED["net"][ANY])) as path:
        return policy_of(f"net:{path}", tree, num_seeds)


def solve(tree: Tree, exact_enough: float = PLANS["mini"].exact_enough) -> tuple[Policy, int]:
    """An equilibrium that can be exploited by less than this, and the iterations it took."""
    solver = CfrPlus(tree)
    while True:
        solver.run(20)
        policy = solver.average()
        if exploitability(tree, policy) < exact_enough:
            return policy, solver.iterations


def judge(name: str, tree: Tree, policy: Policy, equilibrium: Policy, choices: list[Choice] | None = None) -> Row:
    """A row of the table."""
    given = loss(tree, policy, equilibrium)
    taken = frequencies(tree, policy, choices) if choices else None
    return Row(name, exploitability(tree, policy), given.mean, given.round, taken)


def misses(rows: list[Row]) -> list[str]:
    """Lists, in words, the targets that the searching agents miss."""
    by_name = {row.agent: row.mean_loss for row in rows}
    budgets = PLANS["mini"].budgets
    found = []
    for name, mean in by_name.items():
        agent, searches, budget = name.partition(":simulations=")
        if not searches or int(budget) != budgets[-1]:
            continue
        if mean >= MOST_LOSS:
            found.append(f"{name}: mean loss {mean:.4f} is not below {MOST_LOSS}")
        few = by_name.get(f"{agent}:simulations={budgets[0]}")
        if few is not None and mean >= few:
            found.append(f"{name}: mean loss {mean:.4f} is not below {few:.4f}, that of {budgets[0]} simulations")
    return found


def measure_size(tree: Tree) -> dict[str, object]:
    """Counts the states, decisions and information sets of the game."""
    return {
        "deals": tree.num_deals,
        "nodes": tree.num_nodes,
        "decisions": tree.num_decisions,
        "information_sets": len(tree.information_sets),
    }


def describe(tree: Tree, equilibrium: Policy, iterations: int) -> dict[str, object]:
    """Values of the game and of the equilibrium that was found."""
    return {
        "open_value": round(open_value(tree.rules), 6),
        "equilibrium_value": round(expected_value(tree, equilibrium), 6),
        "equilibrium_exploitability": float(f"{exploitability(tree, equilibrium):.2g}"),
        "iterations": iterations,
    }


@dataclass(frozen=True)
class Question:
    """Everything that all agents are asked about."""

    tree: Tree
    equilibrium: Policy
    choices: list[Choice]
    num_seeds: int

    def judge(self, name: str, policy: Policy) -> Row:
        """A row of the table."""
        return judge(name, self.tree, policy, self.equilibrium, self.choices)


def measure(question: Question, names: list[str], rows: list[Row]) -> None:
    """Adds a row for each agent, and prints it as soon as it is known."""
    fixed = {"(uniform)": uniform_policy(question.tree)}
    if question.choices:
        fixed = {"(equilibrium)": question.equilibrium, **fixed}
    for name, policy in fixed.items():
        rows.append(question.judge(name, policy))
        show(rows[-1])
    for name in names:
        start = time.process_time()
        rows.append(question.judge(name, ask(name, question.tree, question.num_seeds)))
        show(rows[-1])
        print(f"  {time.process_time() - start:.0f} s of CPU", file=sys.stderr, flush=True)


def list_mixed(tree: Tree, equilibrium: Policy, choices: list[Choice]) -> list[dict[str, object]]:
    """The four likeliest situations of each kind in which the equilibrium does both.

    Of two that differ only in colors, and so are as likely, one is shown.
    """
    rows: dict[tuple[object, ...], dict[str, object]] = {}
    for weight, choice in weigh(tree, equilibrium, choices):
        seen, odds = choice.information.observation, choice.odds(equilibrium)
        if weight < LEAST_WEIGHT or not 0.05 <= odds <= 0.95:
            continue
        situation = {
            "choice": choice.kind,
            "hand": " ".join(map(str, seen.hand)),
            "color": seen.active_color.word if seen.active_color else "",
            "before": "; ".join(map(str, seen.history[2:])),
            "odds": round(odds, 3),
        }
        rows.setdefault((choice.kind, round(weight, 5), round(odds, 2)), situation)
    return [row for kind in ("bluff", "challenge") for row in [r for r in rows.values() if r["choice"] == kind][:4]]


def show(row: Row) -> None:
    """A line of the table, on standard error so that JSON has standard output to itself."""
    taken = f" {row.taken.bluff:8.3f} {row.taken.challenge:11.3f}" if row.taken else ""
    print(
        f"{row.agent:<32} {row.exploitability:14.5f} {row.mean_loss:16.5f} {row.round_loss:13.5f}{taken}",
        file=sys.stderr if "--json" in sys.argv else sys.stdout,
        flush=True,
    )


def show_figures(figures: Mapping[str, object]) -> None:
    """A line for each figure."""
    for name, value in figures.items():
        print(
            f"{name.replace('_', ' '):<32} {value:>14,}",
            file=sys.stderr if "--json" in sys.argv else sys.stdout,
            flush=True,
        )


def read_options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", choices=tuple(PLANS), default="mini", help="the game (default mini)")
    parser.add_argument("--only", default="", help="agents whose name contains this")
    parser.add_argument("--seeds", type=int, help="seeds that each agent is asked with (mini 4, mini-bluff 1)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/strength-GAME.json")
    return parser.parse_args()


def main() -> None:
    """Prints the size of the game, solves it, asks the agents and prints what came of it."""
    options = read_options()
    plan = PLANS[options.game]
    seeds = options.seeds or plan.seeds
    out = sys.stderr if options.json else sys.stdout
    tree = build_tree(parse_rules(plan.rules))
    size = measure_size(tree)
    show_figures(size)
    equilibrium, iterations = solve(tree, plan.exact_enough)
    values = describe(tree, equilibrium, iterations)
    show_figures(values)
    choices = list_choices(tree, equilibrium)
    more = f" {'bluffs':>8} {'challenges':>11}" if choices else ""
    print(f"\n{'agent':<32} {'exploitability':>14} {'loss a decision':>16} {'loss a round':>13}{more}", file=out)
    rows: list[Row] = []
    is_whole = True
    try:
        measure(Question(tree, equilibrium, choices, seeds), list_contestants(options.only, plan.budgets), rows)
    except KeyboardInterrupt:
        is_whole = False
    if options.only and options.save and is_whole:
        rows = keep_others(rows, options.game, plan.budgets)
    missed = misses(rows)
    for line in missed:
        print(f"MISSED {line}", file=out)
    result: dict[str, object] = {"game": {**size, **values}, "seeds": seeds}
    result |= {"agents": [row.to_dict() for row in rows], "missed": missed}
    mixed = list_mixed(tree, equilibrium, choices)
    for each in mixed:
        print(json.dumps(each), file=out)
    if options.json:
        print(json.dumps(result))
    if options.save and is_whole:
        save(f"strength-{options.game}", result)
        if mixed:
            save(f"strength-{options.game}-mixed", mixed)
    sys.exit(0 if is_whole else 130)


def keep_others(rows: list[Row], game: str, budgets: tuple[int, ...]) -> list[Row]:
    """The rows of the saved file, with these in place of or beside them."""
    file = RESULTS / f"strength-{game}.json"
    saved = json.loads(file.read_text(encoding="utf-8"))["agents"] if file.exists() else []
    by_name = {row.agent: row for row in (*map(Row.from_dict, saved), *rows)}
    names = ["(equilibrium)", "(uniform)", *list_contestants(budgets=budgets)]
    return [by_name[name] for name in names if name in by_name]


def save(name: str, result: object) -> None:
    """Writes a file of results."""
    (RESULTS / f"{name}.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
