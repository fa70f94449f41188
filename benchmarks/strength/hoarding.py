"""Plays the round of docs/explanation/why-hoarding-wins.md: `python -m benchmarks.strength.hoarding`.

`champion` hoards against `heuristic`. A line for each of its decisions goes to benchmarks/results/hoarding-round.jsonl:
the hands, the action cards in them and how it rates its chances.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from lastcard import Rules, State, Table, make_agent, observe
from lastcard.cards import Rank
from lastcard.network import SHIPPED, Network, shipped_file

SAVED: Final = Path(__file__).parents[1] / "results" / "hoarding-round.jsonl"
NETWORK: Final = str(shipped_file(SHIPPED["champion"]["official"]))
SEED: Final = 7
"""A round in which it hoards; in others one side goes out within a few turns."""
KEEP_THE_TURN: Final = {Rank.SKIP, Rank.REVERSE, Rank.DRAW_TWO, Rank.WILD_DRAW_FOUR}
"""Cards that do not pass the turn on with two players."""


def play_round() -> list[dict[str, Any]]:
    """A line for each decision of the network, in seat 0, and one for the end."""
    rules = Rules.preset("official")
    judge = Network.find(NETWORK, rules)
    table = Table(rules, [make_agent(f"net:{NETWORK}", seed=1), make_agent("heuristic", seed=2)], SEED)
    rows = []
    while table.state.outcome is None:
        if table.state.seat == 0:
            value, _ = judge.evaluate(observe(table.state, seat=0))
            rows.append({**_count(table.state), "chance": round((1 + value) / 2, 3)})
        table.play_ply()
    rows.append({**_count(table.state), "chance": float(table.state.outcome.winner == 0)})
    return rows


def _count(state: State) -> dict[str, Any]:
    hands = [state.hand(seat) for seat in (0, 1)]
    actions = [sum(card.rank in KEEP_THE_TURN for card in hand) for hand in hands]
    return {"ply": state.ply, "cards": [len(hand) for hand in hands], "action_cards": actions}


if __name__ == "__main__":
    found = play_round()
    SAVED.write_text("".join(f"{json.dumps(row)}\n" for row in found), encoding="utf-8")
    print(f"{found[-1]['ply']} plies, at most {max(row['cards'][0] for row in found)} cards")
