"""Beliefs that say that they are exact agree with counting all deals, to nine digits."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest

from lastcard.belief import Belief, BeliefConfig
from lastcard.cards import Card
from lastcard.observation import Observation, observe
from lastcard.rules import Rules, parse_rules
from lastcard.state import State, deal
from tests.oracle.deals import enumerate_deals
from tests.property.exact import FlatConfig, largest_error

TINY = 1e-9
# Most cards are dealt out in some, so that the draw pile runs out.
TWO_PLAYERS = [("mini", 150), ("mini hand_size=3 max_plies=40", 75), ("mini hand_size=4 max_plies=40", 75)]
THREE_PLAYERS = [("mini players=3", 25), ("mini players=3 max_plies=40", 25)]


def positions(rules: Rules, num_rounds: int) -> Iterator[tuple[State, Observation]]:
    """Every state of random rounds as every seat sees it."""
    for seed in range(num_rounds):
        rng = random.Random(seed)
        state = deal(rules, seed)
        while True:
            for seat in range(rules.players):
                yield state, observe(state, seat)
            if state.is_over:
                break
            state = state.after(rng.choice(state.legal_actions))


def impossible_hands(state: State, observer: int, possible: set[tuple[Card, ...]]) -> list[tuple[Card, ...]]:
    """Hands of the one opponent that its size and the unseen cards allow, but no deal does."""
    other = 1 - observer
    hidden = sorted([*state.hand(other), *state.draw_pile])
    return sorted(set(combinations(hidden, len(state.hand(other)))) - possible)


@pytest.mark.parametrize(("text", "num_rounds"), TWO_PLAYERS)
def test_two_players_are_believed_exactly(text: str, num_rounds: int) -> None:
    """The rules' constraints are believed exactly; with a model that tells nothing, so is `particle`."""
    seen: Counter[str] = Counter()
    for state, observation in positions(parse_rules(text), num_rounds):
        deals = enumerate_deals(observation)
        excluded = impossible_hands(state, observation.observer, {hands[0] for hands in deals})
        for config in (BeliefConfig("constrained"), FlatConfig()):
            assert Belief(observation, config).is_exact
            assert largest_error(observation, config, deals, excluded) < TINY, (config, observation.history)
        seen["positions"] += 1
        seen["reshuffled"] += state.reshuffles > 0
        seen["hands excluded by the rules"] += bool(excluded)
    assert seen["hands excluded by the rules"] > num_rounds
    assert text == "mini" or seen["reshuffled"] > 5


@pytest.mark.parametrize(("text", "num_rounds"), THREE_PLAYERS)
def test_three_players_are_believed_exactly(text: str, num_rounds: int) -> None:
    for _, observation in positions(parse_rules(text), num_rounds):
        assert Belief(observation, BeliefConfig("constrained")).is_exact
        error = largest_error(observation, BeliefConfig("constrained"), enumerate_deals(observation))
        assert error < TINY, observation.history


ACTION_CARDS = "r1,r1,r2,y1,y2,y2,r+2,y+2,yS,rR,w,w+4,w+4"
SWITCHES = [
    "mini must_play=off",
    "mini drawn_card=may_play",
    "mini drawn_card=must_play",
    "mini must_play=off drawn_card=may_play",
    "mini draw_until_playable=on drawn_card=may_play",
    "mini seven_zero=on",
    "mini jump_in=on",
    "mini uno_penalty=2",
    *(
        f"mini deck={ACTION_CARDS} wild_draw_four={four} stacking={stacking}"
        for four in ("strict", "bluff", "free", "last_resort")
        for stacking in ("none", "any_up")
    ),
]


@pytest.mark.parametrize("text", SWITCHES)
def test_a_belief_that_calls_itself_exact_is(text: str) -> None:
    """One switch after the other, with action cards and without."""
    exact = 0
    for _, observation in positions(parse_rules(text).replace(max_plies=20), 8):
        config = BeliefConfig("constrained")
        if not Belief(observation, config).is_exact:
            continue
        try:
            deals = enumerate_deals(observation)
        except NotImplementedError:
            continue
        assert largest_error(observation, config, deals) < TINY, [str(event) for event in observation.history]
        exact += 1
    assert exact > 20
