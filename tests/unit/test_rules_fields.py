"""Section 11 of the rules: the switches, their defaults, and the presets."""

import ast
import dataclasses
import re
from pathlib import Path

import pytest

from lastcard.cards import DECKS, MINI, MINI_BLUFF, NUMBERS, OFFICIAL, Deck, parse_cards
from lastcard.errors import RulesError
from lastcard.rules import PRESETS, Rules, parse_rules
from lastcard.state import deal

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "rules.md"


def read_defaults() -> dict[str, object]:
    """The fields and defaults that Rule 11.1 lists."""
    rule = REFERENCE.read_text(encoding="utf-8").partition("**11.1**")[2].partition(". Values that contradict")[0]
    pairs = re.findall(r"`(\w+)=([^`]+)`", rule)
    return {name: OFFICIAL if name == "deck" else ast.literal_eval(value) for name, value in pairs}


DEFAULTS = read_defaults()


def fields(rules: Rules) -> dict[str, object]:
    return {field.name: getattr(rules, field.name) for field in dataclasses.fields(rules)}


def test_rule_11_1_the_switches_and_their_defaults() -> None:
    assert fields(Rules()) == DEFAULTS


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("scoring", "highest"),
        ("wild_draw_four", "never"),
        ("stacking", "any"),
        ("drawn_card", "keep"),
        ("scoring", None),
        ("stacking", True),
        ("draw_until_playable", 1),
        ("must_play", "on"),
        ("seven_zero", None),
        ("jump_in", 0),
        ("players", 1),
        ("players", 11),
        ("hand_size", 0),
        ("hand_size", 51),
        ("target_score", 0),
        ("max_plies", 0),
        ("uno_penalty", -1),
        ("uno_penalty", 11),
        ("deck", 108),
    ],
)
def test_rule_11_1_impossible_values_are_refused_by_name(field: str, value: object) -> None:
    with pytest.raises(RulesError, match=f"^{field} must be"):
        Rules().replace(**{field: value})


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("scoring", ["winner", "lowest"]),
        ("wild_draw_four", ["strict", "bluff", "free", "last_resort"]),
        ("stacking", ["none", "same", "any_up"]),
        ("drawn_card", ["may_play", "must_play", "end_turn"]),
        ("uno_penalty", [0, 10]),
        ("target_score", [1, 1_000_000]),
    ],
)
def test_rule_11_1_possible_values_are_taken(field: str, values: list[object]) -> None:
    for value in values:
        assert fields(Rules().replace(**{field: value})) == {**DEFAULTS, field: value}


def test_rule_11_1_draw_until_playable_contradicts_end_turn() -> None:
    with pytest.raises(RulesError, match="drawn_card='end_turn' contradicts draw_until_playable=True"):
        Rules(draw_until_playable=True, drawn_card="end_turn")
    with pytest.raises(RulesError, match="draw_until_playable"):
        Rules.preset("study", draw_until_playable=True)
    Rules(draw_until_playable=True, drawn_card="must_play")


def test_rule_11_1_what_the_deal_excludes_is_refused_by_name() -> None:
    with pytest.raises(RulesError, match="hand_size=7 with players=10 deals 70 cards, but the deck has only 10"):
        Rules(players=10, deck=MINI)
    with pytest.raises(RulesError, match="deck: r1 must have 0 to 2 copies, not 3"):
        Rules(deck=Deck.of(parse_cards("r1 r1 r1")))


@pytest.mark.parametrize(
    ("preset", "cards", "players", "changes"),
    [
        ("official", 108, 2, {}),
        ("tournament", 108, 4, {"wild_draw_four": "bluff", "uno_penalty": 2}),
        (
            "house",
            108,
            4,
            {
                "stacking": "any_up",
                "draw_until_playable": True,
                "seven_zero": True,
                "jump_in": True,
                "uno_penalty": 2,
            },
        ),
        ("family", 108, 2, {"must_play": True}),
        ("study", 108, 2, {"must_play": True, "wild_draw_four": "last_resort", "drawn_card": "end_turn"}),
        ("numbers", 76, 2, {"deck": NUMBERS, "must_play": True, "drawn_card": "end_turn"}),
        (
            "mini",
            10,
            2,
            {"deck": MINI, "hand_size": 2, "must_play": True, "drawn_card": "end_turn", "max_plies": 16},
        ),
    ],
)
def test_rule_11_2_what_each_preset_plays(preset: str, cards: int, players: int, changes: dict[str, object]) -> None:
    rules = Rules.preset(preset)
    assert fields(rules) == {**DEFAULTS, "players": players, **changes}
    assert rules.deck.num_cards == cards


def test_rule_11_2_there_are_seven_presets() -> None:
    assert list(PRESETS) == ["official", "family", "tournament", "house", "study", "numbers", "mini"]


def test_rule_11_2_what_the_small_decks_hold() -> None:
    assert Deck.of(parse_cards("r0 r1 r1 r2 r2 y0 y1 y1 y2 y2")) == MINI
    assert {card.rank.value for card in NUMBERS} == set("0123456789")
    assert all(NUMBERS[card] == OFFICIAL[card] for card in NUMBERS)


@pytest.mark.parametrize("preset", PRESETS)
def test_rule_11_2_any_number_of_players_that_the_deck_can_seat_is_allowed(preset: str) -> None:
    usable = Rules.preset(preset).deck.num_cards - (0 if preset in ("numbers", "mini") else 4)
    for players in range(2, 11):
        if players * Rules.preset(preset).hand_size < usable:
            assert deal(Rules.preset(preset, players=players)).rules.players == players
        else:
            with pytest.raises(RulesError, match=f"players={players}"):
                Rules.preset(preset, players=players)


def test_rule_11_2_an_unknown_preset_is_refused() -> None:
    with pytest.raises(RulesError, match="no rules preset 'offical'; there are official, family, tournament, house"):
        parse_rules("offical")


def test_rule_11_3_decks_have_names() -> None:
    assert list(DECKS) == ["official", "numbers", "mini", "mini-bluff"]
    for name, deck in DECKS.items():
        rules = parse_rules(f"official deck={name} hand_size=3")
        assert rules.deck == deck
        assert rules.to_dict()["deck"] == name
        assert Rules.from_dict(rules.to_dict()) == rules


def test_rule_11_3_what_mini_bluff_holds() -> None:
    assert Deck.of(parse_cards("r0 r0 r1 r1 y0 y0 y1 y1 g0 w+4 w+4")) == MINI_BLUFF
    with pytest.raises(RulesError, match="hand_size=3 with players=3 deals 9 cards, but the deck has only 9"):
        parse_rules("mini deck=mini-bluff hand_size=3 players=3")
