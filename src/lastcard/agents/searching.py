"""The agent that searches: one for all searches, told apart by their configs."""

from __future__ import annotations

from lastcard.actions import Action
from lastcard.agents.interface import BuiltInAgent, decision_seed
from lastcard.explain.dispatch import explain
from lastcard.explain.explanation import Explanation
from lastcard.observation import Observation
from lastcard.search.dispatch import SearchConfig, search
from lastcard.search.pomcp import Pomcp, PomcpConfig
from lastcard.search.report import SearchReport


class SearchAgent(BuiltInAgent):
    """Searches each decision by the search whose config it has.

    `pomcp` keeps its tree from one decision to the next; the other searches start from the observation alone.
    """

    def __init__(self, config: SearchConfig, seed: int) -> None:
        self.kind = config.kind
        self.config = config
        self._seed = seed
        self._pomcp = Pomcp(config) if isinstance(config, PomcpConfig) else None

    def search(self, observation: Observation) -> SearchReport:
        """The decision with everything that led to it."""
        seed = decision_seed(observation, self._seed)
        return self._pomcp.search(observation, seed) if self._pomcp else search(observation, self.config, seed)

    def explain(self, observation: Observation) -> Explanation:
        """The steps that would lead to the choice now; a tree that is kept stays as it is."""
        return explain(observation, self._pomcp or self.config, decision_seed(observation, self._seed))

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        return self.search(observation).best
