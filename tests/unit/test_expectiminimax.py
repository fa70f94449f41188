"""Expectiminimax: the published recursion by hand, its belief, every correction, and what is refused."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from lastcard.actions import DRAW, parse_action
from lastcard.agents import make_agent
from lastcard.agents.searching import SearchAgent
from lastcard.arena.core_match import (
    Contestant,
    FirstLegalContestant,
    HeuristicContestant,
    RandomContestant,
    play_match,
)
from lastcard.cards import CARDS, format_cards
from lastcard.errors import AgentError
from lastcard.observation import Observation, observe
from lastcard.rules import Rules, parse_rules
from lastcard.search import ExpectiminimaxConfig, SearchReport, search_by_expectiminimax
from lastcard.state import State, parse_state
from tests.unit.helpers import dealt, play, table
from tests.unit.test_search import CHOICE, RULES, decisions, seen, without_time

PUBLISHED = ExpectiminimaxConfig.as_published()
ONE = replace(PUBLISHED, determinizations=1)
PLAIN = replace(PUBLISHED, common_random_numbers=True, keeps_turn=True)
SMALL = ExpectiminimaxConfig(determinizations=24, group=24, fewest=4)


def at_turn(state: State) -> Observation:
    assert state.seat is not None
    return observe(state, state.seat)


def values_in(state: State, config: ExpectiminimaxConfig, seeds: int = 40) -> dict[str, set[float]]:
    """All that V comes to for each root action, from -100 to 100, over determinizations searched one at a time."""
    found: dict[str, set[float]] = {}
    for seed in range(seeds):
        for row in search_by_expectiminimax(at_turn(state), config, seed).actions:
            found.setdefault(str(row.action), set()).add(round(200 * row.value - 100, 9))
    return found


# --- the recursion by hand: top r0, we hold r1 y0 y1, of b9 g7 y5 the opponent holds one and the pile the others

HAND = table("top r0 | seat 0: r1 y0 y1 | seat 1: b9", draws="g7 y5", rules="numbers")


def test_a_leaf_is_worth_the_difference_of_hand_sizes() -> None:
    assert values_in(HAND, replace(ONE, depth=0)) == {"r1": {1 - 2}, "y0": {1 - 2}}


def test_a_round_won_or_lost_is_worth_a_hundred() -> None:
    won = table("top r0 | seat 0: r1 r1 | seat 1: b9", draws="g7 y5", rules="numbers").after(parse_action("r1"))
    assert won.seat == 1
    last = table("top r0 | seat 0: r1 | seat 1: b9 b8", draws="g7 y5", rules="official")
    assert values_in(last, replace(ONE, depth=0)) == {"r1": {100.0}, "draw": {0.0}}
    # On y0 the opponent goes out if it holds y5; on r1 it can play nothing and draws.
    assert values_in(HAND, replace(ONE, depth=1)) == {"r1": {2 - 2}, "y0": {-100, 2 - 2}}


def test_the_opponent_minimises_and_we_maximize() -> None:
    # After r1 and the opponent's draw we can play y1: one card against two.
    assert values_in(HAND, replace(ONE, depth=2)) == {"r1": {2 - 1}, "y0": {-100, 2 - 1}}


def test_a_draw_is_worth_the_mean_over_cards() -> None:
    # After r1, its draw and our y1 the opponent plays y5 if it has it (0), else it draws (2). Either it held y5, or it
    # drew that one time in two: the mean is 1. After y0 likewise, but holding y5 it has gone out.
    assert values_in(HAND, replace(ONE, depth=3)) == {"r1": {0, 1}, "y0": {-100, 1}}
    # A single card tried is no mean.
    assert values_in(HAND, replace(ONE, depth=3, draw_samples=1)) == {"r1": {0, 2}, "y0": {-100, 0, 2}}


def test_the_choice_has_the_best_mean() -> None:
    report = search_by_expectiminimax(at_turn(HAND), PUBLISHED)
    assert report.best == parse_action("r1")
    assert [str(row.action) for row in report.actions] == ["r1", "y0"]
    assert report.actions[0].simulations == 50
    # Three hands are as likely: (0 + 1 + 1) / 3 and (-100 + 1 + 1) / 3; within five standard errors.
    assert 200 * report.actions[0].value - 100 == pytest.approx(2 / 3, abs=5 * 0.47 / math.sqrt(50))
    assert 200 * report.actions[1].value - 100 == pytest.approx(-98 / 3, abs=5 * 47.6 / math.sqrt(50))


def test_a_single_legal_action_is_returned_at_once() -> None:
    observation = seen("top r5 | seat 0: g7 b2 | seat 1: g1 g1 yR")
    report = search_by_expectiminimax(observation, ExpectiminimaxConfig(determinizations=1_000_000))
    assert report == SearchReport(DRAW, (), DRAW, None, 0, 0.0, (DRAW,))


def test_without_anything_to_decide_there_is_no_search() -> None:
    with pytest.raises(AgentError, match="seat 1 has nothing to decide"):
        search_by_expectiminimax(observe(parse_state(CHOICE), 1))


# --- the published belief: subsets of the latent set

LATENT = "r1 r2 y2 y9 b9 b9"  # hidden from seat 0, that holds r5 r6 r8


def hypotheses(state: State, belief: str, count: int = 400) -> set[str]:
    """Every hand of seat 1 that the search imagines."""
    config = replace(PLAIN, belief=belief, determinizations=count, depth=0)
    report = search_by_expectiminimax(observe(state, 0), config)
    assert report.belief is not None
    core = report.belief._core
    hands = [core.hands(i, 2)[1] for i in range(core.num_hypotheses)]
    return {format_cards(CARDS[face] for face in hand) for hand in hands}


def subsets(cards: str, size: int) -> set[str]:
    return {" ".join(hand) for hand in combinations(cards.split(), size)}


def test_the_prior_is_every_subset_of_the_latent_set() -> None:
    state = dealt(["r5 r6 r8", "b9 b9 y9"], "r7", "r1 r2 y2", rules="numbers")
    assert hypotheses(state, "published") == subsets(LATENT, 3) == hypotheses(state, "uniform")


def test_after_a_draw_the_posterior_has_nothing_that_fits_even_as_the_card_drawn() -> None:
    state = play(dealt(["r5 r6 r8", "b9 b9 y9"], "r7", "r1 r2 y2", rules="numbers"), "r5 draw")
    # N_L(r5) = {r1, r2}: of |L| - |N_L| = 4 cards all four would be held, and the r1 really drawn is impossible.
    assert hypotheses(state, "published") == subsets("y2 y9 b9 b9", 4)
    # What was held before the draw is one of y2 y9 b9 b9 three at a time; the card drawn is any of the rest.
    before = subsets("y2 y9 b9 b9", 3)
    expected = {
        " ".join(sorted([*hand.split(), card], key=LATENT.split().index))
        for hand in before
        for card in _rest(LATENT.split(), hand.split())
    }
    assert hypotheses(state, "constrained", 4_000) == expected
    assert "r1 y9 b9 b9" in expected


def _rest(cards: list[str], gone: list[str]) -> list[str]:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return left


def test_after_the_next_play_the_published_posterior_has_forgotten_the_draw() -> None:
    state = play(dealt(["r5 r6 r8 r9", "y4 y9 b9 b9"], "r7", "r1 r2 y2 b8", rules="numbers"), "r5 draw r6 r1")
    assert state.seat == 0
    forgotten = hypotheses(state, "published")
    kept = hypotheses(state, "constrained", 4_000)
    assert any("r2" in hand for hand in forgotten)
    assert not any("r2" in hand for hand in kept)


def test_where_the_published_posterior_is_empty_the_prior_takes_over() -> None:
    state = play(dealt(["r5 r6 r8", "b9 b9 y9"], "r7", "r1 r2", rules="numbers"), "r5 draw")
    assert all(len(hand.split()) == 4 for hand in hypotheses(state, "published"))


# --- corrections


def test_sharing_gives_equal_actions_equal_values() -> None:
    observation = seen("top r5 | seat 0: w b2 b3 | seat 1: g1 g1 yR")
    shared = search_by_expectiminimax(observation, replace(PLAIN, depth=0)).actions
    assert len({row.value for row in shared if row.action.text.startswith("w")}) == 1
    alone = search_by_expectiminimax(observation, replace(PUBLISHED, depth=1, belief="uniform")).actions
    together = search_by_expectiminimax(observation, replace(PLAIN, depth=1, belief="uniform")).actions
    assert {row.action: row.value for row in alone} != {row.action: row.value for row in together}


def test_with_two_players_a_skip_keeps_the_turn() -> None:
    """rS then r7 goes out; as published the opponent comes first, and the round is not over after two actions."""
    state = table("top r5 | seat 0: rS r7 | seat 1: g1 g2 g3", draws="g4 g5 g6 g8", rules="official must_play=true")
    assert values_in(state, replace(ONE, keeps_turn=True, depth=1))["rS"] == {100}
    assert values_in(state, replace(ONE, depth=1))["rS"] == {4 - 1}


@pytest.mark.parametrize("rules", ["official", "study players=3", "house", "numbers"])
def test_an_opponent_with_a_policy_is_no_worse_than_one_that_minimises(rules: str) -> None:
    """The minimum of each determinization is below any choice."""
    better = 0
    for number, observation in enumerate(decisions(rules, 12)):
        config = replace(PLAIN, belief="uniform", determinizations=6, model_random_opponents=False)
        lowest, guessed = (
            {row.action: row.value for row in search_by_expectiminimax(observation, each, number).actions}
            for each in (config, replace(config, opponents="policy"))
        )
        assert all(guessed[action] >= value - 1e-12 for action, value in lowest.items())
        better += guessed != lowest
    assert better > 2


@pytest.mark.parametrize("rules", ["official players=4", "house players=3", "numbers players=5"])
def test_others_for_themselves_are_no_worse_than_all_against_us(rules: str) -> None:
    better = 0
    for number, observation in enumerate(decisions(rules, 10)):
        config = replace(PLAIN, belief="uniform", determinizations=4)
        paranoid, max_n = (
            {row.action: row.value for row in search_by_expectiminimax(observation, each, number).actions}
            for each in (config, replace(config, several="max_n"))
        )
        assert all(max_n[action] >= value - 1e-12 for action, value in paranoid.items())
        better += max_n != paranoid
    assert better > 2


def test_with_two_seats_paranoid_and_max_n_are_the_same() -> None:
    for number, observation in enumerate(decisions("official", 8)):
        config = replace(PLAIN, determinizations=4)
        reports = [
            search_by_expectiminimax(observation, replace(config, several=each), number)
            for each in ("paranoid", "max_n")
        ]
        assert reports[0].actions == reports[1].actions


def test_in_a_group_our_later_actions_do_not_see_the_hidden_cards() -> None:
    """We play r1 or r9 after rS, and the opponent goes out if its last card, y1 or y9, has that number.

    Searched by itself each determinization finds the other one (-1); the two together cannot tell (-100 half the time).
    """
    text = "top r5 | seat 0: rS r1 r9 b3 b4 | seat 1: y1"
    state = table(text, draws="y9", rules="official must_play=true drawn_card=end_turn")
    alone = replace(SMALL, determinizations=64, group=1, playouts=0, depth=2, bonus=0.0)
    apart = search_by_expectiminimax(at_turn(state), alone, 1)
    together = search_by_expectiminimax(at_turn(state), replace(alone, group=64, fewest=2), 1)
    clairvoyant = {row.action.text: row.value for row in apart.actions}
    honest = {row.action.text: row.value for row in together.actions}
    assert clairvoyant["rS"] == pytest.approx(0.495)
    assert honest["rS"] == pytest.approx(0.495 / 2, abs=0.1)


def test_a_group_without_lookahead_is_every_determinization_by_itself() -> None:
    for number, observation in enumerate(decisions("official", 6)):
        config = replace(SMALL, depth=0)
        reports = [search_by_expectiminimax(observation, replace(config, group=size), number) for size in (1, 24, 7)]
        assert len({report.actions for report in reports}) == 1


def test_no_tree_has_more_nodes_than_allowed() -> None:
    """The root action of a single node leads to a leaf: no lookahead."""
    for observation in decisions("official", 4):
        config = replace(PLAIN, determinizations=6)
        cut = search_by_expectiminimax(observation, replace(config, nodes=1))
        assert cut.actions == search_by_expectiminimax(observation, replace(config, depth=0)).actions


# --- the report


@pytest.mark.parametrize("config", [SMALL, replace(PUBLISHED, determinizations=8), replace(SMALL, group=8)])
@pytest.mark.parametrize("rules", RULES)
def test_a_report_adds_up_and_does_not_depend_on_threads(rules: str, config: ExpectiminimaxConfig) -> None:
    for number, observation in enumerate(decisions(rules, 3)):
        reports = [search_by_expectiminimax(observation, replace(config, threads=n), number) for n in (1, 2, 3)]
        assert len({json.dumps(without_time(report)) for report in reports}) == 1
        assert len({report.line for report in reports}) == 1
        report = reports[0]
        assert sorted(row.action for row in report.actions) == sorted(observation.legal_actions)
        assert report.best is report.actions[0].action is report.line[0]
        assert 1 <= len(report.line) <= config.depth + 1
        assert all(0 <= row.value <= 1 and row.error > 0 for row in report.actions)
        assert {row.simulations for row in report.actions} == {config.determinizations}
        assert report.simulations == config.determinizations * len(report.actions)
        assert report.belief is not None
        assert report.belief.config.kind == config.belief
        assert report.belief.marginals()


def test_the_seed_matters() -> None:
    assert len({search_by_expectiminimax(seen(CHOICE), SMALL, seed).actions for seed in range(5)}) == 5


def test_a_budget_of_seconds_is_kept() -> None:
    report = search_by_expectiminimax(seen(CHOICE), replace(SMALL, seconds=0.05))
    assert 0.05 <= report.seconds < 5
    assert report.simulations > SMALL.determinizations * len(report.actions)


@pytest.mark.parametrize(
    ("position", "best"),
    [
        ("top r5 | seat 0: rS r7 | seat 1: g1", "rS"),
        ("top r5 | seat 0: r+2 g+2 | seat 1: g1", "r+2"),
        ("rules official players=4 | top r5 | seat 0: r7 | seat 1: g1 | seat 2: b2 | seat 3: r1", "r7"),
        ("rules house players=3 | top r5 | seat 0: r7 | seat 1: g1 | seat 2: b2 b4", "r7"),
    ],
)
@pytest.mark.parametrize("config", [SMALL, replace(PLAIN, depth=2), replace(SMALL, belief="uniform", group=1)])
def test_a_won_round_is_won(position: str, best: str, config: ExpectiminimaxConfig) -> None:
    report = search_by_expectiminimax(seen(position), replace(config, bonus=0.0))
    assert report.best.text == best
    assert report.actions[0].value == 1


def test_an_agent_does_what_its_search_says() -> None:
    agent = make_agent("expectiminimax:determinizations=12", seed=4)
    assert isinstance(agent, SearchAgent)
    for observation in decisions("official players=3", 5):
        assert agent.choose(observation) is agent.search(observation).best


def test_as_published_is_what_was_published() -> None:
    assert (PUBLISHED.determinizations, PUBLISHED.depth, PUBLISHED.draw_samples) == (50, 3, 5)
    assert (PUBLISHED.belief, PUBLISHED.opponents, PUBLISHED.several) == ("published", "minimise", "paranoid")
    switches = (PUBLISHED.common_random_numbers, PUBLISHED.keeps_turn, PUBLISHED.model_random_opponents)
    assert switches == (False, False, False)
    assert (PUBLISHED.playouts, PUBLISHED.group, PUBLISHED.bonus) == (0, 1, 0.0)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"determinizations": 0}, "determinizations must be from 1"),
        ({"determinizations": 1.5}, "determinizations must be a whole number"),
        ({"depth": -1}, "depth must be from 0 to 32"),
        ({"depth": 33}, "depth must be from 0 to 32"),
        ({"draw_samples": 0}, "draw_samples must be from 1"),
        ({"playouts": -1}, "playouts must be from 0"),
        ({"group": 0}, "group must be from 1"),
        ({"fewest": 0}, "fewest must be from 1"),
        ({"nodes": 0}, "nodes must be from 1"),
        ({"seconds": math.inf}, "seconds must be a number from 0 to 60"),
        ({"threads": 0}, "threads must be from 1"),
        ({"bonus": 2}, "bonus must be a number from 0 to 1"),
        ({"belief": "oracle"}, "belief must be one of published, uniform, constrained, particle, not 'oracle'"),
        ({"opponents": "friends"}, "opponents must be minimise or policy, not 'friends'"),
        ({"several": "one"}, "several must be paranoid or max_n, not 'one'"),
        ({"opponents": "minimise", "group": 2}, "group must be 1 where opponents=minimise, not 2"),
        ({"common_random_numbers": 1}, "common_random_numbers must be True or False"),
        ({"keeps_turn": "yes"}, "keeps_turn must be True or False"),
        ({"model_random_opponents": None}, "model_random_opponents must be True or False"),
        ({"weights": 5}, "weights must be the name of a file"),
        ({"weights": "/nowhere"}, "weights: cannot read '/nowhere'"),
    ],
)
def test_an_option_that_is_wrong_is_named(options: dict[str, Any], match: str) -> None:
    with pytest.raises(AgentError, match=match):
        ExpectiminimaxConfig(**options)


# --- matches


@pytest.mark.parametrize("rules", ["numbers", "official players=3"])
def test_a_match_does_not_depend_on_the_number_of_threads(rules: str) -> None:
    made = parse_rules(rules).replace(max_plies=200)
    seating: list[Contestant] = [replace(PUBLISHED, determinizations=4), *[FirstLegalContestant()] * (made.players - 1)]
    results = [play_match(made, seating, 8, seed=4, threads=n) for n in (1, 2, 3)]
    assert results[0] == results[1] == results[2]


def test_first_legal_inside_the_core_plays_the_first_legal_action() -> None:
    """Alike agents win every deal from one seat or the other; against `heuristic` they lose more than they win."""
    first = FirstLegalContestant()
    assert play_match(Rules(), [first, first], 100).errors[0] == pytest.approx(0, abs=1e-7)
    assert play_match(Rules(), [first, HeuristicContestant()], 1_000).shares[0] < 0.45


def test_it_beats_random() -> None:
    """An even match on 50 mirrored deals would come to 62 % once in 150 times."""
    match = play_match(Rules.preset("official"), [SMALL, RandomContestant()], 50, seed=3)
    assert match.shares[0] > 0.62
