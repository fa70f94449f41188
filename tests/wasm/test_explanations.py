"""Positions that the WebAssembly module explains: stages, trees and beliefs are those of Python."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from tests.wasm.cases import MODULE, run_node
from tests.wasm.positions import Position, explain

pytestmark = pytest.mark.skipif(not MODULE.exists(), reason="the module is not built: run make wasm")

POSITIONS = (
    Position("r7 b5 g5 w yR", "r5", 4),
    Position("r7 b5 g5 w", "r5", 5, "draw"),
    Position("r7 b5 g5 w+4", "r2", 3, "b2"),
    Position("y1 y2 b9", "r5", 6, "w:b"),
    Position("g1", "r5", 2, "r0"),
)
AGENTS = (
    "halving:simulations=300,advisor=heuristic",
    "halving:simulations=200,advisor=heuristic,belief=uniform",
    "expectiminimax:determinizations=32,group=32,depth=2",
    "expectiminimax:as_published,determinizations=5",
    "ismcts:simulations=300",
    "mcts:simulations=300",
    "pomcp:simulations=300",
)
CASES = [(position, agent) for position in POSITIONS for agent in AGENTS]
BAD: dict[str, dict[str, Any]] = {
    "top must be one card that is no Wild": {"top": "w"},
    "the deck has no more r0": {"hands": ["r0 r0", ""], "sizes": [2, 3]},
    "a hand of 2 cards does not fit sizes": {"sizes": [1, 3]},
    "a hand of 105 cards does not fit sizes": {"sizes": [2, 200]},
    "hands and sizes must have one entry for each seat": {"sizes": [2]},
    "seat must be a whole number from 0 to 1, not 2": {"seat": 2},
}


@cache
def answers() -> dict[str, Any]:
    asked = [
        {
            "position": position.fields,
            "deeds": {"": [], "draw": ["draw", "keep"]}.get(position.deed, [position.deed]),
            "agent": agent,
            "seed": 3,
        }
        for position, agent in CASES
    ]
    good = Position("r7 b5", "r5", 3).fields
    found: dict[str, Any] = run_node("explanations.mjs", {"asked": asked, "bad": [good | bad for bad in BAD.values()]})
    return found


def test_positions_are_explained_alike() -> None:
    for (position, agent), found in zip(CASES, answers()["found"], strict=True):
        found.pop("reasons", None)  # test_thinking.py compares them
        assert found == explain(position, agent, 3), (position, agent)


def test_an_impossible_position_is_refused() -> None:
    assert answers()["refused"] == list(BAD)
