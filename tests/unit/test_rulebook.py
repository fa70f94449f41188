"""The rulebook in hand-made situations."""

from collections.abc import Sequence

import pytest

from tests.oracle.rulebook import Rulebook

WILD_COLORS = ["w:r", "w:y", "w:g", "w:b"]
WILD_DRAW_FOUR_COLORS = ["w+4:r", "w+4:y", "w+4:g", "w+4:b"]


def first_sorted_on_top(cards: list[str], ordinal: int) -> list[str]:
    """Returns a new draw pile whose top card is the first in sort order."""
    return cards[::-1]


def table(hands: Sequence[str], turned_up: str, pile: str = "", **switches: object) -> Rulebook:
    """Returns a round in which the last seat dealt these hands and the pile is drawn from left to right."""
    dealt = [hand.split() for hand in hands]
    one_at_a_time = [card for row in zip(*dealt, strict=True) for card in row]
    from_the_top = [*one_at_a_time, *turned_up.split(), *pile.split()]
    rules = {"players": len(hands), "hand_size": len(dealt[0]), **switches}
    return Rulebook(
        rules,
        from_the_top[::-1],
        dealer=len(hands) - 1,
        scores=[0] * len(hands),
        round_number=1,
        reshuffle=first_sorted_on_top,
    )


def play(game: Rulebook, actions: str) -> Rulebook:
    """Applies actions separated by spaces."""
    for action in actions.split():
        game.apply(action)
    return game


def events(game: Rulebook, seat: int, count: int) -> list[str]:
    """Returns the last events a seat has in its history."""
    history = game.view(seat)["history"]
    assert isinstance(history, list)
    return history[-count:]


def test_deal_goes_one_card_at_a_time_from_the_seat_after_the_dealer() -> None:
    """Rule 2.1."""
    game = table(["r1 r2", "g1 g2", "b2 b1"], "r5")
    assert game.truth()["hands"] == [["r1", "r2"], ["g1", "g2"], ["b1", "b2"]]
    assert game.truth()["seat"] == 0
    expected = ["0 is dealt 2", "1 is dealt 2 (g1 g2)", "2 is dealt 2", "turned up r5"]
    assert game.view(1)["history"] == expected


def test_turned_up_skip() -> None:
    """Rule 2.2."""
    game = table(["r1", "g1", "b1"], "rS", "y1")
    assert game.truth()["seat"] == 1
    assert events(game, 0, 2) == ["turned up rS", "0 is skipped"]


@pytest.mark.parametrize(
    ("hands", "last"),
    [(["r1", "g1", "b1"], "turned up rR"), (["r1", "g1"], "0 is skipped")],
)
def test_turned_up_reverse(hands: list[str], last: str) -> None:
    """Rule 2.2."""
    game = table(hands, "rR", "y1")
    assert game.truth()["seat"] == len(hands) - 1
    assert game.truth()["direction"] == -1
    assert events(game, 0, 1) == [last]


def test_turned_up_draw_two_is_not_asked_even_with_stacking() -> None:
    """Rule 2.2."""
    game = table(["r1 g+2", "g1 g3"], "r+2", "y2 y1", stacking="any_up", jump_in=True)
    assert events(game, 0, 3) == ["turned up r+2", "0 draws 2 (y2 y1)", "0 is skipped"]
    assert (game.truth()["seat"], game.truth()["phase"], game.truth()["draw_sum"]) == (1, "turn", 0)


def test_turned_up_wild_is_named_by_the_first_seat() -> None:
    """Rule 2.2."""
    game = table(["r1 g1", "b1 b2"], "w", "y1")
    assert game.truth()["phase"] == "name_color"
    assert game.truth()["active_color"] is None
    assert game.legal() == ["color:r", "color:y", "color:g", "color:b"]
    game.apply("color:g")
    assert game.legal() == ["g1", "draw"]
    assert (game.truth()["active_color"], game.truth()["last_color"]) == ("g", None)


def test_turned_up_wild_draw_four_is_reshuffled() -> None:
    """Rule 2.2."""
    game = table(["r1", "g1"], "w+4", "b5 y5")
    assert events(game, 0, 3) == ["turned up w+4", "reshuffled 3", "turned up y5"]
    assert game.truth()["draw_pile"] == ["w+4", "b5"]
    assert game.truth()["reshuffles"] == 1


def test_matching_by_color_symbol_and_wild() -> None:
    """Rule 3.1."""
    game = table(["r1 g5 b6 w", "y1 y2 y3 y4"], "r5", "y9")
    assert game.legal() == ["r1", "g5", *WILD_COLORS, "draw"]


def test_only_the_drawn_card_may_be_played() -> None:
    """Rule 3.3."""
    game = table(["r1 g1", "y1 y2"], "r5", "r9 b3")
    game.apply("draw")
    assert game.legal() == ["r9", "keep"]
    assert (game.view(0)["drawn_card"], game.view(1)["drawn_card"]) == ("r9", None)
    assert events(game, 1, 1) == ["0 draws 1"]
    game.apply("keep")
    assert (game.truth()["seat"], game.truth()["drawn_card"]) == (1, None)


def test_an_unplayable_drawn_card_is_kept_by_an_action() -> None:
    """Rule 3.3."""
    game = play(table(["r1 g1", "y1 y2"], "r5", "b9"), "draw")
    assert game.legal() == ["keep"]


def test_illegal_action_is_refused() -> None:
    """Rule 3.1."""
    with pytest.raises(ValueError, match="not legal"):
        table(["r1 g1", "y1 y2"], "r5", "b9").apply("g1")


@pytest.mark.parametrize("card", ["rS", "rR", "r+2", "w+4:g"])
def test_two_players_move_again_after_action_cards(card: str) -> None:
    """Rule 4.5."""
    game = table([f"{card.partition(':')[0]} b1 b2", "y1 y2 y3"], "r0", "g1 g2 g3 g4")
    game.apply(card)
    assert game.truth()["seat"] == 0
    assert events(game, 0, 1) == ["1 is skipped"]


def test_reverse_with_three_players() -> None:
    """Rule 4.2."""
    game = play(table(["rR b1", "y1 y2", "g1 g2"], "r0"), "rR")
    assert (game.truth()["seat"], game.truth()["direction"]) == (2, -1)


def test_draw_two_makes_the_next_seat_draw() -> None:
    """Rule 4.3."""
    game = play(table(["r+2 b1", "y1 y2", "g1 g2"], "r0", "b9 b8"), "r+2")
    assert events(game, 1, 3) == ["0 plays r+2", "1 draws 2 (b9 b8)", "1 is skipped"]
    assert (game.truth()["seat"], game.truth()["draw_sum"]) == (2, 0)


def test_reshuffle_in_the_middle_of_a_draw() -> None:
    """Rule 5.1."""
    game = play(table(["r+2 r2 b1", "y1 r3 y3"], "r0", "b9"), "r2 r3 r+2")
    assert events(game, 0, 4) == ["1 draws 1", "reshuffled 3", "1 draws 1", "1 is skipped"]
    assert events(game, 1, 4) == ["1 draws 1 (b9)", "reshuffled 3", "1 draws 1 (r0)", "1 is skipped"]
    assert game.truth()["discard_pile"] == ["r+2"]
    assert game.truth()["draw_pile"] == ["r3", "r2"]


def test_what_there_is_is_drawn() -> None:
    """Rule 5.2."""
    game = play(table(["r+2 b1", "y1 y2"], "r0"), "r+2")
    assert events(game, 0, 3) == ["reshuffled 1", "1 draws 1", "1 is skipped"]


def test_nothing_to_draw_and_a_playable_card() -> None:
    """Rule 5.2."""
    assert table(["r1 b1", "y1 y2"], "r5").legal() == ["r1"]


def test_blocked_round() -> None:
    """Rule 5.3."""
    game = table(["g1 b1", "y1 y2"], "r5")
    assert game.legal() == ["draw"]
    game.apply("draw")
    assert (game.truth()["stuck_passes"], game.truth()["seat"]) == (1, 1)
    game.apply("draw")
    assert events(game, 1, 2) == ["0 draws 0", "1 draws 0"]
    assert game.truth()["outcome"] == {"winner": 0, "reason": "blocked", "points": [1, 0]}
    assert game.truth()["scores"] == [1, 0]
    assert (game.truth()["stuck_passes"], game.legal()) == (2, [])


def test_blocked_round_with_a_tie() -> None:
    """Rules 5.3 and 9.3."""
    game = play(table(["g1 b1", "y2 y0"], "r5", scoring="lowest"), "draw draw")
    assert game.truth()["outcome"] == {"winner": None, "reason": "blocked", "points": [0, 0]}


def test_overlong_round() -> None:
    """Rule 5.4."""
    game = play(table(["r1 b1", "r2 y2"], "r5", "g9", max_plies=2, scoring="lowest"), "r1 r2")
    assert game.truth()["outcome"] == {"winner": 0, "reason": "max_plies", "points": [1, 2]}


def test_a_round_won_with_the_last_ply_stays_won() -> None:
    """Rule 5.4."""
    game = play(table(["r1", "y2"], "r5", "g9", max_plies=1), "r1")
    assert game.truth()["outcome"] == {"winner": 0, "reason": "went_out", "points": [2, 0]}


@pytest.mark.parametrize(
    ("switch", "hand", "legal"),
    [
        ("strict", "r1 g2 w+4", ["r1"]),
        ("strict", "g5 w w+4", ["g5", *WILD_COLORS, *WILD_DRAW_FOUR_COLORS]),
        ("last_resort", "g5 b1 w+4", ["g5"]),
        ("last_resort", "g1 w w+4", WILD_COLORS),
        ("last_resort", "g1 w+4 w+4", WILD_DRAW_FOUR_COLORS),
        ("bluff", "r1 g2 w+4", ["r1", *WILD_DRAW_FOUR_COLORS]),
        ("free", "r1 g2 w+4", ["r1", *WILD_DRAW_FOUR_COLORS]),
    ],
)
def test_when_a_wild_draw_four_may_be_played(switch: str, hand: str, legal: list[str]) -> None:
    """Rules 6.1 and 6.2."""
    assert table([hand, "y1 y2 y3"], "r5", "g9", wild_draw_four=switch).legal() == [*legal, "draw"]


def test_guilty_challenge() -> None:
    """Rule 6.3."""
    game = table(["r1 g1 w+4", "y1 y2 y3", "b1 b2 b3"], "r5", "g6 g7 g8 g9", wild_draw_four="bluff")
    game.apply("w+4:b")
    assert game.legal() == ["accept", "challenge"]
    game.apply("challenge")
    assert events(game, 0, 2) == ["1 challenges 0: guilty", "0 draws 4 (g6 g7 g8 g9)"]
    assert events(game, 1, 2) == ["1 challenges 0: guilty (r1 g1)", "0 draws 4"]
    assert (game.truth()["seat"], game.truth()["phase"], game.truth()["active_color"]) == (1, "turn", "b")
    assert game.truth()["draw_sum"] == 0


def test_innocent_challenge() -> None:
    """Rule 6.3."""
    pile = "g4 g5 g6 g7 g8 g9"
    game = table(["b5 g1 w+4", "y1 y2 y3", "b1 b2 b3"], "r5", pile, wild_draw_four="bluff")
    play(game, "w+4:b challenge")
    assert events(game, 2, 3) == ["1 challenges 0: innocent", "1 draws 6", "1 is skipped"]
    assert game.truth()["seat"] == 2


def test_penalty_cards_neither_count_nor_are_shown() -> None:
    """Rule 6.4."""
    pile = "r1 r2 y4 y5 y6 y7 y8 y9"
    game = table(["g1 w+4", "b1 b2"], "r5", pile, wild_draw_four="bluff", uno_penalty=2)
    play(game, "w+4:g pass catch challenge")
    assert "1 challenges 0: innocent (g1)" in events(game, 1, 3)


def test_a_drawn_wild_draw_four_need_not_be_played_dishonestly() -> None:
    """Rule 6.5."""
    switches = {"drawn_card": "must_play", "wild_draw_four": "bluff"}
    guilty = play(table(["r1 g1", "b1 b2"], "r5", "w+4", **switches), "draw")
    assert guilty.legal() == [*WILD_DRAW_FOUR_COLORS, "keep"]
    honest = play(table(["y1 g1", "b1 b2"], "r5", "w+4", **switches), "draw")
    assert honest.legal() == WILD_DRAW_FOUR_COLORS


def test_declaring_and_drawing_lapses() -> None:
    """Rule 7.1."""
    game = table(["r1 g1", "b1 b2"], "r5", "y9 y8", uno_penalty=2)
    assert game.legal() == ["r1", "draw", "uno"]
    game.apply("uno")
    assert game.legal() == ["r1", "draw"]
    assert game.truth()["declared_uno"] == [0]
    game.apply("draw")
    assert game.truth()["declared_uno"] == []


def test_no_declaration_without_a_legal_play() -> None:
    """Rule 7.1."""
    assert table(["y1 g1", "b1 b2"], "r5", "y9 y8", uno_penalty=2).legal() == ["draw"]


def test_a_declaration_lapses_when_the_sum_is_accepted() -> None:
    """Rule 7.1."""
    game = table(["r+2 r1 r2", "g+2 b1 b2"], "r5", "y9 y8 y7", uno_penalty=2, stacking="same")
    game.hands[1].remove("b2")
    play(game, "r+2 uno")
    assert game.legal() == ["g+2", "accept"]
    assert game.truth()["declared_uno"] == [1]
    game.apply("accept")
    assert game.truth()["declared_uno"] == []


def test_automatic_declaration() -> None:
    """Rule 7.2."""
    game = play(table(["r1 g1", "b1 b2"], "r5", "y9"), "r1")
    assert (game.truth()["phase"], game.truth()["declared_uno"]) == ("turn", [0])


def test_catch_comes_before_the_effect() -> None:
    """Rule 7.3."""
    game = play(table(["r+2 g1", "b1 b2", "y1 y2"], "r5", "y9 y8 y7 y6", uno_penalty=2), "r+2 pass")
    assert (game.truth()["phase"], game.truth()["seat"], game.truth()["draw_sum"]) == ("catch", 1, 2)
    assert (game.view(1)["command_pending"], game.view(1)["skip_pending"]) == (True, True)
    assert game.legal() == ["catch", "pass"]
    play(game, "pass catch")
    expected = ["0 plays r+2", "2 catches 0", "0 draws 2", "1 draws 2", "1 is skipped"]
    assert events(game, 2, 5) == expected
    assert (game.truth()["seat"], game.truth()["last_actor"]) == (2, 2)


def test_a_late_call_comes_before_a_catch() -> None:
    """Rule 7.3."""
    game = play(table(["r+2 g1", "b1 b2", "y1 y2"], "r5", "y9 y8 y7 y6", uno_penalty=2), "r+2")
    assert (game.truth()["phase"], game.truth()["seat"], game.legal()) == ("catch", 0, ["uno", "pass"])
    play(game, "uno")
    assert events(game, 2, 4) == ["0 plays r+2", "0 calls uno", "1 draws 2", "1 is skipped"]
    assert (game.truth()["seat"], game.truth()["declared_uno"]) == (2, [0])


def test_catch_asks_in_the_direction_before_a_reverse() -> None:
    """Rule 7.3."""
    game = play(table(["rR g1", "b1 b2", "y1 y2"], "r5", "y9", uno_penalty=1), "rR pass")
    assert (game.truth()["seat"], game.truth()["direction"]) == (1, 1)
    play(game, "pass pass")
    assert (game.truth()["seat"], game.truth()["direction"], game.truth()["last_actor"]) == (2, -1, 0)


def test_a_declared_last_card_but_one_is_not_caught() -> None:
    """Rule 7.3."""
    game = play(table(["r1 g1", "b1 b2"], "r5", "y9", uno_penalty=2), "uno r1")
    assert (game.truth()["phase"], game.truth()["declared_uno"]) == ("turn", [0])


def test_a_hand_swapped_down_to_one_card_is_not_caught() -> None:
    """Rules 7.3 and 10.5."""
    game = table(["r7 g1 g2", "b1 b2 b3"], "r5", "y9", uno_penalty=2, seven_zero=True)
    del game.hands[1][1:]
    play(game, "r7 swap:1")
    assert (game.truth()["phase"], game.truth()["seat"]) == ("turn", 1)
    assert game.truth()["hands"] == [["b1"], ["g1", "g2"]]
    assert game.truth()["declared_uno"] == []


def test_the_draw_of_a_last_draw_two_counts() -> None:
    """Rule 8.2."""
    game = play(table(["r+2", "g+2"], "r5", "w bS", stacking="any_up"), "r+2")
    assert events(game, 0, 2) == ["0 plays r+2", "1 draws 2"]
    assert game.truth()["outcome"] == {"winner": 0, "reason": "went_out", "points": [90, 0]}
    assert game.truth()["draw_sum"] == 0


def test_a_last_wild_draw_four_may_be_challenged_but_not_stacked_on() -> None:
    """Rules 8.2 and 10.1."""
    game = table(["w+4", "w+4"], "r5", "y1 y2 y3 y4 y5 y6", stacking="same", wild_draw_four="bluff")
    game.apply("w+4:g")
    assert game.legal() == ["accept", "challenge"]
    game.apply("challenge")
    assert events(game, 1, 2) == ["1 challenges 0: innocent ()", "1 draws 6 (y1 y2 y3 y4 y5 y6)"]
    assert game.truth()["outcome"] == {"winner": 0, "reason": "went_out", "points": [71, 0]}


def test_lowest_scoring() -> None:
    """Rule 9.3."""
    game = play(table(["r1", "w", "g8"], "r5", scoring="lowest"), "r1")
    assert game.truth()["outcome"] == {"winner": 0, "reason": "went_out", "points": [0, 50, 8]}


def test_stacked_sum_is_accepted_by_the_next_seat() -> None:
    """Rule 10.1."""
    hands = ["r+2 r1 r2", "g+2 y1 w+4", "b1 b2 w+4"]
    game = table(hands, "r5", "y2 y3 y4 y5 y6 y7 y8 y9", stacking="any_up")
    game.apply("r+2")
    assert game.legal() == ["g+2", *WILD_DRAW_FOUR_COLORS, "accept"]
    play(game, "g+2 w+4:b accept")
    assert events(game, 1, 4) == ["2 plays w+4:b", "0 accepts 8", "0 draws 8", "0 is skipped"]
    assert game.truth()["seat"] == 1


def test_same_does_not_stack_across_kinds() -> None:
    """Rule 10.1."""
    game = play(table(["r+2 r1 r2", "b1 y1 w+4"], "r5", "y2 y3", stacking="same"), "r+2")
    assert game.legal() == ["accept"]


def test_last_resort_in_answer_to_a_draw_card() -> None:
    """Rules 6.2 and 10.1."""
    switches = {"stacking": "any_up", "wild_draw_four": "last_resort"}
    game = play(table(["r+2 r1 r2", "b+2 w w+4"], "r5", "y2 y3", **switches), "r+2")
    assert game.legal() == ["b+2", "accept"]
    game = play(table(["r+2 r1 r2", "r3 w w+4"], "r5", "y2 y3", **switches), "r+2")
    assert game.legal() == [*WILD_DRAW_FOUR_COLORS, "accept"]


def test_guilty_offender_draws_the_whole_sum() -> None:
    """Rule 10.1."""
    switches = {"stacking": "any_up", "wild_draw_four": "bluff"}
    game = table(["r+2 r1 r2", "r3 b1 w+4"], "r5", "y2 y3 y4 y5 y6 y7", **switches)
    play(game, "r+2 w+4:g challenge")
    assert events(game, 0, 2) == ["0 challenges 1: guilty (r3 b1)", "1 draws 6"]
    assert (game.truth()["seat"], game.truth()["phase"]) == (0, "turn")


def test_draw_until_playable() -> None:
    """Rule 10.2."""
    game = play(table(["g1 g2", "b1 b2"], "r5", "y1 r9 y3", draw_until_playable=True), "draw")
    assert events(game, 0, 1) == ["0 draws 2 (y1 r9)"]
    assert game.legal() == ["r9", "keep"]


def test_draw_until_none_are_left() -> None:
    """Rule 10.2."""
    game = play(table(["g1 g2", "b1 b2"], "r5", "y1 y3", draw_until_playable=True), "draw")
    assert (game.truth()["draw_pile"], game.legal()) == ([], ["keep"])


def test_must_play_and_end_turn() -> None:
    """Rules 10.3 and 10.4."""
    switches: dict[str, object] = {"must_play": True, "drawn_card": "end_turn"}
    assert table(["r1 g2", "b1 b2"], "r5", "y1", **switches).legal() == ["r1"]
    game = play(table(["g1 g2", "b1 b2"], "r5", "r1", **switches), "draw")
    assert (game.truth()["seat"], game.truth()["phase"]) == (1, "turn")


def test_seven_swaps_in_private() -> None:
    """Rule 10.5."""
    game = play(table(["r7 g1", "b1 b2", "y1 y2"], "r5", seven_zero=True), "r7")
    assert game.legal() == ["swap:1", "swap:2"]
    game.apply("swap:2")
    seen = [events(game, seat, 1)[0] for seat in range(3)]
    assert seen == ["0 swaps with 2 (y1 y2)", "0 swaps with 2", "0 swaps with 2 (g1)"]


def test_zero_passes_hands_in_the_direction_of_play() -> None:
    """Rule 10.5."""
    game = play(table(["r1 g1", "b1 b2", "r0 y2"], "rR", seven_zero=True), "r0")
    assert game.truth()["hands"] == [["b1", "b2"], ["y2"], ["r1", "g1"]]
    assert [events(game, seat, 1)[0] for seat in (0, 1)] == ["hands pass (b1 b2)", "hands pass (y2)"]
    assert (game.truth()["direction"], game.truth()["seat"]) == (-1, 1)


def test_a_seven_that_empties_the_hand_wins() -> None:
    """Rule 10.5."""
    game = play(table(["r7", "b1"], "r5", seven_zero=True), "r7")
    assert game.truth()["outcome"] == {"winner": 0, "reason": "went_out", "points": [1, 0]}


def test_jump_in_takes_over_the_turn() -> None:
    """Rule 10.6."""
    game = play(table(["r1 g1 g2", "b1 b2 b3", "y1 r1 y3", "g3 g4 g6"], "r5", jump_in=True), "r1")
    assert (game.truth()["phase"], game.truth()["seat"], game.legal()) == ("jump_in", 2, ["r1", "pass"])
    game.apply("r1")
    assert events(game, 0, 2) == ["0 plays r1", "2 jumps in r1"]
    assert (game.truth()["seat"], game.truth()["last_color"]) == (3, "r")


def test_declined_jump_in_leaves_the_turn_where_it_was() -> None:
    """Rules 10.6 and 10.7."""
    game = play(table(["rS g1 g2", "b1 rS b3", "y1 y2 y3"], "r5", jump_in=True), "rS pass")
    assert (game.truth()["seat"], game.truth()["last_actor"], game.truth()["ply"]) == (2, 0, 1)
    assert events(game, 1, 3) == ["0 plays rS", "1 is skipped", "1 passes"]
    assert events(game, 0, 2) == ["0 plays rS", "1 is skipped"]


def test_jump_in_waits_for_the_accepted_sum() -> None:
    """Rules 10.1 and 10.6."""
    game = table(["r+2 g1 g2", "b1 b2 b3", "y1 r+2 y3"], "r5", "g8 g9", jump_in=True, stacking="same")
    game.apply("r+2")
    assert (game.truth()["phase"], game.truth()["seat"]) == ("answer", 1)
    game.apply("accept")
    assert (game.truth()["phase"], game.truth()["seat"]) == ("jump_in", 2)


def test_declaring_in_a_jump_in_window_commits() -> None:
    """Rule 7.1."""
    game = table(["r1 g1 g2", "r1 b2 b3"], "r5", "y9", jump_in=True, uno_penalty=2)
    game.hands[1].remove("b3")
    game.apply("r1")
    assert game.legal() == ["r1", "uno", "pass"]
    game.apply("uno")
    assert game.legal() == ["r1"]
    game.apply("r1")
    assert events(game, 0, 3) == ["0 plays r1", "1 calls uno", "1 jumps in r1"]
    assert (game.truth()["seat"], game.truth()["phase"]) == (0, "turn")


def test_views_stand_still_while_a_window_is_open() -> None:
    """Rule 10.7."""
    game = table(["r1 g1", "b1 b2", "y1 r1"], "r5", "y9 y8 y7", jump_in=True, uno_penalty=1)
    before = [game.view(seat) for seat in range(3)]
    game.apply("r1")
    offered = game.view(0)
    assert offered["legal_actions"] == ["uno", "pass"]
    assert [game.view(1), game.view(2)] == before[1:]
    game.apply("pass")
    asked = game.view(1)
    assert asked["phase"] == "catch"
    assert asked["legal_actions"] == ["catch", "pass"]
    assert [game.view(0), game.view(2)] == [offered, before[2]]
    game.apply("pass")
    assert [game.view(0), game.view(1)] == [offered, asked]
    game.apply("pass")
    assert (game.truth()["phase"], game.truth()["seat"]) == ("jump_in", 2)
    assert [game.view(0), game.view(1)] == [offered, asked]
    game.apply("pass")
    assert [game.view(seat)["phase"] for seat in range(3)] == ["turn"] * 3
    assert events(game, 0, 2) == ["0 plays r1", "0 passes"]
    assert events(game, 2, 3) == ["0 plays r1", "2 passes", "2 passes"]
