"""The agents that search a tree: `ismcts`, `mcts` and `pomcp`."""

from __future__ import annotations

from lastcard.actions import Action
from lastcard.agents.base import BuiltInAgent
from lastcard.explain.explanation import Explanation
from lastcard.explain.tree_steps import explain_ismcts, explain_mcts, explain_pomcp
from lastcard.observation import Observation, check_decision
from lastcard.search.ismcts import IsmctsConfig, search_by_ismcts
from lastcard.search.mcts import MctsConfig, search_by_mcts
from lastcard.search.pomcp import Pomcp, PomcpConfig
from lastcard.search.report import SearchReport
from lastcard.seeds import split_seed


def _decision_seed(seed: int, observation: Observation) -> int:
    """A new stream for every decision, the same one for the same observation."""
    return split_seed(seed, "agent", check_decision(observation).num_events % 2**32)


class IsmctsAgent(BuiltInAgent):
    """Grows one tree of what its seat can tell apart, every simulation with hands of its own that fit what was seen."""

    kind = "ismcts"

    def __init__(self, config: IsmctsConfig, seed: int) -> None:
        self.config = config
        self._seed = seed

    def search(self, observation: Observation) -> SearchReport:
        """The decision with everything that led to it."""
        return search_by_ismcts(observation, self.config, _decision_seed(self._seed, observation))

    def explain(self, observation: Observation) -> Explanation:
        """The steps that lead to the choice."""
        return explain_ismcts(observation, self.config, _decision_seed(self._seed, observation))

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        return self.search(observation).best


class MctsAgent(BuiltInAgent):
    """Grows a tree of its own actions and plays the others by a model in between, one belief particle a playout."""

    kind = "mcts"

    def __init__(self, config: MctsConfig, seed: int) -> None:
        self.config = config
        self._seed = seed

    def search(self, observation: Observation) -> SearchReport:
        """The decision with everything that led to it."""
        return search_by_mcts(observation, self.config, _decision_seed(self._seed, observation))

    def explain(self, observation: Observation) -> Explanation:
        """The steps that lead to the choice."""
        return explain_mcts(observation, self.config, _decision_seed(self._seed, observation))

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        return self.search(observation).best


class PomcpAgent(BuiltInAgent):
    """Plans over histories and keeps the tree and its particles from one decision to the next.

    Asked about an observation that does not go on from the last one, it starts anew.
    """

    kind = "pomcp"

    def __init__(self, config: PomcpConfig, seed: int) -> None:
        self.config = config
        self._seed = seed
        self._pomcp = Pomcp(config)

    def search(self, observation: Observation) -> SearchReport:
        """The decision with everything that led to it."""
        return self._pomcp.search(observation, _decision_seed(self._seed, observation))

    def explain(self, observation: Observation) -> Explanation:
        """The steps that would lead to the choice now; what is kept stays as it is."""
        return explain_pomcp(observation, self._pomcp, _decision_seed(self._seed, observation))

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        return self.search(observation).best
