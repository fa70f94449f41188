"""Any search by its config."""

from __future__ import annotations

from lastcard.errors import AgentError, shorten
from lastcard.observation import Observation
from lastcard.search.expectiminimax import ExpectiminimaxConfig, search_by_expectiminimax
from lastcard.search.halving import HalvingConfig, search_by_halving
from lastcard.search.ismcts import IsmctsConfig, search_by_ismcts
from lastcard.search.mcts import MctsConfig, search_by_mcts
from lastcard.search.pomcp import PomcpConfig, search_by_pomcp
from lastcard.search.report import SearchReport

SearchConfig = HalvingConfig | ExpectiminimaxConfig | IsmctsConfig | MctsConfig | PomcpConfig
"""The searches that the core plays by itself."""


def search(observation: Observation, config: SearchConfig | None = None, seed: int = 0) -> SearchReport:
    """Searches the observer's decision by the search whose config it is, or by `halving`.

    Raises:
        AgentError: if the observer has nothing to decide, or this is the config of no search.

    >>> from lastcard.observation import observe
    >>> from lastcard.state import parse_state
    >>> position = parse_state("top r5 | seat 0: r7 b2 | seat 1: g1 g1 yR")
    >>> search(observe(position, seat=0), IsmctsConfig(simulations=1000)).best
    parse_action('r7')
    """
    match config:
        case HalvingConfig() | None:
            return search_by_halving(observation, config, seed)
        case ExpectiminimaxConfig():
            return search_by_expectiminimax(observation, config, seed)
        case IsmctsConfig():
            return search_by_ismcts(observation, config, seed)
        case MctsConfig():
            return search_by_mcts(observation, config, seed)
        case PomcpConfig():
            return search_by_pomcp(observation, config, seed)
    raise AgentError(f"config must be that of a search, not {shorten(config)}")
