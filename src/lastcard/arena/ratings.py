"""Ratings: one number an agent from every round it played, by maximum likelihood.

The model is Luce's and Plackett's (R. D. Luce, "Individual choice behavior", 1959; R. L. Plackett, "The analysis of
permutations", 1975): the chance to win a round is in proportion to 10 to the power of rating / 400. Nothing orders the
seats behind the winner. A round without a winner is an equal part of a win for each seat; one that reached `max_plies`
counts as its result says. The rounds of a pairing count as that many independent ones as its deals were worth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lastcard.arena.statistics import Z95, count_independent_rounds, count_scores

if TYPE_CHECKING:
    from lastcard.arena.results import PairingResult

START: Final = 1500.0  # the scale of chess, which readers know
PRIOR: Final = 350.0
"""Standard deviation of a rating before a round is played, as in Glicko: it keeps those finite that win everything."""
_ELO: Final = 400 / math.log(10)
_PRIOR_WEIGHT: Final = (_ELO / PRIOR) ** 2  # as much as one even round tells

_Matrix = list[list[float]]


@dataclass(frozen=True, slots=True)
class Rating:
    """Strength of an agent, on the Elo scale. Agents that met, directly or through others, have 1500 on average."""

    value: float
    error: float
    """Half the width of the 95 % interval of its distance from that average."""


def rate(num_agents: int, pairings: Sequence[PairingResult]) -> tuple[Rating, ...]:
    """Rates the agents by the rounds they won, in whatever order they were played.

    Ratings of agents that rounds do not connect cannot be compared.
    """
    played = [(pairing.pairing.seating, _count_wins(pairing)) for pairing in pairings if pairing.num_deals]
    groups = _connect(num_agents, [seating for seating, _ in played])
    strengths, longest = [0.0] * num_agents, math.inf
    while longest > 1e-5:  # Newton's error is then about the square of that
        slope, curvature = _derive(strengths, played)
        # Rounds say nothing about a group's average, which stays at 0: held there, the matrix can be inverted well.
        hold = sum(row[agent] for agent, row in enumerate(curvature))
        for group in groups:
            for agent in group if len(group) > 1 else ():
                for other in group:
                    curvature[agent][other] += hold
        covariance = _invert(curvature)
        step = [sum(a * b for a, b in zip(row, slope, strict=True)) for row in covariance]
        # Where no difference changes by more than 1, the likelihood rises.
        longest = 2 * max(map(abs, step))
        strengths = [strength + change / max(longest, 1.0) for strength, change in zip(strengths, step, strict=True)]
    ratings = {}
    for group in groups:
        size = len(group)
        held = 1 / (size * _PRIOR_WEIGHT + size**2 * hold) if size > 1 else 0.0
        for agent in group:
            error = Z95 * math.sqrt(covariance[agent][agent] - held)
            ratings[agent] = Rating(START + _ELO * strengths[agent], _ELO * error)
    return tuple(ratings[agent] for agent in range(num_agents))


def _count_wins(result: PairingResult) -> list[float]:
    """Wins of each place, in independent rounds."""
    deals = dict(sorted(result.deals.items()))  # a sum of floats depends on their order
    scores = [count_scores(deals, place) for place in range(result.players)]
    # Copies of one agent tell nothing of each other.
    told = scores[:1] if len(set(result.pairing.seating)) == 2 else scores
    worth = count_independent_rounds(told, result.players) / result.num_deals
    return [worth * sum(score * times for score, times in place.items()) for place in scores]


def _derive(strengths: list[float], played: list[tuple[tuple[int, ...], list[float]]]) -> tuple[list[float], _Matrix]:
    """The slope of the log likelihood by each strength, and its curvature with the sign changed."""
    slope = [-_PRIOR_WEIGHT * strength for strength in strengths]
    curvature = [[_PRIOR_WEIGHT * (row == column) for column in range(len(strengths))] for row in range(len(strengths))]
    for seating, wins in played:
        top = max(strengths[agent] for agent in seating)  # nothing overflows
        weights = [math.exp(strengths[agent] - top) for agent in seating]
        chances = [weight / sum(weights) for weight in weights]
        rounds = sum(wins)
        for agent, won, chance in zip(seating, wins, chances, strict=True):
            slope[agent] += won - rounds * chance
            curvature[agent][agent] += rounds * chance
            for other, rival in zip(seating, chances, strict=True):
                curvature[agent][other] -= rounds * chance * rival
    return slope, curvature


def _invert(matrix: _Matrix) -> _Matrix:
    """The inverse of a positive definite matrix, by elimination."""
    size = len(matrix)
    rows = [[*row, *(float(column == index) for column in range(size))] for index, row in enumerate(matrix)]
    for index in range(size):
        pivot = rows[index] = [value / rows[index][index] for value in rows[index]]
        for other in range(size):
            factor = rows[other][index]
            if other != index:
                rows[other] = [value - factor * by for value, by in zip(rows[other], pivot, strict=True)]
    return [row[size:] for row in rows]


def _connect(num_agents: int, seatings: Sequence[tuple[int, ...]]) -> list[set[int]]:
    """The agents in groups of those that met, directly or through others."""
    groups = [{agent} for agent in range(num_agents)]
    for seating in seatings:
        joined = [group for group in groups if not group.isdisjoint(seating)]
        groups = [group for group in groups if group.isdisjoint(seating)] + [set[int]().union(*joined)]
    return groups
