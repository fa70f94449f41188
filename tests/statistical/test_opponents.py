"""The mixture of opponents' models finds out who is sitting there."""

from __future__ import annotations

import pytest

from lastcard.agents import make_agent
from lastcard.belief import MODELS, Belief
from lastcard.observation import observe
from lastcard.rules import Rules
from lastcard.state import deal

NUM_ROUNDS = 1_000


def mean_weights(opponent: str, num_rounds: int) -> dict[str, float]:
    """Returns the mean of seat 0's weights for the models of seat 1 at the end of a round."""
    rules = Rules.preset("official", max_plies=400)
    sums = dict.fromkeys(MODELS, 0.0)
    for seed in range(num_rounds):
        agents = [make_agent("heuristic", seed), make_agent(opponent, seed)]
        state = deal(rules, seed)
        while (seat := state.seat) is not None:
            state.apply_in_place(agents[seat].choose(observe(state, seat)))
        for model, weight in Belief(observe(state, 0), seed=seed).opponent_models(1).items():
            sums[model] += weight / num_rounds
    return sums


@pytest.mark.parametrize("opponent", ["random", "heuristic"])
def test_the_right_model_has_the_largest_weight(opponent: str) -> None:
    weights = mean_weights(opponent, NUM_ROUNDS)
    assert sum(weights.values()) == pytest.approx(1)
    assert max(weights, key=weights.__getitem__) == opponent, weights
