"""Any search explained, by its config."""

from __future__ import annotations

from lastcard.errors import AgentError, shorten
from lastcard.explain.expectiminimax_steps import explain_expectiminimax
from lastcard.explain.explanation import Explanation
from lastcard.explain.halving_steps import explain_halving
from lastcard.explain.tree_steps import explain_ismcts, explain_mcts, explain_pomcp
from lastcard.observation import Observation
from lastcard.search.dispatch import SearchConfig
from lastcard.search.expectiminimax import ExpectiminimaxConfig
from lastcard.search.halving import HalvingConfig
from lastcard.search.ismcts import IsmctsConfig
from lastcard.search.mcts import MctsConfig
from lastcard.search.pomcp import Pomcp, PomcpConfig


def explain(observation: Observation, search: SearchConfig | Pomcp, seed: int = 0) -> Explanation:
    """Explains the decision of a search, or of a `Pomcp` that continues its stored tree.

    Raises:
        AgentError: if the observer has nothing to decide, or this is no search.
    """
    match search:
        case HalvingConfig():
            return explain_halving(observation, search, seed)
        case ExpectiminimaxConfig():
            return explain_expectiminimax(observation, search, seed)
        case IsmctsConfig():
            return explain_ismcts(observation, search, seed)
        case MctsConfig():
            return explain_mcts(observation, search, seed)
        case PomcpConfig():
            return explain_pomcp(observation, Pomcp(search), seed)
        case Pomcp():
            return explain_pomcp(observation, search, seed)
    raise AgentError(f"search must be the config of a search, not {shorten(search)}")
