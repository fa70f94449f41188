"""Options and reports that all tree searches share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from lastcard import _core
from lastcard.belief import BeliefOptions
from lastcard.observation import Observation
from lastcard.rules import Rules
from lastcard.search.common import Budget, SearchOptions, report_search
from lastcard.search.report import SearchReport


@dataclass(frozen=True)
class _TreeOptions(Budget):
    simulations: int = 10_000
    """Simulations per decision."""
    threads: int = 1
    """Number of trees that grow at the same time, at most `trees`; does not affect the choice."""
    trees: int = 1
    """Independent trees that share the budget and are added up at the root; affects the choice."""
    max_nodes: int = 1_000_000
    """A tree with this many nodes, or particles, stops growing; the search continues in it."""
    exploration: float = 0.7
    """The constant c of the upper confidence bound; larger values favor actions that were tried less."""
    playouts: str = "heuristic"
    """The policy of playouts: `heuristic` or `random`."""
    playout_plies: int = 400
    """A simulation longer than this counts as a draw."""
    model_random_opponents: bool = True
    """Opponents that seem to play at random do so in simulations."""


@dataclass(frozen=True)
class TreeConfig(SearchOptions, BeliefOptions, _TreeOptions):
    """The options that all tree searches have."""

    RECORD: ClassVar[type[Any]] = _core.TreeSettings

    def translate(self, rules: Rules) -> dict[str, object]:
        """Returns the core's fields that are no options of the same name."""
        # Only `pomcp` has an option for the opponents; the others model them by the policy of their playouts.
        return {**super().translate(rules), "opponents": getattr(self, "opponents", self.playouts)}


def report_tree(
    observation: Observation, config: TreeConfig, seed: int, search: Callable[[Any, Any, int], _core.TreeResult]
) -> SearchReport:
    """Runs a tree search and reports it."""
    return report_search(
        observation,
        config,
        seed,
        search,
        lambda result: (result.simulations, [row.action for row in result.line[1:]]),
    )
