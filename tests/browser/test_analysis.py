"""The page's text on the values of a search."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import WebSocket, expect

from tests.browser.conftest import Server
from tests.browser.seat import Seat

OpenSeat = Callable[..., Seat]
Messages = list[dict[str, Any]]


def listen(seat: Seat) -> tuple[Messages, Messages, list[WebSocket]]:
    """Every message that the page sends and receives from now on, and its sockets."""
    sockets: list[WebSocket] = []
    sent: Messages = []
    received: Messages = []

    def follow(socket: WebSocket) -> None:
        sockets.append(socket)
        socket.on("framesent", lambda frame: sent.append(json.loads(frame)))
        socket.on("framereceived", lambda frame: received.append(json.loads(frame)))

    seat.page.on("websocket", follow)
    return sent, received, sockets


def test_a_hint_names_an_action_its_chance_and_a_reason(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    seat.sit(players=3)
    seat.wait_for_decision()
    seat.page.keyboard.press("h")
    hint = seat.page.locator(".hint")
    expect(hint).to_be_visible()
    text = hint.inner_text()
    assert re.match(r"(Play|Draw|Keep|Name)", text), text
    assert len(text) > len("Draw a card."), text
    expect(seat.page.locator(".hinted").first).to_be_visible()


@pytest.mark.slow
def test_a_hint_says_what_the_analysis_says(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    sent, received, _ = listen(seat)
    seat.sit(players=3, rules="official hand_size=12")
    seat.wait_for_decision()
    page = seat.page
    page.keyboard.press("a")
    expect(page.get_by_text(re.compile("^Done: "))).to_be_visible()
    page.keyboard.press("h")
    hint = page.locator(".hint")
    expect(hint).to_be_visible()
    assert len([message for message in sent if message["type"] == "analyse"]) == 1, "a hint is no other search"
    last = [message for message in received if message["type"] == "analysis"][-1]
    badges = page.locator(".bars .badge").all_inner_texts()
    best = max(last["actions"], key=lambda found: found["value"])
    if best["action"] == last["best"]:
        assert badges == ["best"]
        expect(page.locator(".bars li").first.locator(".badge")).to_be_visible()
    else:
        assert set(badges) == {"level"}
        expect(hint).to_contain_text("they are level")
    expect(hint).to_contain_text(re.compile(rf"{round(last['value'] * 100)}%"))


def test_nothing_is_analysed_until_asked_and_then_it_streams(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    sent, received, _ = listen(seat)
    seat.sit(players=2, rules="official hand_size=12")
    seat.wait_for_decision()
    assert [message for message in sent if message["type"] == "analyse"] == []
    expect(seat.page.get_by_role("meter")).to_be_hidden()

    seat.page.get_by_role("button", name="Analysis A").click()
    expect(seat.page.get_by_text(re.compile("^Done: "))).to_be_visible()
    frames = [message for message in received if message["type"] == "analysis"]
    assert [frame["done"] for frame in frames][-1:] == [True]
    simulations = [frame["simulations"] for frame in frames]
    assert simulations == sorted(simulations)
    last = frames[-1]
    expect(seat.page.get_by_role("meter")).to_have_attribute("aria-valuenow", str(round(last["value"] * 100)))
    bars = seat.page.locator(".bars button")
    expect(bars).to_have_count(len(last["actions"]))
    best = max(last["actions"], key=lambda found: found["value"])
    expect(bars.first).to_contain_text(f"{best['value'] * 100:.1f}%")
    expect(seat.page.locator(".reason")).to_contain_text("Why:")


def test_the_heat_map_shows_each_opponent_each_card(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    _, received, _ = listen(seat)
    seat.keep_by_hand()
    seat.sit(players=3, rules="official hand_size=12")
    counts = seat.page.locator(".seats .count")
    for _ in range(20):
        seat.wait_for_decision()
        if len(set(counts.all_inner_texts())) == 2:
            break
        seat.act("mouse")
    # A seat with more cards is likelier to hold each: the two maps are not the same.
    assert len(set(counts.all_inner_texts())) == 2
    seat.page.keyboard.press("a")
    expect(seat.page.get_by_text(re.compile("^Done: "))).to_be_visible()
    belief = [message for message in received if message["type"] == "analysis"][-1]["belief"]
    assert sorted(belief) == ["1", "2"]
    cells = seat.page.locator(".map td")
    expect(cells).to_have_count(54)
    for name, number in (("Ada", "1"), ("Ben", "2")):
        seat.page.get_by_role("button", name=name, exact=True).click()
        expect(seat.page.locator(".map caption").first).to_contain_text(name)
        shown: dict[str, str] = cells.evaluate_all(
            "all => Object.fromEntries(all.map(c => [c.dataset.card, c.innerText]))"
        )
        for card, text in shown.items():
            chance = belief[number].get(card, 0.0)
            assert abs(int(text or 0) - 100 * chance) <= 0.51, (card, text, chance)


@pytest.mark.slow
def test_choosing_analyst_and_budget_asks_anew(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    sent, _, sockets = listen(seat)
    seat.sit()
    seat.wait_for_decision()
    seat.page.keyboard.press("a")
    expect(seat.page.get_by_text(re.compile("^Done: "))).to_be_visible()
    seat.page.get_by_label("Budget").select_option(label="1,000 simulations")
    expect(seat.page.get_by_text(re.compile("^Done: ((1K|[0-9]{1,3}) simulations|there is nothing)"))).to_be_visible()
    with sockets[-1].expect_event("framesent", lambda frame: '"seconds"' in frame):
        seat.page.get_by_label("Budget").select_option(label="0.5 sec")
    expect(seat.page.get_by_text(re.compile("^Done: "))).to_be_visible()
    asked = [message for message in sent if message["type"] == "analyse"]
    assert [message.get("simulations") for message in asked] == [20_000, 1_000, None]
    assert asked[-1]["seconds"] == 0.5


@pytest.mark.slow
def test_the_tree_of_a_tree_search_unfolds(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    _, received, _ = listen(seat)
    seat.sit()
    seat.wait_for_decision()
    seat.page.keyboard.press("a")
    expect(seat.page.get_by_text(re.compile("^Done: "))).to_be_visible()
    expect(seat.page.get_by_role("heading", name="Search tree")).to_be_hidden()
    seat.page.get_by_label("Analyst").select_option("ismcts")
    expect(seat.page.get_by_role("heading", name="Search tree")).to_be_visible()
    expect(seat.page.get_by_text(re.compile("^Done: "))).to_be_visible()
    root = [message for message in received if message["type"] == "analysis"][-1]["tree"]
    expect(seat.page.locator(".tree > li")).to_have_count(len(root))
    first = seat.page.locator(".tree details").first
    expect(first.locator("ul").first).to_be_hidden()
    first.locator("summary").first.click()
    expect(first.locator("ul").first).to_be_visible()
