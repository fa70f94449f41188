"""A sequential test between two Elo differences, on the scores of mirrored deals.

A. Wald, "Sequential tests of statistical hypotheses" (1945), with the likelihoods at their best under each hypothesis:
a deal's score may be distributed in any way that has the hypothetical mean, so the pairing of its rounds is respected.
With two players that is the pentanomial test by which chess programs are developed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal

from lastcard.arena.statistics import ScoreCounts, share_of_elo
from lastcard.errors import AgentError, require_float

MOST_ELO: Final = 1000.0  # 99.7 % of rounds: nothing in UNO is that uneven
_PSEUDO_DEALS: Final = 1e-3  # of a deal lost and of one won altogether, so that every mean is possible

Decision = Literal["elo0", "elo1"]


@dataclass(frozen=True, slots=True)
class SprtConfig:
    """Two Elo differences to compare, and the error rates."""

    elo0: float
    """Lower Elo difference."""
    elo1: float
    """Higher Elo difference."""
    alpha: float = 0.05
    """Probability of accepting `elo1` although `elo0` is true."""
    beta: float = 0.05
    """Probability of accepting `elo0` although `elo1` is true."""

    def __post_init__(self) -> None:
        require_float("elo0", self.elo0, -MOST_ELO, MOST_ELO, AgentError)
        require_float("elo1", self.elo1, -MOST_ELO, MOST_ELO, AgentError)
        require_float("alpha", self.alpha, 1e-6, 0.5, AgentError)
        require_float("beta", self.beta, 1e-6, 0.5, AgentError)
        if not self.elo0 < self.elo1:
            raise AgentError(f"elo0 must be less than elo1, not {self.elo0:g} and {self.elo1:g}")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which `elo0` is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which `elo1` is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def decide(self, ratio: float) -> Decision | None:
        """The accepted hypothesis, or None to continue.

        >>> SprtConfig(0, 10).decide(3.0)
        'elo1'
        """
        if ratio >= self.upper:
            return "elo1"
        return "elo0" if ratio <= self.lower else None


def log_likelihood_ratio(scores: ScoreCounts, config: SprtConfig, players: int) -> float:
    """Log-likelihood ratio of the scores under `elo1` and `elo0`.

    >>> even = {0.0: 100, 0.5: 200, 1.0: 100}
    >>> abs(log_likelihood_ratio(even, SprtConfig(-10, 10), players=2)) < 1e-6
    True
    """
    counts = {score: float(times) for score, times in scores.items() if times}
    for score in (0.0, 1.0):
        counts[score] = counts.get(score, 0.0) + _PSEUDO_DEALS
    shares = [share_of_elo(elo, players) for elo in (config.elo0, config.elo1)]
    tilt0, tilt1 = (_find_tilt(counts, share) for share in shares)
    return sum(
        times * math.log((1 + tilt0 * (score - shares[0])) / (1 + tilt1 * (score - shares[1])))
        for score, times in counts.items()
    )


def _find_tilt(counts: dict[float, float], mean: float) -> float:
    """The t for which times / (1 + t (score - mean)) is the likeliest distribution with that mean.

    It is the root of sum(times (score - mean) / (1 + t (score - mean))), which falls from infinity to minus infinity
    between the two poles.
    """
    low, high = -1 / (1 - mean), 1 / mean
    # Each step halves the interval: after 60 it is smaller than a double can tell.
    for _ in range(60):
        middle = (low + high) / 2
        slope = sum(times * (score - mean) / (1 + middle * (score - mean)) for score, times in counts.items())
        low, high = (middle, high) if slope > 0 else (low, middle)
    return (low + high) / 2
