"""Beliefs next to the count of all deals."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lastcard import _core
from lastcard.belief import Belief, BeliefConfig
from lastcard.cards import Card
from lastcard.observation import Observation
from lastcard.rules import Rules
from lastcard.weights import Weights

Deals = Mapping[tuple[tuple[Card, ...], ...], Fraction]
NEVER = [1.0, 0.0, 0.0, 0.0, 0.0]


@dataclass(frozen=True)
class FlatConfig(BeliefConfig):
    """A `particle` belief in opponents that choose blindly: all it can go by is what the rules force."""

    def compile(self, rules: Rules) -> _core.BeliefSettings:
        """One model, for which any choice is as likely as any other."""
        return _core.BeliefSettings(
            kind="particle",
            hypotheses=self.hypotheses,
            temperature=1.0,
            noise=1.0,
            prior=[1.0, 0.0, 0.0],
            weights=list(Weights.shipped(rules.players).values),
        )


def count_odds(deals: Deals, place: int) -> dict[Card, list[float]]:
    """Returns the probability that the hand at that place has 0, 1, 2, ... copies of each card that it may hold."""
    odds: dict[Card, list[float]] = defaultdict(lambda: [0.0] * 5)
    for hands, chance in deals.items():
        for card in set(hands[place]):
            odds[card][hands[place].count(card)] += float(chance)
    for chances in odds.values():
        chances[0] = 1 - sum(chances)
    return odds


def largest_error(observation: Observation, config: BeliefConfig, deals: Deals, others: Sequence[object] = ()) -> float:
    """Returns the largest difference between a belief and the count of all deals, in marginals and joint hands.

    Of `others`, hands that no deal fits, any positive weight counts as an error of 1.
    """
    belief = Belief(observation, config)
    worst = 0.0
    for place, seat in enumerate(belief.opponents):
        expected = count_odds(deals, place)
        for card in observation.rules.deck:
            odds = [*belief.counts(seat, card), 0.0, 0.0, 0.0, 0.0]
            wanted = expected.get(card, NEVER)
            worst = max([worst, *(abs(a - b) for a, b in zip(odds, wanted, strict=False))])
    weights = {hands: belief.log_weight(dict(zip(belief.opponents, hands, strict=True))) for hands in deals}
    most = max(weights.values())
    if most == -math.inf:
        return 1.0
    total = sum(math.exp(weight - most) for weight in weights.values())
    for hands, weight in weights.items():
        worst = max(worst, abs(math.exp(weight - most) / total - float(deals[hands])))
    for hand in others:
        if belief.log_weight({belief.opponents[0]: hand}) > -math.inf:  # type: ignore[dict-item]
            return 1.0
    return worst
