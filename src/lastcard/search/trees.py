"""Reports that all tree searches share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lastcard import _configs, _core
from lastcard.observation import Observation
from lastcard.rules import Rules
from lastcard.search.common import report_search
from lastcard.search.report import ActionValue, SearchReport

TreeConfig = _configs.IsmctsConfig | _configs.MctsConfig | _configs.PomcpConfig


class TreePreference:
    """The choice of a tree search, as a sentence tells it."""

    def prefer(self, rules: Rules, best: ActionValue, higher: Sequence[ActionValue]) -> str:
        """States what decided for the choice and against actions of higher value."""
        return f"the search tried {best.action} most"


def report_tree(
    observation: Observation, config: TreeConfig, seed: int, search: Callable[[Any, Any, int], _core.TreeResult]
) -> SearchReport:
    """Runs a tree search and reports it."""
    return report_search(
        observation,
        config,
        config.belief,
        seed,
        search,
        lambda result: (result.simulations, [row.action for row in result.line[1:]]),
    )
