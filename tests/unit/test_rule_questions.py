"""Answers of the core to code that does not read switches."""

import pytest

from lastcard.cards import CARDS, parse_card
from lastcard.phase import Phase, can_be_owed, can_challenge, can_come_up, can_stack, is_uno_called
from lastcard.rules import Rules, leading_seat

TWO, FOUR = parse_card("r+2"), parse_card("w+4")


@pytest.mark.parametrize(
    ("stacking", "on_two", "on_four"),
    [
        ("none", set(), set()),
        ("same", {"r+2", "y+2", "g+2", "b+2"}, {"w+4"}),
        ("any_up", {"r+2", "y+2", "g+2", "b+2", "w+4"}, {"w+4"}),
    ],
)
def test_what_can_be_stacked(stacking: str, on_two: set[str], on_four: set[str]) -> None:
    rules = Rules().replace(stacking=stacking)
    assert {card.text for card in CARDS if can_stack(card, rules, TWO)} == on_two
    assert {card.text for card in CARDS if can_stack(card, rules, FOUR)} == on_four


@pytest.mark.parametrize(
    ("stacking", "after_two", "after_four"),
    [
        ("none", [2], [4]),
        ("same", list(range(2, 33, 2)), list(range(4, 33, 4))),
        ("any_up", list(range(2, 33, 2)), list(range(4, 33, 2))),
    ],
)
def test_what_can_be_owed(stacking: str, after_two: list[int], after_four: list[int]) -> None:
    rules = Rules().replace(stacking=stacking)
    assert [owed for owed in range(100) if can_be_owed(owed, rules, TWO)] == after_two
    assert [owed for owed in range(100) if can_be_owed(owed, rules, FOUR)] == after_four
    assert not any(can_be_owed(owed, rules, parse_card("r7")) for owed in range(100))


@pytest.mark.parametrize("rule", ["strict", "bluff", "free", "last_resort"])
def test_what_can_be_challenged(rule: str) -> None:
    rules = Rules().replace(wild_draw_four=rule)
    assert [card for card in CARDS if can_challenge(rules, card)] == ([FOUR] if rule == "bluff" else [])


def test_who_calls_uno() -> None:
    assert is_uno_called(Rules())
    assert not is_uno_called(Rules(uno_penalty=2))


def test_what_depends_on_no_card() -> None:
    for phase, rules in {
        Phase.DRAWN: Rules(drawn_card="end_turn"),
        Phase.CATCH: Rules(uno_penalty=2),
        Phase.JUMP_IN: Rules(jump_in=True),
    }.items():
        answers = {can_come_up(phase, rules, card) for card in CARDS}
        assert answers == {can_come_up(phase, rules)} != {can_come_up(phase, Rules())}


def test_the_leading_seat() -> None:
    assert leading_seat(Rules(players=3), [10, 30, 30]) == 1
    assert leading_seat(Rules(players=3, scoring="lowest"), [30, 10, 10]) == 1
