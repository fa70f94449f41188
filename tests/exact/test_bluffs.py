"""Bluffs and challenges in exact answers: draws of several cards, frequencies, and the game `mini-bluff`."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from math import comb, prod

import pyspiel
import pytest
from open_spiel.python import policy as openspiel_policy
from open_spiel.python.algorithms.expected_game_score import policy_value
from open_spiel.python.algorithms.exploitability import nash_conv

from benchmarks.strength import mini
from lastcard import Rules, State, parse_action, parse_rules
from lastcard.cards import MINI_BLUFF, WILD_DRAW_FOUR, parse_cards
from lastcard.envs import index_of_action, openspiel_game
from lastcard.envs.with_openspiel import write_information
from lastcard.exact import (
    CfrPlus,
    Policy,
    Tree,
    build_tree,
    expected_value,
    exploitability,
    frequencies,
    list_choices,
    open_value,
    uniform_policy,
    weigh,
)
from lastcard.exact.agent_policy import policy_of
from lastcard.exact.bluffs import find_chance
from lastcard.exact.chances import Line, follow, list_deals

MOST_STATES = 5_000_000
BLUFF = mini.PLANS["mini-bluff"].rules
TINY = "mini deck=r0,r0,r1,y0,y1,w+4 hand_size=2 max_plies=5 wild_draw_four=bluff"
MIXING = "mini deck=r0,r0,r1,r1,y0,y0,y1,y1,w+4,w+4 hand_size=2 max_plies=4 wild_draw_four=bluff"


@cache
def tree_of(rules: str) -> Tree:
    return build_tree(parse_rules(rules))


@cache
def equilibrium_of(rules: str, iterations: int) -> Policy:
    solver = CfrPlus(tree_of(rules))
    solver.run(iterations)
    return solver.average()


# Chance


def test_a_wild_draw_four_is_never_turned_up_and_other_cards_are_as_likely_as_each_other() -> None:
    tops: Counter[str] = Counter()
    for chance, line in list_deals(parse_rules(BLUFF)):
        state = line.replay()
        assert state.top_card is not WILD_DRAW_FOUR
        tops[str(state.top_card)] += chance  # type: ignore[assignment]
    assert tops.total() == pytest.approx(1)
    assert tops["r0"] == pytest.approx(2 / 9)
    assert tops["g0"] == pytest.approx(1 / 9)


def lay(top_down: str, rules: str = BLUFF) -> tuple[Line, State]:
    """A round with the deck in that order, the card dealt first on the left."""
    line = Line(parse_rules(rules), tuple(reversed(parse_cards(top_down))))
    return line, line.replay()


def play(line: Line, state: State, action: str) -> tuple[Line, State]:
    """An action that draws nothing."""
    ((_, line, state),) = follow(line, state, parse_action(action))
    return line, state


@pytest.mark.parametrize(("answer", "drawer"), [("accept", 1), ("challenge", 0)])
def test_cards_drawn_together_come_as_often_as_from_a_shuffled_pile(answer: str, drawer: int) -> None:
    """Seat 0 bluffs on red; four of the six cards in the pile are drawn, by seat 1 or, if caught, by seat 0."""
    cards = "r0 y0 y1 y1 w+4 y0 r1 g0 g0 r0 r1 b0 w+4"
    line, state = lay(cards, f"mini deck={cards.replace(' ', ',')} hand_size=3 wild_draw_four=bluff")
    line, state = play(line, state, "w+4:r")
    pile = Counter(state.draw_pile)
    ways = list(follow(line, state, parse_action(answer)))
    assert len(ways) == 11  # both green cards with two of the others, one with three, or none
    assert sum(odds for odds, _, _ in ways) == pytest.approx(1)
    for odds, after_line, after in ways:
        assert after_line.replay() == after
        gained = Counter(after.hand(drawer)) - Counter(state.hand(drawer))
        expected = prod(comb(pile[card], count) for card, count in gained.items()) / comb(6, 4)
        assert gained.total() == 4
        assert odds == pytest.approx(expected)


def test_an_innocent_wild_draw_four_costs_the_challenger_all_that_is_left() -> None:
    """Four cards lie in the pile and one below the top card: five for a wrong challenge, four for accepting."""
    line, state = lay("y0 r0 y1 y1 w+4 y0 r1 g0 r0 r1 w+4")
    line, state = play(line, state, "w+4:y")
    sizes = {
        answer: {len(after.hand(1)) - 3 for _, _, after in follow(line, state, parse_action(answer))}
        for answer in ("accept", "challenge")
    }
    assert sizes == {"accept": {4}, "challenge": {5}}


def test_draws_after_the_last_card_are_not_told_apart() -> None:
    rules = parse_rules("mini deck=r0,r1,y0,y1,w+4 hand_size=1 wild_draw_four=bluff")
    line = Line(rules, tuple(reversed(parse_cards("w+4 r0 r1 y0 y1"))))
    line, state = play(line, line.replay(), "w+4:r")
    for answer in ("accept", "challenge"):
        ((odds, _, after),) = follow(line, state, parse_action(answer))
        assert odds == 1.0
        assert after.outcome is not None
        assert after.outcome.winner == 0


# OpenSpiel says the same


class TablePolicy(openspiel_policy.Policy):  # type: ignore[misc]
    """One of our policies, as OpenSpiel asks for it; OpenSpiel's game tells in which order cards were drawn."""

    def __init__(self, game: pyspiel.Game, tree: Tree, table: Policy) -> None:
        super().__init__(game, [0, 1])
        self._odds = {
            write_information(each.observation): {
                index_of_action(each.observation, action): odds
                for action, odds in zip(each.actions, table[each.number], strict=True)
            }
            for each in tree.information_sets
        }

    def action_probabilities(self, state: pyspiel.State, player_id: int | None = None) -> dict[int, float]:
        legal = state.legal_actions()
        return {legal[0]: 1.0} if len(legal) == 1 else self._odds[sort_draws(state.information_state_string())]


def sort_draws(text: str) -> str:
    return re.sub(r"\(([^)]*)\)", lambda found: f"({' '.join(map(str, sorted(parse_cards(found[1]))))})", text)


def test_openspiel_finds_the_same_exploitability_and_value() -> None:
    """OpenSpiel's game draws card by card, so it has more histories than the tree."""
    tree, game = tree_of(TINY), openspiel_game(parse_rules(TINY))
    for table in (policy_of("heuristic", tree), equilibrium_of(TINY, 50)):
        asked = TablePolicy(game, tree, table)
        assert nash_conv(game, asked) / 4 == pytest.approx(exploitability(tree, table), abs=1e-6)
        value = policy_value(game.new_initial_state(), [asked, asked])
        assert value[0] / 2 == pytest.approx(expected_value(tree, table) - 0.5, abs=1e-6)


def test_open_hands_remember_the_color_that_a_challenge_is_judged_by() -> None:
    assert open_value(parse_rules(TINY)) == pytest.approx(0.5 + _minimax(parse_rules(TINY)))


def _minimax(rules: Rules) -> float:
    """No memory and no merging of positions."""

    def value(line: Line, state: State) -> float:
        if state.outcome:
            return 0.0 if state.outcome.winner is None else 0.5 - state.outcome.winner
        values = [
            sum(odds * value(below, after) for odds, below, after in follow(line, state, action))
            for action in state.legal_actions
        ]
        return max(values) if state.seat == 0 else min(values)

    return sum(chance * value(line, line.replay()) for chance, line in list_deals(rules))


# Frequencies


def always(tree: Tree, *, takes: bool) -> Policy:
    """Bluffs and challenges whenever it can, or never."""
    table = list(uniform_policy(tree))
    for each in tree.information_sets:
        found = find_chance(each)
        if found:
            odds = [float((place in found[1]) == takes) for place in range(len(each.actions))]
            table[each.number] = tuple(odd / sum(odds) for odd in odds)
    return tuple(table)


@pytest.mark.long
def test_frequencies_are_shares_of_the_chances_that_matter() -> None:
    tree, equilibrium = tree_of(MIXING), equilibrium_of(MIXING, 40)
    choices = list_choices(tree, equilibrium)
    assert {choice.kind for choice in choices} == {"bluff", "challenge"}
    for takes in (True, False):
        shares = frequencies(tree, always(tree, takes=takes), choices)
        assert (shares.bluff, shares.challenge) == pytest.approx((float(takes), float(takes)))


def test_a_chance_to_bluff_needs_the_active_color_and_a_chance_to_challenge_cards_left() -> None:
    for each in tree_of(TINY).information_sets:
        found, seen = find_chance(each), each.observation
        actions = set(map(str, each.actions))
        if "challenge" in actions:
            assert (found is not None) == (seen.hand_sizes[1 - each.seat] > 0)
        else:
            holds = {card.color for card in seen.hand}
            assert (found is not None) == (WILD_DRAW_FOUR in seen.hand and seen.active_color in holds)


@pytest.mark.long
def test_an_equilibrium_bluffs_and_challenges_sometimes() -> None:
    """Ten cards and four plies."""
    tree, equilibrium = tree_of(MIXING), equilibrium_of(MIXING, 40)
    assert exploitability(tree, equilibrium) < 1e-3
    for kind in ("bluff", "challenge"):
        assert count_mixed(tree, equilibrium, kind) > 0


def count_mixed(tree: Tree, equilibrium: Policy, kind: str) -> int:
    """Number of choices that the equilibrium comes to and takes sometimes."""
    choices = list_choices(tree, equilibrium)
    return sum(
        weight > 1e-5 and choice.kind == kind and 0.05 < choice.odds(equilibrium) < 0.95
        for weight, choice in weigh(tree, equilibrium, choices)
    )


# The game itself


def test_the_deck() -> None:
    assert MINI_BLUFF[WILD_DRAW_FOUR] == 2
    assert MINI_BLUFF.num_cards == 11
    assert parse_rules(BLUFF).deck == MINI_BLUFF


def test_the_committed_results_are_of_a_small_game_whose_equilibrium_mixes() -> None:
    result = json.loads((mini.RESULTS / "strength-mini-bluff.json").read_text(encoding="utf-8"))
    assert 100_000 < result["game"]["nodes"] < MOST_STATES
    assert result["game"]["equilibrium_exploitability"] < 1e-3
    rows = {row["agent"]: row for row in result["agents"]}
    assert 0 < rows["(equilibrium)"]["bluffs"] < 1
    assert 0 < rows["(equilibrium)"]["challenges"] < 1
    assert all(rows["(equilibrium)"]["exploitability"] <= row["exploitability"] for row in rows.values())
    mixed = json.loads((mini.RESULTS / "strength-mini-bluff-mixed.json").read_text(encoding="utf-8"))
    assert {row["choice"] for row in mixed} == {"bluff", "challenge"}
    assert all(0 < row["odds"] < 1 for row in mixed)


@pytest.mark.long
def test_mini_bluff_is_solved_exactly() -> None:
    tree, equilibrium = tree_of(BLUFF), equilibrium_of(BLUFF, 40)
    saved = json.loads((mini.RESULTS / "strength-mini-bluff.json").read_text(encoding="utf-8"))["game"]
    assert tree.num_nodes < MOST_STATES
    assert mini.measure_size(tree).items() <= saved.items()
    assert exploitability(tree, equilibrium) < 1e-3
    assert expected_value(tree, equilibrium) == pytest.approx(saved["equilibrium_value"], abs=2e-3)
    choices = list_choices(tree, equilibrium)
    shares = frequencies(tree, equilibrium, choices)
    assert 0.01 < shares.bluff < 0.99
    assert 0.01 < shares.challenge < 0.99
    for kind in ("bluff", "challenge"):
        assert count_mixed(tree, equilibrium, kind) > 0
