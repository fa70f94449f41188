"""Searches: what an observation and a belief make of each legal action."""

from lastcard.search.halving import HalvingConfig, search_by_halving
from lastcard.search.report import ActionValue, SearchReport

__all__ = ["ActionValue", "HalvingConfig", "SearchReport", "search_by_halving"]
