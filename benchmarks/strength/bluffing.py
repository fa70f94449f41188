"""Counts bluffs and challenges of `net`: `python -m benchmarks.strength.bluffing [--deals N] [--save]`.

`tournament` rules, two players: a Wild Draw Four may be played although a card fits (a bluff), and the next player may
challenge it. Against `heuristic` and against itself, it counts how often `net` bluffs and is challenged. Then `net`
plays against copies of itself that always or never challenge, on mirrored deals: if its own challenges pay, it wins.
`--save` writes benchmarks/results/bluffing.json.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from benchmarks.strength.lineup import RESULTS
from lastcard import Rules, State, deal, observe
from lastcard.actions import Action, ActionKind
from lastcard.agents import make_agent
from lastcard.arena.statistics import NOBODY, count_scores, estimate_share
from lastcard.network import Network
from lastcard.observation import Observation

SAVED: Final = RESULTS / "bluffing.json"
RULES: Final = Rules.preset("tournament", players=2)
_NETWORK: Final = Network.shipped(RULES)
Choose = Callable[[Observation], Action]


def follow(wanted: ActionKind) -> Choose:
    """Plays as the network does, but always answers a Wild Draw Four in one way."""

    def choose(seen: Observation) -> Action:
        legal = seen.legal_actions
        if {action.kind for action in legal} >= {ActionKind.CHALLENGE, ActionKind.ACCEPT}:
            return next(action for action in legal if action.kind is wanted)
        return _NETWORK.choose(seen)

    return choose


RIVALS: Final[dict[str, Choose]] = {
    "heuristic": make_agent("heuristic").choose,
    "net": _NETWORK.choose,
    "net that always challenges": follow(ActionKind.CHALLENGE),
    "net that never challenges": follow(ActionKind.ACCEPT),
}


def play_round(seed: int, seat: int, rival: Choose, counts: Counter[str]) -> str:
    """Plays a round with the network in a seat; 0 if the network won, 1 if the rival did."""
    state = deal(RULES, seed=seed)
    while state.seat is not None:
        is_own = state.seat == seat
        seen = observe(state, state.seat)
        action = (_NETWORK.choose if is_own else rival)(seen)
        if is_own:
            count(state, seen, action, counts)
        elif action.kind is ActionKind.CHALLENGE:
            counts["challenged"] += 1
        state = state.after(action)
    if state.outcome is None or state.ply >= RULES.max_plies:
        return NOBODY
    return str(int(state.outcome.winner != seat))


def count(state: State, seen: Observation, action: Action, counts: Counter[str]) -> None:
    """Counts the network's Wild Draw Fours, those that bluff, and its answers to others."""
    if action.card is not None and action.card.text == "w+4":
        counts["fours"] += 1
        counts["bluffs"] += any(card.color is seen.active_color for card in seen.hand)
    if action.kind in (ActionKind.CHALLENGE, ActionKind.ACCEPT) and len(seen.legal_actions) > 1:
        counts[action.kind.value] += 1
        after = state.after(action)
        won = action.kind is ActionKind.CHALLENGE and len(after.hand(seen.observer)) == len(seen.hand)
        counts["challenges won"] += won


def measure(rival: str, num_deals: int) -> dict[str, Any]:
    """Plays every deal from both seats."""
    counts: Counter[str] = Counter()
    deals = Counter(
        "".join(play_round(seed, seat, RIVALS[rival], counts) for seat in (0, 1)) for seed in range(num_deals)
    )
    share = estimate_share(count_scores(deals, 0), 2)
    return {
        "name": f"against {rival}",
        "share": round(share.value, 4),
        "error": round(share.error, 4),
        "deals": num_deals,
        "bluffs": round(counts["bluffs"] / max(counts["fours"], 1), 4),
        "challenged": round(counts["challenged"] / max(counts["fours"], 1), 4),
        "challenges": round(counts["challenge"] / max(counts["challenge"] + counts["accept"], 1), 4),
        "challenges_won": round(counts["challenges won"] / max(counts["challenge"], 1), 4),
    }


def main() -> None:
    """Reads the options, plays, prints and writes."""
    parser = argparse.ArgumentParser(prog="benchmarks.strength.bluffing", description=__doc__)
    parser.add_argument("--deals", type=int, default=4000, help="number of deals, each played from both seats")
    parser.add_argument("--save", action="store_true", help=f"write {SAVED.name}")
    options = parser.parse_args()
    rows = []
    for rival in RIVALS:
        rows.append(measure(rival, options.deals))
        print(json.dumps(rows[-1], ensure_ascii=False), flush=True)
    if options.save:
        SAVED.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
