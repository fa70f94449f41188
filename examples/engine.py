"""An engine for lastcard in plain Python: nothing is imported from lastcard.

Sheds its most expensive cards first, saves Wilds for later, and names the color it holds most of. Try it:
    lastcard watch heuristic --engine "python3 examples/engine.py"
"""

import json
import sys
from typing import Any


def count_points(card: str) -> int:
    """Returns the points of a colored card left in hand."""
    return int(card[1]) if card[1].isdigit() else 20


def choose(position: dict[str, Any]) -> str:
    """Picks one of the position's legal actions."""
    legal: list[str] = position["legal_actions"]
    colors = [card[0] for card in position["hand"]]
    favorite = max("rygb", key=colors.count)
    cards = [action for action in legal if action[0] in "rygb" and action[1] in "0123456789SR+"]
    swaps = [action for action in legal if action.startswith("swap:")]
    for wanted in ("uno", "catch"):
        if wanted in legal:
            return wanted
    if cards:
        return max(cards, key=lambda card: (count_points(card), colors.count(card[0])))
    if swaps:
        return min(swaps, key=lambda swap: position["hand_sizes"][int(swap[5:])])
    for wanted in (f"w:{favorite}", f"w+4:{favorite}", f"color:{favorite}"):
        if wanted in legal:
            return wanted
    return legal[0]


def main() -> None:
    """Reads commands line by line and flushes every answer, because the table waits for it."""
    position: dict[str, Any] = {}
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "lastcard":
            print("name shedder\nlastcard 1", flush=True)
        elif word == "ready":
            print("ready", flush=True)
        elif word == "position":
            position = json.loads(rest)
        elif word == "go":
            print(f"best {choose(position)}", flush=True)
        elif word == "quit":
            break


if __name__ == "__main__":
    main()
