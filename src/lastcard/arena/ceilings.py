"""The ceilings: what could be won by knowing the hidden cards. They play in the arena only, and have no rating.

These are the only ones who decide by a `State`. `make_agent` does not know them, so no table, engine or person can seat
one; see `find_ceiling`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from lastcard import _core
from lastcard.actions import ACTIONS, Action
from lastcard.agents.info import read_config
from lastcard.arena.core_match import CeilingContestant
from lastcard.errors import AgentError, require_float, require_int, shorten
from lastcard.search.halving import MOST_SIMULATIONS, HalvingConfig
from lastcard.seeds import seed_bytes, split_seed
from lastcard.state import State


@dataclass(frozen=True, slots=True)
class CeilingConfig:
    """The budget of a ceiling, which searches as `halving` does."""

    simulations: int = 1000
    """Simulations per decision, shared by all actions."""
    epsilon: float = 0.1
    """Probability that the playout policy plays at random; at 0, playouts of one known order would all be the same."""

    def __post_init__(self) -> None:
        require_int("simulations", self.simulations, 1, MOST_SIMULATIONS, AgentError)
        require_float("epsilon", self.epsilon, 0, 1, AgentError)


@dataclass(frozen=True, slots=True)
class Ceiling:
    """An agent that sees what a seat may not.

    >>> find_ceiling("omniscient:simulations=50").config.simulations
    50
    """

    kind: str
    sees_deck: bool
    sees: str
    """The hidden information it sees, in words."""
    config: CeilingConfig

    def contestant(self) -> CeilingContestant:
        """Settings for the core."""
        search = HalvingConfig(simulations=self.config.simulations, epsilon=self.config.epsilon, advisor="heuristic")
        return CeilingContestant(search, self.sees_deck)

    def make(self, seed: int) -> CeilingAgent:
        """Returns the agent that the arena seats at a table."""
        return CeilingAgent(self, seed)


class CeilingAgent:
    """Decides by the truth, which the arena hands it."""

    def __init__(self, ceiling: Ceiling, seed: int) -> None:
        seed_bytes(seed)  # raises if it is no seed
        self.ceiling = ceiling
        self._seed = seed

    def choose(self, state: State) -> Action:
        """Picks one of the legal actions of the seat to act.

        Raises:
            AgentError: if that is no state, or nothing has to be decided in it.

        >>> from lastcard.state import parse_state
        >>> state = parse_state("top r5 | seat 0: r7 | seat 1: g1 g1 yR")
        >>> find_ceiling("omniscient").make(seed=1).choose(state)
        parse_action('r7')
        """
        if not isinstance(state, State) or state.seat is None:
            raise AgentError(f"a ceiling decides by a State in which a seat is to act, not by {shorten(state)}")
        legal = state.legal_actions
        if len(legal) == 1:
            return legal[0]
        contestant = self.ceiling.contestant()
        # By the ply, so that a decision does not depend on those before.
        seed = split_seed(self._seed, "agent", state.ply) % 2**64
        settings = contestant.search.compile(state.rules)
        return ACTIONS[_core.search_truth(state._round, settings, contestant.sees_deck, seed).best]


_CEILINGS: Final[Mapping[str, tuple[bool, str]]] = {
    "sees_hands": (False, "every hand, but not the order of the draw pile"),
    "omniscient": (True, "every hand, and the order of the draw pile"),
}
CEILINGS: Final = tuple(_CEILINGS)
"""The names of all there are, the lower one first."""


def find_ceiling(name: str) -> Ceiling | None:
    """The ceiling that goes by this name; None if it names none.

    Raises:
        AgentError: if it has an option that ceilings do not have.
    """
    kind, _, options = name.partition(":") if isinstance(name, str) else ("", "", "")
    kind = kind.strip().lower()
    if kind not in _CEILINGS:
        return None
    sees_deck, sees = _CEILINGS[kind]
    return Ceiling(kind, sees_deck, sees, read_config(kind, CeilingConfig, options))
