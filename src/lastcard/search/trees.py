"""Options and reports that all tree searches share."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from lastcard import _core
from lastcard.actions import ACTIONS
from lastcard.belief import Belief, BeliefConfig, BeliefOptions, WeightsOption
from lastcard.errors import AgentError
from lastcard.observation import Observation
from lastcard.options import CoreOptions
from lastcard.search.halving import Budget
from lastcard.search.report import ActionValue, SearchReport, plant


@dataclass(frozen=True)
class _TreeOptions(Budget):
    simulations: int = 10_000
    """Simulations a decision."""
    threads: int = 1
    """Threads that grow trees at the same time, so no more than `trees`; the choice does not depend on it."""
    trees: int = 1
    """Independent trees that share the budget and are added up at the root; the choice does depend on it."""
    max_nodes: int = 1_000_000
    """A tree of this many nodes, or particles, stops growing and is searched on."""
    exploration: float = 0.7
    """The constant c of the upper confidence bound: how much what was tried less is favored."""
    playouts: str = "heuristic"
    """The policy of playouts: `heuristic` or `random`."""
    playout_plies: int = 400
    """A simulation longer than this counts as a draw."""
    model_random_opponents: bool = True
    """Opponents that seem to play at random do so in simulations."""


@dataclass(frozen=True)
class TreeConfig(WeightsOption, BeliefOptions, _TreeOptions, CoreOptions):
    """The options that all tree searches have."""

    RECORD: ClassVar[type[Any]] = _core.TreeSettings
    TRANSLATED: ClassVar[tuple[str, ...]] = ("belief", "weights")

    def __post_init__(self) -> None:
        CoreOptions.__post_init__(self)
        self.check_weights()
        self.belief_config()

    def belief_config(self) -> BeliefConfig:
        """The part that makes the belief."""
        return BeliefConfig(self.belief, self.hypotheses, self.temperature, self.noise, self.weights)

    def translate(self, players: int) -> dict[str, object]:
        """Returns the core's fields that are no options of the same name."""
        opponents = getattr(self, "opponents", self.playouts)
        return {"belief": self.belief_config().compile(players), "opponents": opponents}


def report_search(
    observation: Observation, config: TreeConfig, seed: int, search: Callable[[], _core.TreeResult]
) -> SearchReport:
    """Runs the search and reports it; reports a single legal action without a search."""
    legal = observation.legal_actions
    if len(legal) == 1:
        return SearchReport(legal[0], (), legal[0], None, 0, 0.0)
    start = time.perf_counter()
    try:
        result = search()
    except RuntimeError as error:
        raise AgentError(f"threads={config.threads} cannot be started here: {error}") from None
    seconds = time.perf_counter() - start
    best = ACTIONS[result.best]
    values = [ActionValue.of(ACTIONS[row.action], row.simulations, row.total, row.squares) for row in result.actions]
    values.sort(key=lambda value: (value.action is not best, -value.simulations, -value.value))
    return SearchReport(
        best,
        tuple(values),
        ACTIONS[result.by_policy],
        Belief(observation, config.belief_config(), seed, result.belief),
        result.simulations,
        seconds,
        line=(best, *(ACTIONS[row.action] for row in result.line[1:])),
        outline=lambda depth: plant(result.outline(depth)),
    )
