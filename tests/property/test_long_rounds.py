"""Beliefs that follow only the end of a round know what they should and nothing false."""

import math
from itertools import islice

import pytest

import lastcard as lc
from benchmarks.speed.history import keep_going
from lastcard import _core
from lastcard.belief import Belief, BeliefConfig
from tests.property.beliefs import require_weight

FOLLOWED = 1_024
"""Events, as core/search/opening.hpp has it."""
TABLES = [("official", 2), ("official", 3), ("tournament", 4), ("house", 2), ("house", 4), ("house", 10), ("study", 2)]


def is_long(state: lc.State, seat: int) -> bool:
    return len(_core.observe(state._round, seat).events()) > FOLLOWED


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_the_truth_is_never_ruled_out(preset: str, players: int) -> None:
    looked = 0
    for seed in (1, 2):
        rules = lc.Rules.preset(preset, players=players, drawn_card="may_play", must_play=False)
        for number, state in enumerate(islice(keep_going(rules, seed), 2_400)):
            if number % 7 == 0 and is_long(state, number % players):
                require_weight(state, number % players)
                looked += 1
    assert looked > 100


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_more_than_counts_is_known(preset: str, players: int) -> None:
    rules = lc.Rules.preset(preset, players=players, drawn_card="may_play", must_play=False)
    state = next(islice(keep_going(rules, seed=3), 2_000, None))
    seat = state.seat or 0
    assert is_long(state, seat)
    believed = Belief(lc.observe(state, seat), BeliefConfig(hypotheses=64), seed=1)
    assert not believed._core.is_shuffle
    assert math.isfinite(believed.effective_sample_size)


def test_with_two_players_a_reshuffle_still_tells_the_other_hand() -> None:
    """Cards that were held at the last reshuffle and not played since are known, as they are in a short round."""
    rules = lc.Rules.preset("official")
    for state in islice(keep_going(rules, seed=4), 2_000, None):
        if state.history[-1].kind.value == "reshuffled" or state.history[-2].kind.value == "reshuffled":
            break
    for seat in (0, 1):
        known = _core.believe(_core.observe(state._round, seat), BeliefConfig(hypotheses=4).compile(rules), 1).known(
            1 - seat
        )
        held = [card.index for card in state.hand(1 - seat)]
        assert sum(known) >= len(held) - 1
        assert all(count <= held.count(face) for face, count in enumerate(known))
