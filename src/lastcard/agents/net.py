"""`net` and `champion`: networks that decide without search."""

from __future__ import annotations

from dataclasses import dataclass

from lastcard.actions import Action
from lastcard.agents.interface import BuiltInAgent
from lastcard.network import Network, is_shipped_for
from lastcard.observation import Observation, check_decision
from lastcard.rules import Rules


@dataclass(frozen=True, slots=True)
class NetConfig:
    """Source of the network."""

    file: str = ""
    """A file that `lastcard train` wrote, also as `net:FILE`; empty: the shipped one that plays these rules best."""

    def __post_init__(self) -> None:
        if self.file:
            Network.load(self.file)


class NetAgent(BuiltInAgent):
    """Plays the action that a network scores highest; it learned in millions of rounds, most of them against itself.

    It plays by any rules with two to ten players: networks of their own for `official` and `family`, and one for all
    other tables. The network sees the hand, the discards, who drew or played on which color, and the last actions. It
    is evaluated once per decision.
    """

    kind = "net"

    def __init__(self, config: NetConfig, seed: int) -> None:
        self.config = config

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        check_decision(observation)
        return Network.find(self.config.file, observation.rules).choose(observation)


@dataclass(frozen=True, slots=True)
class ChampionConfig:
    """`champion` has no options."""


class ChampionAgent(BuiltInAgent):
    """Plays the action that the strongest network scores highest. It plays `official` rules with two players.

    It draws on purpose and collects the cards that keep the turn, so its rounds are long: about 400 plies.
    """

    kind = "champion"

    def __init__(self, config: ChampionConfig, seed: int) -> None:
        self.config = config

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        check_decision(observation)
        return Network.find("", observation.rules, self.kind).choose(observation)


def can_champion_play(rules: Rules) -> bool:
    """Tells whether `champion` learned these rules.

    >>> can_champion_play(Rules.preset("official")), can_champion_play(Rules.preset("official", players=4))
    (True, False)
    """
    return is_shipped_for(rules, ChampionAgent.kind)
