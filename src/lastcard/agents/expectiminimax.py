"""`expectiminimax`: the agent that looks a few actions ahead in hands that fit what was seen."""

from __future__ import annotations

from lastcard.actions import Action
from lastcard.agents.base import BuiltInAgent
from lastcard.explain.expectiminimax_steps import explain_expectiminimax
from lastcard.explain.explanation import Explanation
from lastcard.observation import Observation, check_decision
from lastcard.search.expectiminimax import ExpectiminimaxConfig, search_by_expectiminimax
from lastcard.search.report import SearchReport
from lastcard.seeds import split_seed


class ExpectiminimaxAgent(BuiltInAgent):
    """Looks a few actions ahead in hands that fit what was seen: our best, the others' reply, the mean over draws."""

    kind = "expectiminimax"

    def __init__(self, config: ExpectiminimaxConfig, seed: int) -> None:
        self.config = config
        self._seed = seed

    def search(self, observation: Observation) -> SearchReport:
        """The decision with everything that led to it."""
        return search_by_expectiminimax(observation, self.config, self._stream(observation))

    def explain(self, observation: Observation) -> Explanation:
        """The steps that lead to the choice."""
        return explain_expectiminimax(observation, self.config, self._stream(observation))

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        return self.search(observation).best

    def _stream(self, observation: Observation) -> int:
        """A new seed for every decision, the same one for the same observation."""
        return split_seed(self._seed, "agent", check_decision(observation).num_events % 2**32)
