"""Section 10 of the rules: house rules, each on and off."""

import pytest

from lastcard.actions import parse_action
from lastcard.cards import Color, parse_cards
from lastcard.errors import IllegalActionError
from lastcard.observation import Observation, observe
from lastcard.rules import parse_rules
from lastcard.state import State, parse_state
from tests.unit.helpers import FOURS, WILDS, asked, hands, legal, play, random_states, seen, table

SAME = "official stacking=same"
ANY_UP = "official stacking=any_up"
PILE = "y1 y2 y3 y4 y5 y6 y7 y8 y9 y0"


# 10.1 stacking


def test_rule_10_1_none_does_not_ask() -> None:
    state = play(table("top r5 | seat 0: r+2 g1 | seat 1: g+2 w+4 b1 | seat 2: b2", draws=PILE), "r+2")
    assert (asked(state), len(state.hand(1))) == ((2, "turn"), 5)


@pytest.mark.parametrize(
    ("rules", "played", "held", "stackable"),
    [
        (SAME, "r+2", "g+2 w+4 b1", ["g+2"]),
        (SAME, "r+2", "r+2 b+2 r1", ["r+2", "b+2"]),
        (SAME, "r+2", "r9 w w+4", []),
        (SAME, "w+4:g", "g+2 r+2 b1", []),
        (SAME, "w+4:g", "b+2 w+4 b1", FOURS),
        (ANY_UP, "r+2", "g+2 w+4 b1", ["g+2", *FOURS]),
        (ANY_UP, "w+4:g", "g+2 b+2 b1", []),
        (ANY_UP, "w+4:g", "b+2 w+4 b1", FOURS),
    ],
)
def test_rule_10_1_which_cards_can_be_stacked(rules: str, played: str, held: str, stackable: list[str]) -> None:
    card = played.partition(":")[0]
    state = play(parse_state(f"rules {rules} | top r5 | seat 0: {card} g1 g2 | seat 1: {held}"), played)
    assert asked(state) == (1, "answer")
    assert legal(state) == [*stackable, "accept"]


def test_rule_10_1_the_sums_add_up_and_are_drawn_at_once() -> None:
    position = "top r5 | seat 0: r+2 g1 | seat 1: g+2 b1 | seat 2: w+4 b2 | seat 3: b3"
    state = play(table(position, draws=PILE, rules=ANY_UP), "r+2 g+2")
    assert (asked(state), state.draw_sum) == ((2, "answer"), 4)
    state = play(state, "w+4:b")
    assert (asked(state), state.draw_sum, state.active_color) == ((3, "answer"), 8, Color.BLUE)
    state = play(state, "accept")
    assert (asked(state), state.draw_sum, len(state.hand(3))) == ((0, "turn"), 0, 9)
    assert seen(state, 0, 3) == ["3 accepts 8", "3 draws 8", "3 is skipped"]


def test_rule_10_1_with_two_players_the_sum_goes_back_and_forth() -> None:
    position = "top r5 | seat 0: r+2 b+2 g1 | seat 1: g+2 b1"
    state = play(table(position, draws=PILE, rules=SAME), "r+2 g+2 b+2")
    assert (asked(state), legal(state), state.draw_sum) == ((1, "answer"), ["accept"], 6)
    state = play(state, "accept")
    assert (asked(state), hands(state)[0], len(state.hand(1))) == ((0, "turn"), "g1", 7)


def test_rule_10_1_the_seat_is_asked_even_if_it_can_only_accept() -> None:
    state = play(parse_state(f"rules {SAME} | top r5 | seat 0: r+2 g1 | seat 1: b1"), "r+2")
    assert (asked(state), legal(state)) == ((1, "answer"), ["accept"])
    with pytest.raises(IllegalActionError, match="draw is not possible in phase answer"):
        state.after(parse_action("draw"))


def test_rule_10_1_a_seat_that_accepts_may_not_play() -> None:
    state = play(table("top r5 | seat 0: r+2 g1 | seat 1: r1 | seat 2: b1", draws=PILE, rules=SAME), "r+2 accept")
    assert asked(state) == (2, "turn")


def test_rule_10_1_an_accepted_draw_two_is_no_longer_stacked_on() -> None:
    position = "top r5 | seat 0: r+2 g1 | seat 1: r1 | seat 2: g+2 b1 | seat 3: y0"
    state = play(table(position, draws="y1 y2", rules=SAME), "r+2 accept g+2")
    assert (asked(state), state.draw_sum) == ((3, "answer"), 2)


@pytest.mark.parametrize(
    ("switch", "held", "stackable"),
    [
        ("strict", "r9 w+4", []),
        ("strict", "g9 w+4", FOURS),
        ("bluff", "r9 w+4", FOURS),
        ("free", "r9 w+4", FOURS),
        ("last_resort", "r9 w w+4", FOURS),
        ("last_resort", "g+2 w+4", ["g+2"]),
    ],
)
def test_rule_10_1_a_stacked_wild_draw_four_obeys_its_switch(switch: str, held: str, stackable: list[str]) -> None:
    rules = f"{ANY_UP} wild_draw_four={switch}"
    state = play(parse_state(f"rules {rules} | top r5 | seat 0: r+2 g1 | seat 1: {held}"), "r+2")
    assert legal(state) == [*stackable, "accept"]


def test_rule_10_1_a_strict_one_is_judged_against_the_named_color() -> None:
    state = parse_state(f"rules {SAME} | top r5 | seat 0: w+4 b1 b2 | seat 1: w+4 g1 | to act 0")
    assert legal(play(state, "w+4:g")) == ["accept"]
    assert legal(play(state, "w+4:r")) == [*FOURS, "accept"]


def test_rule_10_1_a_stacked_draw_two_cannot_be_challenged() -> None:
    rules = f"{SAME} wild_draw_four=bluff"
    state = play(parse_state(f"rules {rules} | top r5 | seat 0: r+2 g1 | seat 1: g+2 b1"), "r+2")
    assert legal(state) == ["g+2", "accept"]
    state = play(parse_state(f"rules {rules} | top r5 | seat 0: w+4 g1 | seat 1: w+4 b1"), "w+4:y")
    assert legal(state) == [*FOURS, "accept", "challenge"]


def test_rule_10_1_a_guilty_offender_draws_the_whole_sum() -> None:
    rules = f"{ANY_UP} wild_draw_four=bluff"
    state = table("top r5 | seat 0: r+2 g1 | seat 1: r3 b1 w+4 | seat 2: b2", draws=PILE, rules=rules)
    state = play(state, "r+2 w+4:g challenge")
    assert (asked(state), len(state.hand(1)), state.draw_sum) == ((2, "turn"), 2 + 6, 0)
    assert hands(state)[2] == "b2"
    assert seen(state, 0, 2) == ["2 challenges 1: guilty", "1 draws 6"]


def test_rule_10_1_an_innocent_one_costs_the_sum_and_two_more() -> None:
    rules = f"{ANY_UP} wild_draw_four=bluff"
    state = table("top r5 | seat 0: r+2 g1 | seat 1: g3 b1 w+4 | seat 2: b2", draws=PILE, rules=rules)
    state = play(state, "r+2 w+4:g challenge")
    assert (asked(state), len(state.hand(2)), len(state.hand(1))) == ((0, "turn"), 1 + 8, 2)
    assert seen(state, 0, 3) == ["2 challenges 1: innocent", "2 draws 8", "2 is skipped"]


def test_rule_10_1_guilt_of_a_stacked_one_is_judged_on_the_color_it_was_stacked_on() -> None:
    rules = f"{SAME} wild_draw_four=bluff"
    position = "top r5 | seat 0: w+4 b1 b2 | seat 1: w+4 {} y9"
    for held, verdict in (("r1", "innocent"), ("g1", "guilty")):
        state = play(
            table(position.format(held), draws="y1 y2 y3 y4 y5 y6 y7 y8 b3 b4", rules=rules), "w+4:g w+4:r challenge"
        )
        assert f"0 challenges 1: {verdict}" in seen(state, 1)


def test_rule_10_1_a_draw_card_that_empties_a_hand_is_never_stacked_on() -> None:
    position = "top r5 | seat 0: r+2 g1 | seat 1: g+2 | seat 2: b+2 w+4"
    state = play(table(position, draws=PILE, rules=ANY_UP), "r+2 g+2")
    assert state.outcome is not None
    assert (state.outcome.winner, len(state.hand(2))) == (1, 6)


# 10.2 draw_until_playable


def test_rule_10_2_cards_are_drawn_until_one_is_playable() -> None:
    rules = "official draw_until_playable=on"
    state = play(table("top r5 | seat 0: g1 | seat 1: b1", draws="y1 y2 g5 r9", rules=rules), "draw")
    assert (hands(state)[0], legal(state)) == ("y1 y2 g1 g5", ["g5", "keep"])
    assert state.draw_pile == parse_cards("r9")
    assert seen(state, 1) == ["0 draws 3"]


def test_rule_10_2_off_one_card_is_drawn() -> None:
    state = play(table("top r5 | seat 0: g1 | seat 1: b1", draws="y1 y2 g5 r9"), "draw")
    assert (hands(state)[0], legal(state)) == ("y1 g1", ["keep"])


def test_rule_10_2_only_the_last_card_may_be_played() -> None:
    rules = "official draw_until_playable=on"
    state = play(table("top r5 | seat 0: r1 g1 | seat 1: b1", draws="y1 y2 r9 r8", rules=rules), "draw")
    assert legal(state) == ["r9", "keep"]
    assert asked(play(state, "keep")) == (1, "turn")


def test_rule_10_2_drawing_goes_on_through_a_reshuffle_until_none_are_left() -> None:
    rules = "official draw_until_playable=on"
    state = play(table("discards b2 b3 r5 | seat 0: g1 | seat 1: b1", draws="y1 y2", rules=rules), "draw")
    assert seen(state, 1) == ["0 draws 2", "reshuffled 2", "0 draws 2"]
    assert (state.draw_pile, len(state.hand(0)), legal(state)) == ((), 5, ["keep"])
    assert asked(play(state, "keep")) == (1, "turn")


@pytest.mark.parametrize(("switch", "count"), [("strict", 2), ("last_resort", 2), ("bluff", 1), ("free", 1)])
def test_rule_10_2_a_wild_draw_four_stops_it_only_if_it_may_be_played(switch: str, count: int) -> None:
    rules = f"official draw_until_playable=on wild_draw_four={switch}"
    state = play(table("top r5 | seat 0: r1 g1 | seat 1: b1", draws="w+4 r9 y1", rules=rules), "draw")
    assert len(state.hand(0)) == 2 + count


def test_rule_10_2_a_seat_that_could_play_may_still_decline() -> None:
    rules = "official draw_until_playable=on"
    assert legal(table("top r5 | seat 0: r1 | seat 1: b1", draws="y1", rules=rules)) == ["r1", "draw"]


# 10.3 must_play


@pytest.mark.parametrize(
    ("held", "on", "off"),
    [("r1 g1", ["r1"], ["r1", "draw"]), ("w g1", WILDS, [*WILDS, "draw"]), ("g1 b1", ["draw"], ["draw"])],
)
def test_rule_10_3_a_seat_with_a_playable_card_may_not_draw(held: str, on: list[str], off: list[str]) -> None:
    position = f"top r5 | seat 0: {held} | seat 1: y1"
    assert legal(parse_state(f"rules official must_play=on | {position}")) == on
    assert legal(parse_state(f"rules official must_play=off | {position}")) == off


def test_rule_10_3_a_wild_draw_four_that_may_not_be_played_is_no_playable_card() -> None:
    position = "top r5 | seat 0: w+4 g1 | seat 1: y1"
    assert legal(parse_state(f"rules official must_play=on | {position}")) == FOURS
    assert legal(parse_state(f"rules official must_play=on | {position.replace('g1', 'r1')}")) == ["r1"]


def test_rule_10_3_the_drawn_card_may_still_be_kept() -> None:
    state = play(table("top r5 | seat 0: g1 | seat 1: y1", draws="r9", rules="official must_play=on"), "draw")
    assert legal(state) == ["r9", "keep"]


def test_rule_10_3_a_draw_card_may_be_accepted_although_one_could_stack() -> None:
    state = parse_state(f"rules {SAME} must_play=on | top r5 | seat 0: r+2 g1 | seat 1: g+2 b1")
    assert legal(play(state, "r+2")) == ["g+2", "accept"]


# 10.4 drawn_card


@pytest.mark.parametrize(
    ("switch", "drawn", "may"),
    [
        ("may_play", "r9", ["r9", "keep"]),
        ("may_play", "b9", ["keep"]),
        ("must_play", "r9", ["r9"]),
        ("must_play", "w", WILDS),
        ("must_play", "b9", ["keep"]),
    ],
)
def test_rule_10_4_what_may_be_done_with_the_drawn_card(switch: str, drawn: str, may: list[str]) -> None:
    state = table("top r5 | seat 0: r1 g1 | seat 1: y1", draws=f"{drawn} y9", rules=f"official drawn_card={switch}")
    assert legal(state) == ["r1", "draw"]
    assert legal(play(state, "draw")) == may


@pytest.mark.parametrize("drawn", ["r9", "b9", "w"])
def test_rule_10_4_end_turn_ends_the_turn_with_the_draw(drawn: str) -> None:
    state = table("top r5 | seat 0: r1 g1 | seat 1: y1", draws=f"{drawn} y9", rules="official drawn_card=end_turn")
    state = play(state, "draw")
    assert (asked(state), state.drawn_card, len(state.hand(0))) == ((1, "turn"), None, 3)
    assert seen(state, 1) == ["0 draws 1"]


def test_rule_10_4_must_play_with_draw_until_playable() -> None:
    rules = "official drawn_card=must_play draw_until_playable=on"
    state = play(table("top r5 | seat 0: g1 | seat 1: y1", draws="b1 b2 r9 r8", rules=rules), "draw")
    assert legal(state) == ["r9"]


# 10.5 seven_zero

SEVEN_ZERO = "official seven_zero=on"


def test_rule_10_5_a_seven_swaps_hands_with_a_seat_of_choice() -> None:
    position = "top r5 | seat 0: y1 y2 | seat 1: r7 g1 | seat 2: b1 b2 b3 | seat 3: g2 | to act 1"
    state = play(table(position, rules=SEVEN_ZERO), "r7")
    assert (asked(state), legal(state)) == ((1, "swap"), ["swap:0", "swap:2", "swap:3"])
    swapped = play(state, "swap:3")
    assert (hands(swapped), asked(swapped)) == (["y1 y2", "g2", "b1 b2 b3", "g1"], (2, "turn"))


def test_rule_10_5_with_two_players_one_is_asked_all_the_same() -> None:
    state = play(table("top r5 | seat 0: r7 g1 | seat 1: b1 b2", rules=SEVEN_ZERO), "r7")
    assert (asked(state), legal(state)) == ((0, "swap"), ["swap:1"])
    state = play(state, "swap:1")
    assert (asked(state), hands(state)) == ((1, "turn"), ["b1 b2", "g1"])


def test_rule_10_5_the_two_who_swap_see_what_they_got_and_the_others_nothing() -> None:
    state = play(table("top r5 | seat 0: r7 g1 | seat 1: b1 | seat 2: y1 y2", rules=SEVEN_ZERO), "r7 swap:2")
    assert [seen(state, seat, 1) for seat in range(3)] == [
        ["0 swaps with 2 (y1 y2)"],
        ["0 swaps with 2"],
        ["0 swaps with 2 (g1)"],
    ]


@pytest.mark.parametrize(
    ("direction", "after", "seat"),
    [(1, ["g2", "y1 y2", "g1", "b1 b2 b3"], 2), (-1, ["g1", "b1 b2 b3", "g2", "y1 y2"], 0)],
)
def test_rule_10_5_a_zero_passes_every_hand_in_the_direction_of_play(
    direction: int, after: list[str], seat: int
) -> None:
    position = "top r5 | seat 0: y1 y2 | seat 1: r0 g1 | seat 2: b1 b2 b3 | seat 3: g2 | to act 1"
    state = play(table(f"{position} | direction {direction}", rules=SEVEN_ZERO), "r0")
    assert (hands(state), asked(state)) == (after, (seat, "turn"))


def test_rule_10_5_each_seat_sees_the_hand_it_got() -> None:
    state = play(table("top r5 | seat 0: r0 g1 | seat 1: b1 | seat 2: y1 y2", rules=SEVEN_ZERO), "r0")
    assert [seen(state, seat, 1) for seat in range(3)] == [
        ["hands pass (y1 y2)"],
        ["hands pass (g1)"],
        ["hands pass (b1)"],
    ]


@pytest.mark.parametrize("card", ["r7", "r0"])
def test_rule_10_5_a_seven_or_zero_that_empties_a_hand_wins_at_once(card: str) -> None:
    state = play(table(f"top r5 | seat 0: {card} | seat 1: b1 | seat 2: y2", rules=SEVEN_ZERO), card)
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.points) == (0, (3, 0, 0))
    assert seen(state, 1) == [f"0 plays {card}"]


@pytest.mark.parametrize("card", ["r7", "r0"])
def test_rule_10_5_off_no_hands_move(card: str) -> None:
    state = play(table(f"top r5 | seat 0: {card} g1 | seat 1: b1 b2"), card)
    assert (asked(state), hands(state)) == ((1, "turn"), ["g1", "b1 b2"])


def test_rule_10_5_a_seven_drawn_and_played_swaps_as_well() -> None:
    state = play(table("top r5 | seat 0: g1 | seat 1: b1 b2", draws="r7", rules=SEVEN_ZERO), "draw r7 swap:1")
    assert hands(state) == ["b1 b2", "g1"]


# 10.6 jump_in

JUMP_IN = "official jump_in=on"


def test_rule_10_6_the_identical_card_may_be_played_out_of_turn() -> None:
    position = "top r5 | seat 0: r1 g1 | seat 1: b1 b2 | seat 2: r1 y3 | seat 3: g3 g4"
    state = play(table(position, rules=JUMP_IN), "r1")
    assert (asked(state), legal(state)) == ((2, "jump_in"), ["r1", "pass"])
    jumped = play(state, "r1")
    assert (asked(jumped), hands(jumped)[2]) == ((3, "turn"), "y3")
    assert seen(jumped, 1) == ["0 plays r1", "2 jumps in r1"]
    assert asked(play(state, "pass")) == (1, "turn")


def test_rule_10_6_off_nobody_is_asked() -> None:
    state = play(table("top r5 | seat 0: r1 g1 | seat 1: b1 b2 | seat 2: r1 y3"), "r1")
    assert asked(state) == (1, "turn")


@pytest.mark.parametrize(("played", "held"), [("r1", "b1 r2"), ("rS", "gS r1"), ("r+2", "b+2 r1"), ("w:g", "w w+4")])
def test_rule_10_6_only_the_identical_card_fits(played: str, held: str) -> None:
    card = played.partition(":")[0]
    state = table(f"top r5 | seat 0: {card} g1 | seat 1: b2 b3 | seat 2: {held}", draws="y8 y9 y7", rules=JUMP_IN)
    assert play(state, played).phase.value == "turn"


@pytest.mark.parametrize("action", ["w:g", "w+4:g"])
def test_rule_10_6_wilds_cannot_be_jumped_on(action: str) -> None:
    card = action.partition(":")[0]
    state = table(
        f"top r5 | seat 0: {card} g1 | seat 1: {card} b3 | seat 2: {card} b4", draws="y6 y7 y8 y9", rules=JUMP_IN
    )
    assert play(state, action).phase.value == "turn"


def test_rule_10_6_the_player_of_a_card_cannot_jump_on_it() -> None:
    state = play(table("top r5 | seat 0: r1 r1 g1 | seat 1: b1 b2", rules=JUMP_IN), "r1")
    assert asked(state) == (1, "turn")


def test_rule_10_6_the_next_seat_may_jump_in_and_the_one_after_it_follows() -> None:
    state = play(table("top r5 | seat 0: r1 g1 | seat 1: r1 b2 | seat 2: y1", rules=JUMP_IN), "r1")
    assert asked(state) == (1, "jump_in")
    assert asked(play(state, "r1")) == (2, "turn")
    assert asked(play(state, "pass")) == (1, "turn")


def test_rule_10_6_with_two_players() -> None:
    state = play(table("top r5 | seat 0: r1 g1 | seat 1: r1 b2", rules=JUMP_IN), "r1")
    assert (asked(state), asked(play(state, "r1"))) == ((1, "jump_in"), (0, "turn"))


def test_rule_10_6_the_window_waits_for_the_skip() -> None:
    state = play(table("top r5 | seat 0: rS g1 | seat 1: rS b2 | seat 2: y1 y2 | seat 3: b3", rules=JUMP_IN), "rS")
    assert (asked(state), seen(state, 1)) == ((1, "jump_in"), ["0 plays rS", "1 is skipped"])
    assert asked(play(state, "pass")) == (2, "turn")
    jumped = play(state, "rS")
    assert (asked(jumped), seen(jumped, 0, 2)) == ((3, "turn"), ["1 jumps in rS", "2 is skipped"])


def test_rule_10_6_the_window_waits_for_the_reverse() -> None:
    position = "top r5 | seat 0: rR g1 | seat 1: rR b2 | seat 2: y1 y2 | seat 3: b3"
    state = play(table(position, rules=JUMP_IN), "rR")
    assert (asked(state), state.direction) == ((1, "jump_in"), -1)
    assert asked(play(state, "pass")) == (3, "turn")
    jumped = play(state, "rR")
    assert (asked(jumped), jumped.direction) == ((2, "turn"), 1)


def test_rule_10_6_the_window_waits_for_the_draw() -> None:
    position = "top r5 | seat 0: r+2 g1 | seat 1: b2 b3 | seat 2: r+2 y2 | seat 3: b1"
    state = play(table(position, draws="y1 y4 y5 y6", rules=JUMP_IN), "r+2")
    assert (asked(state), len(state.hand(1)), state.draw_sum) == ((2, "jump_in"), 4, 0)
    jumped = play(state, "r+2")
    assert (len(jumped.hand(3)), len(jumped.hand(1)), asked(jumped)) == (3, 4, (0, "turn"))


def test_rule_10_6_the_drawn_card_may_be_the_one_to_jump_in_with() -> None:
    position = "top r5 | seat 0: r+2 g1 | seat 1: b2 b3 | seat 2: y2 y3"
    state = play(table(position, draws="r+2 y4 y5 y6", rules=JUMP_IN), "r+2")
    assert asked(state) == (1, "jump_in")


def test_rule_10_6_no_window_while_a_sum_is_pending() -> None:
    position = "top r5 | seat 0: r+2 g1 | seat 1: b2 b3 | seat 2: r+2 y2"
    state = play(table(position, draws="y4 y5 y6", rules=f"{SAME} jump_in=on"), "r+2")
    assert asked(state) == (1, "answer")
    assert asked(play(state, "accept")) == (2, "jump_in")


def test_rule_10_6_the_window_waits_for_the_swap() -> None:
    position = "top r5 | seat 0: r7 g1 | seat 1: b2 b3 | seat 2: r7 y2"
    state = play(table(position, rules=f"{JUMP_IN} seven_zero=on"), "r7")
    assert asked(state) == (0, "swap")
    assert asked(play(state, "swap:1")) == (2, "jump_in")
    assert asked(play(state, "swap:2")) == (1, "turn")  # it now lies in the hand of the seat that played


def test_rule_10_6_a_jump_in_can_win_the_round() -> None:
    state = play(table("top r5 | seat 0: r1 g1 | seat 1: b1 b2 | seat 2: r1", rules=JUMP_IN), "r1 r1")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.points) == (2, (0, 0, 4))


def test_rule_10_6_a_last_card_is_not_jumped_on() -> None:
    assert play(table("top r5 | seat 0: r1 | seat 1: r1 b2", rules=JUMP_IN), "r1").is_over


# 10.7 windows


def test_rule_10_7_seats_are_asked_in_the_direction_of_play_and_the_first_reaction_closes() -> None:
    position = "top r5 | seat 0: b4 b5 | seat 1: r1 g1 | seat 2: y1 y2 | seat 3: g3 g4 | to act 1 | direction -1"
    state = play(table(position, draws="y8 y9 y7", rules="official uno_penalty=1"), "r1 pass")
    assert asked(state) == (0, "catch")
    assert asked(play(state, "pass")) == (3, "catch")
    assert asked(play(state, "pass catch")) == (0, "turn")
    assert asked(play(state, "pass pass pass")) == (0, "turn")


def test_rule_10_7_a_seat_that_could_only_pass_is_not_asked() -> None:
    position = "top r5 | seat 0: r1 g1 | seat 1: b1 b2 | seat 2: y1 y2 | seat 3: r1 g3"
    assert asked(play(table(position, rules=JUMP_IN), "r1")) == (3, "jump_in")


def test_rule_10_7_a_pass_is_no_public_event() -> None:
    state = play(table("top r5 | seat 0: r1 g1 | seat 1: b1 b2 | seat 2: r1 y3", rules=JUMP_IN), "r1 pass")
    assert seen(state, 0) == seen(state, 1) == ["0 plays r1"]
    assert seen(state, 2) == ["0 plays r1", "2 passes"]
    assert state.last_actor == observe(state, 1).last_actor == 0


def views(state: State) -> list[Observation]:
    return [observe(state, seat) for seat in range(state.rules.players)]


def test_rule_10_7_every_seat_but_the_one_asked_sees_what_it_last_saw() -> None:
    position = "top r5 | seat 0: r1 g1 | seat 1: b1 b2 | seat 2: r1 y3"
    state = table(position, draws="y8 y9", rules=f"{JUMP_IN} uno_penalty=1")
    before = views(state)
    state = play(state, "r1")
    assert asked(state) == (0, "catch")
    offered = views(state)
    assert (offered[1], offered[2]) == (before[1], before[2])
    assert [str(action) for action in offered[0].legal_actions] == ["uno", "pass"]
    state = play(state, "pass")
    assert asked(state) == (1, "catch")
    first = views(state)
    assert (first[0], first[2]) == (offered[0], before[2])
    assert [str(action) for action in first[1].legal_actions] == ["catch", "pass"]
    assert (first[1].phase.value, str(first[1].top_card)) == ("catch", "r1")
    state = play(state, "pass")
    second = views(state)
    assert (second[0], second[1]) == (offered[0], first[1])
    assert second[2].phase.value == "catch"
    state = play(state, "pass")
    assert asked(state) == (2, "jump_in")
    third = views(state)
    assert (third[0], third[1]) == (offered[0], first[1])
    state = play(state, "pass")
    assert [view.phase.value for view in views(state)] == ["turn"] * 3
    assert seen(state, 0) == ["0 plays r1", "0 passes"]


def test_rule_10_7_being_asked_does_not_tell_the_others_who_holds_the_card() -> None:
    # Seats 2 and 3 trade hands; while either is asked and when both have passed, seats 0 and 1 see the same.
    one = table("top r5 | seat 0: r1 g1 | seat 1: b1 b2 | seat 2: r1 y3 | seat 3: y1 y2", rules=JUMP_IN)
    other = table("top r5 | seat 0: r1 g1 | seat 1: b1 b2 | seat 2: y1 y2 | seat 3: r1 y3", rules=JUMP_IN)
    for actions in ("r1", "r1 pass"):
        assert views(play(one, actions))[:2] == views(play(other, actions))[:2]


def test_rule_10_7_afterwards_nobody_can_tell_whether_anybody_was_asked() -> None:
    position = "top r5 | seat 0: r1 g1 | seat 1: b1 b2 | seat 2: {} y3"
    someone = play(table(position.format("r1"), draws="b3", rules=JUMP_IN), "r1 pass")
    nobody = play(table(position.format("b3"), draws="r1", rules=JUMP_IN), "r1")
    assert views(someone)[:2] == views(nobody)[:2]


def test_rule_10_7_a_call_of_uno_inside_a_window_is_not_seen_before_it_closes() -> None:
    position = "top r5 | seat 0: r1 g1 g2 | seat 1: b1 b2 | seat 2: r1 y3"
    state = table(position, draws="y8", rules=f"{JUMP_IN} uno_penalty=1")
    before = views(state)
    asked_and_declared = views(play(state, "r1 uno"))
    assert asked_and_declared[:2] == before[:2]
    assert asked_and_declared[2].declared_uno == (2,)
    assert seen(play(state, "r1 uno r1"), 0, 2) == ["2 calls uno", "2 jumps in r1"]


@pytest.mark.parametrize("text", ["house", "tournament", "house players=2", "house players=6 wild_draw_four=bluff"])
def test_rule_10_7_views_stand_still_throughout_random_rounds(text: str) -> None:
    for seed in range(4):
        last: list[Observation] | None = None
        for state in random_states(parse_rules(text), seed, 120):
            now = views(state)
            if last is not None and state.phase.value in ("catch", "jump_in"):
                assert [view for seat, view in enumerate(now) if seat != state.seat] == [
                    view for seat, view in enumerate(last) if seat != state.seat
                ]
            last = now
