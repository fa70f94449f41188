"""Hands sampled by a Markov chain have the probabilities that counting all deals gives."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from lastcard.belief import Belief, BeliefConfig
from lastcard.cards import CARDS, Deck, parse_cards
from lastcard.observation import Observation, observe
from lastcard.rules import parse_rules
from lastcard.state import deal
from tests.counts import counted
from tests.oracle.deals import enumerate_deals
from tests.property.exact import NEVER, Deals, FlatConfig, count_odds

CHAINS = 8
HYPOTHESES = 4_096
# One card more than the exact filter takes, of as few faces as can be, so that all deals can still be counted.
FEW_FACES = "r1 r2 r3 r4 r5 r6 y1 y2 y3 y4 y5 y6 w " * 2
MOST_HELD = 4  # cards in the other hands: that many are counted fast
TABLES = [
    ("mini hand_size=3", 14, 80),
    ("mini hand_size=3 must_play=off", 6, 40),
    ("mini hand_size=3 drawn_card=must_play", 14, 40),
    pytest.param("mini players=3", 3, 20, marks=pytest.mark.long),
]


def positions(text: str, most_plies: int, num_positions: int) -> Iterator[Observation]:
    """Random positions under rules with a deck too large for the exact filter."""
    rules = parse_rules(text).replace(deck=Deck.of(parse_cards(FEW_FACES)), max_plies=40)
    seed = 0
    while num_positions > 0:
        seed += 1
        rng = random.Random(seed)
        state = deal(rules, seed)
        for _ in range(rng.randint(2, most_plies)):
            if not state.is_over:
                state = state.after(rng.choice(state.legal_actions))
        observation = observe(state, rng.randrange(rules.players))
        held = sum(observation.hand_sizes) - len(observation.hand)
        if not state.is_over and not state.reshuffles and held <= MOST_HELD:
            num_positions -= 1
            yield observation


def shares_of(belief: Belief, seat: int) -> list[float]:
    """Share of the hypotheses, by weight, that give the seat each card."""
    core, players = belief._core, len(belief.observation.hand_sizes)
    weights = core.weights()
    held = [0.0] * len(CARDS)
    for index, weight in enumerate(weights):
        for card in set(core.hands(index, players)[seat]):
            held[card] += weight
    return [each / sum(weights) for each in held]


def error_ratio(observation: Observation, deals: Deals, config: BeliefConfig) -> float:
    """The squared error of the chains' mean over what their spread lets expect, all faces together.

    Of chains that sample what they should it is about 1: 0.7 more or less from one position to the next.
    """
    beliefs = [Belief(observation, config, seed) for seed in range(CHAINS)]
    error = spread = 0.0
    for place, seat in enumerate(beliefs[0].opponents):
        odds = count_odds(deals, place)
        # The raw shares: `counts` mixes in a little of what counting alone says.
        of_beliefs = [shares_of(belief, seat) for belief in beliefs]
        for card in observation.rules.deck:
            expected = 1 - odds.get(card, NEVER)[0]
            shares = [of_cards[card.index] for of_cards in of_beliefs]
            mean = sum(shares) / CHAINS
            error += (mean - expected) ** 2
            spread += sum((share - mean) ** 2 for share in shares) / (CHAINS - 1) / CHAINS
    # Where all is certain, there is no spread.
    return error / max(spread, 1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "most_plies", "num_positions"), TABLES)
def test_chains_sample_what_counting_all_deals_gives(text: str, most_plies: int, num_positions: int) -> None:
    """Both kinds of belief that use chains are tested.

    Chains without a bias would come to 2 on average less than once in a million times: that is six standard errors
    even of the fewest positions.
    """
    num_positions = counted(num_positions, least=20)
    ratios: dict[str, list[float]] = {"constrained": [], "particle": []}
    chains = 0
    for observation in positions(text, most_plies, num_positions):
        deals = enumerate_deals(observation)
        for config in (BeliefConfig("constrained", HYPOTHESES), FlatConfig("particle", HYPOTHESES)):
            chains += not Belief(observation, config).is_exact
            ratios[config.kind].append(error_ratio(observation, deals, config))
    assert chains > num_positions / 2
    for kind, values in ratios.items():
        assert sum(values) / len(values) < 2, (kind, max(values))


@pytest.mark.parametrize(("text", "most_plies", "num_positions"), TABLES[:2])
def test_samples_of_something_else_are_caught(text: str, most_plies: int, num_positions: int) -> None:
    """Counts alone, by the same measure: they do not know what a draw under `must_play` says, nor what a play does."""
    ratios = [
        error_ratio(observation, enumerate_deals(observation), BeliefConfig("uniform", HYPOTHESES))
        for observation in positions(text, most_plies, num_positions // 4)
    ]
    assert sum(ratios) / len(ratios) > 10
