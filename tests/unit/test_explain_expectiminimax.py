"""The steps of `expectiminimax` are those of the recursion, with the values of the hand-computed cases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lastcard import _core, make_agent, observe, parse_state
from lastcard.actions import ACTIONS
from lastcard.agents import ExplainingAgent
from lastcard.cards import CARDS
from lastcard.errors import AgentError
from lastcard.explain.expectiminimax_steps import explain_expectiminimax
from lastcard.explain.explanation import Explanation, Step
from lastcard.observation import Observation
from lastcard.search import ExpectiminimaxConfig, search_by_expectiminimax
from tests.unit.helpers import table
from tests.unit.test_search import CHOICE, decisions, seen

PUBLISHED = ExpectiminimaxConfig.as_published()
SMALL = ExpectiminimaxConfig(determinizations=24, group=24, fewest=4)
CONFIGS = [
    SMALL,
    replace(SMALL, group=8),
    replace(SMALL, group=1, depth=2, determinizations=6),
    replace(PUBLISHED, determinizations=6, depth=2),
    replace(PUBLISHED, determinizations=6, depth=2, common_random_numbers=True, several="max_n"),
]
# Top r0, we hold r1 y0 y1; of b9 g7 y5 the opponent holds one and the pile the others.
HAND = observe(table("top r0 | seat 0: r1 y0 y1 | seat 1: b9", draws="g7 y5", rules="numbers"), 0)


def find(explained: Explanation, title: str) -> Step:
    return next(step for step in explained.steps if step.title == title)


def trace(
    observation: Observation, config: ExpectiminimaxConfig, seed: int, wanted: int = 6, levels: int = 4
) -> tuple[_core.ExpectiminimaxResult, _core.DeterminizationTrace]:
    told = _core.DeterminizationTrace(wanted, levels)
    settings = config.compile(observation.rules)
    return _core.search_by_expectiminimax(observation._core, settings, seed, told), told


def describe(row: _core.TracedRow) -> tuple[int, str, float]:
    card = "" if row.card is None else f" {CARDS[row.card]}"
    return row.level, f"{row.seat}:{ACTIONS[row.action]}{card}", row.value


def test_the_recursion_by_hand() -> None:
    """r1, its draw, our y1, its reply: y5 if it has it (a card each: 0), else a draw (three against one: 2)."""
    config = replace(PUBLISHED, determinizations=1, depth=3)
    told: dict[str, list[tuple[int, str, float]]] = {}
    for seed in range(20):
        _, found = trace(HAND, config, seed)
        held = CARDS[found.found[0].hands[0][1][0]].text
        told[held] = [describe(row) for row in found.rows(0, 0)]
    with_g7 = [(2, "1:draw g7", 2.0), (3, "0:y1", 2.0), (4, "1:draw", 2.0)]
    with_y5 = [(2, "1:draw y5", 0.0), (3, "0:y1", 0.0), (4, "1:y5", 0.0)]
    start = [(0, "0:r1", 1.0), (1, "1:draw", 1.0)]
    assert told["b9"] in ([*start, *with_g7, *with_y5], [*start, *with_y5, *with_g7])
    assert told["y5"][0] == (0, "0:r1", 0.0)
    assert told["y5"][:2] == [(0, "0:r1", 0.0), (1, "1:draw", 0.0)]


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("rules", ["official", "official players=3", "house players=4", "numbers"])
def test_every_value_follows_from_those_below(rules: str, config: ExpectiminimaxConfig) -> None:
    """Max on our turn, min or own best on the others', the mean over cards and over groups."""
    combined = 0
    for seed, observation in enumerate(decisions(rules, 6)):
        result, told = trace(observation, config, seed, levels=5)
        for place in range(len(result.actions)):
            rows = told.rows(0, place)
            for at, row in enumerate(rows):
                below = children(rows, at)
                assert not (row.is_leaf and below)
                if not below or row.level == 5:
                    continue
                combined += len(below) > 1
                check(observation, config, row, [rows[index] for index in below])
    assert combined > 2


def children(rows: list[_core.TracedRow], at: int) -> list[int]:
    end = next((i for i in range(at + 1, len(rows)) if rows[i].level <= rows[at].level), len(rows))
    return [i for i in range(at + 1, end) if rows[i].level == rows[at].level + 1]


def check(
    observation: Observation, config: ExpectiminimaxConfig, row: _core.TracedRow, below: list[_core.TracedRow]
) -> None:
    values = [each.value for each in below]
    ours = below[0].seat == observation.observer
    if config.group > 1:
        chosen = [each for each in below if each.chosen_by]
        if not chosen:
            assert sum(each.determinizations for each in below) == row.determinizations
            total = sum(each.value * each.determinizations for each in below)
            assert row.value == pytest.approx(total / row.determinizations, abs=1e-9)
            return
        assert ours
        assert {each.determinizations for each in below} == {row.determinizations}
        assert {bit for each in chosen for bit in (1, 2) if each.chosen_by & bit} == {1, 2}
        for half in (0, 1):
            by_half = next(each for each in chosen if each.chosen_by >> half & 1)
            assert by_half.ranks[half] == max(each.ranks[half] for each in below)
        assert min(values) - 1e-9 <= row.value <= max(values) + 1e-9 or len(chosen) == 2
    elif below[0].card is not None:
        assert row.value == pytest.approx(sum(values) / len(values), abs=1e-9)
    elif config.several == "max_n" and observation.rules.players > 2:
        best = max(below, key=lambda each: each.own)
        assert row.value == best.value
    elif ours:
        assert row.value == max(values)
    elif config.opponents == "minimise":
        assert row.value == min(values)
    else:
        assert [row.value] == values


@pytest.mark.parametrize("config", CONFIGS)
def test_a_traced_search_is_the_search(config: ExpectiminimaxConfig) -> None:
    """All of its determinizations, if wanted, make up the means."""
    for seed, observation in enumerate([seen(CHOICE), *decisions("official players=3", 2)]):
        result, told = trace(observation, replace(config, threads=2), seed, wanted=1000)
        report = search_by_expectiminimax(observation, config, seed)
        assert ACTIONS[result.best] is report.best
        assert len(told.found) == config.determinizations
        for place, row in enumerate(result.actions):
            assert row.total == pytest.approx(sum(found.values[place] for found in told.found), abs=1e-9)
            value = next(value for value in report.actions if value.action is ACTIONS[row.action])
            assert row.simulations == value.simulations
            assert row.total / row.simulations == pytest.approx(value.value)
        for found in told.found:
            assert len(found.hands) == (1 if config.common_random_numbers else len(result.actions))
            sizes = [len(hand) for hand in found.hands[0]]
            assert sizes == list(observation.hand_sizes)


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("rules", ["official", "house players=3", "official players=10"])
def test_the_explanation_ends_where_the_search_does(rules: str, config: ExpectiminimaxConfig) -> None:
    for seed, observation in enumerate(decisions(rules, 2)):
        report = search_by_expectiminimax(observation, config, seed)
        explained = explain_expectiminimax(observation, config, seed)
        assert explained.best is report.best
        means = find(explained, "The mean over determinizations").rows
        assert {row[0]: row[3] for row in means} == {
            value.action.text: pytest.approx(value.value) for value in report.actions
        }
        ranks = [float(row[5]) for row in means]
        assert ranks == sorted(ranks, reverse=True)
        assert means[0][0] == report.best.text
        assert {round(float(row[4]), 9) for row in means} <= {0.0, round(config.bonus, 9)}
        recursion = find(explained, "The recursion").rows
        assert str(recursion[0][0]) == report.best.text
        assert len(find(explained, "Determinizations").rows) == 6


def test_the_text_says_what_the_options_do() -> None:
    def told(**options: Any) -> str:
        explained = explain_expectiminimax(seen(CHOICE), replace(PUBLISHED, **options))
        return " ".join(step.text for step in explained.steps)

    assert "others take the action that is worst for us" in told()
    assert "our lead in cards over the nearest rival" in told()
    assert "Every action has its own" in told()
    assert "follow heuristic with the cards they see" in told(opponents="policy")
    assert "All actions face the same ones" in told(common_random_numbers=True)
    assert "the result of a playout by heuristic" in told(playouts=1)
    assert "has a bonus" in told(bonus=0.02)


def test_the_agent_explains_what_it_chooses() -> None:
    for name in ("expectiminimax:determinizations=32,group=32", "expectiminimax:as_published,determinizations=8"):
        agent = make_agent(name, 3)
        assert isinstance(agent, ExplainingAgent)
        assert agent.explain(seen(CHOICE)).best is agent.choose(seen(CHOICE))


def test_what_cannot_be_explained_is_refused() -> None:
    with pytest.raises(AgentError, match="seat 1 has nothing to decide here"):
        explain_expectiminimax(observe(parse_state(CHOICE), 1), SMALL)
    with pytest.raises(AgentError, match="seconds=1: cannot explain"):
        explain_expectiminimax(seen(CHOICE), replace(SMALL, seconds=1.0))
    forced = explain_expectiminimax(seen("top r5 | seat 0: g7 | seat 1: g1 yR"), SMALL)
    assert [step.text for step in forced.steps] == ["Only draw is legal, so there is nothing to search."]
