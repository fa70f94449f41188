"""Hints, advice and analyses in the terminal are advised by the network under rules other than `official`, too."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from lastcard.advice import HYPOTHESES, Situation, advise
from lastcard.analysis import ANALYST, Analysis, analyse
from lastcard.belief import BeliefConfig
from lastcard.cli.human_agent import HINTS, YOU, Leave, Person
from lastcard.cli.reports import say_hint
from lastcard.cli.screen import Screen
from lastcard.observation import Observation, observe
from lastcard.rules import parse_rules
from lastcard.search import HalvingConfig, search_by_halving
from lastcard.table import Table
from tests.unit.helpers import random_states
from tests.unit.test_cli_commands import Captured, run

ADVISORS = ("network", "heuristic")
TABLES = ["house", "tournament", "house players=2", "tournament players=2"]
SIMULATIONS = 60  # few, so that advice decides often

on_each_table = pytest.mark.parametrize("rules", TABLES)


class Script(Screen):
    """A screen that asks a function and keeps what it was told."""

    def __init__(self, answer: Callable[[], str] = str) -> None:
        super().__init__()
        self.file = io.StringIO()
        self.console = Console(file=self.file, width=80, color_system=None, highlight=False, markup=False)
        self._answer = answer

    def ask(self, prompt: str) -> str:
        self.console.file.write("\n")
        return self._answer()


def list_decisions(rules: str) -> list[Observation]:
    """Decisions of one random round with something to choose."""
    states = random_states(parse_rules(rules), seed=5, plies=150)
    found = [observe(state, state.seat) for state in states if state.seat is not None and len(state.legal_actions) > 1]
    return [observation for observation in found if observation.phase.value == "turn"][:30]


@on_each_table
def test_the_network_advises_hints(rules: str) -> None:
    hints = replace(HINTS, seconds=0.0, simulations=SIMULATIONS)
    names = (YOU, *(f"seat-{seat}" for seat in range(1, parse_rules(rules).players)))
    matters = 0
    for observation in list_decisions(rules):
        answers = iter(["hint", "quit"])
        screen = Script(lambda answers=answers: next(answers))  # type: ignore[misc]
        person = Person(screen, names)
        person.hints = hints
        with pytest.raises(Leave):
            person.choose(observation)
        expected = []
        for advisor in ADVISORS:
            told = Script()
            say_hint(told, observation, search_by_halving(observation, replace(hints, advisor=advisor)), names)
            expected.append(told.file.getvalue())
        assert expected[0] in screen.file.getvalue()
        matters += expected[1] not in screen.file.getvalue()
    assert matters > 2, "few decisions here depend on the advisor"


HANDS = [
    "b3 w b7 g8 g4",
    "g7 bR g4 g5",
    "gS g+2 r+2 r6 w",
    "g4 b8 g7 b6 g2",
    "b5 b3 g2 r4 bS y7",
    "gR w bR r4 y4",
    "g8 b+2 gR y1 g2",
    "r1 bR y5 y3 y5 r7 w",
    "g6 yR gR gS",
    "g7 g1 g6 w+4 yS",
    "g9 rR b5 y5 b4 b8",
    "g1 g8 yS g+2 yS",
]
"""At each table, advice decides what to play with some of them."""


@on_each_table
def test_the_network_advises_at_a_real_table(rules: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    opponents = ",".join("5" * (parse_rules(rules).players - 1))
    quick = HalvingConfig(simulations=SIMULATIONS, belief=BeliefConfig(hypotheses=HYPOTHESES))
    matters = 0
    for hand in HANDS:
        asked = ["advise", "--hand", hand, "--top", "g7", "--opponents", opponents, "--rules", rules]
        code, out, _ = run(capsys, monkeypatch, *asked, "--simulations", str(SIMULATIONS), "--json")
        situation = Situation.parse(hand, "g7", opponents, rules=rules)
        network, heuristic = (advise(situation, replace(quick, advisor=advisor)) for advisor in ADVISORS)
        told = json.loads(out)
        assert code == 0
        assert told["actions"] == json.loads(json.dumps(network.to_dict()["actions"]))
        matters += told["best"] != str(heuristic.best)
    assert matters > 0, "no hand here depends on the advisor"


@on_each_table
def test_the_network_advises_the_analyst(
    rules: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = ANALYST.replace("simulations=20000", f"simulations={SIMULATIONS}")
    assert quick != ANALYST
    made = parse_rules(rules)
    record = Table(made, ["heuristic"] * made.players, seed=8).play_round()
    record.save(tmp_path / "round.txt")
    code, out, _ = run(capsys, monkeypatch, "analyse", str(tmp_path / "round.txt"), "--agent", quick, "--json")
    by_network, by_heuristic = (_decisions(analyse(record, f"{quick},advisor={advisor}")) for advisor in ADVISORS)
    assert code == 0
    assert json.loads(out)["rounds"][0]["decisions"] == by_network
    assert [each["best"] for each in by_network] != [each["best"] for each in by_heuristic]


def _decisions(analysis: Analysis) -> list[dict[str, object]]:
    """Every decision of the first round as JSON."""
    told: list[dict[str, object]] = json.loads(json.dumps(analysis.to_dict()))["rounds"][0]["decisions"]
    return told
