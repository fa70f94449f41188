"""Sections 7 and 8 of the rules: calling UNO and going out."""

import pytest

from lastcard.actions import parse_action
from lastcard.errors import IllegalActionError
from lastcard.observation import observe
from lastcard.state import parse_state
from tests.unit.helpers import asked, hands, legal, play, seen, table

UNO = "official uno_penalty=2"
BLUFF = "official wild_draw_four=bluff"


# 7 Calling UNO


@pytest.mark.parametrize(
    ("held", "may"),
    [("r1 g1", True), ("w g1", True), ("y1 g1", False), ("r1 g1 g2", False), ("r1", False)],
)
def test_rule_7_1_a_seat_with_two_cards_and_a_legal_play_may_declare(held: str, may: bool) -> None:
    state = parse_state(f"rules {UNO} | top r5 | seat 0: {held} | seat 1: b1 b2")
    assert ("uno" in legal(state)) == may


def test_rule_7_1_the_declaration_does_not_end_the_turn() -> None:
    state = parse_state(f"rules {UNO} | top r5 | seat 0: r1 g1 | seat 1: b1 b2")
    assert legal(state) == ["r1", "draw", "uno"]
    state = play(state, "uno")
    assert (asked(state), legal(state), state.declared_uno) == ((0, "turn"), ["r1", "draw"], (0,))
    assert seen(state, 1) == ["0 calls uno"]
    assert observe(state, 1).declared_uno == (0,)


def test_rule_7_1_there_is_nothing_to_declare_with_penalty_0() -> None:
    assert legal(parse_state("top r5 | seat 0: r1 g1 | seat 1: b1 b2")) == ["r1", "draw"]


def test_rule_7_1_the_declaration_stands_while_one_card_is_held() -> None:
    state = table("top r5 | seat 0: r1 g1 | seat 1: r2 b2 b3", draws="y9 y8", rules=UNO)
    assert play(state, "uno r1 r2").declared_uno == (0,)


def test_rule_7_1_it_lapses_when_the_seat_draws() -> None:
    state = table("top r5 | seat 0: r1 g1 | seat 1: b1 b2", draws="y9 y8", rules=UNO)
    assert play(state, "uno draw").declared_uno == ()
    nothing_to_draw = table("top r5 | seat 0: g1 | seat 1: b1 b2 | declared 0", rules=UNO)
    assert (nothing_to_draw.declared_uno, play(nothing_to_draw, "draw").declared_uno) == ((0,), ())


def test_rule_7_1_it_lapses_when_the_seat_keeps() -> None:
    state = table("top r5 | seat 0: g1 | seat 1: b1 b2", draws="r9 y8", rules=UNO)
    state = play(state, "draw")
    assert legal(state) == ["r9", "keep", "uno"]
    assert play(state, "uno").declared_uno == (0,)
    assert play(state, "uno keep").declared_uno == ()


def test_rule_7_1_it_can_be_made_for_the_card_just_drawn_only_if_that_is_playable() -> None:
    state = table("top r5 | seat 0: r1 | seat 1: b1 b2", draws="y9 y8", rules=UNO)
    assert legal(play(state, "draw")) == ["keep"]


def test_rule_7_1_it_lapses_when_the_seat_must_draw_two() -> None:
    state = table("top r5 | seat 0: r1 g1 | seat 1: r+2 b2 b3", draws="y9 y8 y7", rules=UNO)
    state = play(state, "uno r1")
    assert state.declared_uno == (0,)
    assert play(state, "r+2").declared_uno == ()


def test_rule_7_1_a_seat_that_comes_back_to_two_cards_must_declare_again() -> None:
    state = table("top r5 | seat 0: r1 g1 | seat 1: r2 b2 b3 r4", draws="r9 y8 y7", rules=UNO)
    state = play(state, "uno r1 r2 draw")
    assert legal(state) == ["r9", "keep", "uno"]
    assert asked(play(state, "r9 pass")) == (1, "catch")


def test_rule_7_1_it_can_be_made_in_answer_to_a_draw_card() -> None:
    state = table("top r5 | seat 0: r+2 g1 g2 | seat 1: g+2 b1", draws="y9 y8 y7 y6", rules=f"{UNO} stacking=same")
    state = play(state, "r+2")
    assert legal(state) == ["g+2", "accept", "uno"]
    declared = play(state, "uno")
    assert (legal(declared), declared.declared_uno) == (["g+2", "accept"], (1,))
    assert asked(play(declared, "g+2")) == (0, "answer")
    assert asked(play(state, "g+2 pass")) == (0, "catch")


def test_rule_7_1_it_lapses_when_the_sum_is_accepted() -> None:
    state = table("top r5 | seat 0: r+2 g1 g2 | seat 1: g+2 b1", draws="y9 y8 y7 y6", rules=f"{UNO} stacking=same")
    assert play(state, "r+2 uno accept").declared_uno == ()


def test_rule_7_1_it_lapses_even_when_there_is_nothing_to_draw() -> None:
    rules = f"{UNO} stacking=same jump_in=on"
    state = table("top r5 | seat 0: r+2 g1 | seat 1: r+2 b1", rules=rules)
    state = play(state, "r+2 pass catch uno accept")  # the offender was given the only card there was
    assert seen(state, 1, 2) == ["1 draws 0", "1 is skipped"]
    assert state.declared_uno == ()
    assert (asked(state), legal(state)) == ((1, "jump_in"), ["r+2", "uno", "pass"])


def test_rule_7_1_in_a_jump_in_window_it_commits_the_seat() -> None:
    state = table("top r5 | seat 0: r1 g1 g2 | seat 1: r1 b2", draws="y9", rules=f"{UNO} jump_in=on")
    state = play(state, "r1")
    assert legal(state) == ["r1", "uno", "pass"]
    assert legal(play(state, "uno")) == ["r1"]
    jumped = play(state, "uno r1")
    assert seen(jumped, 0) == ["0 plays r1", "1 calls uno", "1 jumps in r1"]
    assert asked(jumped) == (0, "turn")


def test_rule_7_1_it_lapses_for_both_when_hands_are_swapped() -> None:
    state = table("top r5 | seat 0: r7 g1 | seat 1: b2 b3", draws="y9", rules=f"{UNO} seven_zero=on")
    assert play(state, "uno r7").declared_uno == (0,)
    assert play(state, "uno r7 swap:1").declared_uno == ()
    state = table("top r5 | seat 0: r7 g1 g2 | seat 1: b2 | declared 1", draws="y9", rules=f"{UNO} seven_zero=on")
    assert (state.declared_uno, play(state, "r7 swap:1").declared_uno) == ((1,), ())


def test_rule_7_1_it_lapses_for_all_when_hands_are_passed() -> None:
    state = table("top r5 | seat 0: r1 g1 | seat 1: r0 b2 b3", draws="y9", rules=f"{UNO} seven_zero=on")
    assert play(state, "uno r1 r0").declared_uno == ()


def test_rule_7_2_every_seat_with_one_card_has_declared() -> None:
    state = parse_state("top r5 | seat 0: r1 g1 | seat 1: b2 | seat 2: y1 y2")
    assert state.declared_uno == (1,)
    after = play(state, "r1")
    assert (asked(after), after.declared_uno) == ((1, "turn"), (0, 1))
    assert observe(after, 2).declared_uno == (0, 1)
    assert "0 calls uno" not in seen(after, 2)


def test_rule_7_2_there_is_no_catch_with_penalty_0() -> None:
    state = play(table("top r5 | seat 0: rS g1 | seat 1: b1 b2", draws="y9"), "rS")
    assert asked(state) == (0, "turn")


def test_rule_7_2_drawing_takes_the_automatic_declaration_away() -> None:
    state = table("top r5 | seat 0: r1 | seat 1: b1 b2", draws="y9 y8")
    assert (state.declared_uno, play(state, "draw").declared_uno) == ((0,), ())


def test_rule_7_3_an_undeclared_play_that_leaves_one_card_can_be_caught() -> None:
    state = table("top r5 | seat 0: r1 g1 | seat 1: b1 b2 | seat 2: y1 y2", draws="y9 y8 y7", rules=UNO)
    state = play(state, "r1 pass")
    assert (asked(state), legal(state)) == ((1, "catch"), ["catch", "pass"])
    caught = play(state, "catch")
    assert (asked(caught), hands(caught)[0]) == ((1, "turn"), "y8 y9 g1")
    assert seen(caught, 2) == ["0 plays r1", "1 catches 0", "0 draws 2"]
    assert seen(caught, 0) == ["0 plays r1", "0 passes", "1 catches 0", "0 draws 2 (y9 y8)"]


def test_rule_7_3_the_offender_is_asked_first_and_may_still_call() -> None:
    state = table("top r5 | seat 0: r1 g1 | seat 1: b1 b2 | seat 2: y1 y2", draws="y9 y8 y7", rules=UNO)
    state = play(state, "r1")
    assert (asked(state), legal(state), state.declared_uno) == ((0, "catch"), ["uno", "pass"], ())
    called = play(state, "uno")
    assert (asked(called), hands(called)[0], called.declared_uno) == ((1, "turn"), "g1", (0,))
    assert seen(called, 0) == seen(called, 2) == ["0 plays r1", "0 calls uno"]
    assert (called.ply, called.last_actor) == (state.ply + 1, 0)


@pytest.mark.parametrize(
    ("held", "action", "after"),
    [("rR g1", "rR", (2, "turn")), ("r+2 g1", "r+2", (2, "turn")), ("r7 g1", "r7", (0, "swap")),
     ("w+4 g1", "w+4:b", (1, "answer")), ("r0 g1", "r0", (1, "turn"))],
)  # fmt: skip
def test_rule_7_3_after_a_late_call_the_effect_goes_on(held: str, action: str, after: tuple[int, str]) -> None:
    rules = f"{UNO} seven_zero=on wild_draw_four=bluff"
    state = table(f"top r5 | seat 0: {held} | seat 1: b1 b2 | seat 2: y1 y2", draws="y9 y8 y7 y6", rules=rules)
    assert asked(play(state, f"{action} uno")) == after


def test_rule_7_3_a_late_call_lapses_like_any_other() -> None:
    state = table("top r5 | seat 0: r1 g1 | seat 1: r+2 b1 b2", draws="y9 y8 y7", rules=UNO)
    assert play(state, "r1 uno").declared_uno == (0,)
    assert play(state, "r1 uno r+2").declared_uno == ()


def test_rule_7_3_a_round_can_end_with_a_late_call() -> None:
    state = table("top r5 | seat 0: r1 g1 | seat 1: b1 b2", draws="y9", rules=f"{UNO} max_plies=2")
    state = play(state, "r1 uno")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason.value) == (0, "max_plies")


@pytest.mark.parametrize("penalty", [1, 4, 10])
def test_rule_7_3_the_offender_draws_uno_penalty_cards(penalty: int) -> None:
    state = parse_state(f"rules official uno_penalty={penalty} | top r5 | seat 0: r1 g1 | seat 1: b1 b2")
    assert len(play(state, "r1 pass catch").hand(0)) == 1 + penalty


@pytest.mark.parametrize(("held", "actions"), [("r1 g1", "uno r1"), ("r1 g1 g2", "r1"), ("r1", "r1")])
def test_rule_7_3_nothing_else_can_be_caught(held: str, actions: str) -> None:
    state = table(f"top r5 | seat 0: {held} | seat 1: b1 b2", draws="y9", rules=UNO)
    assert play(state, actions).phase.value in ("turn", "over")


def test_rule_7_3_every_seat_is_asked_in_the_direction_of_play() -> None:
    position = "top r5 | seat 0: b3 b4 | seat 1: r1 g1 | seat 2: b1 b2 | seat 3: y1 y2 | to act 1"
    for direction, order in ((1, [1, 2, 3, 0]), (-1, [1, 0, 3, 2])):
        state = play(table(f"{position} | direction {direction}", draws="y9", rules=UNO), "r1")
        for seat in order:
            assert asked(state) == (seat, "catch")
            state = play(state, "pass")
        assert asked(state) == (order[1], "turn")
        assert len(state.hand(1)) == 1


def test_rule_7_3_the_first_catch_closes_the_window() -> None:
    state = table("top r5 | seat 0: r1 g1 | seat 1: b1 b2 | seat 2: y1 y2", draws="y9 y8 y7", rules=UNO)
    state = play(state, "r1 pass pass catch")
    assert (asked(state), len(state.hand(0))) == ((1, "turn"), 3)
    assert seen(state, 0, 2) == ["2 catches 0", "0 draws 2 (y9 y8)"]


def test_rule_7_3_the_catch_comes_before_the_effect() -> None:
    state = table("top r5 | seat 0: r+2 g1 | seat 1: b1 b2 | seat 2: y1 y2", draws="y9 y8 y7 y6", rules=UNO)
    state = play(state, "r+2 pass")
    assert (asked(state), len(state.hand(1)), state.draw_sum) == ((1, "catch"), 2, 2)
    caught = play(state, "catch")
    assert seen(caught, 2) == ["0 plays r+2", "1 catches 0", "0 draws 2", "1 draws 2", "1 is skipped"]
    assert (hands(caught)[0], asked(caught)) == ("y8 y9 g1", (2, "turn"))
    passed = play(state, "pass pass")
    assert (hands(passed)[0], len(passed.hand(1)), asked(passed)) == ("g1", 4, (2, "turn"))


def test_rule_7_3_the_catch_comes_before_the_reverse() -> None:
    state = play(table("top r5 | seat 0: rR g1 | seat 1: b1 b2 | seat 2: y1 y2", draws="y9 y8", rules=UNO), "rR pass")
    assert (asked(state), state.direction) == ((1, "catch"), 1)
    assert asked(play(state, "catch")) == (2, "turn")


def test_rule_7_3_the_catch_comes_before_the_challenge() -> None:
    rules = f"{UNO} wild_draw_four=bluff"
    state = table("top r5 | seat 0: w+4 g1 | seat 1: b1 b2 | seat 2: y1 y2", draws="y9 y8", rules=rules)
    state = play(state, "w+4:b pass")
    assert asked(state) == (1, "catch")
    assert asked(play(state, "pass catch")) == (1, "answer")


def test_rule_7_3_the_catch_comes_before_the_swap() -> None:
    state = table("top r5 | seat 0: r7 g1 | seat 1: b1 b2", draws="y9 y8", rules=f"{UNO} seven_zero=on")
    state = play(state, "r7 pass")
    assert asked(state) == (1, "catch")
    state = play(state, "catch")
    assert (asked(state), hands(state)[0]) == ((0, "swap"), "y8 y9 g1")


@pytest.mark.parametrize("card", ["rS", "rR", "r+2"])
def test_rule_7_3_a_seat_that_moves_again_can_be_caught(card: str) -> None:
    state = play(table(f"top r5 | seat 0: {card} g1 | seat 1: b1 b2", draws="y9 y8 y7 y6", rules=UNO), f"{card} pass")
    assert asked(state) == (1, "catch")
    assert asked(play(state, "catch")) == asked(play(state, "pass")) == (0, "turn")


def test_rule_7_3_a_hand_swapped_down_to_one_card_is_not_caught() -> None:
    state = table("top r5 | seat 0: r7 g1 g2 | seat 1: b1", draws="y9", rules=f"{UNO} seven_zero=on")
    state = play(state, "r7 swap:1")
    assert (asked(state), hands(state), state.declared_uno) == ((1, "turn"), ["b1", "g1 g2"], ())


def test_rule_7_3_a_hand_passed_down_to_one_card_is_not_caught() -> None:
    state = table("top r5 | seat 0: r0 g1 g2 | seat 1: b1", draws="y9", rules=f"{UNO} seven_zero=on")
    state = play(state, "r0")
    assert (asked(state), hands(state)) == ((1, "turn"), ["b1", "g1 g2"])


# 8 Going out


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("action", ["r1", "rS", "rR", "w:g"])
def test_rule_8_1_the_round_ends_when_a_hand_is_empty(action: str, players: int) -> None:
    card = action.partition(":")[0]
    position = f"top r5 | seat 0: {card} | seat 1: b1 | seat 2: y2 | seat 3: g4".split(" | ")[: players + 1]
    state = play(parse_state(" | ".join(position)), action)
    assert (state.is_over, state.seat, state.phase.value, legal(state)) == (True, None, "over", [])
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason.value) == (0, "went_out")
    assert seen(state, 1) == [f"0 plays {action}"]
    with pytest.raises(IllegalActionError, match="draw is not legal: the round is over"):
        state.after(parse_action("draw"))


def test_rule_8_1_one_card_left_does_not_end_it() -> None:
    state = play(parse_state("top r5 | seat 0: r1 b2 | seat 1: b1"), "r1")
    assert not state.is_over
    assert state.outcome is None


def test_rule_8_1_a_drawn_card_can_be_the_last() -> None:
    state = table("top r5 | seat 0: g1 | seat 1: b1", draws="g5 y9")
    state = play(state, "draw g5 draw keep")
    assert (hands(state)[0], asked(state)) == ("g1", (0, "turn"))
    assert play(state, "g1").outcome is not None


@pytest.mark.parametrize(("direction", "victim"), [(1, 2), (-1, 0)])
def test_rule_8_2_the_cards_of_a_last_draw_two_are_drawn_and_count(direction: int, victim: int) -> None:
    position = f"top r5 | seat 0: b1 | seat 1: r+2 | seat 2: y2 | to act 1 | direction {direction}"
    state = play(table(position, draws="w bS y9"), "r+2")
    assert state.outcome is not None
    assert state.outcome.to_dict() == {"winner": 1, "reason": "went_out", "points": [0, 1 + 2 + 50 + 20, 0]}
    assert len(state.hand(victim)) == 3
    assert seen(state, 1) == ["1 plays r+2", f"{victim} draws 2"]


def test_rule_8_2_the_cards_of_a_last_wild_draw_four_are_drawn_and_count() -> None:
    state = play(table("top r5 | seat 0: w+4 | seat 1: b1 | seat 2: y2", draws="w bS y9 y8 y7"), "w+4:g")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.points) == (0, (1 + 2 + 50 + 20 + 9 + 8, 0, 0))


@pytest.mark.parametrize("stacking", ["same", "any_up"])
def test_rule_8_2_the_next_seat_is_not_asked_even_with_stacking(stacking: str) -> None:
    position = "top r5 | seat 0: r+2 | seat 1: g+2 w+4"
    state = play(table(position, draws="y1 y2", rules=f"official stacking={stacking}"), "r+2")
    assert state.is_over
    assert len(state.hand(1)) == 4


def test_rule_8_2_the_whole_sum_is_drawn() -> None:
    position = "top r5 | seat 0: r+2 g1 | seat 1: g+2 | seat 2: y1"
    state = play(table(position, draws="b1 b2 b3 b4 b5", rules="official stacking=same"), "r+2 g+2")
    assert state.outcome is not None
    assert (len(state.hand(2)), state.outcome.points, state.draw_sum) == (5, (0, 1 + 1 + 1 + 2 + 3 + 4, 0), 0)


def test_rule_8_2_under_bluff_a_last_wild_draw_four_may_be_accepted() -> None:
    position = "top r5 | seat 0: w+4 | seat 1: b1 b2"
    state = play(table(position, draws="y1 y2 y3 y4 y5 y6", rules=BLUFF), "w+4:g")
    assert (state.is_over, asked(state), legal(state)) == (False, (1, "answer"), ["accept", "challenge"])
    state = play(state, "accept")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.points) == (0, (3 + 10, 0))
    assert seen(state, 0) == ["0 plays w+4:g", "1 accepts 4", "1 draws 4"]


def test_rule_8_2_an_innocent_challenge_of_a_last_wild_draw_four_costs_six() -> None:
    position = "top r5 | seat 0: w+4 | seat 1: b1 b2"
    state = play(table(position, draws="y1 y2 y3 y4 y5 y6", rules=BLUFF), "w+4:g challenge")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.points) == (0, (3 + 21, 0))
    assert seen(state, 1)[1] == "1 challenges 0: innocent ()"


def test_rule_8_2_a_guilty_offender_would_draw_and_the_round_go_on() -> None:
    # Nobody can be guilty with an empty hand; a position says what was in it.
    position = "top w+4 | color g | last color r | seat 0: | seat 1: b1 g2 | to act 1 | phase answer | played by 0"
    state = table(f"{position} | draw sum 4 | shown r1", draws="y1 y2 y3 y4 y5 r1", rules=BLUFF)
    state = play(state, "challenge")
    assert (asked(state), state.is_over, hands(state)[0]) == ((1, "turn"), False, "y1 y2 y3 y4")
    assert legal(state) == ["g2", "draw"]


def test_rule_8_2_under_bluff_a_last_draw_two_is_not_asked_about() -> None:
    state = play(table("top r5 | seat 0: r+2 | seat 1: b1 b2", draws="y1 y2", rules=f"{BLUFF} stacking=same"), "r+2")
    assert state.is_over


def test_rule_8_2_a_last_wild_draw_four_is_not_stacked_on() -> None:
    rules = f"{BLUFF} stacking=same"
    state = play(table("top r5 | seat 0: w+4 | seat 1: w+4 b2 b3", draws="y1 y2 y3 y4 y5 y6", rules=rules), "w+4:g")
    assert legal(state) == ["accept", "challenge"]


def test_rule_8_2_what_there_is_is_drawn() -> None:
    state = play(table("top r5 | seat 0: r+2 | seat 1: b1"), "r+2")
    assert state.outcome is not None
    assert state.outcome.points == (6, 0)
