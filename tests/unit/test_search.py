"""The search by sequential halving, matches inside the core, weights and their tuning."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from lastcard import _core
from lastcard.actions import ACTIONS, DRAW
from lastcard.agents import LEVELS, make_agent
from lastcard.agents.searching import SearchAgent
from lastcard.arena.core_match import (
    Contestant,
    HeuristicContestant,
    MatchResult,
    RandomContestant,
    play_match,
)
from lastcard.belief import BeliefConfig
from lastcard.errors import AgentError, LastcardError, StateError
from lastcard.learning import tune
from lastcard.network import Network
from lastcard.observation import Observation, observe
from lastcard.rules import Rules, parse_rules
from lastcard.search import HalvingConfig, SearchReport, search_by_halving
from lastcard.search.report import ActionValue
from lastcard.shell import command
from lastcard.state import parse_state
from lastcard.weights import FEATURES, Weights
from tests.unit.helpers import random_states

CHOICE = "top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR"
RULES = ["official", "official players=4", "house", "tournament", "study players=3", "mini", "numbers players=5"]


def seen(position: str) -> Observation:
    """Returns the observation of the seat to act in a position."""
    state = parse_state(position)
    assert state.seat is not None
    return observe(state, state.seat)


def decisions(rules: str, count: int) -> list[Observation]:
    """Decisions of random rounds with something to choose."""
    found: list[Observation] = []
    seed = 0
    while len(found) < count:
        seed += 1
        for state in list(random_states(parse_rules(rules), seed, plies=40))[seed % 5 :: 5]:
            if state.seat is not None and len(state.legal_actions) > 1:
                found.append(observe(state, state.seat))
    return found[:count]


def without_time(report: SearchReport) -> dict[str, object]:
    """All of a report that does not depend on the clock."""
    return {**report.to_dict(), "seconds": 0, "simulations_per_second": 0}


# --- what a search answers


def test_a_single_legal_action_is_returned_at_once() -> None:
    observation = seen("top r5 | seat 0: g7 b2 | seat 1: g1 g1 yR")
    report = search_by_halving(observation, HalvingConfig(simulations=1_000_000))
    assert report == SearchReport(DRAW, (), DRAW, None, 0, 0.0)
    assert report.simulations_per_second == 0
    assert report.to_dict()["belief"] is None


def test_without_anything_to_decide_there_is_no_search() -> None:
    with pytest.raises(AgentError, match="seat 1 has nothing to decide"):
        search_by_halving(observe(parse_state(CHOICE), 1))


@pytest.mark.parametrize("rules", RULES)
def test_the_report_does_not_depend_on_the_number_of_threads(rules: str) -> None:
    for number, observation in enumerate(decisions(rules, 4)):
        config = HalvingConfig(simulations=150, belief=BeliefConfig(hypotheses=32))
        reports = [search_by_halving(observation, replace(config, threads=n), seed=number) for n in (1, 2, 3, 1)]
        assert len({json.dumps(without_time(report)) for report in reports}) == 1


def test_the_seed_matters() -> None:
    reports = [search_by_halving(seen(CHOICE), HalvingConfig(simulations=60), seed) for seed in range(6)]
    assert len({json.dumps(without_time(report)) for report in reports}) == 6


@pytest.mark.parametrize("simulations", [1, 10, 37, 400])
@pytest.mark.parametrize("rules", RULES)
def test_a_report_adds_up(rules: str, simulations: int) -> None:
    for observation in decisions(rules, 6):
        report = search_by_halving(
            observation, HalvingConfig(simulations=simulations, belief=BeliefConfig(hypotheses=16)), seed=3
        )
        actions = [value.action for value in report.actions]
        assert sorted(actions) == sorted(observation.legal_actions)
        assert report.best is actions[0]
        assert report.by_policy in actions
        assert report.belief is not None
        assert report.belief.config == BeliefConfig(hypotheses=16)
        assert report.seconds > 0
        for value in report.actions:
            assert value.simulations >= 1
            assert 0 <= value.value <= 1
            assert 0 < value.error <= 1
        assert sum(value.simulations for value in report.actions) == report.simulations
        # No more than was asked for, but each stage simulates every action that is left once.
        assert report.simulations <= max(simulations + len(actions), 2 * len(actions) + 4)
        assert report.simulations > simulations - 5 * len(actions)
        most = max(value.simulations for value in report.actions)
        assert report.actions[0].simulations == most


def test_a_report_as_json() -> None:
    report = search_by_halving(seen(CHOICE), HalvingConfig(simulations=60))
    written = json.loads(json.dumps(report.to_dict()))
    assert written["best"] == report.best.text
    assert [row["action"] for row in written["actions"]] == [value.action.text for value in report.actions]
    assert written["simulations"] == report.simulations
    assert list(written["belief"]["marginals"]) == ["1"]
    assert written["belief"]["opponent_models"]["1"].keys() == {"heuristic", "random", "draws"}


def test_the_value_of_an_action_has_an_error() -> None:
    one = ActionValue.of(DRAW, 100, 60.0, 60.0)
    assert one.value == 0.6
    assert one.error == pytest.approx(1.96 * math.sqrt(0.24 / 100), rel=0.02)
    sure = ActionValue.of(DRAW, 4, 4.0, 4.0)
    assert sure.value == 1
    assert sure.error > 0.2
    assert ActionValue.of(DRAW, 0, 0.0, 0.0).value == 0


def test_errors_say_how_far_values_can_be_off() -> None:
    """All of 60 estimates from 100 simulations lie within twice their 95 % interval of what 20,000 say.

    Each would miss that once in 11,000 times.
    """
    config = HalvingConfig(simulations=100 * 6, drop_losers=False, belief=BeliefConfig(hypotheses=4_096))
    precise = search_by_halving(seen(CHOICE), replace(config, simulations=20_000 * 6), seed=99)
    truth = {value.action: value.value for value in precise.actions}
    for seed in range(10):
        for value in search_by_halving(seen(CHOICE), config, seed).actions:
            assert abs(value.value - truth[value.action]) < 2 * value.error


@pytest.mark.parametrize("seconds", [0.05, 0.2])
def test_a_budget_of_seconds_is_kept(seconds: float) -> None:
    """In three of ten tries: a busy machine may let the search wait for longer than its budget."""
    config = HalvingConfig(seconds=seconds, simulations=1)
    reports = [search_by_halving(seen(CHOICE), config) for _ in range(10)]
    assert all(seconds <= report.seconds for report in reports)
    assert sum(report.seconds < 5 * seconds and report.simulations > 100 for report in reports) >= 3


# --- what it finds


@pytest.mark.parametrize(
    ("position", "best", "value"),
    [
        ("top r5 | seat 0: r7 | seat 1: g1 g1 yR", {"r7"}, 1.0),
        ("top r5 | seat 0: w | seat 1: g1 g1 yR", {"w:r", "w:y", "w:g", "w:b"}, 1.0),
        ("top r5 | seat 0: rS r7 | seat 1: g1", {"rS"}, 1.0),
        ("top r5 | seat 0: r+2 g+2 | seat 1: g1", {"r+2"}, 1.0),
        ("top r5 | seat 0: r7 | seat 1: g1 | seat 2: b2 | seat 3: r1", {"r7"}, 1.0),
        ("rules house players=3 | top r5 | seat 0: r7 | seat 1: g1 | seat 2: b2 b4", {"r7"}, 1.0),
    ],
)
@pytest.mark.parametrize("belief", ["uniform", "constrained", "particle"])
def test_a_won_round_is_won(position: str, best: set[str], value: float, belief: str) -> None:
    rules = "" if position.startswith("rules") else f"rules official players={position.count('seat')} | "
    report = search_by_halving(
        seen(rules + position), HalvingConfig(simulations=300, belief=BeliefConfig(belief), bonus=0.0, epsilon=0.0)
    )
    assert report.best.text in best
    assert report.actions[0].value == value


@pytest.mark.parametrize(
    "position",
    [
        "top r5 | seat 0: r7 r+2 g3 b4 | seat 1: g1",
        "rules official players=3 | top r5 | seat 0: r7 r+2 g3 b4 | seat 1: g1 | seat 2: b1 b2 b3 b4 b5",
        "rules official players=4 | top r5 | seat 0: r1 r+2 g3 | seat 1: g1 | seat 2: b1 b2 b3 | seat 3: y1 y2 y3",
    ],
)
def test_a_draw_two_stops_a_seat_with_one_card(position: str) -> None:
    """Found by playing rounds out, without the heuristic's word for it."""
    report = search_by_halving(seen(position), HalvingConfig(simulations=3_000, bonus=0.0))
    assert report.best.text == "r+2"
    second = max(value.value for value in report.actions[1:])
    assert report.actions[0].value > second + 0.05


def test_an_agent_does_what_its_search_says() -> None:
    agent = make_agent("halving:simulations=50,hypotheses=32", seed=4)
    assert isinstance(agent, SearchAgent)
    for observation in decisions("official players=3", 10):
        assert agent.choose(observation) is agent.search(observation).best
    other = SearchAgent(agent.config, seed=5)
    assert without_time(agent.search(seen(CHOICE))) != without_time(other.search(seen(CHOICE)))


# --- every ingredient is a switch


def report_with(position: str = CHOICE, **options: Any) -> SearchReport:
    return search_by_halving(seen(position), HalvingConfig(**{"simulations": 300, **options}), seed=2)


def test_without_halving_the_budget_is_split_evenly() -> None:
    assert {value.simulations for value in report_with(drop_losers=False).actions} == {50}
    assert len({value.simulations for value in report_with(drop_losers=True).actions}) > 2


def test_without_draws_it_is_no_candidate_while_something_can_be_played() -> None:
    assert DRAW in [value.action for value in report_with().actions]
    assert DRAW not in [value.action for value in report_with(consider_drawing=False).actions]


@pytest.mark.parametrize(
    ("rules", "draws"),
    [
        ("official", True),
        ("house", False),
        ("house must_play=true", False),
        ("house seven_zero=false", True),
        ("house draw_until_playable=false", True),
    ],
)
def test_short_rounds_keep_it_from_drawing_where_waiting_pays(rules: str, draws: bool) -> None:
    report = report_with(f"rules {rules} players=2 | {CHOICE}", short_rounds=True)
    assert (DRAW in [value.action for value in report.actions]) is draws


@pytest.mark.parametrize("level", ["hard", "hardest"])
def test_a_search_for_people_does_not_wait_under_house_rules(level: str) -> None:
    agent = make_agent(LEVELS[level].agent)
    assert isinstance(agent, SearchAgent)
    report = agent.search(seen(f"rules house players=2 | {CHOICE}"))
    assert DRAW not in [value.action for value in report.actions]


def test_without_sharing_actions_meet_luck_of_their_own() -> None:
    """Two actions that come to the same have the same value if they share their luck."""
    position = "top r5 | seat 0: w | seat 1: g1 g1 yR"
    assert len({value.value for value in report_with(position, drop_losers=False).actions[:4]}) == 1
    choice = "top r5 | seat 0: r7 b2 g4 w | seat 1: g1 g1 yR"
    shared = {value.action: value.value for value in report_with(choice, drop_losers=False).actions}
    alone = {
        value.action: value.value
        for value in report_with(choice, drop_losers=False, common_random_numbers=False).actions
    }
    assert shared != alone


def test_playouts_can_be_random_or_without_random_actions() -> None:
    ways: list[dict[str, Any]] = [{"epsilon": 0.0}, {"epsilon": 0.3}, {"epsilon": 1.0}, {"playouts": "random"}]
    values = [tuple(value.value for value in report_with(drop_losers=False, **options).actions) for options in ways]
    assert len(set(values)) >= 3
    assert values[0] not in values[1:]


def test_a_playout_that_is_cut_short_is_a_draw() -> None:
    assert {value.value for value in report_with(playout_plies=1).actions} == {0.5}
    three = "rules official players=3 | top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR | seat 2: g2 g3 b5"
    assert all(value.value == pytest.approx(1 / 3) for value in report_with(three, playout_plies=1).actions)


def test_a_large_bonus_makes_it_play_as_the_heuristic_does() -> None:
    differs = 0
    small = HalvingConfig(simulations=20, belief=BeliefConfig(hypotheses=16), advisor="heuristic")
    for observation in decisions("official", 40):
        with_bonus, without = (search_by_halving(observation, replace(small, bonus=bonus)) for bonus in (1.0, 0.0))
        assert with_bonus.best is with_bonus.by_policy is make_agent("heuristic").choose(observation)
        differs += without.best is not without.by_policy
    assert differs > 5


@pytest.mark.parametrize("rules", ["official", "official players=4", "family", "house players=5"])
def test_a_network_advises_by_how_much_less_it_thinks_of_an_action(rules: str) -> None:
    settings = HalvingConfig(simulations=20, belief=BeliefConfig(hypotheses=16)).compile(parse_rules(rules))
    for observation in decisions(rules, 20):
        result = _core.search_by_halving(observation._core, settings, 1)
        _, scores = Network.shipped(parse_rules(rules), "advisor").evaluate(observation)
        best = max(scores.values())
        for row, advice in zip(result.actions, result.advice, strict=True):
            assert advice == pytest.approx(1 - min(best - scores[ACTIONS[row.action]], 4.0))


@pytest.mark.parametrize("rules", ["mini", "numbers players=3"])
def test_the_heuristic_advises_where_no_network_is_shipped(rules: str) -> None:
    config = HalvingConfig(simulations=20, belief=BeliefConfig(hypotheses=16))
    for observation in decisions(rules, 10):
        result = _core.search_by_halving(observation._core, config.compile(observation.rules), 1)
        assert result.advice == [float(row.action == result.by_policy) for row in result.actions]


@pytest.mark.parametrize("kind", ["uniform", "constrained", "particle"])
def test_the_belief_is_an_option(kind: str) -> None:
    report = report_with(belief=BeliefConfig(kind, hypotheses=48))
    assert report.belief is not None
    assert (report.belief.config.kind, report.belief.num_hypotheses) == (kind, 48)


def test_adapting_changes_playouts_against_opponents_that_seem_random() -> None:
    """The round so far was random; before the first action it also adapts, since any seat may be random."""
    changes = 0
    for observation in decisions("official", 8):
        values = [
            [
                value.value
                for value in search_by_halving(
                    observation,
                    HalvingConfig(simulations=300, drop_losers=False, model_random_opponents=adapts),
                    seed=1,
                ).actions
            ]
            for adapts in (True, False)
        ]
        changes += values[0] != values[1]
    assert changes >= 4
    plain = [
        report_with(drop_losers=False, model_random_opponents=adapts, belief=BeliefConfig("uniform")).actions
        for adapts in (True, False)
    ]
    assert plain[0] == plain[1]


def test_weights_come_from_a_file(tmp_path: Path) -> None:
    backwards = Weights.of([-value for value in Weights.shipped(2).values])
    path = tmp_path / "backwards.json"
    backwards.save(path)
    plain, other = report_with(), report_with(belief=BeliefConfig(weights=str(path)))
    assert plain.by_policy.text == "r7"
    assert other.by_policy is DRAW
    assert plain.actions != other.actions
    assert make_agent(f"heuristic:weights={path}").choose(seen(CHOICE)) is DRAW


# --- what is refused


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"simulations": 0}, "simulations must be from 1"),
        ({"simulations": 1.5}, "simulations must be a whole number"),
        ({"simulations": True}, "simulations must be a whole number"),
        ({"simulations": 10**9}, "simulations must be from 1"),
        ({"seconds": -1}, "seconds must be a number from 0 to 60"),
        ({"seconds": math.inf}, "seconds must be a number from 0 to 60"),
        ({"seconds": math.nan}, "seconds must be a number from 0 to 60"),
        ({"threads": 0}, "threads must be from 1"),
        ({"threads": "2"}, "threads must be a whole number"),
        ({"belief": "uniform"}, "belief must be a BeliefConfig, not 'uniform'"),
        ({"epsilon": 1.1}, "epsilon must be a number from 0 to 1"),
        ({"bonus": -0.1}, "bonus must be a number from 0 to 1"),
        ({"advisor": "crowd"}, "advisor must be network or heuristic"),
        ({"playout_plies": 0}, "playout_plies must be from 1"),
        ({"playouts": "frequency"}, "playouts must be heuristic or random, not 'frequency'"),
        ({"drop_losers": "yes"}, "drop_losers must be True or False"),
        ({"common_random_numbers": 1}, "common_random_numbers must be True or False"),
        ({"consider_drawing": None}, "consider_drawing must be True or False"),
        ({"model_random_opponents": "no"}, "model_random_opponents must be True or False"),
    ],
)
def test_an_option_that_is_wrong_is_named(options: dict[str, Any], match: str) -> None:
    with pytest.raises(AgentError, match=match):
        HalvingConfig(**options)


@pytest.mark.parametrize(
    ("name", "match"),
    [
        ("halving:speed=3", "halving has no option 'speed=3'; there are: simulations"),
        ("halving:simulations=many", "halving: simulations must be a whole number such as 1000, not 'many'"),
        ("halving:simulations=0", "halving: simulations must be from 1"),
        ("halving:drop_losers=maybe", "halving: drop_losers must be true or false, not 'maybe'"),
        ("halving:belief=oracle", "halving: belief must be one of"),
        ("halving:epsilon=nan", "halving: epsilon must be a number"),
        ("halving:playouts=mcts", "halving: playouts must be heuristic or random"),
        ("halving:weights=/no/such/file", "halving: weights: cannot read '/no/such/file'"),
        ("heuristic:weights=/no/such/file", "heuristic: weights: cannot read '/no/such/file'"),
    ],
)
def test_an_agent_s_option_that_is_wrong_is_named(name: str, match: str) -> None:
    with pytest.raises(AgentError, match=match):
        make_agent(name)


WRONG: dict[str, Callable[[], object]] = {
    "an observation": lambda: search_by_halving(None),  # type: ignore[arg-type]
    "a config": lambda: search_by_halving(seen(CHOICE), 5),  # type: ignore[arg-type]
    "a seed": lambda: search_by_halving(seen(CHOICE), seed=None),  # type: ignore[arg-type]
    "rules of a match": lambda: play_match("official", [RandomContestant()] * 2, 10),  # type: ignore[arg-type]
    "a seating": lambda: play_match(Rules(), None, 10),  # type: ignore[arg-type]
    "a contestant": lambda: play_match(Rules(), ["heuristic", "random"], 10),  # type: ignore[list-item]
    "a contestant without hash": lambda: play_match(Rules(), [[], []], 10),  # type: ignore[list-item]
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_types_are_answered_with_our_own_errors(what: str) -> None:
    with pytest.raises(LastcardError):
        WRONG[what]()


WEIGHTS = Weights.shipped(2).to_dict()


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", re.escape(f"is not JSON; {command('tune')} --out FILE writes one")),
        ("{", "is not JSON"),
        ("\x00\xff", "is not JSON"),
        ("[1, 2]", "must hold an object of numbers by feature"),
        ("{}", "number must be a number from -1000 to 1000, not None"),
        (json.dumps({**WEIGHTS, "wild": "much"}), "wild must be a number from -1000 to 1000, not 'much'"),
        (json.dumps({**WEIGHTS, "wild": True}), "wild must be a number from -1000 to 1000, not True"),
        (json.dumps({**WEIGHTS, "wild": 10**400}), "wild must be a number from -1000 to 1000, not 1000"),
        ("[" * 100_000, "is not JSON"),
        (json.dumps({**WEIGHTS, "wild": 1e9}), "wild must be a number from -1000 to 1000"),
        (json.dumps({**WEIGHTS, "wild": math.nan}), "wild must be a number from -1000 to 1000"),
        (json.dumps({**WEIGHTS, "luck": 1.0}), "unknown key 'luck'"),
    ],
)
def test_a_file_of_weights_that_is_wrong_says_what_is(tmp_path: Path, text: str, match: str) -> None:
    path = tmp_path / "weights.json"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(AgentError, match=match):
        Weights.load(str(path))
    with pytest.raises(AgentError, match=match):
        search_by_halving(seen(CHOICE), HalvingConfig(belief=BeliefConfig(weights=str(path))))


def test_weights_that_are_no_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.json"):
        with pytest.raises(AgentError, match="weights: cannot read"):
            Weights.load(str(path))


def test_weights_are_saved_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    for players in (2, 3):
        shipped = Weights.shipped(players)
        shipped.save(path)
        assert Weights.load(str(path)) == shipped == Weights.named("", players)
        assert tuple(shipped.to_dict()) == FEATURES
    with pytest.raises(AgentError, match="33 numbers, not 2"):
        Weights((1.0, 2.0))


# --- matches

HEURISTIC, RANDOM = HeuristicContestant(), RandomContestant()
SEARCHER = HalvingConfig(simulations=12, belief=BeliefConfig(hypotheses=8))


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(("others", "num_deals"), [(RANDOM, 60), (SEARCHER, 3)])
def test_a_match_does_not_depend_on_the_number_of_threads(rules: str, others: Contestant, num_deals: int) -> None:
    made = parse_rules(rules).replace(max_plies=200)
    seating = [HEURISTIC, *[others] * (made.players - 1)]
    results = [play_match(made, seating, num_deals, seed=4, threads=n) for n in (1, 2, 3)]
    assert results[0] == results[1] == results[2]
    assert play_match(made, seating, num_deals, seed=5) != results[0]


@pytest.mark.parametrize("rules", RULES)
def test_the_seats_of_a_match_are_mirrored(rules: str) -> None:
    """A deal is won once from every place, if all play alike and leave nothing to chance."""
    made = parse_rules(rules).replace(max_plies=400)
    match = play_match(made, [HEURISTIC] * made.players, 200)
    assert match.shares == pytest.approx([1 / made.players] * made.players)
    assert match.errors == pytest.approx([0.0] * made.players, abs=1e-7)


@pytest.mark.parametrize("rules", RULES)
def test_the_tallies_of_a_match_add_up(rules: str) -> None:
    made = parse_rules(rules).replace(max_plies=200)
    match = play_match(made, [HEURISTIC, *[RANDOM] * (made.players - 1)], 300)
    assert (match.players, match.num_deals) == (made.players, 300)
    assert len(match.shares) == len(match.errors) == made.players
    assert sum(match.shares) == pytest.approx(1)
    assert all(0 < share < 1 and 0 < error < 0.1 for share, error in zip(match.shares, match.errors, strict=True))
    assert match.plies >= 300 * made.players
    assert match.shares[0] > 1 / made.players


def test_longer_matches_begin_with_shorter_ones() -> None:
    """Deal i depends on the seed and i alone: won rounds only grow."""
    wins = [play_match(Rules(), [HEURISTIC, RANDOM], n, seed=3).shares[0] * 2 * n for n in range(1, 40)]
    steps = [round(after - before, 9) for before, after in pairwise(wins)]
    assert set(steps) <= {0.0, 0.5, 1.0, 1.5, 2.0}


def test_a_match_is_written_with_its_error() -> None:
    match = MatchResult(2, 1_000, (0.625, 0.375), (0.0123, 0.0123), 40_000)
    assert str(match) == "62.5 ± 1.2 % (1,000 deals)"


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        ({"seating": [HEURISTIC]}, AgentError, "one for each of 2 players, not 1"),
        ({"seating": [HEURISTIC] * 3}, AgentError, "one for each of 2 players, not 3"),
        ({"num_deals": 0}, StateError, "num_deals must be from 1"),
        ({"num_deals": 1.5}, StateError, "num_deals must be a whole number"),
        ({"seed": -1}, StateError, "seed must be from 0"),
        ({"threads": 0}, StateError, "threads must be from 1"),
    ],
)
def test_a_match_names_the_argument_that_is_wrong(
    arguments: dict[str, Any], error: type[LastcardError], match: str
) -> None:
    with pytest.raises(error, match=match):
        play_match(**{"rules": Rules(), "seating": [HEURISTIC, RANDOM], "num_deals": 10, **arguments})


# --- tuning


def test_tuning_improves_on_where_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The start only prefers playing to drawing; 2,000 deals tell 55 % from half with nine standard errors."""
    ignorant = Weights.of([0.0] * 30 + [-5.0, -3.0, 0.0])
    monkeypatch.setattr(tune, "_START", ignorant.values)
    told: list[tune.Generation] = []
    tuned = tune.tune(tune.TuneConfig(generations=5, population=24, elite=6, deals=400), told.append)
    assert (
        play_match(Rules(), [HeuristicContestant(tuned), HeuristicContestant(ignorant)], 2_000, seed=5).shares[0] > 0.55
    )
    assert [generation.number for generation in told] == [1, 2, 3, 4, 5]
    assert told[-1].weights == tuned
    assert told[-1].against_random > told[0].against_random - 0.02
    assert all(0 < generation.best < 1 and generation.against_random_error > 0 for generation in told)


def test_the_seed_fixes_a_tuning() -> None:
    config = tune.TuneConfig(generations=2, population=6, elite=2, deals=40)
    assert tune.tune(config) == tune.tune(replace(config, threads=2))
    assert tune.tune(config) != tune.tune(replace(config, seed=2))


def test_shipped_weights_beat_those_that_tuning_started_from() -> None:
    """Weights no better would come three standard errors ahead once in 700 times."""
    match = play_match(Rules(), [HEURISTIC, HeuristicContestant(Weights.of(tune._START))], 10_000, seed=6)
    assert match.shares[0] - 3 * match.errors[0] / 1.96 > 0.5


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"generations": 0}, "generations must be from 1"),
        ({"population": 1}, "population must be from 2"),
        ({"elite": 49}, "elite must be from 1 to 48"),
        ({"deals": 1}, "deals must be from 10"),
        ({"seed": -1}, "seed must be from 0"),
        ({"threads": 0}, "threads must be from 1"),
        ({"rules": "chess"}, "no rules preset 'chess'"),
        ({"players": 1}, "players must be from 2"),
    ],
)
def test_a_tuning_names_the_option_that_is_wrong(options: dict[str, Any], match: str) -> None:
    with pytest.raises(LastcardError, match=match):
        tune.TuneConfig(**options)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("halving:simulations=200", "prefers|was ahead when .* dropped out"),
        ("halving:simulations=200,drop_losers=false,bonus=0.2", "a network prefers"),
        ("halving:simulations=200,drop_losers=false,bonus=0.2,advisor=heuristic", "the heuristic prefers"),
        ("expectiminimax:determinizations=16,bonus=0.2", "heuristic prefers"),
        ("ismcts:simulations=100", "the search tried .* most"),
    ],
)
def test_the_choice_has_the_highest_value_or_a_reason(name: str, why: str) -> None:
    agent, found = make_agent(name), set()
    assert isinstance(agent, SearchAgent)
    for state in itertools.islice(random_states(Rules.preset("official"), 6), 60):
        assert state.seat is not None
        report = agent.search(observe(state, state.seat))
        if not report.actions:
            continue
        best, *others = report.actions
        higher = [other for other in others if other.value > best.value]
        assert bool(report.reason) == bool(higher)
        assert report.to_dict()["reason"] == report.reason
        if higher:
            is_level = all(other.value - other.error <= best.value + best.error for other in higher)
            assert (f"{best.action} is level with" in report.reason) == is_level
            assert all(other.action.text in report.reason for other in higher)
            assert re.search(f"(and|but) .*({why})", report.reason)
            found.add(is_level)
    assert found
