"""`expectiminimax`: depth-limited search of determinizations, max on our turn, min on the others', mean over draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from lastcard import _configs, _core
from lastcard.belief import BeliefConfig
from lastcard.errors import AgentError, require_int
from lastcard.observation import Observation
from lastcard.options import highest
from lastcard.rules import Rules
from lastcard.search.common import check_question, report_search
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
class ExpectiminimaxConfig(_configs.ExpectiminimaxConfig):
    """The budget, the parameters of the recursion, and every correction of the published form as an option.

    >>> ExpectiminimaxConfig.as_published().depth
    3
    """

    kind: ClassVar = "expectiminimax"

    def __post_init__(self) -> None:
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
        config.belief_config(),
        seed,
        _core.search_by_expectiminimax,
        lambda result: (result.determinizations, result.line[1:]),
    )
    # A single legal action is not searched, but it is a line.
    return report if report.belief else replace(report, line=(report.best,))
