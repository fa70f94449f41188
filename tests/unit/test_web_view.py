"""What the page says, and what a view is made of."""

from __future__ import annotations

import pytest

from lastcard.errors import RequestError
from lastcard.events import EventKind, parse_event
from lastcard.observation import observe, spectate
from lastcard.rules import Rules
from lastcard.state import parse_state
from lastcard.web.contract.view import View
from lastcard.web.games.seating import SeatInfo, find_name, seat_opponents
from lastcard.web.games.view import PublicTable, make_view
from lastcard.web.limits import Limits
from lastcard.web.narration import Words

SENTENCES = {
    "0 is dealt 2 (r5 w)": "You are dealt 2 cards (red 5, Wild).",
    "1 is dealt 7": "Ada is dealt 7 cards.",
    "turned up yS": "Yellow Skip is turned up.",
    "reshuffled 20": "The discards are shuffled into a new draw pile.",
    "0 plays w+4:b": "You play Wild Draw Four and name blue.",
    "1 plays gR": "Ada plays green Reverse.",
    "1 jumps in r5": "Ada jumps in with red 5.",
    "0 draws 1 (b2)": "You draw a card (blue 2).",
    "1 draws 2": "Ada draws 2 cards.",
    "1 draws 0": "Ada finds nothing to draw.",
    "1 keeps": "Ada keeps what was drawn.",
    "0 keeps": "You keep what you have drawn.",
    "1 names g": "Ada names green.",
    "0 accepts 4": "You accept to draw 4.",
    "1 calls uno": "Ada calls UNO.",
    "1 catches 0": "Ada catches you without UNO.",
    "0 challenges 1: guilty (r5)": "You challenge Ada: guilty (red 5).",
    "1 challenges 0: innocent": "Ada challenges you: innocent.",
    "0 passes": "You let it pass.",
    "1 swaps with 0 (0: r5 / 1: g1)": "Ada swaps hands with you (red 5).",
    "hands pass (0: r5 / 1: g1)": "All hands move on (red 5).",
    "1 is skipped": "Ada is skipped.",
}


@pytest.mark.parametrize("event", SENTENCES)
def test_an_event_is_said_in_a_sentence(event: str) -> None:
    assert Words(["You", "Ada"], observer=0).sentence(parse_event(event)) == SENTENCES[event]


def test_every_kind_of_event_is_said() -> None:
    assert {parse_event(event).kind for event in SENTENCES} == set(EventKind)


def table(**changes: object) -> PublicTable:
    fields = {
        "game": "key",
        "length": "game",
        "seats": seat_opponents(["easy"], Rules(), 0, Limits()),
        "names": ["You", "Ada"],
        "held": (True, False),
        "here": (True, False),
        "connected": (True, True),
        "is_gathering": False,
        "has_acted": False,
        "has_rematch": False,
        "deal_hash": "hash",
        "is_over": False,
        "winner": None,
        "seed": None,
        "hands": None,
    }
    return PublicTable(**{**fields, **changes})  # type: ignore[arg-type]


def test_a_view_shows_the_seat_what_it_sees() -> None:
    state = parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR")
    view = make_view(observe(state, 0), table())
    View.model_validate(view)
    assert view["hand"] == ["r7", "b2", "w"]
    assert view["legal"] == ["r7", "w:r", "w:y", "w:g", "w:b", "draw"]
    assert (view["phase"], view["to_act"], view["top_card"], view["active_color"]) == ("turn", 0, "r5", "r")
    assert [seat["cards"] for seat in view["seats"]] == [3, 3]
    assert [seat["name"] for seat in view["seats"]] == ["You", "Ada"]
    assert "g1" not in str(view)


def test_whoever_is_not_asked_waits() -> None:
    state = parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR").after(
        parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR").legal_actions[0]
    )
    view = make_view(observe(state, 0), table())
    assert (view["phase"], view["legal"], view["to_act"]) == ("waiting", [], 1)
    assert view["seats"][0]["last"] == "play red 7"


def test_rules_have_a_name_if_they_are_a_preset() -> None:
    state = parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR")
    assert make_view(observe(state, 0), table())["rules"] == {"text": "official", "name": "official"}


def test_opponents_repeat() -> None:
    seats = seat_opponents(["easy", "halving:simulations=10"], Rules(players=4), 0, Limits())
    assert [info.agent for info in seats] == ["human", "frequency", *["halving:simulations=10"] * 2]
    assert [info.level for info in seats] == ["easy", "easy", "halving:simulations=10", "halving:simulations=10"]
    assert seats[0] == SeatInfo("You", "easy", "human", True, "frequency")


def test_friends_sit_beside_whoever_begins() -> None:
    seats = seat_opponents(["easy", "hard"], Rules(players=5), 2, Limits(), friends=2)
    assert [info.is_person for info in seats] == [True, True, True, False, False]
    assert [info.agent for info in seats][3:] == ["frequency", "halving:simulations=1000"]
    assert {info.stand_in for info in seats[:3]} == {"frequency"}


@pytest.mark.parametrize("wanted", ["", "  ", "a" * 21, "a\u0000b", "a\u202eb", "line\nbreak\x07"])
def test_what_is_no_name_is_refused(wanted: str) -> None:
    with pytest.raises(RequestError, match="name must be 1 to 20 characters"):
        find_name(wanted, [])


def test_nobody_goes_by_the_name_of_another() -> None:
    assert find_name("you", []) == "you 2"
    assert find_name("ada", ["Ada", "Ada 2"]) == "ada 3"


def test_whoever_looks_on_sees_what_all_see() -> None:
    state = parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR")
    view = make_view(spectate(state), table(names=["Eva", "Ada"]))
    View.model_validate(view)
    assert (view["seat"], view["hand"], view["legal"], view["phase"], view["to_act"]) == (None, [], [], "waiting", 0)
    assert [seat["cards"] for seat in view["seats"]] == [3, 3]
    assert "r7" not in str(view)


def test_while_people_gather_nobody_is_asked() -> None:
    state = parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR")
    view = make_view(observe(state, 0), table(is_gathering=True))
    assert (view["phase"], view["legal"]) == ("gathering", [])


def test_whoever_has_acted_waits() -> None:
    state = parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR")
    view = make_view(observe(state, 0), table(has_acted=True))
    assert (view["phase"], view["legal"]) == ("waiting", [])
