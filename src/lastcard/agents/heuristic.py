"""`heuristic`: a linear score for every action, no search."""

from __future__ import annotations

from dataclasses import dataclass

from lastcard import _core
from lastcard.actions import ACTIONS, Action
from lastcard.observation import Observation
from lastcard.weights import Weights


@dataclass(frozen=True, slots=True)
class HeuristicConfig:
    """Where the weights come from."""

    weights: str = ""
    """A file that `lastcard tune` wrote; empty: the shipped weights, for two players or for more."""

    def __post_init__(self) -> None:
        if self.weights:
            Weights.load(self.weights)


class HeuristicAgent:
    """Plays what its weights score highest: the kind of card, its color, and what the next seat seems to lack.

    UNO is always called and a forgotten call always caught; a Wild Draw Four is challenged when its player holds five
    cards or more; hands are swapped for the smallest.
    """

    def __init__(self, config: HeuristicConfig, seed: int) -> None:
        self.config = config

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        weights = Weights.named(self.config.weights, observation.rules.players)
        return ACTIONS[_core.choose_by_heuristic(observation._core, list(weights.values))]
