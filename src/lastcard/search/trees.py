"""Reports that all tree searches share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lastcard import _configs, _core
from lastcard.observation import Observation
from lastcard.search.common import report_search
from lastcard.search.report import SearchReport

TreeConfig = _configs.IsmctsConfig | _configs.MctsConfig | _configs.PomcpConfig


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
