"""Sections 3 to 5 of the rules: the turn, action cards, and an empty draw pile."""

import pytest

from lastcard.actions import parse_action
from lastcard.cards import CARDS, WILD, Card, Color, format_cards, parse_card, parse_cards
from lastcard.errors import IllegalActionError
from lastcard.observation import observe
from lastcard.rules import Rules
from lastcard.state import deck_order, parse_state, reshuffled
from tests.unit.helpers import FOURS, WILDS, asked, hands, legal, play, seen, table

# 3 Turn


@pytest.mark.parametrize("top", CARDS[:52], ids=str)
def test_rule_3_1_color_number_or_symbol_must_match(top: Card) -> None:
    held = [card for card in CARDS if card is not WILD and not (card is top and card.rank.value == "0")]
    state = parse_state(f"top {top} | seat 0: {format_cards(held)} | seat 1: w")
    matching = [str(card) for card in held if top.color is card.color or top.rank is card.rank]
    assert legal(state) == [*matching, "draw"]


def test_rule_3_1_a_wild_matches_everything() -> None:
    state = parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR")
    assert legal(state) == ["r7", *WILDS, "draw"]


def test_rule_3_1_after_a_wild_the_named_color_matches_and_nothing_else() -> None:
    state = parse_state("discards r5 w | color g | last color r | seat 0: r7 g5 b5 gS w | seat 1: g1")
    assert legal(state) == ["g5", "gS", *WILDS, "draw"]


@pytest.mark.parametrize("action", ["b7", "yS", "g3"])
def test_rule_3_1_any_other_card_is_refused(action: str) -> None:
    state = parse_state("top r5 | seat 0: b7 yS r1 g3 | seat 1: g1")
    with pytest.raises(IllegalActionError, match=f"{action} does not match r5"):
        state.after(parse_action(action))


def test_rule_3_1_a_card_of_another_hand_is_refused() -> None:
    state = parse_state("top r5 | seat 0: b7 | seat 1: r1")
    with pytest.raises(IllegalActionError, match="r1 is not in the hand of seat 0"):
        state.after(parse_action("r1"))


def test_rule_3_1_a_played_card_becomes_the_top_card() -> None:
    state = play(parse_state("top r5 | seat 0: b5 g1 | seat 1: r1 b2"), "b5")
    assert (str(state.top_card), state.active_color, state.last_color) == ("b5", Color.BLUE, Color.RED)
    assert (asked(state), legal(state)) == ((1, "turn"), ["b2", "draw"])


def test_rule_3_2_a_seat_that_could_play_may_draw_one_card() -> None:
    state = table("top r5 | seat 0: r1 r2 | seat 1: b1", draws="g9 g8")
    assert legal(state) == ["r1", "r2", "draw"]
    drawn = play(state, "draw")
    assert hands(drawn)[0] == "r1 r2 g9"
    assert drawn.draw_pile == parse_cards("g8")


def test_rule_3_2_a_seat_that_cannot_play_must_draw() -> None:
    state = table("top r5 | seat 0: g1 b2 | seat 1: b1", draws="g9 g8")
    assert legal(state) == ["draw"]
    assert hands(play(state, "draw"))[0] == "g1 g9 b2"


def test_rule_3_2_there_is_no_turn_without_playing_or_drawing() -> None:
    state = table("top r5 | seat 0: r1 g1 | seat 1: b1", draws="g9")
    for action in ("keep", "pass", "accept"):
        with pytest.raises(IllegalActionError, match=f"{action} is not possible in phase turn"):
            state.after(parse_action(action))


def test_rule_3_3_only_the_drawn_card_may_be_played() -> None:
    state = play(table("top r5 | seat 0: r1 g5 w | seat 1: b1", draws="r9 g8"), "draw")
    assert asked(state) == (0, "drawn")
    assert legal(state) == ["r9", "keep"]
    with pytest.raises(IllegalActionError, match="r1 is not the card just drawn"):
        state.after(parse_action("r1"))


def test_rule_3_3_an_unplayable_drawn_card_can_only_be_kept() -> None:
    state = play(table("top r5 | seat 0: r1 g1 | seat 1: b1", draws="g9"), "draw")
    assert legal(state) == ["keep"]


def test_rule_3_3_a_drawn_wild_may_name_any_color() -> None:
    state = play(table("top r5 | seat 0: r1 g1 | seat 1: b1", draws="w"), "draw")
    assert legal(state) == [*WILDS, "keep"]


def test_rule_3_3_a_second_copy_of_a_held_card_may_be_played() -> None:
    state = play(table("top r5 | seat 0: r1 g1 | seat 1: b1", draws="r1"), "draw r1")
    assert (hands(state)[0], state.seat) == ("r1 g1", 1)


def test_rule_3_3_keeping_ends_the_turn() -> None:
    state = play(table("top r5 | seat 0: r1 | seat 1: b1 | seat 2: b2", draws="r9 g8"), "draw keep")
    assert (asked(state), hands(state)[0], state.drawn_card) == ((1, "turn"), "r1 r9", None)
    assert seen(state, 2) == ["0 draws 1", "0 keeps"]


def test_rule_3_3_a_drawn_card_takes_effect_when_played() -> None:
    state = play(table("top r5 | seat 0: g1 | seat 1: b1 | seat 2: b2", draws="rS g8"), "draw rS")
    assert (asked(state), seen(state, 1)) == ((2, "turn"), ["0 draws 1", "0 plays rS", "1 is skipped"])


@pytest.mark.parametrize("actions", ["draw", "draw keep"])
@pytest.mark.parametrize("seat", [1, 2])
def test_rule_3_3_nobody_else_can_tell_whether_the_drawn_card_was_playable(actions: str, seat: int) -> None:
    position = "top r5 | seat 0: r1 b1 | seat 1: g1 | seat 2: y1"
    playable = play(table(position, draws="r9 b9"), actions)
    unplayable = play(table(position, draws="b9 r9"), actions)
    assert hands(playable) != hands(unplayable)
    assert observe(playable, seat) == observe(unplayable, seat)
    assert observe(playable, seat).to_dict() == observe(unplayable, seat).to_dict()


def test_rule_3_3_the_drawn_card_is_shown_to_its_seat_alone() -> None:
    state = play(table("top r5 | seat 0: r1 | seat 1: b1", draws="r9"), "draw")
    assert (observe(state, 0).drawn_card, observe(state, 1).drawn_card) == (parse_card("r9"), None)
    assert (seen(state, 0), seen(state, 1)) == (["0 draws 1 (r9)"], ["0 draws 1"])
    assert observe(state, 1).hand_sizes == (2, 1)


@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize("card", ["w", "w+4"])
def test_rule_3_4_a_wild_names_any_of_the_four_colors(card: str, color: Color) -> None:
    state = play(parse_state(f"top r5 | seat 0: {card} g1 g2 | seat 1: b1"), f"{card}:{color.letter}")
    assert (state.active_color, state.last_color) == (color, Color.RED)
    assert state.top_card is parse_card(card)
    assert state.top_card.color is None


def test_rule_3_4_the_named_color_lasts_until_another_card_is_played() -> None:
    state = table("top r5 | seat 0: w g1 r2 | seat 1: b1 r1", draws="g9 r8")
    state = play(state, "w:g draw keep")
    assert (state.active_color, legal(state)) == (Color.GREEN, ["g1", "draw"])
    assert play(state, "g1").active_color is Color.GREEN


# 4 Action cards


@pytest.mark.parametrize(("direction", "skipped", "seat"), [(1, 2, 3), (-1, 0, 3)])
def test_rule_4_1_skip_costs_the_next_seat_its_turn(direction: int, skipped: int, seat: int) -> None:
    position = "top r5 | seat 0: b1 b2 | seat 1: rS b3 | seat 2: y1 y2 | seat 3: g1 g2"
    state = play(parse_state(f"{position} | to act 1 | direction {direction}"), "rS")
    assert asked(state) == (seat, "turn")
    assert seen(state, 0) == ["1 plays rS", f"{skipped} is skipped"]
    assert (state.direction, len(state.hand(skipped))) == (direction, 2)


def test_rule_4_1_skip_among_three_comes_round_to_the_seat_before() -> None:
    state = play(parse_state("top r5 | seat 0: rS b2 | seat 1: b1 b3 | seat 2: y1 y2"), "rS")
    assert asked(state) == (2, "turn")


@pytest.mark.parametrize(("direction", "seat"), [(1, 0), (-1, 2)])
def test_rule_4_2_reverse_turns_the_direction_round(direction: int, seat: int) -> None:
    position = "top r5 | seat 0: b1 b2 | seat 1: rR b3 | seat 2: y1 y2 | seat 3: g1 g2"
    state = play(parse_state(f"{position} | to act 1 | direction {direction}"), "rR")
    assert (asked(state), state.direction) == ((seat, "turn"), -direction)
    assert seen(state, 0) == ["1 plays rR"]


def test_rule_4_2_two_reverses_restore_the_direction() -> None:
    state = play(parse_state("top r5 | seat 0: rR b2 | seat 1: b1 b3 | seat 2: bR y2"), "rR bR")
    assert (asked(state), state.direction) == ((0, "turn"), 1)


def test_rule_4_2_with_two_players_the_other_seat_loses_its_turn() -> None:
    state = play(parse_state("top r5 | seat 0: rR b2 | seat 1: b1 b3"), "rR")
    assert (asked(state), state.direction) == ((0, "turn"), -1)
    assert seen(state, 1) == ["0 plays rR", "1 is skipped"]


@pytest.mark.parametrize(("direction", "victim"), [(1, 2), (-1, 0)])
def test_rule_4_3_draw_two_makes_the_next_seat_draw_and_lose_its_turn(direction: int, victim: int) -> None:
    position = "top r5 | seat 0: b1 r2 | seat 1: r+2 b3 | seat 2: y1 r3 | seat 3: g1 g2"
    state = play(table(f"{position} | to act 1 | direction {direction}", draws="y8 r9 b9"), "r+2")
    assert (asked(state), state.draw_sum) == ((3, "turn"), 0)
    assert seen(state, victim) == ["1 plays r+2", f"{victim} draws 2 (y8 r9)", f"{victim} is skipped"]
    assert seen(state, 3) == ["1 plays r+2", f"{victim} draws 2", f"{victim} is skipped"]
    assert state.draw_pile == parse_cards("b9")


def test_rule_4_3_the_next_seat_is_not_asked_even_with_a_draw_two() -> None:
    state = play(table("top r5 | seat 0: r+2 b3 | seat 1: g+2 r3 | seat 2: y1", draws="y8 r9"), "r+2")
    assert (asked(state), hands(state)[1]) == ((2, "turn"), "r3 r9 y8 g+2")


@pytest.mark.parametrize(("direction", "victim"), [(1, 2), (-1, 0)])
def test_rule_4_4_wild_draw_four_makes_the_next_seat_draw_and_lose_its_turn(direction: int, victim: int) -> None:
    position = "top r5 | seat 0: b1 g2 | seat 1: w+4 b3 | seat 2: y1 g3 | seat 3: g1 b2"
    state = play(table(f"{position} | to act 1 | direction {direction}", draws="y6 y7 y8 y9 b9"), "w+4:g")
    assert (asked(state), state.draw_sum, state.active_color) == ((3, "turn"), 0, Color.GREEN)
    assert seen(state, victim) == ["1 plays w+4:g", f"{victim} draws 4 (y6 y7 y8 y9)", f"{victim} is skipped"]
    assert legal(state) == ["g1", "draw"]


@pytest.mark.parametrize("action", ["rS", "rR", "r+2", "w+4:g"])
def test_rule_4_5_with_two_players_an_action_card_keeps_the_turn(action: str) -> None:
    card = action.partition(":")[0]
    others = "g1 g2" if action == "w+4:g" else "r1 r2"
    state = play(table(f"top r5 | seat 0: {card} {others} | seat 1: r9 b1", draws="y6 y7 y8 y9"), action)
    assert asked(state) == (0, "turn")
    assert seen(state, 0, 1) == ["1 is skipped"]
    assert legal(state) == [*others.split(), "draw"]


@pytest.mark.parametrize("action", ["r1", "w:g"])
def test_rule_4_5_after_any_other_card_the_other_seat_moves(action: str) -> None:
    assert asked(play(parse_state("top r5 | seat 0: r1 w g2 | seat 1: r9 b1"), action)) == (1, "turn")


# 5 Empty draw pile and stuck rounds


def test_rule_5_1_the_discards_except_the_top_card_are_shuffled() -> None:
    state = play(table("discards b1 b2 b3 r5 | seat 0: g1 r2 | seat 1: y1"), "draw")
    assert state.discard_pile == parse_cards("r5")
    assert state.reshuffles == 1
    assert seen(state, 1) == ["reshuffled 3", "0 draws 1"]
    pile = reshuffled(parse_cards("b1 b2 b3"), state.seed, 1)
    assert (state.draw_pile, state.drawn_card) == (pile[:-1], pile[-1])


def test_rule_5_1_the_draw_goes_on_after_the_reshuffle() -> None:
    state = play(table("discards b1 b2 r5 | seat 0: r+2 g1 | seat 1: y1", draws="g9"), "r+2")
    assert seen(state, 0) == ["0 plays r+2", "1 draws 1", "reshuffled 3", "1 draws 1", "1 is skipped"]
    pile = reshuffled(parse_cards("b1 b2 r5"), state.seed, 1)
    assert str(state.history[3]) == f"1 draws 1 ({pile[-1]})"
    assert (state.discard_pile, state.draw_pile) == (parse_cards("r+2"), pile[:-1])


def test_rule_5_1_there_is_no_reshuffle_before_a_card_is_needed() -> None:
    state = play(table("discards b1 b2 r5 | seat 0: r1 g1 | seat 1: y1 r9", draws="g9"), "draw keep")
    assert (state.draw_pile, state.reshuffles, len(state.discard_pile)) == ((), 0, 3)
    assert play(state, "r9").reshuffles == 0
    assert play(state, "draw").reshuffles == 1


def test_rule_5_1_the_new_order_depends_on_cards_seed_and_ordinal_alone() -> None:
    one = table("discards b1 b2 b3 b4 b5 b6 r5 | seat 0: g1 r2 | seat 1: y1 y2")
    other = table("discards b6 b3 b1 b2 b5 b4 y8 | seat 0: g3 | seat 1: y1 r7 | seat 2: y3 | to act 2 | ply 9")
    assert play(one, "draw").draw_pile == play(other, "draw").draw_pile
    discards = "b1 b2 b3 b4 b5 b6 r5 | seat 0: g1 r2 | seat 1: y1 y2"
    orders = {
        play(table(f"discards {discards} | seed {seed} | reshuffles {before}"), "draw").draw_pile
        for seed in (0, 1)
        for before in (0, 1)
    }
    assert len(orders) == 4


def test_rule_5_1_the_second_reshuffle_has_an_order_of_its_own() -> None:
    cards = parse_cards("b1 b2 b3 b4 b5 b6")
    assert reshuffled(cards, 7, 1) == reshuffled(cards[::-1], 7, 1)
    assert reshuffled(cards, 7, 1) != reshuffled(cards, 7, 2)
    assert sorted(reshuffled(cards, 7, 2)) == sorted(cards)


def test_rule_5_1_the_order_of_the_deal_depends_on_the_seed() -> None:
    rules = Rules()
    assert deck_order(rules, 1) == deck_order(rules.replace(players=5, stacking="same"), 1)
    assert deck_order(rules, 1) != deck_order(rules, 2)


def test_rule_5_1_a_wild_is_shuffled_back_without_the_color_it_named() -> None:
    state = play(table("discards w r5 | seat 0: g1 r2 | seat 1: y1"), "draw")
    assert legal(state) == [*WILDS, "keep"]


def test_rule_5_2_what_there_is_is_drawn() -> None:
    state = play(table("top r5 | seat 0: w+4 g1 | seat 1: y1 | seat 2: b1", draws="g9 g8"), "w+4:b")
    assert seen(state, 0) == ["0 plays w+4:b", "1 draws 2", "reshuffled 1", "1 draws 1", "1 is skipped"]
    assert (hands(state)[1], state.seat) == ("r5 y1 g8 g9", 2)


def test_rule_5_2_the_top_card_is_never_drawn() -> None:
    state = play(table("top r5 | seat 0: g1 b2 | seat 1: y1"), "draw")
    assert (state.discard_pile, hands(state)[0]) == (parse_cards("r5"), "g1 b2")


def test_rule_5_2_with_nothing_to_draw_a_seat_that_can_play_must() -> None:
    assert legal(table("top r5 | seat 0: r1 g1 w | seat 1: y1")) == ["r1", *WILDS]
    assert legal(table("top r5 | seat 0: w+4 g1 | seat 1: y1 y2")) == FOURS


def test_rule_5_2_a_discard_under_the_top_card_is_something_to_draw() -> None:
    assert legal(table("discards b1 r5 | seat 0: r1 g1 | seat 1: y1")) == ["r1", "draw"]


@pytest.mark.parametrize("switch", ["drawn_card=may_play", "drawn_card=must_play", "draw_until_playable=on"])
def test_rule_5_2_drawing_nothing_passes_the_turn(switch: str) -> None:
    state = table("top r5 | seat 0: g1 b2 | seat 1: y1 | seat 2: y2", rules=f"official {switch}")
    assert legal(state) == ["draw"]
    state = play(state, "draw")
    assert (asked(state), state.stuck_passes) == ((1, "turn"), 1)
    assert seen(state, 1) == ["0 draws 0"]


def test_rule_5_3_the_round_is_blocked_when_every_seat_has_passed() -> None:
    state = table("top r5 | seat 0: g1 b2 | seat 1: y1 | seat 2: y2 y3 | seat 3: bS | to act 2")
    state = play(state, "draw draw draw")
    assert not state.is_over
    state = play(state, "draw")
    assert state.outcome is not None
    assert state.outcome.to_dict() == {"winner": 1, "reason": "blocked", "points": [0, 27, 0, 0]}
    assert (state.seat, legal(state), state.scores) == (None, [], (0, 27, 0, 0))


def test_rule_5_3_a_seat_that_can_play_keeps_the_round_going() -> None:
    state = play(table("top r5 | seat 0: g1 b2 | seat 1: y1 | seat 2: r1 y2"), "draw draw r1")
    assert (state.stuck_passes, state.is_over) == (0, False)
    assert not play(state, "draw").is_over


def test_rule_5_3_the_winner_scores_the_others_less_its_own() -> None:
    state = play(table("top r5 | seat 0: g8 b9 | seat 1: yS"), "draw draw")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.points) == (0, (3, 0))


def test_rule_5_3_if_the_fewest_points_are_shared_nobody_wins() -> None:
    state = play(table("top r5 | seat 0: g2 b1 | seat 1: y3 | seat 2: bS"), "draw draw draw")
    assert state.outcome is not None
    assert state.outcome.to_dict() == {"winner": None, "reason": "blocked", "points": [0, 0, 0]}


def test_rule_5_3_a_tie_above_the_fewest_points_does_not_matter() -> None:
    state = play(table("top r5 | seat 0: bS | seat 1: y3 | seat 2: gS"), "draw draw draw")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.points) == (1, (0, 37, 0))


def test_rule_5_4_a_round_ends_after_max_plies() -> None:
    state = table("top r5 | seat 0: g9 r2 | seat 1: g1 r4", draws="y9", rules="official max_plies=2")
    state = play(state, "r2")
    assert not state.is_over
    state = play(state, "r4")
    assert state.outcome is not None
    assert state.outcome.to_dict() == {"winner": 1, "reason": "max_plies", "points": [0, 8]}
    assert legal(state) == []


def test_rule_5_4_a_tie_after_max_plies_scores_nothing() -> None:
    state = play(table("top r5 | seat 0: g1 r2 | seat 1: b1", draws="y9", rules="official max_plies=1"), "r2")
    assert state.outcome is not None
    assert state.outcome.to_dict() == {"winner": None, "reason": "max_plies", "points": [0, 0]}


def test_rule_5_4_a_round_won_with_the_last_ply_is_won() -> None:
    state = play(table("top r5 | seat 0: r2 | seat 1: b9", draws="y9", rules="official max_plies=1"), "r2")
    assert state.outcome is not None
    assert state.outcome.to_dict() == {"winner": 0, "reason": "went_out", "points": [9, 0]}


def test_rule_5_4_every_action_but_a_pass_is_a_ply() -> None:
    state = table("top r5 | seat 0: g9 r2 | seat 1: b1", draws="y9", rules="tournament max_plies=3")
    assert [play(state, actions).ply for actions in ("uno", "uno r2", "draw keep")] == [1, 2, 2]
    assert play(state, "r2 pass pass").ply == 1
    assert not play(state, "r2 pass pass draw").is_over
    assert play(state, "r2 pass pass draw keep").is_over
