"""Searches: what an observation and a belief make of each legal action."""

from lastcard.search.expectiminimax import ExpectiminimaxConfig, search_by_expectiminimax
from lastcard.search.halving import HalvingConfig, search_by_halving
from lastcard.search.report import ActionValue, SearchReport

__all__ = [
    "ActionValue",
    "ExpectiminimaxConfig",
    "HalvingConfig",
    "SearchReport",
    "search_by_expectiminimax",
    "search_by_halving",
]
