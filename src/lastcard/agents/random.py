"""`random`: the baseline."""

from __future__ import annotations

import random
from dataclasses import dataclass

from lastcard.actions import DRAW, Action
from lastcard.agents.base import BuiltInAgent
from lastcard.observation import Observation, check_decision


@dataclass(frozen=True, slots=True)
class RandomConfig:
    """`random` has no options."""


class RandomAgent(BuiltInAgent):
    """Uniform over the legal actions, but draws only when nothing else is legal."""

    kind = "random"

    def __init__(self, config: RandomConfig, seed: int) -> None:
        self.config = config
        self._rng = random.Random(seed)

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        legal = check_decision(observation).legal_actions
        return self._rng.choice([action for action in legal if action is not DRAW] or legal)
