"""`lastcard explain`: the steps of a decision are those the search took."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lastcard import _core, make_agent, observe, parse_state
from lastcard.actions import KEEP
from lastcard.agents import ExplainingAgent
from lastcard.agents.searching import SearchAgent
from lastcard.belief import BeliefConfig
from lastcard.errors import AgentError, LastcardError
from lastcard.explain.halving_steps import explain_halving
from lastcard.search.halving import HalvingConfig, search_by_halving
from tests.unit.test_cli_commands import Captured, run

POSITION = "top r5 | seat 0: r7 b5 w | seat 1: g1 yR"
SEEN = observe(parse_state(POSITION), seat=0)


@pytest.mark.parametrize(
    "options", [{}, {"common_random_numbers": False}, {"drop_losers": False}, {"belief": BeliefConfig("uniform")}]
)
def test_the_stages_are_those_of_the_search(options: dict[str, object]) -> None:
    config = HalvingConfig(simulations=700, **options)  # type: ignore[arg-type]
    report = search_by_halving(SEEN, config, seed=3)
    explained = explain_halving(SEEN, config, seed=3)
    assert explained.best is report.best
    stages = [step for step in explained.steps if step.title.startswith("Stage")]
    assert len(stages) == (3 if config.drop_losers else 1)
    left = {action.text for action in SEEN.legal_actions}
    final: dict[object, tuple[object, ...]] = {}
    for stage in stages:
        assert {row[0] for row in stage.rows} == left
        left = {str(row[0]) for row in stage.rows if row[5] == "stays"}
        ranks = [float(row[4]) for row in stage.rows]
        assert ranks == sorted(ranks, reverse=True)
        final |= {row[0]: row[1:3] for row in stage.rows}
    assert len(left) == (1 if config.drop_losers else len(SEEN.legal_actions))
    assert final == {value.action.text: (value.simulations, pytest.approx(value.value)) for value in report.actions}


@pytest.mark.parametrize("shares", [True, False])
def test_the_determinizations_shown_are_those_that_were_drawn(shares: bool) -> None:
    """All of the first stage together give its values."""
    settings = HalvingConfig(simulations=900, common_random_numbers=shares).compile(SEEN.rules)
    result = _core.search_by_halving(SEEN._core, settings, 5)
    first = {row.action: (row.simulations, row.value) for row in result.stages[0]}
    count = next(iter(first.values()))[0]
    traced = _core.trace_halving(SEEN._core, settings, 5, count)
    for index, action in enumerate(row.action for row in result.actions):
        mean = sum(simulation.values[index] for simulation in traced) / count
        assert mean == pytest.approx(first[action][1], abs=1e-12)
    assert all(len(simulation.hands(2)[1]) == 2 for simulation in traced)


def test_the_bonus_is_that_of_the_heuristics_choice() -> None:
    explained = explain_halving(SEEN, HalvingConfig(simulations=1000, bonus=0.5, advisor="heuristic"), seed=1)
    stage = next(step for step in explained.steps if step.title == "Stage 1 of 3")
    bonus = {row[0]: row[3] for row in stage.rows}
    by_policy = search_by_halving(SEEN, HalvingConfig(simulations=10)).by_policy.text
    assert bonus.pop(by_policy) == pytest.approx(0.5)
    assert set(bonus.values()) == {0.0}


def test_an_advisor_that_would_do_none_of_the_candidates_is_not_put_words_in_its_mouth() -> None:
    """Keeping is no candidate without `consider_drawing`; the heuristic would keep the Wild Draw Four."""
    keeps = observe(
        parse_state("top rR | seat 0: y9 b3 b8 b8 bS b+2 w+4 | seat 1: r9 b6 y1 | phase drawn | drawn w+4"), seat=0
    )
    assert make_agent("heuristic").choose(keeps) is KEEP
    explained = explain_halving(keeps, HalvingConfig(simulations=20, consider_drawing=False, advisor="heuristic"))
    assert "heuristic would choose none of these" in explained.steps[0].text


@pytest.mark.parametrize("bad", [{"config": "x"}, {"seed": "a"}])
def test_wrong_arguments_are_named(bad: dict[str, Any]) -> None:
    with pytest.raises(LastcardError):
        explain_halving(SEEN, **{"config": HalvingConfig(simulations=10), **bad})


def test_no_more_determinizations_are_shown_than_were_drawn() -> None:
    explained = explain_halving(SEEN, HalvingConfig(simulations=1), seed=1)
    assert len(next(step for step in explained.steps if step.title == "Determinizations").rows) == 1


def test_the_agent_explains_what_it_chooses() -> None:
    for seed in range(5):
        agent = make_agent("halving:simulations=300", seed)
        assert isinstance(agent, ExplainingAgent)
        assert agent.explain(SEEN).best is agent.choose(SEEN)


def test_a_single_action_needs_no_search() -> None:
    seen = observe(parse_state("top r5 | seat 0: g7 | seat 1: g1 yR"), seat=0)
    explained = make_halving().explain(seen)
    assert explained.best is seen.legal_actions[0]
    assert [step.text for step in explained.steps] == ["Only draw is legal, so there is nothing to search."]


def make_halving(options: str = "") -> SearchAgent:
    agent = make_agent(f"halving{options}")
    assert isinstance(agent, SearchAgent)
    return agent


def test_what_cannot_be_explained_is_refused() -> None:
    with pytest.raises(AgentError, match="seat 1 has nothing to decide here"):
        make_halving().explain(observe(parse_state(POSITION), seat=1))
    with pytest.raises(AgentError, match="seconds=1: cannot explain a search"):
        make_halving(":seconds=1").explain(SEEN)


# The command


def test_the_table_can_be_followed(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = run(capsys, monkeypatch, "explain", "halving", "-p", POSITION, "--seed", "2")
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    best = make_agent("halving", 2).choose(SEEN)
    assert f"{best} ranks first, after" in out
    assert "drops out" in out
    assert "seat 1 holds" in out


@pytest.mark.parametrize("seats", [3, 4, 10])
def test_many_seats_fit(seats: int, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = " | ".join(f"seat {seat}: r{seat} y{seat} g{seat} b{seat} w" for seat in range(min(seats, 4)))
    more = "".join(f" | seat {seat}: r{seat} y{seat} g{seat}" for seat in range(4, seats))
    position = f"rules official players={seats} | top r5 | {hands}{more}"
    code, out, err = run(capsys, monkeypatch, "explain", "halving:simulations=50", "-p", position)
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80


def test_as_json(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = run(capsys, monkeypatch, "explain", "halving", "-p", POSITION, "--json")
    told = json.loads(out)
    assert code == 0
    assert told["best"] in [action.text for action in SEEN.legal_actions]
    assert told["steps"][0]["columns"] == ["candidate", "advice of the network"]
    assert [row[0] for row in told["steps"][0]["rows"]] == [action.text for action in SEEN.legal_actions]
    assert "hand" in told["observation"]


@pytest.mark.parametrize(
    ("agent", "position", "said"),
    [
        (
            "random",
            POSITION,
            "random cannot be explained; these agents can: frequency, heuristic, halving, expectiminimax",
        ),
        ("nobody", POSITION, "no agent 'nobody'"),
        ("halving", "top r5 | seat 0: r5 r5 r5 | seat 1: g1", "of r5 are in use where the deck has 2"),
        ("halving", "top r5 | seat 0: z9 | seat 1: g1", "z9"),
        ("halving", "hello", "hello"),
    ],
)
def test_bad_input_is_named(
    agent: str, position: str, said: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = run(capsys, monkeypatch, "explain", agent, "--position", position)
    assert (code, out) == (2, "")
    assert said in err
