"""Counts bluffs and challenges of a network: `python -m benchmarks.strength.bluffing [--players N] [--network FILE]`.

`tournament` rules: a Wild Draw Four may be played although a card fits (a bluff), and the next player may challenge it.
The network that `net` plays with, or that of a file, has one seat; all other seats are `heuristic`, or the network
itself. It counts how often the network bluffs and is challenged. Then it plays against copies of itself that always or
never challenge, on mirrored deals: if its own challenges pay, it wins. `--deals` plays fewer deals, or more; `--save`
writes benchmarks/results/bluffing.json.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks.strength.lineup import RESULTS
from benchmarks.strength.options import at_least, refuse_in_one_line
from lastcard import Rules, State, deal, observe
from lastcard.actions import Action, ActionKind
from lastcard.agents import make_agent
from lastcard.arena.statistics import NOBODY, count_scores, estimate_share
from lastcard.network import Network, find_shipped
from lastcard.observation import Observation

SAVED: Final = RESULTS / "bluffing.json"
Choose = Callable[[Observation], Action]


def follow(network: Network, wanted: ActionKind) -> Choose:
    """Plays as the network does, but always answers a Wild Draw Four in one way."""

    def choose(seen: Observation) -> Action:
        legal = seen.legal_actions
        if {action.kind for action in legal} >= {ActionKind.CHALLENGE, ActionKind.ACCEPT}:
            return next(action for action in legal if action.kind is wanted)
        return network.choose(seen)

    return choose


def list_rivals(network: Network) -> Mapping[str, Choose]:
    """The policies of all other seats, by name."""
    return {
        "heuristic": make_agent("heuristic").choose,
        "itself": network.choose,
        "itself, always challenging": follow(network, ActionKind.CHALLENGE),
        "itself, never challenging": follow(network, ActionKind.ACCEPT),
    }


def play_round(rules: Rules, seed: int, seat: int, own: Choose, rival: Choose, counts: Counter[str]) -> str:
    """Plays a round with the network in a seat; 0 if the network won, 1 if a rival did."""
    state = deal(rules, seed=seed)
    last_four = None
    while state.seat is not None:
        is_own = state.seat == seat
        seen = observe(state, state.seat)
        action = (own if is_own else rival)(seen)
        if is_own:
            count(state, seen, action, counts)
        elif action.kind is ActionKind.CHALLENGE and last_four == seat:
            counts["challenged"] += 1
        if is_four(action):
            last_four = state.seat
        state = state.after(action)
    if state.outcome is None or state.ply >= rules.max_plies:
        return NOBODY
    return str(int(state.outcome.winner != seat))


def is_four(action: Action) -> bool:
    """Returns whether it plays a Wild Draw Four."""
    return action.card is not None and action.card.text == "w+4"


def count(state: State, seen: Observation, action: Action, counts: Counter[str]) -> None:
    """Counts the network's Wild Draw Fours, those that bluff, and its answers to others."""
    if is_four(action):
        counts["fours"] += 1
        counts["bluffs"] += any(card.color is seen.active_color for card in seen.hand)
    if action.kind in (ActionKind.CHALLENGE, ActionKind.ACCEPT) and len(seen.legal_actions) > 1:
        counts[action.kind.value] += 1
        after = state.after(action)
        won = action.kind is ActionKind.CHALLENGE and len(after.hand(seen.observer)) == len(seen.hand)
        counts["challenges won"] += won


def measure(rules: Rules, name: str, network: Network, rival: str, num_deals: int) -> dict[str, Any]:
    """Plays every deal from every seat."""
    counts: Counter[str] = Counter()
    choose, players = list_rivals(network)[rival], rules.players
    deals = Counter(
        "".join(play_round(rules, seed, seat, network.choose, choose, counts) for seat in range(players))
        for seed in range(num_deals)
    )
    share = estimate_share(count_scores(deals, 0), players)
    return {
        "network": name,
        "players": players,
        "against": rival,
        "share": round(share.value, 4),
        "error": round(share.error, 4),
        "deals": num_deals,
        "bluffs": round(counts["bluffs"] / max(counts["fours"], 1), 4),
        "challenged": round(counts["challenged"] / max(counts["fours"], 1), 4),
        "challenges": round(counts["challenge"] / max(counts["challenge"] + counts["accept"], 1), 4),
        "challenges_won": round(counts["challenges won"] / max(counts["challenge"], 1), 4),
    }


def find_key(row: Mapping[str, Any]) -> tuple[object, ...]:
    """Network, players and rival of a row."""
    return row["network"], row["players"], row["against"]


def save(rows: list[dict[str, Any]], file: Path = SAVED) -> None:
    """Writes the rows, in the place of earlier ones about the same."""
    before = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    new = set(map(find_key, rows))
    kept = [row for row in before if find_key(row) not in new]
    file.write_text(json.dumps([*kept, *rows], indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    """Reads the options, plays, prints and writes."""
    parser = argparse.ArgumentParser(prog="benchmarks.strength.bluffing", description=__doc__)
    parser.add_argument("--players", type=at_least(2), default=2, help="number of players; default 2")
    parser.add_argument("--network", default="", metavar="FILE", help="a network's file; default: that of net")
    parser.add_argument("--deals", type=at_least(1), default=4000, help="deals, each played from every seat")
    parser.add_argument("--save", action="store_true", help=f"write {SAVED.name}")
    options = parser.parse_args()
    with refuse_in_one_line(parser):
        rules = Rules.preset("tournament", players=options.players)
        network = Network.find(options.network, rules)
    name = Path(options.network).stem or find_shipped(rules) or ""
    rows = []
    for rival in list_rivals(network):
        rows.append(measure(rules, name, network, rival, options.deals))
        print(json.dumps(rows[-1], ensure_ascii=False), flush=True)
    if options.save:
        save(rows)


if __name__ == "__main__":
    main()
