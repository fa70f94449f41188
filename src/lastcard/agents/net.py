"""`net`: a network that was trained by self-play, no search."""

from __future__ import annotations

from dataclasses import dataclass

from lastcard.actions import Action
from lastcard.agents.base import BuiltInAgent
from lastcard.network import Network
from lastcard.observation import Observation, check_decision


@dataclass(frozen=True, slots=True)
class NetConfig:
    """Source of the network."""

    file: str = ""
    """A file that `lastcard train` wrote, also as `net:FILE`; empty: the shipped one, for `official` rules and two or
    four players."""

    def __post_init__(self) -> None:
        if self.file:
            Network.load(self.file)


class NetAgent(BuiltInAgent):
    """Plays what a network scores highest that learned by playing against itself, millions of rounds long.

    The network sees the hand, the discards, who drew or played on which color, and the last actions. It is evaluated
    once for a decision.
    """

    kind = "net"

    def __init__(self, config: NetConfig, seed: int) -> None:
        self.config = config

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        check_decision(observation)
        return Network.find(self.config.file, observation.rules).choose(observation)
