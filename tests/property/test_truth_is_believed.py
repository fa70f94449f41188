"""The truth is never ruled out, with any agents and any rules."""

import math
import random
from collections import Counter

import pytest

from lastcard.belief import Belief, BeliefConfig
from lastcard.observation import observe
from lastcard.rules import PRESETS
from tests.counts import counted
from tests.property.beliefs import check_truth, hands_as_last_seen, play_agents

NUM_ROUNDS = counted(2_000)
CHUNK = 100


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, NUM_ROUNDS, CHUNK))
def test_true_hands_have_weight_after_every_event(first: int) -> None:
    """Reshuffles, windows and hands that change seats are among these rounds."""
    assert sum(check_truth(seed) for seed in range(first, first + CHUNK)) > 20 * CHUNK


@pytest.mark.long
def test_the_rounds_are_worth_looking_at() -> None:
    """All presets, two to six players, reshuffles, every phase and hands that move."""
    rules, phases, kinds, reshuffles = set(), set(), set(), 0
    for seed in range(150):
        for state in play_agents(random.Random(seed)):
            phases.add(state.phase.value)
        rules.add((str(state.rules).split()[0], state.rules.players))
        kinds |= {event.kind.value for event in state.history}
        reshuffles += state.reshuffles
    assert {name for name, _ in rules} == set(PRESETS)
    assert {players for _, players in rules} == {2, 3, 4, 5, 6}
    assert phases >= {"turn", "drawn", "answer", "swap", "catch", "jump_in", "over"}
    assert kinds >= {"challenges", "swaps with", "hands pass", "jumps in", "catches", "keeps"}
    assert reshuffles > 20


def test_a_hand_that_cannot_be_has_no_weight() -> None:
    """A seat that holds a card of which all copies are in sight elsewhere."""
    caught = 0
    for state in (state for seed in range(10) for state in play_agents(random.Random(seed))):
        observation, hands = observe(state, 0), hands_as_last_seen(state, 0)
        seen = Counter([*observation.hand, *observation.discards])
        in_sight = [card for card, copies in state.rules.deck.items() if seen[card] == copies]
        seat = max(hands, key=lambda seat: len(hands[seat]))
        if in_sight and hands[seat]:
            belief = Belief(observation, BeliefConfig(hypotheses=1))
            assert belief.log_weight({**hands, seat: [in_sight[0], *hands[seat][1:]]}) == -math.inf
            caught += 1
    assert caught > 100
