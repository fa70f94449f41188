"""`halving`: flat Monte Carlo by sequential halving, the strongest search for its budget."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from lastcard import _core
from lastcard.actions import ACTIONS
from lastcard.belief import Belief, BeliefConfig, BeliefOptions, WeightsOption
from lastcard.errors import AgentError
from lastcard.network import SHIPPED, Network
from lastcard.observation import Observation
from lastcard.options import CoreOptions, highest, require_choice
from lastcard.search._checks import check_question
from lastcard.search.report import ActionValue, SearchReport

MOST_SIMULATIONS: Final[int] = highest(_core.HalvingSettings, "simulations")
MOST_SECONDS: Final[float] = highest(_core.HalvingSettings, "seconds")


@dataclass(frozen=True)
class Budget:
    """The options for the budget of a search."""

    simulations: int = 1000
    """Simulations a decision, shared by all actions."""
    seconds: float = 0.0
    """Time for a decision instead of a number of simulations, if more than 0."""
    threads: int = 1
    """Threads that simulate; the choice does not depend on it."""


@dataclass(frozen=True)
class _HalvingOptions(BeliefOptions, Budget):
    epsilon: float = 0.0
    """Probability that the playout policy plays at random."""
    bonus: float = 0.02
    """Added to the win probability of what `advisor` likes best; shrinks as simulations grow in number."""
    advisor: str = "network"
    """Policy that breaks near-ties: `network` (the shipped network, or the heuristic where none fits the rules) or
    `heuristic`."""
    playout_plies: int = 400
    """A playout longer than this counts as a draw."""
    playouts: str = "heuristic"
    """The policy of playouts: `heuristic` or `random`."""
    drop_losers: bool = True
    """Drops the worse half of the actions after each stage; without, the budget is split evenly."""
    common_random_numbers: bool = True
    """All actions face the same determinizations and random numbers."""
    consider_drawing: bool = True
    """Drawing and keeping are candidates even when something can be played."""
    model_random_opponents: bool = True
    """Opponents that seem to play at random do so in playouts."""


@dataclass(frozen=True)
class HalvingConfig(WeightsOption, _HalvingOptions, CoreOptions):
    """The budget, and every ingredient of the search as an option.

    >>> HalvingConfig(simulations=5000).belief
    'particle'
    """

    kind: ClassVar = "halving"
    RECORD: ClassVar[type[Any]] = _core.HalvingSettings
    TRANSLATED: ClassVar[tuple[str, ...]] = ("belief", "advisor", "weights")

    def __post_init__(self) -> None:
        CoreOptions.__post_init__(self)
        require_choice("advisor", self.advisor, ("network", "heuristic"))
        self.check_weights()
        self.belief_config()

    def belief_config(self) -> BeliefConfig:
        """The part that makes the belief."""
        return BeliefConfig(self.belief, self.hypotheses, self.temperature, self.noise, self.weights)

    def translate(self, players: int) -> dict[str, object]:
        """Returns the core's fields that are no options of the same name."""
        is_advised = self.advisor == "network" and players in SHIPPED["advisor"]
        advisor = Network.shipped(players, "advisor")._compiled if is_advised else None
        return {"belief": self.belief_config().compile(players), "advisor": advisor}


def search_by_halving(observation: Observation, config: HalvingConfig | None = None, seed: int = 0) -> SearchReport:
    """Searches the observer's decision; returns a single legal action without a search.

    The report depends on the observation, the config and the seed, not on the machine or the number of threads, unless
    the budget is in seconds.

    Raises:
        AgentError: if the observer has nothing to decide.

    >>> from lastcard.observation import observe
    >>> from lastcard.state import parse_state
    >>> position = parse_state("top r5 | seat 0: r7 b2 | seat 1: g1 g1 yR")
    >>> search_by_halving(observe(position, seat=0)).best
    parse_action('r7')
    """
    config = check_question(observation, config, HalvingConfig, seed)
    legal = observation.legal_actions
    if len(legal) == 1:
        return SearchReport(legal[0], (), legal[0], None, 0, 0.0)
    start = time.perf_counter()
    try:
        result = _core.search_by_halving(observation._core, config.compile(observation.rules.players), seed % 2**64)
    except RuntimeError as error:
        raise AgentError(f"threads={config.threads} cannot be started here: {error}") from None
    seconds = time.perf_counter() - start
    values = [ActionValue.of(ACTIONS[row.action], row.simulations, row.total, row.squares) for row in result.actions]
    best = ACTIONS[result.best]
    # The survivors of the last stage have most simulations; among them the choice itself comes first.
    values.sort(key=lambda value: (value.action is not best, -value.value))
    belief = Belief(observation, config.belief_config(), seed, result.belief)
    by_policy = ACTIONS[result.by_policy]
    return SearchReport(best, tuple(values), by_policy, belief, result.simulations, seconds, line=(best,))
