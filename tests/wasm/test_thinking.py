"""Thinking in the browser: the module searches from an observation as Python does, and gives the same reasons."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

import pytest

from lastcard.actions import Action
from lastcard.advice import Situation, advise, find_reasons, make_config
from lastcard.advice.reasons import Reason
from lastcard.agents import make_agent
from lastcard.agents.searching import SearchAgent
from lastcard.belief import Belief
from lastcard.cards import Card, Color
from lastcard.observation import Observation, observe
from lastcard.rules import Rules
from lastcard.search.report import SearchReport, belief_to_dict
from lastcard.state import deal
from tests.wasm.cases import MODULE, list_rules, run_node

pytestmark = pytest.mark.skipif(not MODULE.exists(), reason="the module is not built: run make wasm")

ANALYSTS = ("halving:simulations=60", "ismcts:simulations=60", "expectiminimax:determinizations=8,depth=2")
PLIES = 9
HAND, HISTORY = "r5 r9 g2 bR y+2 w w+4", "2 plays g7; 3 draws 1"


@dataclasses.dataclass(frozen=True)
class Case:
    """A question for the module, and what Python makes of it."""

    question: dict[str, Any]
    report: SearchReport | None
    belief: Belief


@cache
def cases() -> list[Case]:
    """Every rule set, some plies into a round: the seat that decides, and one that waits."""
    made = []
    for number, rules in enumerate(list_rules()):
        state, player = deal(rules, seed=number), make_agent("random", number)
        for _ in range(number % PLIES):
            if state.seat is not None:
                state.apply_in_place(player.choose(observe(state, state.seat)))
        if state.seat is None:
            continue
        agent = ANALYSTS[number % len(ANALYSTS)]
        for seat in (state.seat, (state.seat + 1) % rules.players):
            seen = observe(state, seat)
            searcher = make_agent(agent, number)
            assert isinstance(searcher, SearchAgent)
            report = searcher.search(seen) if seen.legal_actions else None
            question = {"observation": seen.to_dict(), "agent": agent, "seed": hex(number)[2:]}
            made.append(Case(question, report, (report and report.belief) or Belief(seen)))
    situation = Situation.parse(HAND, "g7", "7,5,3", history=HISTORY)
    report = advise(situation, make_config(simulations=300), seed=2**40 + 5)
    question = {"observation": situation.observation.to_dict(), "agent": "halving:simulations=300,hypotheses=4096"}
    assert report.belief is not None
    made.append(Case({**question, "seed": "0", "random": hex(2**40 + 5)[2:]}, report, report.belief))
    return made


def wrong_questions() -> dict[str, dict[str, Any]]:
    seen = observe(deal(Rules.preset("official"), seed=5), 0).to_dict()
    good = {"agent": "halving:simulations=20", "seed": "0"}
    return {
        "is missing": {**good, "observation": {key: value for key, value in seen.items() if key != "scores"}},
        "history: ": {**good, "observation": {**seen, "history": ["0 sings"]}},
        "hand has 1 cards, but hand_sizes says 7": {**good, "observation": {**seen, "hand": ["r5"]}},
        "hand and discards have 7 r5, but the deck has 2": {**good, "observation": {**seen, "hand": ["r5"] * 7}},
        "position: legal_actions is []": {**good, "observation": {**seen, "legal_actions": []}},
        "phase must be one of turn, ": {**good, "observation": {**seen, "phase": "lunch"}},
        "rules must be a mapping of fields": {**good, "observation": {**seen, "rules": "offcial"}},
    }


DECISIONS: tuple[tuple[str, str, str, str, float], ...] = (
    ("r5 draw", "draw", "r5", "turn", 0.1),
    ("r5 draw", "draw", "r5", "turn", 0.3),
    ("w:r w:g draw", "w:r", "w:g", "color", 0.05),
    ("w:r w:g draw", "draw", "w:g", "turn", 0.2),
    ("color:r color:g", "color:r", "color:g", "color", 0.01),
    ("r5 keep", "keep", "r5", "drawn", 0.2),
    ("challenge accept", "accept", "challenge", "answer", 0.04),
    ("swap:1 swap:2", "swap:1", "swap:2", "swap", 0.03),
    ("catch pass", "pass", "catch", "catch", 0.02),
    ("r5 pass", "pass", "r5", "jump_in", 0.015),
)
"""Open actions, what was played, the best, the kind of the decision, and its cost."""


@cache
def answers() -> dict[str, Any]:
    questions = [case.question for case in cases()] + list(wrong_questions().values())
    decisions = [
        {"actions": [{"action": action} for action in actions.split()], "played": played, "best": best, "cost": cost}
        for actions, played, best, _, cost in DECISIONS
    ]
    found: dict[str, Any] = run_node("thinking.mjs", {"questions": questions, "decisions": decisions})
    return found


def describe(reason: Reason) -> dict[str, Any]:
    """A reason as the module writes it."""
    fields: dict[str, Any] = {}
    for name in (field.name for field in dataclasses.fields(reason)):
        value = getattr(reason, name)
        if isinstance(value, Color):
            value = value.letter
        elif isinstance(value, Card | Action):
            value = value.text
        elif isinstance(value, float):
            value = round(value, 6)
        if value is not None and value is not False:
            fields[name] = value
    return fields


def test_a_search_from_an_observation_finds_what_python_finds() -> None:
    kinds = set()
    for case, found in zip(cases(), answers()["answers"], strict=False):
        assert isinstance(found, dict), (case.question["agent"], found)
        seen = Observation.from_dict(case.question["observation"])
        assert found["belief"] == belief_to_dict(case.belief)["marginals"]
        if case.report is None:
            assert found["best"] is None
            continue
        assert found["best"] == case.report.best.text
        values = [(each["action"], each["value"], each["error"]) for each in found["actions"]]
        assert values == [(each.action.text, each.value, each.error) for each in case.report.actions]
        reasons = [describe(each) for each in find_reasons(seen, case.report, case.belief)]
        told = [{name: value for name, value in each.items() if value is not False} for each in found["reasons"]]
        assert told == reasons
        kinds |= {each["kind"] for each in reasons}
    assert len(kinds) > 12, kinds


def test_an_observation_that_cannot_be_is_refused() -> None:
    found = answers()["answers"][len(cases()) :]
    for message, said in zip(wrong_questions(), found, strict=True):
        assert message in said, (message, said)


def test_costs_are_means_with_intervals_the_costliest_kind_first() -> None:
    costs = answers()["costs"]
    assert [cost["total"] for cost in costs] == sorted((cost["total"] for cost in costs), reverse=True)
    expected: dict[str, list[float]] = {}
    for *_, kind, cost in DECISIONS:
        expected.setdefault(kind, []).append(cost)
    assert {cost["kind"]: cost["decisions"] for cost in costs} == {kind: len(all_) for kind, all_ in expected.items()}
    turn = costs[0]
    assert (turn["kind"], turn["mean"], turn["total"]) == ("turn", 0.2, 0.6)
    assert turn["error"] == pytest.approx(1.96 * 0.1 / 3**0.5, abs=1e-6)
