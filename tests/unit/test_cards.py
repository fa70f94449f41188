"""Cards, colors and decks."""

import copy
import pickle

import pytest

from lastcard.cards import (
    CARDS,
    MINI,
    NUMBERS,
    OFFICIAL,
    WILD,
    WILD_DRAW_FOUR,
    Card,
    Color,
    Deck,
    Rank,
    format_card,
    format_cards,
    format_color,
    parse_card,
    parse_cards,
    parse_color,
)
from lastcard.errors import LastcardError, NotationError, RulesError

R5 = parse_card("r5")


def test_there_are_54_cards_in_sort_order() -> None:
    assert len(set(CARDS)) == 54
    assert list(CARDS) == sorted(CARDS, reverse=True)[::-1]
    assert [card.index for card in CARDS] == list(range(54))
    ranks = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "S", "R", "+2"]
    assert [str(card) for card in CARDS] == [color + rank for color in "rygb" for rank in ranks] + ["w", "w+4"]


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_every_card_is_read_back(card: Card) -> None:
    text = format_card(card)
    assert parse_card(text) is card
    assert parse_card(f"  {text.upper()}\n") is card
    assert parse_card(text.lower()) is card
    assert eval(repr(card)) is card
    assert Card(card.color, card.rank) is card


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_a_card_is_one_object(card: Card) -> None:
    assert copy.copy(card) is card
    assert copy.deepcopy(card) is card
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(card, protocol)) is card
    assert (card == card, hash(card) == hash(parse_card(card.text))) == (True, True)


@pytest.mark.parametrize("name", ["color", "rank", "text", "points", "index", "something"])
def test_cards_cannot_be_changed(name: str) -> None:
    with pytest.raises(AttributeError, match=f"cards never change: {name} of r5 cannot be set"):
        setattr(R5, name, None)
    assert str(R5) == "r5"


def test_no_part_of_a_card_can_be_deleted() -> None:
    card = parse_card("r5")
    try:
        with pytest.raises(AttributeError):
            del card.points
    finally:
        object.__setattr__(card, "points", 5)


@pytest.mark.parametrize(
    "text",
    ["", " ", "r", "5", "r10", "5r", "x5", "r5 g1", "r+", "r+4", "+2", "w+2", "w:r", "r-1", "r5,", "rss", "r٥"],
)
def test_anything_else_is_refused_with_what_was_read_and_expected(text: str) -> None:
    with pytest.raises(NotationError, match=r"is not a card; expected a color r, y, g or b with 0-9, S, R or \+2") as e:
        parse_card(text)
    assert repr(text) in str(e.value)


@pytest.mark.parametrize("value", [None, 5, b"r5", ["r5"], R5, True])
def test_only_text_is_read(value: object) -> None:
    with pytest.raises(NotationError, match="is not a card"):
        parse_card(value)  # type: ignore[arg-type]
    with pytest.raises(NotationError, match="expected cards as text"):
        parse_cards(value)  # type: ignore[arg-type]
    with pytest.raises(NotationError, match="is not a color"):
        parse_color(value)  # type: ignore[arg-type]


def test_a_long_text_is_cut_in_the_message() -> None:
    with pytest.raises(NotationError) as e:
        parse_card("r5" * 10_000)
    assert len(str(e.value)) < 200


@pytest.mark.parametrize(("color", "rank"), [(None, Rank.ZERO), (Color.RED, Rank.WILD), (None, Rank.DRAW_TWO)])
def test_no_card_has_the_wrong_color(color: Color | None, rank: Rank) -> None:
    with pytest.raises(NotationError, match="no card has color"):
        Card(color, rank)


def test_cards_are_read_with_spaces_or_commas() -> None:
    assert parse_cards("r5 w+4, yR") == parse_cards("R5,W+4,YR") == (R5, WILD_DRAW_FOUR, parse_card("yR"))
    assert parse_cards("") == ()
    assert parse_cards(format_cards(CARDS)) == CARDS


def test_wilds_have_no_color() -> None:
    assert [card for card in CARDS if card.is_wild] == [WILD, WILD_DRAW_FOUR]
    assert [card for card in CARDS if card.color is None] == [WILD, WILD_DRAW_FOUR]


@pytest.mark.parametrize("color", Color)
def test_every_color_is_read_back(color: Color) -> None:
    assert parse_color(format_color(color)) is color
    assert parse_color(f" {color.letter.upper()} ") is color
    assert (color.word[0], color.word.upper()) == (color.letter, color.name)


@pytest.mark.parametrize("text", ["", "redd", "x", "w", "rr"])
def test_another_color_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match=f"'{text}' is not a color; expected r, y, g, b or red"):
        parse_color(text)


# Decks


@pytest.mark.parametrize("deck", [OFFICIAL, NUMBERS, MINI, Deck({})])
def test_a_deck_is_rebuilt_from_its_cards(deck: Deck) -> None:
    assert Deck.of(deck.cards()) == deck == Deck(dict(deck))
    assert hash(Deck.of(reversed(list(deck.cards())))) == hash(deck)
    assert eval(repr(deck)) == deck
    assert deck.num_cards == len(list(deck.cards())) == sum(deck.values())


def test_a_deck_is_a_mapping_in_sort_order() -> None:
    deck = Deck.of(parse_cards("w g1 r5 g1"))
    assert list(deck) == list(parse_cards("r5 g1 w"))
    assert (deck[R5], deck.get(WILD_DRAW_FOUR, 0), R5 in deck, len(deck)) == (1, 0, True, 3)
    assert format_cards(deck.cards()) == "r5 g1 g1 w"
    with pytest.raises(KeyError):
        deck[WILD_DRAW_FOUR]


def test_a_deck_cannot_be_changed() -> None:
    deck = Deck({R5: 1})
    with pytest.raises(TypeError):
        deck[R5] = 2  # type: ignore[index]
    counts = {R5: 1}
    deck = Deck(counts)
    counts[R5] = 2
    assert deck[R5] == 1


@pytest.mark.parametrize("deck", [OFFICIAL, MINI])
def test_a_deck_can_be_copied_and_pickled(deck: Deck) -> None:
    assert copy.copy(deck) == deck
    assert copy.deepcopy(deck) == deck
    assert pickle.loads(pickle.dumps(deck)) == deck


def test_decks_differ_from_other_decks_and_other_things() -> None:
    assert OFFICIAL != MINI
    assert dict(MINI) != MINI


@pytest.mark.parametrize("count", [-1, 3, 10**30, 1.0, "1", None, True])
def test_an_impossible_count_is_refused(count: object) -> None:
    with pytest.raises(RulesError, match="deck: r5 must have 0 to 2 copies, not"):
        Deck({R5: count})  # type: ignore[dict-item]


def test_only_cards_are_counted() -> None:
    with pytest.raises(RulesError, match="deck: 'r5' is not a Card"):
        Deck({"r5": 1})  # type: ignore[dict-item]
    with pytest.raises(RulesError, match="deck: 5 is not a Card"):
        Deck.of([5])  # type: ignore[list-item]


def test_every_error_is_a_lastcard_error_and_a_value_error() -> None:
    assert issubclass(NotationError, LastcardError)
    assert issubclass(RulesError, LastcardError)
    assert issubclass(LastcardError, ValueError)
