"""Puzzles as semantic networks: every state that can be generated, tested, kept and drawn."""

from lastcard.puzzles.crossing import PUZZLES, RIVER_READINGS, WOLF, Banks, Crossing, find_crossing
from lastcard.puzzles.drawing import Picture, draw_crossing, draw_network
from lastcard.puzzles.semantic_network import Mark, Network, Node, Puzzle, Transition, generate

__all__ = [
    "PUZZLES",
    "RIVER_READINGS",
    "WOLF",
    "Banks",
    "Crossing",
    "Mark",
    "Network",
    "Node",
    "Picture",
    "Puzzle",
    "Transition",
    "draw_crossing",
    "draw_network",
    "find_crossing",
    "generate",
]
