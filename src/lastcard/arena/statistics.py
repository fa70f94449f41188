"""Statistics of mirrored deals, with their uncertainty.

Rounds of one deal are not independent: the same cards are played from every seat. Everything here therefore takes the
deal as the unit. A deal's results are a text of one character a rotation: the place of the seating that won that round,
or `-` for nobody; place p sits in seat (p + rotation) modulo the players, and seat 0 acts first.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

Z95: Final = 1.959963984540054
"""Standard deviations to either side that hold 95 % of a normal distribution."""
NOBODY: Final = "-"

DealCounts = Mapping[str, int]
"""Counts of each result of a deal."""
ScoreCounts = Mapping[float, int]
"""Counts of each score of a deal."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def count_scores(deals: DealCounts, place: int) -> Counter[float]:
    """Counts of each share of a deal's rounds that the place won; a round without a winner is split evenly.

    >>> count_scores({"00": 3, "01": 5, "1-": 1}, place=0) == {1.0: 3, 0.5: 5, 0.25: 1}
    True
    """
    scores: Counter[float] = Counter()
    for winners, times in deals.items():
        players = len(winners)
        scores[(winners.count(str(place)) + winners.count(NOBODY) / players) / players] += times
    return scores


def count_first_seat(deals: DealCounts) -> Counter[float]:
    """Counts of each share of a deal's rounds that the first seat won, whichever agent it was."""
    scores: Counter[float] = Counter()
    for winners, times in deals.items():
        players = len(winners)
        won = sum(
            1 / players if winner == NOBODY else (int(winner) + rotation) % players == 0
            for rotation, winner in enumerate(winners)
        )
        scores[won / players] += times
    return scores


def estimate_share(scores: ScoreCounts, players: int) -> Estimate:
    """The mean score with a 95 % interval that rests on the spread between deals.

    It is Wilson's interval for as many independent rounds as the deals were worth (E. B. Wilson, "Probable inference,
    the law of succession, and statistical inference", 1927), so it stays within 0 and 1.

    >>> share = estimate_share({0.0: 100, 0.5: 200, 1.0: 100}, players=2)
    >>> f"{share.value:.3f} ± {share.error:.3f}"
    '0.500 ± 0.035'
    """
    _, mean, _ = _moments(scores)
    worth = count_independent_rounds([scores], players)
    spread = Z95 * math.sqrt(mean * (1 - mean) / worth + Z95**2 / (4 * worth**2))
    middle, scale = mean + Z95**2 / (2 * worth), 1 + Z95**2 / worth
    return Estimate(mean, max((middle - spread) / scale, 0.0), min((middle + spread) / scale, 1.0))


def count_independent_rounds(all_scores: Iterable[ScoreCounts], players: int) -> float:
    """Number of independent rounds that the same deals were worth, by the scores of several places.

    One more deal, as unsteady as independent rounds would be, is taken into the spread: a few deals that happen to
    agree prove little.

    >>> count_independent_rounds([{0.0: 100, 0.5: 200, 1.0: 100}], players=2) == 400**2 / 200.5
    True
    """
    deals, independent, squares = 0, 0.0, 0.0
    for scores in all_scores:
        deals, mean, spread = _moments(scores)
        independent += mean * (1 - mean)
        squares += spread
    # Without a single loss (or win) nothing is known of the pairing: every round counts as independent.
    return independent * deals * deals / (squares + independent / players) if independent > 0 else deals * players


def worth_of_mirroring(all_scores: Iterable[ScoreCounts], players: int) -> float | None:
    """Number of independent rounds that one mirrored round is worth; None if the deals do not show it.

    >>> worth_of_mirroring([{0.0: 1, 0.5: 2, 1.0: 1}], players=2)
    1.0
    """
    independent = paired = 0.0
    for scores in all_scores:
        deals, mean, squares = _moments(scores)
        independent += mean * (1 - mean) / players
        paired += squares / deals
    return independent / paired if paired > 0 else None


def average(estimates: Iterable[tuple[Estimate, int]]) -> Estimate:
    """The mean of independent estimates, each with its weight."""
    parts = list(estimates)
    total = sum(weight for _, weight in parts)
    mean = sum(part.value * weight for part, weight in parts) / total
    if len(parts) == 1:
        return parts[0][0]  # Wilson's interval is not symmetric, and the one below is
    error = math.sqrt(sum((part.error * weight) ** 2 for part, weight in parts)) / total
    return Estimate(mean, max(mean - error, 0.0), min(mean + error, 1.0))


def elo_of_share(share: float, players: int) -> float:
    """Elo difference that gives this share against equal opponents; infinite at 0 and 1.

    With more than two players, chances to win are taken to be in proportion to 10 to the power of Elo / 400.

    >>> round(elo_of_share(0.64, players=2)), elo_of_share(0.25, players=4)
    (100, 0.0)
    """
    if not 0 < share < 1:
        return math.inf if share >= 1 else -math.inf
    return 400 * math.log10(share * (players - 1) / (1 - share))


def share_of_elo(elo: float, players: int) -> float:
    """The share of rounds that an Elo difference wins; undoes `elo_of_share`."""
    return 1 / (1 + (players - 1) * 10 ** (-elo / 400))


def estimate_elo(share: Estimate, players: int) -> Estimate:
    """The Elo difference with the interval that belongs to the share's."""
    return Estimate(*(elo_of_share(value, players) for value in (share.value, share.low, share.high)))


def _moments(scores: ScoreCounts) -> tuple[int, float, float]:
    """The number of deals, their mean score, and the sum of squares around it."""
    deals = sum(scores.values())
    mean = sum(score * times for score, times in scores.items()) / deals
    return deals, mean, sum((score - mean) ** 2 * times for score, times in scores.items())
