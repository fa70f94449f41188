"""Events."""

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastcard.actions import ACTIONS, parse_action
from lastcard.cards import CARDS, Color, parse_card, parse_cards
from lastcard.errors import NotationError
from lastcard.events import Event, EventKind, format_event, pack_events, parse_event, unpack_events
from lastcard.rules import parse_rules
from tests.unit.helpers import VARIED_RULES, random_states

EVENTS = [
    ("0 is dealt 2 (r5 w)", Event(EventKind.DEALT, seat=0, count=2, hands=((0, parse_cards("r5 w")),))),
    ("turned up w+4", Event(EventKind.TURNED_UP, card=parse_card("w+4"))),
    ("reshuffled 37", Event(EventKind.RESHUFFLED, count=37)),
    ("9 plays w+4:b", Event(EventKind.PLAYED, seat=9, action=parse_action("w+4:b"))),
    ("2 jumps in r+2", Event(EventKind.JUMPED_IN, seat=2, action=parse_action("r+2"))),
    ("1 draws 2 (r5 w)", Event(EventKind.DREW, seat=1, count=2, hands=((1, parse_cards("r5 w")),))),
    ("1 draws 2", Event(EventKind.DREW, seat=1, count=2)),
    ("1 draws 0", Event(EventKind.DREW, seat=1, count=0)),
    ("0 keeps", Event(EventKind.KEPT, seat=0)),
    ("0 names g", Event(EventKind.NAMED_COLOR, seat=0, color=Color.GREEN)),
    ("1 accepts 12", Event(EventKind.ACCEPTED, seat=1, count=12)),
    ("1 calls uno", Event(EventKind.CALLED_UNO, seat=1)),
    ("1 catches 0", Event(EventKind.CAUGHT, seat=1, target=0)),
    (
        "1 challenges 0: guilty (r1 g1)",
        Event(EventKind.CHALLENGED, seat=1, target=0, guilty=True, hands=((1, parse_cards("r1 g1")),)),
    ),
    ("1 challenges 0: innocent ()", Event(EventKind.CHALLENGED, seat=1, target=0, guilty=False, hands=((1, ()),))),
    ("1 challenges 0: innocent", Event(EventKind.CHALLENGED, seat=1, target=0, guilty=False)),
    ("2 passes", Event(EventKind.PASSED, seat=2)),
    (
        "0 swaps with 2 (0: y1 y2 / 2: g1)",
        Event(EventKind.SWAPPED, seat=0, target=2, hands=((0, parse_cards("y1 y2")), (2, parse_cards("g1")))),
    ),
    (
        "hands pass (0: y1 / 1: g1 / 2: b1 w)",
        Event(
            EventKind.HANDS_PASSED,
            hands=((0, parse_cards("y1")), (1, parse_cards("g1")), (2, parse_cards("b1 w"))),
        ),
    ),
    ("hands pass", Event(EventKind.HANDS_PASSED)),
    ("3 is skipped", Event(EventKind.SKIPPED, seat=3)),
]


@pytest.mark.parametrize(("text", "event"), EVENTS)
def test_every_kind_of_event_is_written_and_read_back(text: str, event: Event) -> None:
    assert format_event(event) == str(event) == text
    assert parse_event(text) == event
    assert parse_event(f"  {text} ") == event


def test_every_kind_is_tried() -> None:
    assert {event.kind for _, event in EVENTS} == set(EventKind)


@pytest.mark.parametrize(("text", "event"), EVENTS)
def test_events_are_packed_for_the_core_and_back(text: str, event: Event) -> None:
    observer = 5 if text == "1 challenges 0: innocent" else None
    assert unpack_events(pack_events([event]), observer) == (event,)


@pytest.mark.parametrize("rules", VARIED_RULES)
def test_the_history_of_random_rounds_is_read_back(rules: str) -> None:
    for seed in range(2):
        *_, state = random_states(parse_rules(rules), seed)
        assert tuple(parse_event(str(event)) for event in state.history) == state.history
        assert unpack_events(pack_events(state.history)) == state.history


@given(seat=st.integers(0, 9), action=st.sampled_from(ACTIONS[:60]), cards=st.lists(st.sampled_from(CARDS), min_size=1))
@settings(max_examples=50, deadline=None)
def test_any_play_or_draw_is_read_back(seat: int, action: object, cards: list[object]) -> None:
    for event in (
        Event(EventKind.PLAYED, seat=seat, action=action),  # type: ignore[arg-type]
        Event(EventKind.DREW, seat=seat, count=len(cards), hands=((seat, tuple(cards)),)),  # type: ignore[arg-type]
    ):
        assert parse_event(str(event)) == event
        assert unpack_events(pack_events([event])) == (event,)


def test_private_cards_are_one_seats_or_none() -> None:
    assert parse_event("1 draws 2 (r5 w)").cards == parse_cards("r5 w")
    assert parse_event("1 draws 2").cards is None
    assert parse_event("0 swaps with 2 (0: y1 / 2: g1)").cards is None


def test_an_event_is_a_value() -> None:
    event, same = parse_event("1 draws 2 (r5 w)"), parse_event("1 draws 2 (r5 w)")
    assert event == same
    assert hash(event) == hash(same)
    assert event != parse_event("1 draws 2")
    assert copy.deepcopy(event) == pickle.loads(pickle.dumps(event)) == event
    with pytest.raises(AttributeError):
        event.seat = 2  # type: ignore[misc]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "r5",
        "0",
        "0 flies",
        "0 plays",
        "0 plays w",
        "0 plays draw",
        "0 plays x5",
        "10 plays r5",
        "-1 plays r5",
        "x plays r5",
        "turned up",
        "turned up x",
        "reshuffled",
        "reshuffled many",
        "reshuffled -1",
        "reshuffled 1000",
        "1 draws",
        "1 draws r5",
        "1 draws 2 (r5",
        "1 draws 2 (x5)",
        "0 names",
        "0 names w",
        "1 catches",
        "1 catches 10",
        "1 challenges 0",
        "1 challenges 0: maybe",
        "0 swaps with",
        "0 swaps with 2 (0: y1 / x: g1)",
        "0 keeps; 1 keeps",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match=r"is not an? (event|action|card|color|seat and its cards)|names no color"):
        parse_event(text)


@pytest.mark.parametrize(
    "text",
    ["0 keeps going", "1 calls uno loudly", "2 passes 3", "3 is skipped twice", "hands pass on", "1 catches 0: guilty"],
)
def test_words_left_over_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_event(text)


@pytest.mark.parametrize("text", ["1 draws 2 (r5)", "1 draws 1 (r5 w)", "0 is dealt 7 (r5)"])
def test_cards_that_are_not_as_many_as_counted_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_event(text)


@pytest.mark.parametrize("text", ["١ plays r5", "1 draws ٢", "1 catches ٠"])
def test_only_plain_digits_are_read(text: str) -> None:
    with pytest.raises(NotationError):
        parse_event(text)


@pytest.mark.parametrize("seat", [0, 1, 9])
def test_a_seat_where_none_belongs_is_named_in_the_message(seat: int) -> None:
    for text in ("turned up r5", "reshuffled 5", "hands pass"):
        with pytest.raises(NotationError, match="needs no seat"):
            parse_event(f"{seat} {text}")


def test_a_missing_seat_is_named_in_the_message() -> None:
    for text in ("plays r5", "draws 2", "keeps"):
        with pytest.raises(NotationError, match=f"'{text.split()[0]}' needs a seat"):
            parse_event(text)


@pytest.mark.parametrize("value", [None, 5, b"0 keeps", EVENTS[0][1]])
def test_only_text_is_read(value: object) -> None:
    with pytest.raises(NotationError, match="is not an event; expected one such as '0 plays r5' or '1 draws 2'"):
        parse_event(value)  # type: ignore[arg-type]
