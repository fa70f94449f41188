"""Views: seats, phases and events as data."""

from __future__ import annotations

import json
from typing import get_args

import pytest

from lastcard import _core
from lastcard.actions import Action
from lastcard.agents import LEVELS, make_agent
from lastcard.errors import RequestError
from lastcard.events import EventKind
from lastcard.observation import Observation, observe, spectate
from lastcard.rules import Rules, parse_rules
from lastcard.state import deal, parse_state
from lastcard.web.contract.view import EventName, View
from lastcard.web.games.seating import SeatInfo, find_name, seat_opponents
from lastcard.web.games.view import TableFacts, make_view
from lastcard.web.limits import Limits


def table(players: int = 2, **changes: object) -> TableFacts:
    others = (False,) * (players - 1)
    fields = {
        "game": "key",
        "length": "game",
        "seats": seat_opponents(["easy"], Rules(players=players), 0, Limits()),
        "names": ["Eva", "Ada", *[f"Ada {number}" for number in range(2, players)]],
        "held": (True, *others),
        "open": (False, *others),
        "here": (True, *others),
        "connected": (True,) * players,
        "is_gathering": False,
        "has_acted": False,
        "has_rematch": False,
        "deal_hash": "hash",
        "is_over": False,
        "winner": None,
        "seed": None,
        "hands": None,
    }
    return TableFacts(**{**fields, **changes})  # type: ignore[arg-type]


def test_a_view_shows_the_seat_what_it_sees() -> None:
    state = parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR")
    view = make_view(observe(state, 0), table())
    View.model_validate(view)
    assert view["hand"] == ["r7", "b2", "w"]
    assert view["legal"] == ["r7", "w:r", "w:y", "w:g", "w:b", "draw"]
    assert (view["phase"], view["to_act"], view["top_card"], view["active_color"]) == ("turn", 0, "r5", "r")
    assert [seat["cards"] for seat in view["seats"]] == [3, 3]
    assert [seat["name"] for seat in view["seats"]] == ["Eva", "Ada"]
    assert "g1" not in str(view)


@pytest.mark.parametrize("rules", ["official players=3", "house players=4", "tournament", "family players=10"])
def test_views_together_have_all_that_an_observation_needs(rules: str) -> None:
    """A client that reads every view, and one that reconnects now and then, know what their seat may know."""
    state, agent, watcher = deal(parse_rules(rules), seed=7), make_agent("random", 7), 1
    log: list[dict[str, object]] = []
    for ply in range(60):
        if state.seat is None:
            break
        seen = observe(state, watcher)
        since = 10 + len(log) if ply % 7 else 0
        made = make_view(seen, table(state.rules.players), earlier=10, since=since)
        told = json.loads(json.dumps(made))
        log = told["log"] if ply % 7 == 0 else log + told["log"]
        assert told["ply"] == 10 + len(log)
        core = _core.read_view(told, log)
        assert Observation(core, seen.rules) == seen
        state.apply_in_place(agent.choose(observe(state, state.seat)))


def test_a_seat_that_is_not_asked_waits() -> None:
    state = parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR").after(
        parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR").legal_actions[0]
    )
    view = make_view(observe(state, 0), table())
    assert (view["phase"], view["legal"], view["to_act"]) == ("waiting", [], 1)
    assert view["log"][-1] == {"kind": "played", "seat": 0, "action": "r7"}


def test_an_event_has_the_cards_of_the_observer_only() -> None:
    state = parse_state("rules house players=3 uno_penalty=0 | top r5 | seat 0: r7 b2 | seat 1: g1 y3 | seat 2: b4 b5")
    swapped = state.after(Action("r7")).after(Action("swap:1"))
    assert make_view(observe(swapped, 0), table(3))["log"][-1]["hands"] == {"0": ["y3", "g1"]}
    assert "hands" not in make_view(observe(swapped, 2), table(3))["log"][-1]
    assert "hands" not in make_view(spectate(swapped), table(3))["log"][-1]


def test_every_kind_of_event_is_in_the_contract() -> None:
    assert set(get_args(EventName.__value__)) == {kind.name.lower() for kind in EventKind}


def test_rules_have_a_name_if_they_are_a_preset() -> None:
    state = parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR")
    assert make_view(observe(state, 0), table())["rules"] == {"text": "official", "name": "official"}


def test_opponents_repeat() -> None:
    seats = seat_opponents(["easy", "halving:simulations=10"], Rules(players=4), 0, Limits())
    assert [info.agent for info in seats] == ["human", "frequency", *["halving:simulations=10"] * 2]
    assert [info.level for info in seats] == ["easy", "easy", "halving:simulations=10", "halving:simulations=10"]
    assert seats[0] == SeatInfo("You", "easy", "human", True, "frequency")


def test_friends_sit_beside_the_creator() -> None:
    seats = seat_opponents(["easy", "hard"], Rules(players=5), 2, Limits(), friends=2)
    assert [info.is_person for info in seats] == [True, True, True, False, False]
    assert [info.agent for info in seats][3:] == ["frequency", LEVELS["hard"].agent]
    assert {info.stand_in for info in seats[:3]} == {"frequency"}


@pytest.mark.parametrize("wanted", ["", "  ", "a" * 21, "a\u0000b", "a\u202eb", "line\nbreak\x07"])
def test_what_is_no_name_is_refused(wanted: str) -> None:
    with pytest.raises(RequestError, match="name must be 1 to 20 characters"):
        find_name(wanted, [])


def test_nobody_goes_by_the_name_of_another() -> None:
    assert find_name("you", []) == "you 2"
    assert find_name("ada", ["Ada", "Ada 2"]) == "ada 3"


def test_a_spectator_sees_what_all_see() -> None:
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


def test_a_seat_that_has_acted_waits() -> None:
    state = parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR")
    view = make_view(observe(state, 0), table(has_acted=True))
    assert (view["phase"], view["legal"]) == ("waiting", [])
