"""Plays what docs/explanation/why-hoarding-wins.md tells of: `python -m benchmarks.strength.hoarding`.

`champion` hoards against `heuristic`. Of one round, a line for each of its decisions goes to
benchmarks/results/hoarding-round.jsonl: the hands, the action cards in them and how it rates its chances.
Matches with and without a duty to play go to benchmarks/results/hoarding.json.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from typing import Any, Final

from benchmarks.strength.lineup import RESULTS
from lastcard import Rules
from lastcard.agents import make_agent
from lastcard.arena.core_match import HeuristicContestant, NetContestant, play_deals
from lastcard.arena.statistics import NOBODY, count_scores, estimate_share
from lastcard.cards import Rank
from lastcard.network import SHIPPED, Network, shipped_file
from lastcard.observation import observe
from lastcard.rules import parse_rules
from lastcard.state import State
from lastcard.table import Table

NETWORK: Final = str(shipped_file(SHIPPED["champion"]["official"]))
ROUND: Final = RESULTS / "hoarding-round.jsonl"
MATCHES: Final = RESULTS / "hoarding.json"
SEED: Final = 5
"""Seed of the matches."""
SEED_OF_ROUND: Final = 7
"""A round in which it hoards; in others one side goes out within a few turns."""
KEEP_THE_TURN: Final = {Rank.SKIP, Rank.REVERSE, Rank.DRAW_TWO, Rank.WILD_DRAW_FOUR}
"""Cards that do not pass the turn on with two players."""


def play_round(network: str, seed: int) -> list[dict[str, Any]]:
    """A line for each decision of the network, in seat 0, and one for the end."""
    rules = Rules.preset("official")
    judge = Network.find(network, rules)
    table = Table(rules, [make_agent(f"net:{network}", seed=1), make_agent("heuristic", seed=2)], seed)
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


def play_matches(network: str, num_deals: int) -> list[dict[str, Any]]:
    """Returns each side's wins under rules with and without a duty to play, with the points of a round won and lost."""
    hoarder, heuristic = NetContestant(network), HeuristicContestant()
    rows = []
    for name, text, one in (
        ("`champion`, `official`", "official", hoarder),
        ("`champion`, `official must_play=true`", "official must_play=true", hoarder),
        ("`net`, `official`", "official", NetContestant()),
    ):
        rounds = play_deals(parse_rules(text), [one, heuristic], num_deals, SEED)
        won = [NOBODY if cut else str(who) for who, cut in zip(rounds.winners, rounds.unfinished, strict=True)]
        share = estimate_share(count_scores(Counter(map("".join, zip(*[iter(won)] * 2, strict=True))), 0), 2)
        points = {who: [p for w, p in zip(won, rounds.points, strict=True) if w == who] for who in "01"}
        rows.append(
            {
                "name": name,
                "share": round(share.value, 4),
                "error": round(share.error, 4),
                "deals": num_deals,
                "plies": round(rounds.plies / len(won), 1),
                "unfinished": round(sum(rounds.unfinished) / len(won), 4),
                "points_won": round(sum(points["0"]) / len(points["0"]), 1),
                "points_lost": round(sum(points["1"]) / len(points["1"]), 1),
            }
        )
    return rows


def main() -> None:
    """Plays all of it and writes the files."""
    parser = argparse.ArgumentParser(prog="benchmarks.strength.hoarding", description=__doc__)
    parser.add_argument("--deals", type=int, default=500, help="of each match; 0: play the round alone")
    options = parser.parse_args()
    rows = play_round(NETWORK, SEED_OF_ROUND)
    ROUND.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    print(f"{rows[-1]['ply']} plies, at most {max(row['cards'][0] for row in rows)} cards")
    if options.deals:
        matches = play_matches(NETWORK, options.deals)
        MATCHES.write_text(f"{json.dumps(matches, indent=1, ensure_ascii=False)}\n", encoding="utf-8")
        print(*matches, sep="\n")


if __name__ == "__main__":
    main()
