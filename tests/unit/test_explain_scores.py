"""The steps of `heuristic` and `frequency`: the scores and the counts that they decide by."""

from __future__ import annotations

from itertools import islice

import pytest

from lastcard import make_agent, observe
from lastcard.agents.frequency import FrequencyAgent, FrequencyConfig
from lastcard.agents.heuristic import HeuristicAgent, HeuristicConfig
from lastcard.observation import Observation
from lastcard.rules import parse_rules
from lastcard.weights import Weights
from tests.unit.helpers import random_states
from tests.unit.test_search import seen

RULES = ["official", "official players=4", "house players=3", "tournament", "house seven_zero=on"]


def all_decisions(rules: str) -> list[Observation]:
    """Every kind of decision with a choice, of a few random rounds."""
    states = (state for seed in range(6) for state in random_states(parse_rules(rules), seed, plies=60))
    return [observe(state, state.seat) for state in islice(states, 250) if state.seat is not None]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("name", ["heuristic", "frequency", "frequency:as_published"])
def test_the_choice_is_the_one_that_is_made(name: str, rules: str) -> None:
    """Explaining in between changes nothing, not even what is left to chance."""
    agent, alone = make_agent(name, 5), make_agent(name, 5)
    assert isinstance(agent, HeuristicAgent | FrequencyAgent)
    titles: set[str] = set()
    for observation in all_decisions(rules):
        explained = agent.explain(observation)
        assert explained.best is agent.choose(observation) is alone.choose(observation)
        titles.update(step.title for step in explained.steps)
    assert "The choice" in titles


@pytest.mark.parametrize("rules", RULES)
def test_scores_add_up_and_the_largest_is_chosen(rules: str) -> None:
    agent = HeuristicAgent(HeuristicConfig(), 0)
    scored = 0
    for observation in all_decisions(rules):
        step = agent.explain(observation).steps[0]
        for row in step.rows:
            assert float(row[-1]) == pytest.approx(sum(map(float, row[1:-1])), abs=1e-4)
        scored += len(step.rows) > 1
        if step.rows:
            assert row_scores(step.rows)[0] == max(row_scores(step.rows))
            assert step.rows[0][0] == agent.choose(observation).text
    assert scored > 20


def row_scores(rows: tuple[tuple[object, ...], ...]) -> list[float]:
    return [float(str(row[-1])) for row in rows]


def test_a_score_by_hand() -> None:
    """Two cards each: both low. b5 is a number (0), leaves the color and has half a point; nothing blue is left."""
    weights = Weights.shipped(2).to_dict()
    step = HeuristicAgent(HeuristicConfig(), 0).explain(seen("top r5 | seat 0: b5 r5 | seat 1: g1 yR")).steps[0]
    rows = {row[0]: row[1:] for row in step.rows}
    kind, rank = weights["number_both_low"], weights["rank_held"]
    assert rows["b5"] == pytest.approx(
        (kind, 0, rank, 0, weights["color_change"], 0.5 * weights["points"], kind + rank - 1.77 - 0.019), abs=1e-5
    )
    assert rows["draw"] == pytest.approx((weights["drawing"], 0, 0, 0, 0, 0, weights["drawing"]), abs=1e-5)


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        (
            "top r5 | seat 0: r7 b5 | seat 1: g1 yR",
            "The number 5 (2 of 8) is more used up than red (2 of 25), so b5 keeps to the number.",
        ),
        (
            "top r5 | seat 0: r7 r8 | seat 1: g1 yR",
            "Only the color can stay the same; of such cards, the one seen most is played.",
        ),
        ("top r5 | seat 0: rS r8 | seat 1: g1 yR", "Action cards come before numbers, of them the one whose color was"),
        (
            "top r5 | seat 0: w r8 | seat 1: g1 yR",
            "A Wild comes before all colored cards; its color is the one in hand",
        ),
        (
            "top r5 | seat 0: w+4 b8 | seat 1: g1 yR",
            "A Wild Draw Four comes first, for the next seat holds fewer than 4",
        ),
        ("top r5 | seat 0: w+4 b8 | seat 1: g1 g2 g3 g4", "Nothing is to be played yet."),
    ],
)
def test_frequency_says_which_rule_applies(position: str, reason: str) -> None:
    explained = FrequencyAgent(FrequencyConfig(), 0).explain(seen(position))
    assert explained.steps[-1].text.startswith(reason)
    assert [step.title for step in explained.steps] == ["Colors seen", "Numbers seen", "The choice"]
    assert explained.steps[0].rows[0][2] == 25
