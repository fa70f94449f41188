"""`ismcts`: information-set Monte Carlo tree search with a single observer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lastcard import _configs, _core
from lastcard.observation import Observation
from lastcard.search.common import check_question
from lastcard.search.report import SearchReport
from lastcard.search.trees import TreePreference, report_tree


@dataclass(frozen=True)
class IsmctsConfig(TreePreference, _configs.IsmctsConfig):
    """The budget, and every ingredient of the search as an option.

    >>> IsmctsConfig(simulations=500).playouts
    'heuristic'
    """

    kind: ClassVar = "ismcts"


def search_by_ismcts(observation: Observation, config: IsmctsConfig | None = None, seed: int = 0) -> SearchReport:
    """Searches the observer's decision; returns a single legal action without a search.

    The report depends on the observation, the config and the seed, not on the machine or the number of threads, unless
    the budget is in seconds.

    Raises:
        AgentError: if the observer has nothing to decide.

    >>> from lastcard.observation import observe
    >>> from lastcard.state import parse_state
    >>> position = parse_state("top r5 | seat 0: r7 b2 | seat 1: g1 g1 yR")
    >>> search_by_ismcts(observe(position, seat=0), IsmctsConfig(simulations=1000)).best
    parse_action('r7')
    """
    config = check_question(observation, config, IsmctsConfig, seed)
    return report_tree(observation, config, seed, _core.search_by_ismcts)
