"""What the tree searches share: the options of their budget and belief, and how their reports are made."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from lastcard import _core
from lastcard.actions import ACTIONS
from lastcard.belief import Belief, BeliefConfig
from lastcard.errors import AgentError, require_float, require_int, shorten
from lastcard.observation import Observation
from lastcard.search.halving import MOST_SECONDS, MOST_SIMULATIONS, MOST_THREADS
from lastcard.search.report import ActionValue, SearchReport
from lastcard.weights import Weights

MOST_TREES: Final = 64
MOST_NODES: Final = 10_000_000
MOST_PLIES: Final = 10_000


@dataclass(frozen=True, slots=True)
class TreeConfig:
    """The options that all tree searches have."""

    simulations: int = 10_000
    """Simulations a decision."""
    seconds: float = 0.0
    """If more than 0, the time for a decision instead of a number of simulations."""
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
    belief: str = "particle"
    """What to believe of hidden cards: `uniform`, `constrained` or `particle`."""
    hypotheses: int = 512
    """How many hypotheses the belief draws."""
    temperature: float = 0.2
    """How sharply opponents are taken to prefer the better of two scores."""
    noise: float = 0.05
    """How often they are taken to choose either."""
    weights: str = ""
    """A file of weights for playouts and opponents; empty: the shipped ones."""

    def __post_init__(self) -> None:
        require_int("simulations", self.simulations, 1, MOST_SIMULATIONS, AgentError)
        require_float("seconds", self.seconds, 0, MOST_SECONDS, AgentError)
        require_int("threads", self.threads, 1, MOST_THREADS, AgentError)
        require_int("trees", self.trees, 1, MOST_TREES, AgentError)
        require_int("max_nodes", self.max_nodes, 1, MOST_NODES, AgentError)
        require_float("exploration", self.exploration, 0, 100, AgentError)
        require_int("playout_plies", self.playout_plies, 1, MOST_PLIES, AgentError)
        require_policy("playouts", self.playouts)
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if isinstance(field.default, bool) and not isinstance(value, bool):
                raise AgentError(f"{field.name} must be True or False, not {shorten(value)}")
        self.belief_config()
        if self.weights:
            Weights.load(self.weights)

    def belief_config(self) -> BeliefConfig:
        """The part that makes the belief."""
        return BeliefConfig(self.belief, self.hypotheses, self.temperature, self.noise, self.weights)

    def compile_tree(self, players: int, *, opponents: str) -> _core.TreeSettings:
        """The common part for the core; `opponents` is the policy of the other seats in simulations."""
        return _core.tree_settings(
            belief=self.belief_config().compile(players),
            simulations=self.simulations,
            seconds=self.seconds,
            threads=self.threads,
            trees=self.trees,
            max_nodes=self.max_nodes,
            exploration=self.exploration,
            playout_plies=self.playout_plies,
            random_playouts=self.playouts == "random",
            random_opponents=opponents == "random",
            adapts=self.model_random_opponents,
        )


def require_policy(name: str, value: object) -> None:
    """Refuses what is no policy of playouts.

    Raises:
        AgentError: naming the field, what was read and what was expected.
    """
    if value not in ("heuristic", "random"):
        raise AgentError(f"{name} must be heuristic or random, not {shorten(value)}")


def report_search(
    observation: Observation, config: TreeConfig, seed: int, search: Callable[[], _core.TreeResult]
) -> SearchReport:
    """Runs the search and reports it; a single legal action is returned at once."""
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
        line=(best, *(ACTIONS[row[1]] for row in result.line[1:])),
        outline=result.outline,
    )
