"""`halving`: flat Monte Carlo by sequential halving, the strongest search for its budget."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar, Final

from lastcard import _core
from lastcard.actions import ACTIONS
from lastcard.belief import Belief, BeliefConfig
from lastcard.errors import AgentError, require_float, require_int, shorten
from lastcard.network import SHIPPED, Network
from lastcard.observation import Observation
from lastcard.search._checks import check_question
from lastcard.search.report import ActionValue, SearchReport
from lastcard.weights import Weights

MOST_SIMULATIONS: Final = 10_000_000
MOST_SECONDS: Final = 60.0
MOST_THREADS: Final = 64


@dataclass(frozen=True, slots=True)
class HalvingConfig:
    """The budget, and every ingredient of the search as an option.

    >>> HalvingConfig(simulations=5000).belief
    'particle'
    """

    kind: ClassVar = "halving"

    simulations: int = 1000
    """Simulations a decision, shared by all actions."""
    seconds: float = 0.0
    """If more than 0, the time for a decision instead of a number of simulations."""
    threads: int = 1
    """Threads that simulate; the choice does not depend on it."""
    belief: str = "particle"
    """What to believe of hidden cards: `uniform`, `constrained` or `particle`."""
    hypotheses: int = 512
    """How many hypotheses the belief draws."""
    temperature: float = 0.2
    """How sharply opponents are taken to prefer the better of two scores."""
    noise: float = 0.05
    """How often they are taken to choose either."""
    epsilon: float = 0.0
    """How often the policy of playouts plays at random."""
    bonus: float = 0.02
    """Added to the win probability of what `advisor` likes best; shrinks as simulations grow in number."""
    advisor: str = "network"
    """`network`: the one shipped for these rules, which doubts actions by degrees; `heuristic`, also where none is."""
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
    weights: str = ""
    """A file of weights for playouts and opponents; empty: the shipped ones."""

    def __post_init__(self) -> None:
        require_int("simulations", self.simulations, 1, MOST_SIMULATIONS, AgentError)
        require_float("seconds", self.seconds, 0, MOST_SECONDS, AgentError)
        require_int("threads", self.threads, 1, MOST_THREADS, AgentError)
        require_float("epsilon", self.epsilon, 0, 1, AgentError)
        require_float("bonus", self.bonus, 0, 1, AgentError)
        require_int("playout_plies", self.playout_plies, 1, 10_000, AgentError)
        for name in ("drop_losers", "common_random_numbers", "consider_drawing", "model_random_opponents"):
            if not isinstance(getattr(self, name), bool):
                raise AgentError(f"{name} must be True or False, not {shorten(getattr(self, name))}")
        if self.playouts not in ("heuristic", "random"):
            raise AgentError(f"playouts must be heuristic or random, not {shorten(self.playouts)}")
        if self.advisor not in ("network", "heuristic"):
            raise AgentError(f"advisor must be network or heuristic, not {shorten(self.advisor)}")
        self.belief_config()
        if self.weights:
            Weights.load(self.weights)

    def belief_config(self) -> BeliefConfig:
        """The part that makes the belief."""
        return BeliefConfig(self.belief, self.hypotheses, self.temperature, self.noise, self.weights)

    def compile(self, players: int) -> _core.HalvingSettings:
        """The same for the core."""
        is_advised = self.advisor == "network" and players in SHIPPED["advisor"]
        return _core.halving_settings(
            belief=self.belief_config().compile(players),
            simulations=self.simulations,
            seconds=self.seconds,
            threads=self.threads,
            epsilon=self.epsilon,
            bonus=self.bonus,
            advisor=Network.shipped(players, "advisor")._compiled if is_advised else None,
            playout_plies=self.playout_plies,
            halves=self.drop_losers,
            shares=self.common_random_numbers,
            draws=self.consider_drawing,
            adapts=self.model_random_opponents,
            random_playouts=self.playouts == "random",
        )


def search_by_halving(observation: Observation, config: HalvingConfig | None = None, seed: int = 0) -> SearchReport:
    """Searches the observer's decision; a single legal action is returned at once.

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
