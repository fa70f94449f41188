"""Section 6 of the rules: when a Wild Draw Four may be played, and the challenge."""

import pytest

from lastcard.actions import parse_action
from lastcard.cards import Color
from lastcard.errors import IllegalActionError
from lastcard.observation import observe
from lastcard.state import parse_state
from tests.unit.helpers import FOURS, WILDS, asked, dealt, hands, legal, play, seen, table

BLUFF = "official wild_draw_four=bluff"


@pytest.mark.parametrize("held", ["r1", "rS", "r+2", "r5", "r0 g1"])
def test_rule_6_1_it_is_illegal_with_a_card_of_the_active_color(held: str) -> None:
    state = parse_state(f"top r5 | seat 0: {held} w+4 | seat 1: g1")
    assert not set(FOURS) & set(legal(state))
    with pytest.raises(IllegalActionError, match=r"w\+4 may not be played \(wild_draw_four=strict, active color red\)"):
        state.after(parse_action("w+4:g"))


@pytest.mark.parametrize(
    ("top", "held", "others"),
    [
        ("r5", "g5", ["g5"]),
        ("rS", "bS", ["bS"]),
        ("r+2", "y+2 y1", ["y+2"]),
        ("r5", "b1 w", WILDS),
        ("r5", "b1 g2", []),
    ],
)
def test_rule_6_1_a_number_or_symbol_match_or_a_wild_does_not_forbid_it(top: str, held: str, others: list[str]) -> None:
    state = parse_state(f"top {top} | seat 0: {held} w+4 | seat 1: g1")
    assert legal(state) == [*others, *FOURS, "draw"]


def test_rule_6_1_the_color_named_with_a_wild_is_what_counts() -> None:
    assert FOURS[0] in legal(parse_state("discards r5 w | color g | seat 0: r1 w+4 | seat 1: y1"))
    assert FOURS[0] not in legal(parse_state("discards r5 w | color g | seat 0: g1 w+4 | seat 1: y1"))


def test_rule_6_1_a_second_wild_draw_four_does_not_forbid_it() -> None:
    assert legal(parse_state("top r5 | seat 0: w+4 w+4 g1 | seat 1: y1")) == [*FOURS, "draw"]


def test_rule_6_1_holds_for_a_drawn_one_as_well() -> None:
    assert legal(play(table("top r5 | seat 0: r1 g2 | seat 1: y1", draws="w+4"), "draw")) == ["keep"]
    assert legal(play(table("top r5 | seat 0: b5 g2 | seat 1: y1", draws="w+4"), "draw")) == [*FOURS, "keep"]


@pytest.mark.parametrize(
    ("switch", "held", "plays"),
    [
        ("strict", "r1 g2", ["r1"]),
        ("strict", "g5 w", ["g5", *WILDS, *FOURS]),
        ("bluff", "r1 g2", ["r1", *FOURS]),
        ("bluff", "g1 g2", FOURS),
        ("free", "r1 g2", ["r1", *FOURS]),
        ("free", "g1 g2", FOURS),
        ("last_resort", "r1 g2", ["r1"]),
        ("last_resort", "g5 b1", ["g5"]),
        ("last_resort", "g1 w", WILDS),
        ("last_resort", "g1 b2", FOURS),
        ("last_resort", "g1 w+4", FOURS),
    ],
)
def test_rule_6_2_when_it_may_be_played(switch: str, held: str, plays: list[str]) -> None:
    state = parse_state(f"rules official wild_draw_four={switch} | top r5 | seat 0: {held} w+4 | seat 1: y1")
    assert legal(state) == [*plays, "draw"]


@pytest.mark.parametrize(("switch", "phase"), [("strict", "turn"), ("free", "turn"), ("last_resort", "turn")])
@pytest.mark.parametrize("players", [2, 3])
def test_rule_6_2_without_bluff_there_is_no_challenge(switch: str, phase: str, players: int) -> None:
    position = ["top r5", "seat 0: g1 g2 w+4", "seat 1: y1", "seat 2: b1"][: players + 1]
    state = table(" | ".join(position), draws="y6 y7 y8 y9", rules=f"official wild_draw_four={switch}")
    state = play(state, "w+4:b")
    assert asked(state) == (0 if players == 2 else 2, phase)
    assert len(state.hand(1)) == 5


def test_rule_6_2_bluff_is_the_printed_game_and_asks_even_after_an_honest_one() -> None:
    state = play(parse_state(f"rules {BLUFF} | top r5 | seat 0: g1 g2 w+4 | seat 1: r1 y1"), "w+4:b")
    assert asked(state) == (1, "answer")
    assert legal(state) == ["accept", "challenge"]
    assert (state.draw_sum, state.command_pending) == (4, True)


@pytest.mark.parametrize(
    ("held", "plays"),
    [
        ("b+2 w w+4", ["b+2"]),
        ("r3 w w+4", FOURS),
        ("r3 g5 w+4", FOURS),
        ("w+4 w+4", FOURS),
    ],
)
def test_rule_6_2_a_last_resort_in_answer_to_a_draw_two(held: str, plays: list[str]) -> None:
    rules = "official wild_draw_four=last_resort stacking=any_up"
    state = play(parse_state(f"rules {rules} | top r5 | seat 0: r+2 g1 | seat 1: {held}"), "r+2")
    assert legal(state) == [*plays, "accept"]


def test_rule_6_2_a_last_resort_is_judged_on_this_top_card() -> None:
    rules = "official wild_draw_four=last_resort"
    assert legal(parse_state(f"rules {rules} | top r5 | seat 0: g6 w+4 | seat 1: y1")) == [*FOURS, "draw"]
    assert legal(parse_state(f"rules {rules} | top r6 | seat 0: g6 w+4 | seat 1: y1")) == ["g6", "draw"]
    assert legal(parse_state(f"rules {rules} | top w | color g | seat 0: g6 w+4 | seat 1: y1")) == ["g6", "draw"]


def test_rule_6_3_guilty_offender_draws_four_and_the_challenger_takes_its_turn() -> None:
    position = "top r5 | seat 0: r1 g1 w+4 | seat 1: y1 b1 | seat 2: b2 b3"
    state = play(table(position, draws="g6 g7 g8 g9", rules=BLUFF), "w+4:b challenge")
    assert hands(state) == ["r1 g1 g6 g7 g8 g9", "y1 b1", "b2 b3"]
    assert (asked(state), state.draw_sum) == ((1, "turn"), 0)
    assert seen(state, 2) == ["0 plays w+4:b", "1 challenges 0: guilty", "0 draws 4"]


def test_rule_6_3_the_named_color_stands_after_a_guilty_one() -> None:
    position = "top r5 | seat 0: r1 g1 w+4 | seat 1: y1 b1 r2 w"
    state = play(table(position, draws="g6 g7 g8 g9", rules=BLUFF), "w+4:b challenge")
    assert state.active_color is Color.BLUE
    assert str(state.top_card) == "w+4"
    assert legal(state) == ["b1", *WILDS, "draw"]
    assert asked(play(state, "b1")) == (0, "turn")


@pytest.mark.parametrize(("players", "seat"), [(2, 0), (4, 2)])
def test_rule_6_3_innocent_challenger_draws_six_and_loses_its_turn(players: int, seat: int) -> None:
    position = ["top r5", "seat 0: b5 g1 w+4", "seat 1: y1 b1", "seat 2: b2 b3", "seat 3: y2"][: players + 1]
    state = table(" | ".join(position), draws="g4 g5 g6 g7 g8 g9 y9", rules=BLUFF)
    state = play(state, "w+4:b challenge")
    assert asked(state) == (seat, "turn")
    assert (hands(state)[0], hands(state)[1]) == ("g1 b5", "y1 g4 g5 g6 g7 g8 g9 b1")
    assert seen(state, 0, 3) == ["1 challenges 0: innocent", "1 draws 6", "1 is skipped"]


@pytest.mark.parametrize(("players", "seat"), [(2, 0), (4, 2)])
def test_rule_6_3_accepting_draws_four_and_loses_the_turn(players: int, seat: int) -> None:
    position = ["top r5", "seat 0: r1 g1 w+4", "seat 1: y1 b1", "seat 2: b2 b3", "seat 3: y2"][: players + 1]
    state = table(" | ".join(position), draws="g4 g5 g6 g7 g8 g9", rules=BLUFF)
    state = play(state, "w+4:b accept")
    assert asked(state) == (seat, "turn")
    assert (hands(state)[0], len(state.hand(1))) == ("r1 g1", 6)
    assert seen(state, 0, 3) == ["1 accepts 4", "1 draws 4", "1 is skipped"]


@pytest.mark.parametrize(("direction", "victim"), [(1, 2), (-1, 0)])
def test_rule_6_3_only_the_seat_that_would_draw_may_challenge(direction: int, victim: int) -> None:
    position = "top r5 | seat 0: y1 b1 | seat 1: r1 g1 w+4 | seat 2: b2 b3 | seat 3: y2 y3"
    state = play(parse_state(f"rules {BLUFF} players=4 | {position} | to act 1 | direction {direction}"), "w+4:b")
    assert asked(state) == (victim, "answer")
    for seat in range(4):
        may = [str(action) for action in observe(state, seat).legal_actions]
        assert may == (["accept", "challenge"] if seat == victim else [])


def test_rule_6_3_the_challenge_comes_before_the_draw() -> None:
    state = play(parse_state(f"rules {BLUFF} | top r5 | seat 0: r1 g1 w+4 | seat 1: y1 b1"), "w+4:b")
    assert len(state.hand(1)) == 2


@pytest.mark.parametrize(("held", "verdict"), [("r1 g1", "guilty"), ("g1 g2", "innocent")])
def test_rule_6_3_the_challenger_alone_is_shown_the_hand(held: str, verdict: str) -> None:
    position = f"top r5 | seat 0: {held} w+4 | seat 1: y1 b1 | seat 2: b2 b3"
    state = play(table(position, draws="g4 g5 g6 g7 g8 g9", rules=BLUFF), "w+4:b challenge")
    assert f"1 challenges 0: {verdict} ({held})" in seen(state, 1)
    assert f"1 challenges 0: {verdict}" in seen(state, 0)
    assert f"1 challenges 0: {verdict}" in seen(state, 2)


def test_rule_6_3_a_seat_that_accepts_is_shown_nothing() -> None:
    position = "top r5 | seat 0: r1 g1 w+4 | seat 1: y1 b1"
    state = play(table(position, draws="g4 g5 g6 g7", rules=BLUFF), "w+4:b accept")
    assert not [event for event in seen(state, 1) if "r1" in event]


def test_rule_6_3_a_draw_two_cannot_be_challenged() -> None:
    state = play(table("top r5 | seat 0: r+2 g1 | seat 1: y1 | seat 2: y2", draws="g4 g5", rules=BLUFF), "r+2")
    assert asked(state) == (2, "turn")


def test_rule_6_4_the_color_active_just_before_is_what_counts() -> None:
    # The named color is green, the top card below red: neither matters, blue was active.
    position = "discards r5 w | color b | seat 0: {} w+4 | seat 1: y1 y2"
    pile = "g4 g5 g6 g7 g8 g9"
    for held, verdict in (("g1 r1", "innocent"), ("b1 r1", "guilty"), ("r5 r6", "innocent")):
        state = play(table(position.format(held), draws=pile, rules=BLUFF), "w+4:g challenge")
        assert f"1 challenges 0: {verdict}" in seen(state, 0)


def test_rule_6_4_a_number_match_is_no_guilt() -> None:
    state = play(table("top r5 | seat 0: g5 w w+4 | seat 1: y1", draws="g6 g7 g8 g9 y8 y9", rules=BLUFF), "w+4:b")
    assert "1 challenges 0: innocent" in seen(play(state, "challenge"), 0)


def test_rule_6_4_penalty_cards_neither_count_nor_are_shown() -> None:
    position = "top r5 | seat 0: g1 w+4 | seat 1: y1 y2"
    state = table(position, draws="r1 r2 y4 y5 y6 y7 y8 y9", rules=f"{BLUFF} uno_penalty=2")
    state = play(state, "w+4:g pass catch")
    assert hands(state)[0] == "r1 r2 g1"
    assert seen(play(state, "challenge"), 1, 3) == [
        "1 challenges 0: innocent (g1)",
        "1 draws 6 (y4 y5 y6 y7 y8 y9)",
        "1 is skipped",
    ]


def test_rule_6_4_a_guilty_hand_stays_guilty_after_the_penalty() -> None:
    position = "top r5 | seat 0: r1 w+4 | seat 1: y1 y2"
    state = table(position, draws="r9 r2 y4 y5 y6 y7 y8 y9", rules=f"{BLUFF} uno_penalty=2")
    state = play(state, "w+4:g pass catch challenge")
    assert seen(state, 1, 2) == ["1 challenges 0: guilty (r1)", "0 draws 4"]


def test_rule_6_4_the_drawn_card_played_at_once_is_judged_by_the_rest_of_the_hand() -> None:
    guilty = play(table("top r5 | seat 0: r1 | seat 1: y1 y2", draws="w+4 y6 y7 y8 y9", rules=BLUFF), "draw w+4:g")
    assert "1 challenges 0: guilty (r1)" in seen(play(guilty, "challenge"), 1)


@pytest.mark.parametrize("switch", ["bluff", "free"])
def test_rule_6_5_a_drawn_one_that_is_forbidden_may_be_kept(switch: str) -> None:
    rules = f"official wild_draw_four={switch} drawn_card=must_play"
    state = play(table("top r5 | seat 0: r1 g1 | seat 1: y1", draws="w+4", rules=rules), "draw")
    assert legal(state) == [*FOURS, "keep"]


@pytest.mark.parametrize("switch", ["strict", "bluff", "free", "last_resort"])
def test_rule_6_5_a_drawn_one_that_is_allowed_must_be_played(switch: str) -> None:
    rules = f"official wild_draw_four={switch} drawn_card=must_play"
    state = play(table("top r5 | seat 0: b1 g1 | seat 1: y1", draws="w+4", rules=rules), "draw")
    assert legal(state) == FOURS


@pytest.mark.parametrize("switch", ["strict", "last_resort"])
def test_rule_6_5_a_drawn_one_that_cannot_be_played_is_kept(switch: str) -> None:
    rules = f"official wild_draw_four={switch} drawn_card=must_play"
    state = play(table("top r5 | seat 0: r1 g1 | seat 1: y1", draws="w+4", rules=rules), "draw")
    assert legal(state) == ["keep"]


def test_rule_6_5_other_drawn_cards_must_be_played() -> None:
    rules = "official wild_draw_four=bluff drawn_card=must_play"
    position = "top r5 | seat 0: r1 g1 | seat 1: y1"
    assert legal(play(table(position, draws="r9", rules=rules), "draw")) == ["r9"]
    assert legal(play(table(position, draws="w", rules=rules), "draw")) == WILDS


@pytest.mark.parametrize("switch", ["bluff", "free"])
def test_rule_6_5_must_play_never_leaves_a_forbidden_one_alone(switch: str) -> None:
    rules = f"official wild_draw_four={switch} must_play=on"
    state = parse_state(f"rules {rules} | top r5 | seat 0: r1 g1 w+4 | seat 1: y1")
    assert legal(state) == ["r1", *FOURS]


def test_rule_6_5_also_after_drawing_until_playable() -> None:
    rules = "official wild_draw_four=bluff drawn_card=must_play draw_until_playable=on"
    state = dealt(["r1 g1", "y1 y2"], "r5", "b1 b2 w+4", rules=rules)
    assert legal(play(state, "draw")) == [*FOURS, "keep"]
