"""`pomcp`: partially observable Monte Carlo planning, a search that continues from decision to decision."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from lastcard import _configs, _core
from lastcard.belief import BeliefConfig
from lastcard.errors import AgentError, shorten
from lastcard.observation import Observation
from lastcard.search.common import check_question
from lastcard.search.report import SearchReport
from lastcard.search.trees import TreePreference, report_tree


@dataclass(frozen=True)
class PomcpConfig(TreePreference, _configs.PomcpConfig):
    """The budget, the parameters of the published formulation, and its corrections as options.

    >>> PomcpConfig.as_published().particles
    1000
    """

    kind: ClassVar = "pomcp"

    @classmethod
    def as_published(cls) -> PomcpConfig:
        """The values and the behavior of the formulation it comes from.

        1,000 simulations from 1,000 particles, drawn uniformly from the unseen cards; c = sqrt 2, gamma = 0.95, random
        rollouts of 10 decisions, opponents at random, and the action with the best mean.
        """
        return cls(
            simulations=1000,
            exploration=math.sqrt(2),
            particles=1000,
            discount=0.95,
            rollout_depth=10,
            playouts="random",
            opponents="random",
            model_random_opponents=False,
            belief=BeliefConfig("uniform", hypotheses=1000),
            patience=1,
            heuristic_first=False,
            refill_particles=False,
            choice="value",
        )


class Pomcp:
    """A search that keeps its tree and its particles.

    An observation that follows from the last one continues in the subtree of the real history; any other starts from
    scratch. The answer depends on the config, the seeds and the observations so far.

    `copy` and `copy.deepcopy` keep the tree. A pickle does not: what comes out of it starts from the belief.
    """

    def __init__(self, config: PomcpConfig | None = None) -> None:
        if not isinstance(config, PomcpConfig | None):
            raise AgentError(f"config must be PomcpConfig, not {shorten(config)}")
        self.config = config or PomcpConfig()
        self._core: _core.Pomcp | None = None
        self._players = 0

    @property
    def num_carried(self) -> int:
        """Number of particles that came down the tree to the last decision, before any were added."""
        return self._core.num_carried if self._core else 0

    def search(self, observation: Observation, seed: int = 0) -> SearchReport:
        """Searches the observer's decision; returns a single legal action without a search.

        Raises:
            AgentError: if the observer has nothing to decide.
        """
        check_question(observation, self.config, PomcpConfig, seed)
        return report_tree(observation, self.config, seed, lambda *_: self.trace(observation, seed, None))

    def trace(self, observation: Observation, seed: int, trace: _core.Trace | None) -> _core.TreeResult:
        """Searches as `search` does, and writes down the simulations that the trace asks for."""
        rules = observation.rules
        # The compiled settings hold the weights for one number of players.
        if self._core is None or rules.players != self._players:
            self._core, self._players = _core.Pomcp(self.config.compile(rules)), rules.players
        return self._core.search(observation._core, seed % 2**64, trace)

    def __deepcopy__(self, memo: object) -> Pomcp:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return Pomcp, (self.config,)

    def __repr__(self) -> str:
        return f"<Pomcp of {self.config}>"

    def copy(self) -> Pomcp:
        """The same search with what it keeps; from now on each goes its own way."""
        twin = Pomcp(self.config)
        twin._core, twin._players = self._core and _core.Pomcp(self._core), self._players
        return twin


def search_by_pomcp(observation: Observation, config: PomcpConfig | None = None, seed: int = 0) -> SearchReport:
    """Searches one decision from a fresh tree; returns a single legal action without a search.

    The report depends on the observation, the config and the seed, not on the machine or the number of threads, unless
    the budget is in seconds.

    Raises:
        AgentError: if the observer has nothing to decide.

    >>> from lastcard.observation import observe
    >>> from lastcard.state import parse_state
    >>> position = parse_state("top r5 | seat 0: r7 b2 | seat 1: g1 g1 yR")
    >>> search_by_pomcp(observe(position, seat=0), PomcpConfig(simulations=1000)).best
    parse_action('r7')
    """
    return Pomcp(config).search(observation, seed)
