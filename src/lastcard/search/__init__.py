"""Searches: what an observation and a belief make of each legal action."""

from lastcard.search.expectiminimax import ExpectiminimaxConfig, search_by_expectiminimax
from lastcard.search.halving import HalvingConfig, search_by_halving
from lastcard.search.ismcts import IsmctsConfig, search_by_ismcts
from lastcard.search.mcts import MctsConfig, search_by_mcts
from lastcard.search.pomcp import Pomcp, PomcpConfig, search_by_pomcp
from lastcard.search.report import ActionValue, SearchReport, TreeNode
from lastcard.search.stopping import StopFlag, stopped_by

__all__ = [
    "ActionValue",
    "ExpectiminimaxConfig",
    "HalvingConfig",
    "IsmctsConfig",
    "MctsConfig",
    "Pomcp",
    "PomcpConfig",
    "SearchReport",
    "StopFlag",
    "TreeNode",
    "search_by_expectiminimax",
    "search_by_halving",
    "search_by_ismcts",
    "search_by_mcts",
    "search_by_pomcp",
    "stopped_by",
]
