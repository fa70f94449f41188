"""Actions."""

import copy
import pickle

import pytest

from lastcard import _core
from lastcard.actions import (
    ACCEPT,
    ACTIONS,
    CATCH,
    CHALLENGE,
    DRAW,
    KEEP,
    PASS,
    UNO,
    Action,
    ActionKind,
    format_action,
    parse_action,
)
from lastcard.cards import CARDS, WILD, WILD_DRAW_FOUR, Color, parse_card
from lastcard.errors import NotationError
from lastcard.phase import ENDINGS, PHASES


def test_there_are_81_actions_in_the_order_in_which_they_are_listed() -> None:
    assert len(set(ACTIONS)) == 81
    assert list(ACTIONS) == sorted(ACTIONS, reverse=True)[::-1]
    expected = [
        *(str(card) for card in CARDS[:52]),
        *[f"{wild}:{color}" for wild in ("w", "w+4") for color in "rygb"],
        *["draw", "keep", "accept", "challenge", "uno", "catch", "pass"],
        *(f"swap:{seat}" for seat in range(10)),
        *(["color:r", "color:y", "color:g", "color:b"]),
    ]
    assert [str(action) for action in ACTIONS] == expected


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_every_action_is_read_back(action: Action) -> None:
    text = format_action(action)
    assert parse_action(text) is action
    assert parse_action(f" {text.upper()}\t") is action
    assert eval(repr(action)) is action


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_an_action_is_one_object(action: Action) -> None:
    assert copy.copy(action) is copy.deepcopy(action) is action
    assert pickle.loads(pickle.dumps(action)) is action
    assert hash(action) == hash(parse_action(action.text))


@pytest.mark.parametrize("name", ["card", "color", "kind", "text", "index", "something"])
def test_actions_cannot_be_changed(name: str) -> None:
    with pytest.raises(AttributeError, match=f"actions never change: {name} of draw cannot be set"):
        setattr(DRAW, name, None)


def test_no_part_of_an_action_can_be_deleted() -> None:
    try:
        with pytest.raises(AttributeError):
            del DRAW.draw_penalty
    finally:
        object.__setattr__(DRAW, "draw_penalty", 0)


@pytest.mark.parametrize("action", ACTIONS[:60], ids=str)
def test_a_play_knows_its_card_color_and_penalty(action: Action) -> None:
    assert action.is_play
    assert action.card is not None
    assert action.color is not None
    assert action.card.color in (None, action.color)
    assert action.draw_penalty == {"w+4": 4}.get(action.text[:3], 2 if action.text.endswith("+2") else 0)
    assert Action.play(action.card, action.color if action.card.is_wild else None) is action


@pytest.mark.parametrize("action", ACTIONS[60:], ids=str)
def test_other_actions_play_nothing(action: Action) -> None:
    assert (action.is_play, action.card, action.draw_penalty) == (False, None, 0)
    assert action.kind.value == action.text.partition(":")[0]


def test_the_plain_actions_have_names() -> None:
    named = (DRAW, KEEP, ACCEPT, CHALLENGE, UNO, CATCH, PASS)
    assert [action.kind for action in named] == list(ActionKind)[1:8]


def test_actions_are_made_from_their_parts() -> None:
    assert Action.play(WILD, naming=Color.GREEN) is parse_action("w:g")
    assert Action.play(parse_card("r5")) is parse_action("r5")
    assert [Action.swap(seat).seat for seat in range(10)] == list(range(10))
    assert [Action.name_color(color).color for color in Color] == list(Color)


def test_a_wild_must_name_a_color_and_nothing_else_may() -> None:
    with pytest.raises(NotationError, match=r"cannot play w\+4 naming None: a Wild must name a color"):
        Action.play(WILD_DRAW_FOUR)
    with pytest.raises(NotationError, match="cannot play r5 naming red: only Wilds name a color"):
        Action.play(parse_card("r5"), Color.RED)


@pytest.mark.parametrize("text", ["w", " W ", "w+4", "W+4"])
def test_a_wild_without_a_color_is_refused_with_what_is_missing(text: str) -> None:
    with pytest.raises(NotationError, match=r"names no color; expected .*:r, :y, :g or :b"):
        parse_action(text)


@pytest.mark.parametrize(
    "text",
    ["", "play r5", "r5:g", "w:x", "w:red", "swap", "swap:10", "swap:-1", "color", "color:w", "draw 2", "r5 g5"],
)
def test_anything_else_is_refused_with_what_was_read_and_expected(text: str) -> None:
    with pytest.raises(NotationError, match=r"is not an action; expected a card .* swap:SEAT or color:COLOR") as e:
        parse_action(text)
    assert repr(text) in str(e.value)


@pytest.mark.parametrize("value", [None, 5, b"r5", DRAW, ["draw"]])
def test_only_text_is_read(value: object) -> None:
    with pytest.raises(NotationError, match="expected an action as text"):
        parse_action(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("seat", [-1, 10, True, 1.0, "x"])
def test_a_swap_with_no_seat_is_refused(seat: object) -> None:
    with pytest.raises(NotationError, match="is not an action"):
        Action.swap(seat)  # type: ignore[arg-type]


def test_names_are_those_of_the_core() -> None:
    assert [phase.value for phase in PHASES] == _core.list_phase_names()
    assert [ending.value if ending else "" for ending in ENDINGS] == _core.list_ending_names()
    assert [(card.color.letter if card.color else "") + card.rank.value for card in CARDS] == _core.list_card_names()
    assert [action.kind.value for action in ACTIONS[60:67]] == _core.list_action_names()[60:67]
