"""An agent of another package: it plays its costliest card first."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from lastcard import Action, AgentError, AgentInfo, Observation


@dataclass(frozen=True, slots=True)
class ShedderConfig:
    """Options of `shedder`."""

    noise: float = field(default=0.0, metadata={"help": "Probability of any legal action instead."})

    def __post_init__(self) -> None:
        if not 0 <= self.noise <= 1:
            raise AgentError(f"noise must be from 0 to 1, not {self.noise}")


class Shedder:
    """Plays its costliest legal card."""

    def __init__(self, config: ShedderConfig, seed: int) -> None:
        self.config = config
        self._rng = random.Random(seed)

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        legal = observation.legal_actions
        if self._rng.random() < self.config.noise:
            return self._rng.choice(legal)
        return max(legal, key=lambda action: action.card.points if action.card else -1)


SHEDDER = AgentInfo("shedder", "sheds its costliest card first", ShedderConfig, Shedder)
