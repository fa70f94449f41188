"""Rules as a record: reading, writing, replacing and refusing."""

import copy
import dataclasses
import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastcard.cards import CARDS, MINI, Deck, parse_cards
from lastcard.errors import LastcardError, RulesError
from lastcard.rules import PRESET_SUMMARIES, PRESETS, Rules, format_rules, parse_rules
from tests.unit.helpers import VARIED_RULES

SMALL = Deck.of(parse_cards("r1 r1 g2 b+2 w w+4"))


@pytest.mark.parametrize("text", [*VARIED_RULES, *PRESETS, "official hand_size=2 deck=r1,r1,g2,b+2,w,w+4"])
def test_rules_are_read_back(text: str) -> None:
    rules = parse_rules(text)
    assert parse_rules(format_rules(rules)) == rules
    assert Rules.from_dict(rules.to_dict()) == rules
    assert Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
    assert str(rules) == format_rules(rules)
    assert eval(repr(rules), {"Rules": Rules, "Deck": Deck, "parse_cards": parse_cards}) == rules


@given(
    players=st.integers(2, 10),
    hand_size=st.integers(1, 10),
    wild_draw_four=st.sampled_from(["strict", "bluff", "free", "last_resort"]),
    stacking=st.sampled_from(["none", "same", "any_up"]),
    uno_penalty=st.integers(0, 10),
    drawn_card=st.sampled_from(["may_play", "must_play"]),
    scoring=st.sampled_from(["winner", "lowest"]),
    seven_zero=st.booleans(),
    jump_in=st.booleans(),
    must_play=st.booleans(),
    draw_until_playable=st.booleans(),
    max_plies=st.integers(1, 1_000_000),
    target_score=st.integers(1, 1_000_000),
)
@settings(max_examples=50, deadline=None)
def test_any_rules_are_read_back(**changes: object) -> None:
    rules = Rules().replace(**changes)
    assert parse_rules(str(rules)) == rules
    assert Rules.from_dict(rules.to_dict()) == rules


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (Rules(), "official"),
        (Rules(players=4), "official players=4"),
        (Rules.preset("house", players=3), "house players=3"),
        (Rules.preset("mini"), "mini"),
        (Rules(players=2, hand_size=2, deck=MINI), "mini max_plies=10000 must_play=false drawn_card=may_play"),
        (Rules(hand_size=1, deck=SMALL), "official deck=r1,r1,g2,b+2,w,w+4 hand_size=1"),
    ],
)
def test_rules_are_written_as_the_preset_with_the_fewest_changes(rules: Rules, text: str) -> None:
    written = format_rules(rules)
    assert len(written.split()) <= len(text.split())
    assert parse_rules(text) == parse_rules(written) == rules


def test_switches_are_read_as_words() -> None:
    for word in ("on", "true", "YES", "True"):
        assert parse_rules(f"official jump_in={word}").jump_in
    for word in ("off", "false", "No"):
        assert not parse_rules(f"house jump_in={word}").jump_in
    assert parse_rules("official max_plies=1_000").max_plies == 1000


def test_rules_cannot_be_changed() -> None:
    rules = Rules()
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.players = 3  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del rules.players


def test_replace_makes_other_rules() -> None:
    rules = Rules.preset("house")
    other = rules.replace(players=2, stacking="none")
    assert (other.players, other.stacking, other.jump_in) == (2, "none", True)
    assert (rules.players, rules.stacking) == (4, "any_up")
    assert rules.replace() == rules


def test_replace_checks_again() -> None:
    with pytest.raises(RulesError, match="players must be from 2 to 10, not 11"):
        Rules().replace(players=11)
    with pytest.raises(RulesError, match="rules have no field 'player'; there are players, deck, hand_size"):
        Rules().replace(player=3)
    with pytest.raises(RulesError, match="rules have no field 'seats'"):
        Rules.preset("house", seats=3)


def test_equal_rules_are_equal_and_hash_alike() -> None:
    assert Rules() == Rules.preset("official") == parse_rules("official")
    assert hash(Rules.preset("house")) == hash(parse_rules("house"))
    assert Rules() != Rules(players=3)
    assert len({Rules(), Rules(), Rules(players=3)}) == 2


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_can_be_copied_and_pickled(preset: str) -> None:
    rules = Rules.preset(preset)
    assert copy.copy(rules) == rules
    assert copy.deepcopy(rules) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules


@pytest.mark.parametrize("field", ["players", "hand_size", "target_score", "max_plies", "uno_penalty"])
@pytest.mark.parametrize("value", [True, False, 2.0, "2", None, [2], -1, 10**30])
def test_a_wrong_number_is_refused_by_name(field: str, value: object) -> None:
    with pytest.raises(RulesError, match=f"^{field} must be .*from . to .*, not"):
        Rules().replace(**{field: value})


@pytest.mark.parametrize("field", ["players", "max_plies"])
def test_a_number_too_long_to_write_down_is_refused_by_name(field: str) -> None:
    with pytest.raises(RulesError, match=f"^{field} must be"):
        Rules().replace(**{field: 10**5000})


def test_messages_say_what_was_read_and_expected() -> None:
    with pytest.raises(RulesError, match=r"stacking must be one of 'none', 'same', 'any_up', not 'up'"):
        Rules().replace(stacking="up")
    with pytest.raises(RulesError, match="jump_in must be True or False, not 1"):
        Rules().replace(jump_in=1)
    with pytest.raises(RulesError, match=r"deck must be a Deck, not \{\}"):
        Rules().replace(deck={})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a preset and changes such as 'official players=4', not ''"),
        ("players=4", "no rules preset 'players=4'"),
        ("official players", "'players' is not a change of rules; expected field=value such as players=4"),
        ("official players=four", "players must be a whole number from 2 to 10, not 'four'"),
        ("official players=11", "players must be from 2 to 10, not 11"),
        ("official players=99999999999999999999", "players must be a whole number from 2 to 10, not '9999999"),
        ("official players=-2", "players must be a whole number from 2 to 10, not '-2'"),
        ("official players=٣", "players must be a whole number"),
        ("official players=", "players must be a whole number from 2 to 10, not ''"),
        ("official jump_in=maybe", "jump_in must be True or False, not 'maybe'"),
        ("official stacking=up", "stacking must be one of"),
        ("official color=red", "rules have no field 'color'"),
        ("official deck=r1,r1,r1", "deck: r1 must have 0 to 2 copies, not 3"),
        ("official deck=r1,g1", "hand_size=7 with players=2 deals 14 cards, but the deck has only 2"),
    ],
)
def test_text_that_makes_no_rules_is_refused(text: str, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        parse_rules(text)


def test_an_unknown_deck_is_refused_by_name() -> None:
    with pytest.raises(RulesError, match="deck"):
        parse_rules("official deck=foo")
    with pytest.raises(RulesError, match="deck"):
        Rules.from_dict({"deck": "foo"})


@pytest.mark.parametrize("value", [None, 5, "official", ["players"]])
def test_only_a_mapping_is_read(value: object) -> None:
    with pytest.raises(RulesError, match="rules must be a mapping of fields, not"):
        Rules.from_dict(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [None, 5, b"official"])
def test_only_text_is_read(value: object) -> None:
    with pytest.raises(RulesError, match="expected a preset and changes"):
        parse_rules(value)  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="no rules preset"):
        Rules.preset(value)  # type: ignore[arg-type]


def test_fields_left_out_take_their_defaults() -> None:
    assert Rules.from_dict({}) == Rules()
    assert Rules.from_dict({"players": 3}) == Rules(players=3)
    with pytest.raises(RulesError, match="rules have no field 'extra'"):
        Rules.from_dict({"extra": 1})


def test_every_preset_has_a_summary() -> None:
    assert list(PRESET_SUMMARIES) == list(PRESETS)


@given(st.text(max_size=40))
@settings(max_examples=100, deadline=None)
def test_no_text_breaks_the_reader(text: str) -> None:
    for tried in (text, f"official {text}", f"official deck={text}", f"official players={text}"):
        try:
            rules = parse_rules(tried)
        except LastcardError:
            continue
        assert parse_rules(str(rules)) == rules


def test_the_deck_is_written_by_name_or_by_its_cards() -> None:
    assert [Rules.preset(name).to_dict()["deck"] for name in ("house", "numbers", "mini")] == [
        "official",
        "numbers",
        "mini",
    ]
    assert Rules(hand_size=1, deck=SMALL).to_dict()["deck"] == "r1 r1 g2 b+2 w w+4"
    assert len(CARDS) == 54
