"""`first_legal`: the simplest agent."""

from __future__ import annotations

from dataclasses import dataclass

from lastcard.actions import Action
from lastcard.agents.interface import BuiltInAgent
from lastcard.observation import Observation, check_decision


@dataclass(frozen=True, slots=True)
class FirstLegalConfig:
    """`first_legal` has no options."""


class FirstLegalAgent(BuiltInAgent):
    """Plays the first legal action in the list: the lowest card that fits; a Wild names red."""

    kind = "first_legal"

    def __init__(self, config: FirstLegalConfig, seed: int) -> None:
        self.config = config

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        return check_decision(observation).legal_actions[0]
