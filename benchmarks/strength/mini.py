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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import as_file
from pathlib import Path
from typing import Any, Final

from lastcard.agents import list_agents
from lastcard.exact import (
    CfrPlus,
    Choice,
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


def judge(
    name: str, tree: Tree, policy: Policy, equilibrium: Policy, choices: list[Choice] | None = None
) -> dict[str, Any]:
    """A row of the table, with the shares of bluffs and challenges where the game has them."""
    given = loss(tree, policy, equilibrium)
    figures = {
        "exploitability": exploitability(tree, policy),
        "mean_loss": given.mean,
        "round_loss": given.round,
    }
    row: dict[str, Any] = {"agent": name, **{key: round(value, 6) for key, value in figures.items()}}
    if choices:
        taken = frequencies(tree, policy, choices)
        row |= {"bluffs": round(taken.bluff, 4), "challenges": round(taken.challenge, 4)}
    return row


def misses(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Lists, in words, the targets that the searching agents miss."""
    by_name = {row["agent"]: row["mean_loss"] for row in rows}
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


def play(plan: Plan, only: str) -> tuple[dict[str, Any], list[dict[str, object]]]:
    """Solves the game and asks the agents, printing each line as it is known: the result, and where both are done."""
    tree = build_tree(parse_rules(plan.rules))
    equilibrium, iterations = solve(tree, plan.exact_enough)
    game = measure_size(tree) | describe(tree, equilibrium, iterations)
    print(*(f"{name.replace('_', ' '):<32} {value:>14,}" for name, value in game.items()), sep="\n", flush=True)
    choices = list_choices(tree, equilibrium)
    policies: dict[str, Callable[[], Policy]] = {
        **({"(equilibrium)": lambda: equilibrium} if choices else {}),
        "(uniform)": lambda: uniform_policy(tree),
        **{name: partial(ask, name, tree, plan.seeds) for name in list_contestants(budgets=plan.budgets)},
    }
    rows = []
    for name, make in policies.items():
        if only in name:
            rows.append(judge(name, tree, make(), equilibrium, choices))
            print(json.dumps(rows[-1]), flush=True)
    return {"game": game, "seeds": plan.seeds, "agents": rows}, list_mixed(tree, equilibrium, choices)


def main() -> None:
    """Prints the size of the game, solves it, asks the agents and prints what came of it."""
    parser = argparse.ArgumentParser(prog="benchmarks.strength.mini", description=__doc__)
    parser.add_argument("game", nargs="?", choices=tuple(PLANS), default="mini", help="the game (default mini)")
    parser.add_argument("--only", default="", help="agents whose name contains this; --save keeps the others")
    parser.add_argument("--seeds", type=int, help="seeds that each agent is asked with (mini 4, mini-bluff 1)")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/strength-GAME.json")
    options = parser.parse_args()
    plan = PLANS[options.game]
    result, mixed = play(replace(plan, seeds=options.seeds or plan.seeds), options.only)
    if options.save:
        file = RESULTS / f"strength-{options.game}.json"
        saved = json.loads(file.read_text(encoding="utf-8"))["agents"] if options.only else []
        rows = {row["agent"]: row for row in (*saved, *result["agents"])}
        result |= {"agents": list(rows.values()), "missed": misses(list(rows.values()))}
        for path, found in ((file, result), (file.with_stem(f"{file.stem}-mixed"), mixed)):
            if found:
                path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(*(json.dumps(each) for each in mixed), *(f"MISSED {line}" for line in misses(result["agents"])), sep="\n")


if __name__ == "__main__":
    main()
