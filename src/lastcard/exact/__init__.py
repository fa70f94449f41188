"""Exact answers on small rules such as `mini`: the value with open hands, an equilibrium, how often it bluffs."""

from lastcard.exact.bluffs import Choice, Frequencies, frequencies, list_choices, weigh
from lastcard.exact.cfr import CfrPlus, Policy, uniform_policy
from lastcard.exact.open_cards import open_value
from lastcard.exact.response import BestResponse, Loss, best_response, expected_value, exploitability, loss
from lastcard.exact.tree import Tree, build_tree

__all__ = [
    "BestResponse",
    "CfrPlus",
    "Choice",
    "Frequencies",
    "Loss",
    "Policy",
    "Tree",
    "best_response",
    "build_tree",
    "expected_value",
    "exploitability",
    "frequencies",
    "list_choices",
    "loss",
    "open_value",
    "uniform_policy",
    "weigh",
]
