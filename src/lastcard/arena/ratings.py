"""Ratings: one number an agent from everything it played, by openskill.

R. C. Weng and C.-J. Lin, "A Bayesian approximation method for online ranking" (2011), the Plackett-Luce model. Agents
do not change while they play, so nothing is forgotten between rounds, and the unit is chosen so that differences read
as Elo.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lastcard.arena.statistics import NOBODY, Z95
from lastcard.errors import AgentError
from lastcard.shell import install_extra

if TYPE_CHECKING:
    from lastcard.arena.results import PairingResult

START: Final = 1500.0  # the scale of chess, which readers know
START_SIGMA: Final = 350.0  # Glicko's: wide enough to be forgotten after a few rounds
MOST_ROUNDS: Final = 40_000
"""Rounds that are rated; of more, an even sample."""
MOST_PASSES: Final = 20  # so often are few rounds rated, to average out their order


@dataclass(frozen=True, slots=True)
class Rating:
    """Strength of an agent, on the Elo scale around 1500."""

    value: float
    error: float
    """Half the width of its 95 % interval."""


def rate(num_agents: int, pairings: Sequence[PairingResult]) -> tuple[Rating, ...]:
    """Rates the agents by the rounds they won; the same rounds always give the same ratings.

    Raises:
        AgentError: if openskill is not installed.
    """
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        raise AgentError(f"ratings need openskill: {install_extra('arena')}") from None
    # With this beta a lead of 400 points means odds of ten to one, as in Elo's formula; skill does not drift (tau).
    model = PlackettLuce(mu=START, sigma=START_SIGMA, beta=400 / math.log(10) / math.sqrt(2), tau=0.0, gamma=_full_step)
    rng = random.Random(0)
    duels = _list_duels(pairings, rng)
    num_passes = min(max(MOST_ROUNDS // max(len(duels), 1), 1), MOST_PASSES)
    sums = [Rating(0.0, 0.0)] * num_agents
    for _ in range(num_passes):
        # One order is as good as another, and the ratings depend on it a little: they are the mean over several.
        rng.shuffle(duels)
        ratings = [model.rating() for _ in range(num_agents)]
        for one, other, is_tied in duels:
            [[ratings[one]], [ratings[other]]] = model.rate(
                [[ratings[one]], [ratings[other]]], ranks=[0.0, 0.0 if is_tied else 1.0]
            )
        sums = [
            Rating(so_far.value + rating.mu, so_far.error + Z95 * rating.sigma)
            for so_far, rating in zip(sums, ratings, strict=True)
        ]
    return tuple(Rating(total.value / num_passes, total.error / num_passes) for total in sums)


def _full_step(*_: Any) -> float:
    """The posterior as the model gives it, not slowed down."""
    return 1.0


def _list_duels(pairings: Sequence[PairingResult], rng: random.Random) -> list[tuple[int, int, bool]]:
    """Returns winner, loser and whether it was a tie, in an order that does not depend on timing.

    A round of more than two players has one winner and no order behind it, so it counts as a win over one random other
    player: agents then meet as often as their win probabilities imply, which keeps differences true to Elo.
    """
    total = sum(pairing.num_deals * pairing.players for pairing in pairings)
    step = max(math.ceil(total / MOST_ROUNDS), 1)  # openskill is slow, so a large match is thinned evenly
    duels: list[tuple[int, int, bool]] = []
    skip = 0
    for pairing in pairings:
        seating, places = pairing.pairing.seating, range(pairing.players)
        for winners, times in sorted(pairing.deals.items()):
            for winner in winners:
                for _ in range(skip, times, step):
                    place = rng.choice(places) if winner == NOBODY else int(winner)
                    other = rng.choice([rival for rival in places if rival != place])
                    if seating[place] != seating[other]:
                        duels.append((seating[place], seating[other], winner == NOBODY))
                skip = (skip - times) % step
    return duels
