"""`halving`: flat Monte Carlo by sequential halving, the strongest search for its budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from lastcard import _configs, _core
from lastcard.observation import Observation
from lastcard.options import highest
from lastcard.rules import Rules
from lastcard.search.common import check_question, list_words, report_search
from lastcard.search.report import ActionValue, SearchReport

MOST_SIMULATIONS: Final[int] = highest(_core.HalvingSettings, "simulations")
MOST_SECONDS: Final[float] = highest(_core.HalvingSettings, "seconds")


@dataclass(frozen=True)
class HalvingConfig(_configs.HalvingConfig):
    """The budget, and every ingredient of the search as an option.

    >>> HalvingConfig(simulations=5000).belief.kind
    'particle'
    """

    kind: ClassVar = "halving"

    def prefer(self, rules: Rules, best: ActionValue, higher: Sequence[ActionValue]) -> str:
        """States what decided for the choice and against actions of higher value."""
        dropped = [other.action.text for other in higher if other.simulations < best.simulations]
        if dropped:  # its mean is of fewer deals, and at that stage its rank was lower
            return f"{best.action} was ahead when {list_words(dropped)} dropped out"
        advisor = "a network" if self.resolve(rules)["advisor"] else "the heuristic"
        return f"{advisor} prefers {best.action}"


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
    return report_search(
        observation, config, config.belief, seed, _core.search_by_halving, lambda result: (result.simulations, ())
    )
