"""Ratings: one number an agent from everything it played, by openskill.

R. C. Weng and C.-J. Lin, "A Bayesian approximation method for online ranking" (2011), the Plackett-Luce model. Agents do not
change while they play, so nothing is forgotten between rounds, and the unit is chosen so that differences read as Elo.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lastcard.arena.statistics import NOBODY, Z95
from lastcard.errors import AgentError

if TYPE_CHECKING:
    from lastcard.arena.results import PairingResult

START: Final = 1500.0
START_SIGMA: Final = 350.0
MOST_ROUNDS: Final = 40_000
"""Rounds that are rated; of more, an even sample."""


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong an agent is, on the scale of Elo around 1500."""

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
        raise AgentError("ratings need openskill: pip install 'lastcard[arena]'") from None
    players = len(pairings[0].pairing.seating)
    model = PlackettLuce(
        mu=START,
        sigma=START_SIGMA,
        beta=400 / math.log(10) / math.sqrt(players),
        tau=0.0,
        gamma=_full_step,
    )
    ratings = [(START, START_SIGMA)] * num_agents
    for seating, winner in _list_rounds(pairings):
        teams = [[model.rating(*ratings[agent])] for agent in seating]
        ranks = [0.0 if str(place) == winner or winner == NOBODY else 1.0 for place in range(players)]
        rated = model.rate(teams, ranks=ranks)
        for agent in set(seating):
            mu, sigma = ratings[agent]
            places = [place for place in range(players) if seating[place] == agent]
            # An agent in several places learns from each of them.
            moved = sum(rated[place][0].mu - mu for place in places)
            shrunk = math.prod(rated[place][0].sigma / sigma for place in places)
            ratings[agent] = (mu + moved, sigma * shrunk)
    return tuple(Rating(mu, Z95 * sigma) for mu, sigma in ratings)


def _full_step(*_: Any) -> float:
    """The posterior as the model gives it, not slowed down."""
    return 1.0


def _list_rounds(pairings: Sequence[PairingResult]) -> list[tuple[tuple[int, ...], str]]:
    """Rounds as seating and winner, shuffled in a way that does not depend on who finished when."""
    total = sum(pairing.num_deals * pairing.players for pairing in pairings)
    step = max(math.ceil(total / MOST_ROUNDS), 1)
    rounds: list[tuple[tuple[int, ...], str]] = []
    skip = 0
    for pairing in pairings:
        for winners, times in sorted(pairing.deals.items()):
            for winner in winners:
                taken = range(skip, times, step)
                rounds += [(pairing.pairing.seating, winner)] * len(taken)
                skip = (skip - times) % step
    random.Random(0).shuffle(rounds)
    return rounds
