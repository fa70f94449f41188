"""`mcts`: Monte Carlo tree search over belief particles, for several players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from lastcard import _core
from lastcard.observation import Observation
from lastcard.search.common import check_question
from lastcard.search.report import SearchReport
from lastcard.search.trees import TreeConfig, report_tree


@dataclass(frozen=True)
class MctsConfig(TreeConfig):
    """The budget, the parameters of the published formulation, and its corrections as options.

    >>> MctsConfig.as_published().max_depth
    20
    """

    kind: ClassVar = "mcts"
    RECORD: ClassVar[type[Any]] = _core.MctsSettings

    simulations: int = 2000
    """Playouts per decision."""
    exploration: float = 0.5
    """The constant c of UCB1; larger values favor actions that were tried less."""
    max_depth: int = 0
    """Plies after which a playout is cut off; 0: never."""
    discount: float = 1.0
    """The factor gamma by which a reward shrinks with each level of the tree on its way up."""
    opponent_plays: float = 0.8
    """Probability that an opponent plays if it can, in random playouts; otherwise it draws."""
    draws_from_pile: bool = True
    """Drawn cards come from the particle's own draw pile; if false, each has any color and any type."""
    draws_penalties: bool = True
    """Draw Twos and Wild Draw Fours make the next seat draw; if false, nobody draws for them."""
    follows_turns: bool = True
    """Skips and Reverses have their effect; if false, the next seat follows every card."""
    searches_color: bool = True
    """A Wild is searched once for each color; if false, its color is random."""
    values_unfinished: bool = True
    """A playout that is cut off is valued by the hand sizes; if false, it counts as lost."""

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
            belief="uniform",
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
