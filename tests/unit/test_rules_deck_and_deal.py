"""Sections 1 and 2 of the rules: the deck and the deal."""

import pytest

from lastcard.cards import OFFICIAL, WILD, WILD_DRAW_FOUR, Color, Deck, Rank, parse_card, parse_cards
from lastcard.errors import RulesError, StateError
from lastcard.observation import observe
from lastcard.rules import Rules, parse_rules
from lastcard.state import deal, parse_state, reshuffled
from tests.unit.helpers import VARIED_RULES, all_cards, asked, dealt, hands, legal, play, random_states, seen

# 1 Deck


def test_rule_1_1_official_deck_has_108_cards() -> None:
    assert len(list(OFFICIAL.cards())) == OFFICIAL.num_cards == 108


@pytest.mark.parametrize("color", Color)
def test_rule_1_1_each_color_has_25_cards(color: Color) -> None:
    copies = {card.rank: count for card, count in OFFICIAL.items() if card.color is color}
    assert copies == {rank: 1 if rank is Rank.ZERO else 2 for rank in list(Rank)[:13]}
    assert sum(copies.values()) == 25


def test_rule_1_1_four_wilds_of_either_kind_complete_it() -> None:
    assert (OFFICIAL[WILD], OFFICIAL[WILD_DRAW_FOUR]) == (4, 4)


def test_rule_1_1_the_default_rules_use_it() -> None:
    assert len(all_cards(deal(Rules()))) == 108


def test_rule_1_2_a_deck_counts_copies_of_54_faces() -> None:
    assert len(OFFICIAL) == 54
    deck = Deck({parse_card("r5"): 2, parse_card("g1"): 0, WILD: 1})
    assert dict(deck) == {parse_card("r5"): 2, WILD: 1}
    assert deck == Deck.of(parse_cards("w r5 r5"))


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("r5 r5 r5", "r5 must have 0 to 2 copies, not 3"),
        ("r0 r0 r0", "r0 must have 0 to 2 copies, not 3"),
        ("w w w w w", "w must have 0 to 4 copies, not 5"),
        ("w+4 w+4 w+4 w+4 w+4", r"w\+4 must have 0 to 4 copies, not 5"),
    ],
)
def test_rule_1_2_too_many_copies_are_refused(cards: str, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        Deck.of(parse_cards(cards))


def test_rule_1_2_as_many_copies_as_possible_are_dealt() -> None:
    deck = Deck.of(parse_cards("r0 r0 b+2 b+2 w w w w w+4 w+4 w+4 w+4"))
    state = deal(Rules(deck=deck, hand_size=3), seed=5)
    assert all_cards(state) == list(deck.cards())


@pytest.mark.parametrize("text", VARIED_RULES)
def test_rule_1_3_each_card_lies_in_one_place_at_every_moment(text: str) -> None:
    rules = parse_rules(text)
    everything = list(rules.deck.cards())
    for seed in range(3):
        for state in random_states(rules, seed):
            assert all_cards(state) == everything


def test_rule_1_3_a_card_in_two_places_is_refused() -> None:
    with pytest.raises(StateError, match="3 of r7 are in use where the deck has 2"):
        parse_state("top r7 | seat 0: r7 b2 | seat 1: r7 g1")


def test_rule_1_3_a_card_in_no_place_is_refused() -> None:
    with pytest.raises(StateError, match="0 of r1 where the deck has 1"):
        parse_state("rules mini deck=r1,r2,y1,y2,r0 hand_size=1 | top r0 | seat 0: r2 | seat 1: y1 | draw pile y2")


def test_rule_1_3_a_deck_that_is_not_the_deck_is_refused() -> None:
    with pytest.raises(StateError, match="deck: 2 of r0 where the deck has 1"):
        deal(Rules.preset("mini"), deck=parse_cards("r0 r0 r1 r1 r2 r2 y1 y1 y2 y2"))


# 2 Deal


@pytest.mark.parametrize("players", range(2, 11))
def test_rule_2_1_two_to_ten_players_get_seven_cards_each(players: int) -> None:
    turned_up_is_quiet = next(
        state for seed in range(50) if (state := deal(Rules(players=players), seed)).top_card.rank in list(Rank)[:10]
    )
    assert [len(turned_up_is_quiet.hand(seat)) for seat in range(players)] == [7] * players
    assert len(turned_up_is_quiet.draw_pile) == 108 - 7 * players - 1


@pytest.mark.parametrize("players", [0, 1, 11])
def test_rule_2_1_other_numbers_of_players_are_refused(players: int) -> None:
    with pytest.raises(RulesError, match=f"players must be from 2 to 10, not {players}"):
        Rules(players=players)


def test_rule_2_1_cards_are_dealt_one_at_a_time_from_the_seat_after_the_dealer() -> None:
    rules = Rules.preset("mini", players=3)
    deck = parse_cards("y2 r2 y1 r1 y2 r2 y1 r1 y0 r0")  # dealt from the right
    state = deal(rules, deck=deck)
    assert hands(state) == ["r0 y1", "r2 y0", "r1 y2"]
    assert (str(state.top_card), state.draw_pile) == ("r1", parse_cards("y2 r2 y1"))
    assert hands(deal(rules, deck=deck, dealer=0)) == ["r1 y2", "r0 y1", "r2 y0"]


@pytest.mark.parametrize(("size", "players"), [(1, 2), (1, 10), (9, 10), (10, 10), (49, 2)])
def test_rule_2_1_hand_size_is_a_switch(size: int, players: int) -> None:
    events = deal(Rules(players=players, hand_size=size)).history[:players]
    assert [str(event).split(" (")[0] for event in events] == [f"{seat} is dealt {size}" for seat in range(players)]


@pytest.mark.parametrize("players", [2, 4])
def test_rule_2_1_the_deal_moves_on_one_seat_each_round(players: int) -> None:
    rules = Rules(players=players)
    dealers = [deal(rules, round_number=number).dealer for number in range(1, 2 * players + 1)]
    assert dealers == [players - 1, *range(players), *range(players - 1)]


def test_rule_2_1_seat_0_starts_the_first_round() -> None:
    assert dealt(["r1 r2", "g1 g2", "b1 b2"], "r5").seat == 0


def test_rule_2_1_each_seat_is_told_its_own_cards_only() -> None:
    state = dealt(["r1 r2", "g1 g2", "b2 b1"], "r5")
    assert seen(state, 1) == ["0 is dealt 2", "1 is dealt 2 (g1 g2)", "2 is dealt 2", "turned up r5"]
    assert observe(state, 1).hand == parse_cards("g1 g2")
    assert observe(state, 1).hand_sizes == (2, 2, 2)


def test_rule_2_2_after_a_number_the_first_seat_starts() -> None:
    state = dealt(["r1 g1", "g2 b1", "b2 y2", "y1 y3"], "r5", dealer=1)
    assert asked(state) == (2, "turn")
    assert state.direction == 1
    assert seen(state, 0, 1) == ["turned up r5"]


@pytest.mark.parametrize("card", ["r7", "r0"])
def test_rule_2_2_a_turned_up_seven_or_zero_moves_no_hands(card: str) -> None:
    state = dealt(["r1 g1", "g2 b1", "b2 y2"], card, rules="house")
    assert asked(state) == (0, "turn")
    assert hands(state) == ["r1 g1", "g2 b1", "y2 b2"]


@pytest.mark.parametrize(("players", "seat"), [(2, 1), (4, 1)])
def test_rule_2_2_after_a_skip_the_first_seat_is_skipped(players: int, seat: int) -> None:
    state = dealt(["r1 g1", "g2 b1", "b2 y2", "y1 y3"][:players], "rS")
    assert asked(state) == (seat, "turn")
    assert state.direction == 1
    assert seen(state, 0, 2) == ["turned up rS", "0 is skipped"]
    assert hands(state)[0] == "r1 g1"


def test_rule_2_2_after_a_reverse_the_dealer_plays_first() -> None:
    state = dealt(["r1 g1", "g2 b1", "b2 y2", "y1 y3"], "rR", "r2")
    assert asked(state) == (3, "turn")
    assert state.direction == -1
    assert seen(state, 0, 1) == ["turned up rR"]
    assert asked(play(state, "draw keep")) == (2, "turn")


def test_rule_2_2_a_reverse_with_two_players_skips_the_first_seat() -> None:
    state = dealt(["r1 g1", "g2 b1"], "rR")
    assert asked(state) == (1, "turn")
    assert state.direction == -1
    assert seen(state, 0, 2) == ["turned up rR", "0 is skipped"]


@pytest.mark.parametrize("players", [2, 4])
def test_rule_2_2_after_a_draw_two_the_first_seat_draws_and_is_skipped(players: int) -> None:
    state = dealt(["r1 g1", "g2 b1", "b2 y2", "y1 y3"][:players], "r+2", "y8 y9 g9")
    assert asked(state) == (1, "turn")
    assert hands(state)[0] == "r1 y8 y9 g1"
    assert seen(state, 0, 3) == ["turned up r+2", "0 draws 2 (y8 y9)", "0 is skipped"]
    assert seen(state, 1, 2) == ["0 draws 2", "0 is skipped"]
    assert state.draw_sum == 0


@pytest.mark.parametrize("stacking", ["same", "any_up"])
def test_rule_2_2_a_turned_up_draw_two_cannot_be_stacked_on(stacking: str) -> None:
    state = dealt(["r+2 g+2", "b+2 w+4", "b1 b2"], "r+2", "y8 y9 g9", rules=f"official stacking={stacking}")
    assert asked(state) == (1, "turn")
    assert len(state.hand(0)) == 4
    assert "b+2" in legal(state)


def test_rule_2_2_the_first_seat_names_the_color_of_a_turned_up_wild_and_then_plays() -> None:
    state = dealt(["r1 g1", "g2 b1"], "w", "y1")
    assert asked(state) == (0, "name_color")
    assert state.active_color is None
    assert legal(state) == ["color:r", "color:y", "color:g", "color:b"]
    named = play(state, "color:g")
    assert asked(named) == (0, "turn")
    assert named.active_color is Color.GREEN
    assert legal(named) == ["g1", "draw"]
    assert seen(named, 1, 2) == ["turned up w", "0 names g"]


def test_rule_2_2_a_turned_up_wild_asks_the_seat_after_the_dealer() -> None:
    state = dealt(["r1 g1", "g2 b1", "b2 y2"], "w", "y1", dealer=0)
    assert asked(state) == (1, "name_color")
    assert asked(play(state, "color:b")) == (1, "turn")


def test_rule_2_2_a_turned_up_wild_draw_four_goes_back_and_another_is_turned_up() -> None:
    for seed in range(10):
        state = dealt(["r1 g1", "g2 b1"], "w+4", "r5 r6 r8", seed=seed)
        pile, ordinal = parse_cards("r5 r6 r8 w+4"), 0
        while pile[-1] is WILD_DRAW_FOUR:
            ordinal += 1
            pile = reshuffled(pile, seed, ordinal)
        assert (state.draw_pile, state.top_card, state.reshuffles) == (pile[:-1], pile[-1], ordinal)


def test_rule_2_2_the_wild_draw_four_draws_nothing_and_skips_nobody() -> None:
    state = dealt(["r1 g1", "g2 b1"], "w+4", "r5 r6 r8", reshuffles=["r6 w+4 r8 r5"])
    assert seen(state, 0, 3) == ["turned up w+4", "reshuffled 4", "turned up r6"]
    assert asked(state) == (0, "turn")
    assert (hands(state), state.reshuffles) == (["r1 g1", "g2 b1"], 1)
    assert state.draw_pile == parse_cards("r5 r8 w+4")


def test_rule_2_2_a_second_wild_draw_four_goes_back_as_well() -> None:
    orders = ["w+4 rS r5 r6 w+4", "rS w+4 r5 r6 w+4"]
    state = dealt(["r1 g1", "g2 b1"], "w+4", "r5 r6 rS w+4", reshuffles=orders)
    assert seen(state, 0, 6) == [
        "turned up w+4",
        "reshuffled 5",
        "turned up w+4",
        "reshuffled 5",
        "turned up rS",
        "0 is skipped",
    ]
    assert (state.reshuffles, state.seat) == (2, 1)


@pytest.mark.parametrize("card", ["r5", "rS", "rR", "r+2"])
def test_rule_2_2_nobody_can_jump_in_on_a_turned_up_card(card: str) -> None:
    state = dealt([f"{card} g1", "g2 b1", "y1 y2"], card, "g8 g9", rules="official jump_in=on")
    assert state.phase.value == "turn"
    assert seen(state, 0)[3] == f"turned up {card}"


def test_rule_2_3_a_card_must_be_left_to_turn_up() -> None:
    deck = Deck.of(parse_cards("r1 r2 r3 r4 r5"))
    Rules(players=2, hand_size=2, deck=deck)
    with pytest.raises(RulesError, match="hand_size=1 with players=5 deals 5 cards, but the deck has only 5"):
        Rules(players=5, hand_size=1, deck=deck)
    with pytest.raises(RulesError, match="hand_size=3 with players=2 deals 6 cards"):
        Rules(players=2, hand_size=3, deck=deck)


def test_rule_2_3_wild_draw_fours_do_not_count() -> None:
    with pytest.raises(RulesError, match="has only 4 besides Wild Draw Fours"):
        Rules(players=2, hand_size=2, deck=Deck.of(parse_cards("r1 r2 r3 w w+4 w+4 w+4 w+4")))
    Rules(players=2, hand_size=2, deck=Deck.of(parse_cards("r1 r2 r3 w w w+4 w+4 w+4 w+4")))


def test_rule_2_3_the_smallest_possible_deal_always_turns_a_card_up() -> None:
    rules = Rules(players=2, hand_size=2, deck=Deck.of(parse_cards("r1 r2 r3 r4 r5 w+4 w+4 w+4 w+4")))
    for seed in range(40):
        assert deal(rules, seed).top_card is not WILD_DRAW_FOUR
