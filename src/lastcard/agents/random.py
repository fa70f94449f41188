"""`random`: the baseline."""

from __future__ import annotations

from dataclasses import dataclass

from lastcard import _core
from lastcard.actions import ACTIONS, Action
from lastcard.agents.interface import BuiltInAgent, decision_seed
from lastcard.observation import Observation


@dataclass(frozen=True, slots=True)
class RandomConfig:
    """`random` has no options."""


class RandomAgent(BuiltInAgent):
    """Picks a legal action with equal probability, but draws only when nothing else is legal."""

    kind = "random"

    def __init__(self, config: RandomConfig, seed: int) -> None:
        self.config = config
        self._seed = seed

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        seed = decision_seed(observation, self._seed)
        return ACTIONS[_core.choose_at_random(observation._core, seed)]
