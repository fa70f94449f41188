"""Positions of the live boards, explained by Python: stages, trees and beliefs as the WebAssembly module tells them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lastcard import _core
from lastcard.actions import ACTIONS
from lastcard.agents import make_agent
from lastcard.agents.interface import decision_seed
from lastcard.agents.searching import SearchAgent
from lastcard.belief import Belief
from lastcard.cards import CARDS, OFFICIAL, format_cards, parse_cards
from lastcard.observation import Observation, observe
from lastcard.search.expectiminimax import ExpectiminimaxConfig
from lastcard.state import State
from tests.wasm.cases import _describe

LEVELS = 3
"""Actions below the root that the module shows of a recursion."""
TREE_DEPTH = 4


@dataclass(frozen=True)
class Position:
    """A hand and a top card, the number of cards that the opponent holds, and what it does then; "" is nothing."""

    hand: str
    top: str
    holds: int = 7
    deed: str = ""

    @property
    def played(self) -> str:
        """The card that the opponent plays."""
        return "" if self.deed in ("", "draw") else self.deed.split(":")[0]

    @property
    def fields(self) -> dict[str, Any]:
        """The position as the call `place` takes it."""
        hand = parse_cards(self.hand)
        sizes = [len(hand), self.holds]
        return {"top": self.top, "hands": [self.hand, self.played], "sizes": sizes, "seat": int(self.deed != "")}

    def observe(self) -> Observation:
        """Returns the observation of seat 0 after it; the cards that the opponent keeps are any."""
        rest = list(OFFICIAL.cards())
        for card in parse_cards(f"{self.hand} {self.top} {self.played}"):
            rest.remove(card)
        kept = rest[-(self.holds - len(parse_cards(self.played))) :]
        hands = [self.hand, f"{self.played} {format_cards(kept)}"]
        own = parse_cards(self.hand)
        dealt = [f"0 is dealt {len(own)} ({self.hand})", f"1 is dealt {self.holds}", f"turned up {self.top}"]
        state = State.from_dict(
            {
                "players": [{"hand": hand} for hand in hands],
                "discard_pile": self.top,
                "seat": int(self.deed != ""),
                "history": dealt,
            }
        )
        for name in {"": (), "draw": ("draw", "keep")}.get(self.deed, (self.deed,)):
            state = state.after(next(action for action in state.legal_actions if action.text == name))
        assert state.seat == 0
        return observe(state, 0)


def explain(position: Position, agent: str, seed: int) -> dict[str, Any]:
    """The decision with its steps, as the call `explain` answers it."""
    seen, asked = position.observe(), make_agent(agent, seed)
    assert isinstance(asked, SearchAgent)
    report = asked.search(seen)
    found = _describe(report)
    belief = (report.belief or Belief(seen)).marginals()
    found["belief"] = {
        str(seat): {card.text: round(held[card], 4) for card in CARDS if held[card] > 0}
        for seat, held in belief.items()
    }
    if report.outline is not None:
        found["tree"] = [node.to_dict() for node in report.tree(TREE_DEPTH)]
    elif isinstance(asked.config, ExpectiminimaxConfig) and len(report.actions) > 1:
        found["tree"] = _list_recursions(seen, asked.config, decision_seed(seen, asked._seed))
    stages = [step for step in asked.explain(seen).steps if step.title.startswith("Stage ")]
    if stages:
        found["stages"] = [
            [
                {"action": row[0], "simulations": row[1], "value": row[2], "rank": row[4], "stays": row[5] == "stays"}
                for row in step.rows
            ]
            for step in stages
        ]
    return found


def _list_recursions(seen: Observation, config: ExpectiminimaxConfig, seed: int) -> list[dict[str, Any]]:
    trace = _core.DeterminizationTrace(1, LEVELS)
    result = _core.search_by_expectiminimax(seen._core, config.compile(seen.rules), seed % 2**64, trace)
    roots: list[dict[str, Any]] = []
    for index in range(len(result.actions)):
        path: list[list[dict[str, Any]]] = [roots]
        for row in trace.rows(0, index):
            del path[row.level + 1 :]
            node: dict[str, Any] = {
                "action": ACTIONS[row.action].text,
                "seat": row.seat,
                "card": None if row.card is None else CARDS[row.card].text,
                "simulations": row.determinizations,
                "value": round((1 + row.value / 100) / 2, 6),
                "is_taken": row.chosen_by != 0,
                "children": [],
            }
            path[row.level].append(node)
            path.append(node["children"])
    return roots
