"""Tuning the weights of `heuristic` by cross-entropy self-play.

R. Rubinstein, "The cross-entropy method for combinatorial and continuous optimization" (1999): draw weights around a
mean, play each against rivals on the same deals, move the mean and the spread to the best of them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from lastcard.arena.core_match import Contestant, HeuristicContestant, RandomContestant, play_match
from lastcard.errors import AgentError, require_int
from lastcard.rules import Rules, parse_rules
from lastcard.weights import FEATURES, Weights

# fmt: off
_START: Final = (
    0.0, 0.0, 0.0, 0.0,
    0.4, 1.5, 0.6, 1.8,
    0.4, 1.7, 0.8, 1.6,
    0.5, 2.0, 1.0, 2.0,
    -4.0, -3.0, -3.0, -2.0,
    -6.0, 2.5, -3.0, 2.0,
    2.0, 0.2, -0.5, 0.7, -1.0, -0.1, -4.5, -2.5, 0.6,
)
# fmt: on
_KEPT: Final = 0.3  # of the old mean; the elite gives the rest
_RIVALS: Final = 3  # against its last self alone, a search goes in circles
_RIVAL_EVERY: Final = 10  # generations, so that rivals differ
_LEAST_SPREAD: Final = 0.01  # below it nothing new would be tried
MEASURING_SEED: Final = 2**63
"""Deals that measure are of other seeds than those that tune."""


@dataclass(frozen=True, slots=True)
class TuneConfig:
    """Length and width of the search for weights."""

    players: int = 2
    """Number of players; weights differ with it."""
    rules: str = "official"
    """Rules to play."""
    generations: int = 40
    """Number of generations, each of which moves the mean."""
    population: int = 48
    """Candidates per generation."""
    elite: int = 10
    """Best candidates, to whose mean the search moves."""
    deals: int = 4000
    """Mirrored deals that each of them plays."""
    seed: int = 1
    """Fixes the whole search."""
    threads: int = 1
    """Threads that play; the result does not depend on it."""

    def __post_init__(self) -> None:
        require_int("generations", self.generations, 1, 10_000, AgentError)
        require_int("population", self.population, 2, 10_000, AgentError)
        require_int("elite", self.elite, 1, self.population, AgentError)
        require_int("deals", self.deals, 10, 10**7, AgentError)
        require_int("seed", self.seed, 0, 2**32, AgentError)
        require_int("threads", self.threads, 1, 1024, AgentError)
        self.compiled_rules()

    def compiled_rules(self) -> Rules:
        """The rules with the number of players."""
        return parse_rules(self.rules).replace(players=self.players)


@dataclass(frozen=True, slots=True)
class Generation:
    """State of the search after a generation."""

    number: int
    best: float
    """Share of rounds that the best of this generation won against the rivals."""
    against_random: float
    """Share that the mean won against `random`, on deals kept for measuring."""
    against_random_error: float
    weights: Weights
    """The mean."""


def tune(config: TuneConfig | None = None, progress: Callable[[Generation], None] | None = None) -> Weights:
    """Searches for weights that beat their own predecessors and `random`.

    >>> weights = tune(TuneConfig(generations=1, population=4, elite=2, deals=20))
    >>> len(weights.values)
    33
    """
    config = config or TuneConfig()
    rules = config.compiled_rules()
    rng = random.Random(config.seed)
    mean, spread = list(_START), [_first_spread(name) for name in FEATURES]
    rivals: list[Contestant] = [HeuristicContestant(Weights.of(mean))]
    for number in range(1, config.generations + 1):
        drawn = [_draw(mean, spread, rng) for _ in range(config.population - 1)]
        drawn.append(Weights.of(mean))  # the mean competes as well, so that a lucky candidate has something to beat
        seed = config.seed * 100_003 + number  # all candidates of a generation play the same deals
        scores = [_score(weights, rivals, rules, config, seed) for weights in drawn]
        order = sorted(range(len(drawn)), key=lambda i: -scores[i])
        elite = [drawn[i].values for i in order[: config.elite]]
        mean, spread = _move(mean, spread, elite)
        if number % _RIVAL_EVERY == 0:
            rivals = [*rivals, HeuristicContestant(Weights.of(mean))][-_RIVALS:]
        if progress:
            progress(_measure(number, scores[order[0]], Weights.of(mean), rules, config))
    return Weights.of(mean)


def _first_spread(name: str) -> float:
    """Numbers are what everything else is measured by; drawing and keeping start from ignorance."""
    if name.startswith("number"):
        return 0.0
    if name in ("drawing", "keeping"):
        return 3.0
    return 1.0 if FEATURES.index(name) < FEATURES.index("color_share") else 0.6


def _draw(mean: Sequence[float], spread: Sequence[float], rng: random.Random) -> Weights:
    return Weights.of([value + rng.gauss(0, 1) * by for value, by in zip(mean, spread, strict=True)])


def _score(weights: Weights, rivals: Sequence[Contestant], rules: Rules, config: TuneConfig, seed: int) -> float:
    """The mean share against the rivals and, for variety, `random`."""
    shares = []
    for rival in (*rivals, RandomContestant()):
        seating = [HeuristicContestant(weights), *[rival] * (rules.players - 1)]
        deals = max(config.deals // (len(rivals) + 1), 1)
        shares.append(play_match(rules, seating, deals, seed, config.threads).shares[0])
    return sum(shares) / len(shares)


def _move(
    mean: Sequence[float], spread: Sequence[float], elite: Sequence[Sequence[float]]
) -> tuple[list[float], list[float]]:
    new_mean, new_spread = [], []
    for i, (old, by) in enumerate(zip(mean, spread, strict=True)):
        values = [weights[i] for weights in elite]
        middle = sum(values) / len(values)
        deviation = math.sqrt(sum((value - middle) ** 2 for value in values) / len(values))
        new_mean.append(_KEPT * old + (1 - _KEPT) * middle)
        # A spread of 0 marks a weight that is fixed: the least spread must not set it free.
        new_spread.append(0.4 * by + 0.6 * deviation + _LEAST_SPREAD if by else 0.0)
    return new_mean, new_spread


def _measure(number: int, best: float, weights: Weights, rules: Rules, config: TuneConfig) -> Generation:
    seating: list[Contestant] = [HeuristicContestant(weights), *[RandomContestant()] * (rules.players - 1)]
    match = play_match(rules, seating, config.deals, MEASURING_SEED, config.threads)
    return Generation(number, best, match.shares[0], match.errors[0], weights)
