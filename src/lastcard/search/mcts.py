"""`mcts`: Monte Carlo tree search over belief particles, for several players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lastcard import _configs, _core
from lastcard.belief import BeliefConfig
from lastcard.observation import Observation
from lastcard.search.common import check_question
from lastcard.search.report import SearchReport
from lastcard.search.trees import TreePreference, report_tree


@dataclass(frozen=True)
class MctsConfig(TreePreference, _configs.MctsConfig):
    """The budget, the parameters of the published formulation, and its corrections as options.

    >>> MctsConfig.as_published().max_depth
    20
    """

    kind: ClassVar = "mcts"

    @classmethod
    def as_published(cls) -> MctsConfig:
        """The values and the behavior of the formulation it comes from.

        500 playouts, UCB1 with c = 1.4, one uniform belief particle a playout, 20 plies deep, opponents that play 8
        times in 10, gamma = 0.99, and a playout that is not won by then is lost.
        """
        return cls(
            simulations=500,
            exploration=1.4,
            max_depth=20,
            discount=0.99,
            opponent_plays=0.8,
            playouts="random",
            belief=BeliefConfig("uniform"),
            model_random_opponents=False,
            draws_from_pile=False,
            draws_penalties=False,
            follows_turns=False,
            searches_color=False,
            values_unfinished=False,
        )


def search_by_mcts(observation: Observation, config: MctsConfig | None = None, seed: int = 0) -> SearchReport:
    """Searches the observer's decision; returns a single legal action without a search.

    The report depends on the observation, the config and the seed, not on the machine or the number of threads, unless
    the budget is in seconds.

    Raises:
        AgentError: if the observer has nothing to decide.

    >>> from lastcard.observation import observe
    >>> from lastcard.state import parse_state
    >>> position = parse_state("top r5 | seat 0: r7 b2 | seat 1: g1 g1 yR")
    >>> search_by_mcts(observe(position, seat=0), MctsConfig(simulations=1000)).best
    parse_action('r7')
    """
    config = check_question(observation, config, MctsConfig, seed)
    return report_tree(observation, config, seed, _core.search_by_mcts)
