"""`net` and `champion`: networks that decide without search."""

from __future__ import annotations

from dataclasses import dataclass

from lastcard.actions import Action
from lastcard.agents.interface import BuiltInAgent
from lastcard.network import Network, is_shipped_for
from lastcard.observation import Observation, check_decision
from lastcard.options import option
from lastcard.rules import Rules


@dataclass(frozen=True, slots=True)
class NetConfig:
    """Source of the network."""

    file: str = option(
        "", "A file that `lastcard train` wrote, also as `net:FILE`; empty: the shipped one for these rules."
    )

    def __post_init__(self) -> None:
        if self.file:
            Network.load(self.file)


class NetAgent(BuiltInAgent):
    """Plays the action that a network scores highest; it learned in millions of rounds, most of them against itself.

    It plays by any rules of the official deck with two to ten players. Some tables have a network of their own:
    `official` with two and four players, `family` with two to four, and `tournament` with two. One network plays at all
    other tables. It sees the hand, the discards, who drew or played on which color, and the last actions. It is
    evaluated once per decision.
    """

    kind = "net"

    def __init__(self, config: NetConfig, seed: int) -> None:
        self.config = config

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        check_decision(observation)
        return self.find_network(observation.rules).choose(observation)

    def find_network(self, rules: Rules) -> Network:
        """The network that plays at such a table.

        Raises:
            AgentError: if there is none.
        """
        return Network.find(self.config.file, rules)


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
        return self.find_network(observation.rules).choose(observation)

    def find_network(self, rules: Rules) -> Network:
        """The network that plays by these rules.

        Raises:
            AgentError: if they are not `official` with two players.
        """
        return Network.shipped(rules, self.kind)


def can_champion_play(rules: Rules) -> bool:
    """Tells whether `champion` learned these rules.

    >>> can_champion_play(Rules.preset("official")), can_champion_play(Rules.preset("official", players=4))
    (True, False)
    """
    return is_shipped_for(rules, ChampionAgent.kind)
