"""Rounds that Python plays, for the WebAssembly module to play again: every agent, all presets, two to ten players."""

from __future__ import annotations

import itertools
import json
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from lastcard.agents import Agent, make_agent
from lastcard.agents.searching import SearchAgent
from lastcard.errors import RulesError
from lastcard.network import is_shipped_for
from lastcard.observation import observe
from lastcard.rules import PRESETS, Rules, format_rules
from lastcard.search.report import SearchReport
from lastcard.state import deal

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
MODULE: Final = ROOT / "build" / "wasm" / "lastcard.wasm"
NETWORKS: Final = ROOT / "src" / "lastcard" / "networks"
AGENTS: Final = (
    "random",
    "frequency",
    "heuristic",
    "halving:simulations=60",
    "expectiminimax:determinizations=12,depth=2",
    "ismcts:simulations=60",
    "mcts:simulations=60",
    "pomcp:simulations=60,particles=50",
    "halving:simulations=60,common_random_numbers=false,playouts=random,belief=constrained",
    "first_legal",
    "frequency:as_published",
    "expectiminimax:as_published,determinizations=6",
    "mcts:as_published,simulations=60",
    "pomcp:as_published,simulations=60",
    "ismcts:simulations=60,playouts=random,belief=uniform,trees=2",
)
"""Small budgets: what is compared is every number that a decision comes from."""


@cache
def list_rules() -> list[Rules]:
    """All presets for two to ten players, as far as their decks allow."""
    made = []
    for preset, players in itertools.product(PRESETS, range(2, 11)):
        try:
            made.append(Rules.preset(preset, players=players))
        except RulesError:
            continue
    return made


def play_cases(num_decisions: int, per_round: int = 5) -> Iterator[dict[str, object]]:
    """Rounds with the agents at its seats, and what they decided, until there are so many choices between actions.

    Few of each round, so that 300 reach all presets and agents.
    """
    rules = list_rules()
    done = 0
    for seed in itertools.count():
        case = play_case(rules[seed % len(rules)], seed, min(per_round, num_decisions - done))
        done += sum(1 for ply in case["plies"] if len(ply["observation"]["legal_actions"]) > 1)
        yield case
        if done >= num_decisions:
            return


def play_case(rules: Rules, seed: int, num_decisions: int) -> dict[str, Any]:
    """One round, from the deal to so many choices; every second one in the middle of a game."""
    names = [AGENTS[(seed + 4 * seat) % len(AGENTS)] for seat in range(rules.players)]
    by_network = ("net", "champion", "")[seed // len(list_rules()) % 3]
    if by_network and is_shipped_for(rules, by_network):
        names[-1] = by_network
    agents = [make_agent(name, seed + seat) for seat, name in enumerate(names)]
    return play_agents(rules, seed, names, agents, num_decisions)


def play_agents(rules: Rules, seed: int, names: list[str], agents: list[Agent], num_decisions: int) -> dict[str, Any]:
    """The same with these agents, which the module knows by these names."""
    scores = [97 * (seed + seat) % 500 if seed % 2 else 0 for seat in range(rules.players)]
    state = deal(rules, seed=seed, scores=scores)
    plies: list[dict[str, object]] = []
    choices = 0
    while state.seat is not None and choices < num_decisions:
        seen = observe(state, state.seat)
        agent = agents[state.seat]
        decision = _describe(agent.search(seen)) if isinstance(agent, SearchAgent) else None
        best = decision["best"] if decision else agent.choose(seen).text
        plies.append({"observation": seen.to_dict(), "best": best, "decision": decision})
        choices += len(seen.legal_actions) > 1
        state.apply_in_place(next(action for action in seen.legal_actions if action.text == best))
    others = [observe(state, seat).to_dict() for seat in range(rules.players)]
    case = {"rules": format_rules(rules), "seed": seed, "scores": scores, "agents": names}
    return case | {"plies": plies, "observations": others}


def _describe(report: SearchReport) -> dict[str, Any]:
    """The numbers of a report as they are, not rounded for people."""
    return {
        "best": report.best.text,
        "actions": [
            {"action": row.action.text, "simulations": row.simulations, "value": row.value, "error": row.error}
            for row in report.actions
        ],
        "by_policy": report.by_policy.text,
        "simulations": report.simulations,
        "line": [action.text for action in report.line] if report.actions else [],
    }


def run_node(script: str, request: object, networks: Path = NETWORKS) -> Any:
    """Runs a script of this folder in Node with the request as JSON, and returns the JSON it prints."""
    done = subprocess.run(
        ["node", str(HERE / script), str(MODULE), str(networks)],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def agree_in_node(cases: list[dict[str, object]]) -> Any:
    """Plays the cases again in Node."""
    return run_node("agree.mjs", cases)


def compare(
    num_decisions: int, agree: Callable[[list[dict[str, object]]], Any] = agree_in_node
) -> tuple[int, list[str]]:
    """Returns the number of choices compared, and every difference between Python and the module."""
    done, differences = 0, []
    cases = play_cases(num_decisions)
    while chunk := list(itertools.islice(cases, 200)):
        found = agree(chunk)
        done += found["choices"]
        differences += found["differences"]
    return done, differences
