"""`expectiminimax`: depth-limited search of determinizations, max on our turn, min on the others', mean over draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from lastcard import _core
from lastcard.belief import KINDS, BeliefConfig
from lastcard.errors import AgentError, require_int
from lastcard.observation import Observation
from lastcard.options import highest, require_choice
from lastcard.rules import Rules
from lastcard.search.common import SearchOptions, check_question, report_search
from lastcard.search.report import ActionValue, SearchReport

MOST_DETERMINIZATIONS: Final[int] = highest(_core.ExpectiminimaxSettings, "determinizations")
MOST_NODES: Final[int] = highest(_core.ExpectiminimaxSettings, "nodes")


@dataclass(frozen=True)
class LatentConfig(BeliefConfig):
    """The published belief: equally likely subsets of the latent set, less all that fits after an opponent's draw.

    Out of a pickle comes a belief with the same probabilities from counts, but with other hypotheses.
    """

    kind: str = "published"
    """`published`, and nothing else."""

    def __post_init__(self) -> None:
        require_int("hypotheses", self.hypotheses, 1, MOST_DETERMINIZATIONS, AgentError)

    def compile(self, rules: Rules) -> Any:
        """Returns a belief by counts, for the parts of the core that need a kind of their own."""
        return BeliefConfig("uniform", min(self.hypotheses, 1024)).compile(rules)


@dataclass(frozen=True)
class _ExpectiminimaxOptions:
    determinizations: int = 256
    """N: number of determinizations in which every root action is searched."""
    depth: int = 4
    """d: number of actions to look ahead after the root action."""
    draw_samples: int = 5
    """m: number of cards of the pile that are tried for a draw inside the tree."""
    playouts: int = 1
    """Rounds that `heuristic` plays out from a leaf; 0: a leaf is worth the difference of hand sizes."""
    seconds: float = 0.0
    """Time for a decision, if more than 0, instead of a number of determinizations."""
    threads: int = 1
    """Number of threads; does not affect the choice."""
    group: int = 256
    """Determinizations searched together, with the same later actions of ours in all that look alike to us; 1 searches
    each by itself, as if we came to see the hidden cards."""
    fewest: int = 24
    """Fewest determinizations of a group that look alike and are still searched; fewer are a leaf."""
    nodes: int = 100_000
    """Maximum number of positions for one action in one determinization; all beyond are leaves."""
    belief: str = "particle"
    """Kind of belief about hidden cards: `published`, `uniform`, `constrained` or `particle`."""
    common_random_numbers: bool = True
    """All root actions face the same determinizations."""
    keeps_turn: bool = True
    """Keeps the turn after a Skip against one opponent; if false, the other seat follows every play and draw."""
    opponents: str = "policy"
    """Opponents `minimise` our value, seeing all, or follow the `policy` of `heuristic`, seeing their own cards."""
    several: str = "paranoid"
    """Aim of the others with more than two seats: minimise our value (`paranoid`) or maximize their own (`max_n`)."""
    model_random_opponents: bool = True
    """Opponents that seem to play at random do so in the tree and in playouts."""
    bonus: float = 0.02
    """Added to the win probability of what `heuristic` alone would choose; shrinks beyond 250 determinizations."""


@dataclass(frozen=True)
class ExpectiminimaxConfig(SearchOptions, _ExpectiminimaxOptions):
    """The budget, the parameters of the recursion, and every correction of the published form as an option.

    >>> ExpectiminimaxConfig.as_published().depth
    3
    """

    kind: ClassVar = "expectiminimax"
    RECORD: ClassVar[type[Any]] = _core.ExpectiminimaxSettings

    def __post_init__(self) -> None:
        require_choice("belief", self.belief, ("published", *KINDS))
        super().__post_init__()
        if self.group > 1 and self.opponents != "policy":
            raise AgentError(f"group must be 1 where opponents={self.opponents}, not {self.group}")

    @classmethod
    def as_published(cls) -> ExpectiminimaxConfig:
        """The published values and behavior: N = 50, d = 3, m = 5, none of the corrections."""
        return cls(
            determinizations=50,
            depth=3,
            draw_samples=5,
            playouts=0,
            group=1,
            fewest=1,
            nodes=MOST_NODES,
            belief="published",
            common_random_numbers=False,
            keeps_turn=False,
            opponents="minimise",
            several="paranoid",
            model_random_opponents=False,
            bonus=0.0,
        )

    def belief_config(self) -> BeliefConfig:
        """The part that makes the belief."""
        if self.belief == "published":
            return LatentConfig(hypotheses=self.determinizations)
        most = highest(_core.BeliefSettings, "hypotheses")
        return BeliefConfig(self.belief, min(self.determinizations, most), weights=self.weights)

    def prefer(self, rules: Rules, best: ActionValue, higher: Sequence[ActionValue]) -> str:
        """States what decided for the choice and against actions of higher value."""
        return f"heuristic prefers {best.action}"

    def translate(self, rules: Rules) -> dict[str, object]:
        """Returns the core's fields that are no options of the same name."""
        return {**super().translate(rules), "published_belief": self.belief == "published"}


def search_by_expectiminimax(
    observation: Observation, config: ExpectiminimaxConfig | None = None, seed: int = 0
) -> SearchReport:
    """Searches the observer's decision; returns a single legal action without a search.

    The report depends on the observation, the config and the seed, not on the machine or the number of threads, unless
    the budget is in seconds. Values v from -100 (lost) to 100 (won) are reported as probabilities (1 + v / 100) / 2.

    Raises:
        AgentError: if the observer has nothing to decide.

    >>> from lastcard.observation import observe
    >>> from lastcard.state import parse_state
    >>> position = parse_state("top r5 | seat 0: rS r7 | seat 1: g1")
    >>> search_by_expectiminimax(observe(position, seat=0)).best
    parse_action('rS')
    """
    config = check_question(observation, config, ExpectiminimaxConfig, seed)
    report = report_search(
        observation,
        config,
        seed,
        _core.search_by_expectiminimax,
        lambda result: (result.determinizations, result.line[1:]),
    )
    # A single legal action is not searched, but it is a line.
    return report if report.belief else replace(report, line=(report.best,))
