"""`halving`: flat Monte Carlo by sequential halving, the strongest search for its budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from lastcard import _core
from lastcard.belief import BeliefOptions
from lastcard.network import Network, is_shipped_for
from lastcard.observation import Observation
from lastcard.options import highest, require_choice
from lastcard.rules import Rules
from lastcard.search.common import Budget, SearchOptions, check_question, list_words, report_search
from lastcard.search.report import ActionValue, SearchReport

MOST_SIMULATIONS: Final[int] = highest(_core.HalvingSettings, "simulations")
MOST_SECONDS: Final[float] = highest(_core.HalvingSettings, "seconds")


@dataclass(frozen=True)
class _HalvingOptions(BeliefOptions, Budget):
    epsilon: float = 0.0
    """Probability that the playout policy plays at random."""
    bonus: float = 0.02
    """Advice as win probability: heuristic's favorite gains it; with a network, an action loses it for each factor e by
    which it is less probable, at most four times. Shrinks beyond 250 simulations of an action."""
    advisor: str = "network"
    """Policy that breaks near-ties: `network` (a shipped one, where there is one for the deck) or `heuristic`."""
    playout_plies: int = 400
    """A playout longer than this counts as a draw."""
    playouts: str = "heuristic"
    """The policy of playouts: `heuristic` or `random`."""
    drop_losers: bool = True
    """Drops the worse half of the actions after each stage; if false, splits the budget evenly."""
    common_random_numbers: bool = True
    """All actions face the same determinizations and random numbers."""
    consider_drawing: bool = True
    """Drawing and keeping are candidates even when something can be played."""
    short_rounds: bool = False
    """Drawing and keeping are no candidates where waiting pays: `seven_zero` with `draw_until_playable`."""
    model_random_opponents: bool = True
    """Opponents that seem to play at random do so in playouts."""


@dataclass(frozen=True)
class HalvingConfig(SearchOptions, _HalvingOptions):
    """The budget, and every ingredient of the search as an option.

    >>> HalvingConfig(simulations=5000).belief
    'particle'
    """

    kind: ClassVar = "halving"
    RECORD: ClassVar[type[Any]] = _core.HalvingSettings
    TRANSLATED: ClassVar[tuple[str, ...]] = (*SearchOptions.TRANSLATED, "advisor")

    def __post_init__(self) -> None:
        require_choice("advisor", self.advisor, ("network", "heuristic"))
        super().__post_init__()

    def prefer(self, rules: Rules, best: ActionValue, higher: Sequence[ActionValue]) -> str:
        """States what decided for the choice and against actions of higher value."""
        dropped = [other.action.text for other in higher if other.simulations < best.simulations]
        if dropped:  # its mean is of fewer deals, and at that stage its rank was lower
            return f"{best.action} was ahead when {list_words(dropped)} dropped out"
        return f"{'a network' if self._has_network(rules) else 'the heuristic'} prefers {best.action}"

    def translate(self, rules: Rules) -> dict[str, object]:
        """Returns the core's fields that are no options of the same name."""
        advisor = Network.shipped(rules, "advisor")._compiled if self._has_network(rules) else None
        return {**super().translate(rules), "advisor": advisor}

    def _has_network(self, rules: Rules) -> bool:
        return self.advisor == "network" and is_shipped_for(rules, "advisor")


def search_by_halving(observation: Observation, config: HalvingConfig | None = None, seed: int = 0) -> SearchReport:
    """Searches the observer's decision; returns a single legal action without a search.

    The report depends on the observation, the config and the seed, not on the machine or the number of threads, unless
    the budget is in seconds.

    Raises:
        AgentError: if the observer has nothing to decide.

    >>> from lastcard.observation import observe
    >>> from lastcard.state import parse_state
    >>> position = parse_state("top r5 | seat 0: r7 b2 | seat 1: g1 g1 yR")
    >>> search_by_halving(observe(position, seat=0)).best
    parse_action('r7')
    """
    config = check_question(observation, config, HalvingConfig, seed)
    return report_search(observation, config, seed, _core.search_by_halving, lambda result: (result.simulations, ()))
