"""axe-core finds nothing on any page, light or dark."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.conftest import Server
from tests.browser.seat import Seat

AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
OpenSeat = Callable[..., Seat]


def list_violations(seat: Seat) -> list[str]:
    assert AXE.exists(), "axe-core comes with the page's tools: make frontend"
    # Some pages load a script of their own first, and half of a transition has colors of its own.
    seat.page.locator("h1").first.wait_for(state="attached")
    seat.page.wait_for_function("() => document.getAnimations().every(one => one.playState !== 'running')")
    seat.page.evaluate(AXE.read_text() + ";undefined")
    found: list[dict[str, Any]] = seat.page.evaluate("async () => (await axe.run()).violations")
    return [f"{entry['id']}: {entry['nodes'][0]['html']} {entry['nodes'][0]['failureSummary']}" for entry in found]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible(server: Server, open_seat: OpenSeat, scheme: Literal["light", "dark"]) -> None:
    seat = open_seat(server, color_scheme=scheme)
    page = seat.page
    seat.open_start()
    page.get_by_text("More options").click()
    assert list_violations(seat) == []

    seat.sit(players=4, rules="tournament hand_size=3")
    seat.wait_for_decision()
    page.keyboard.press("a")
    expect(page.get_by_text(re.compile("^Done: "))).to_be_visible()
    assert list_violations(seat) == []
    page.get_by_role("button", name="This table").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert list_violations(seat) == []
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert list_violations(seat) == []
    page.keyboard.press("Escape")
    page.keyboard.press("a")

    seat.play_until_over("mouse")
    assert list_violations(seat) == []


def test_a_phone_is_accessible(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server, 390, 844, has_touch=True, is_mobile=True)
    seat.open_start()
    assert list_violations(seat) == []
    seat.sit(players=10, rules="house", window=60.0)
    seat.wait_for_decision()
    assert list_violations(seat) == []


def test_colors_are_read_apart_from_cards(server: Server, open_seat: OpenSeat) -> None:
    """A color to name is "Red", not "Red 1" with its key, which is what a card is called."""
    seat = open_seat(server)

    def connect(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def forward(message: str | bytes) -> None:
            said = json.loads(message)
            if said["type"] == "view":
                said["view"].update(phase="name_color", to_act=said["view"]["seat"])
                said["view"]["legal"] = [f"color:{letter}" for letter in "rygb"]
            socket.send(json.dumps(said))

        server.on_message(forward)

    seat.page.route_web_socket("**/ws", connect)
    seat.sit()
    buttons = seat.page.get_by_role("group", name="What you can do").get_by_role("button")
    expect(buttons).to_have_count(4)
    for number, color in enumerate(("Red", "Yellow", "Green", "Blue")):
        expect(buttons.nth(number)).to_have_accessible_name(color)
        expect(buttons.nth(number)).to_have_attribute("aria-keyshortcuts", str(number + 1))
    assert list_violations(seat) == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("table", ["meadow", "ocean", "plum"])
def test_every_theme_is_accessible(
    server: Server, open_seat: OpenSeat, table: str, scheme: Literal["light", "dark"]
) -> None:
    """The table with all cards of a theme, then the end of the round."""
    seat = open_seat(server, color_scheme=scheme)
    page = seat.page
    seat.sit(players=4, rules="official hand_size=4")
    for cards in ("bright", "paper", "night"):
        kept = json.dumps({"table": table, "cards": cards})
        page.evaluate("kept => localStorage.setItem('lastcard.preferences', kept)", kept)
        page.reload()
        expect(page.locator(f"html[data-table={table}][data-cards={cards}]")).to_have_count(1)
        seat.wait_for_decision()
        page.keyboard.press("h")
        expect(page.locator(".hint")).to_be_visible()
        assert list_violations(seat) == []
    seat.play_until_over("mouse")
    assert list_violations(seat) == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_about_a_person_are_accessible(
    server: Server, open_seat: OpenSeat, scheme: Literal["light", "dark"]
) -> None:
    seat = open_seat(server, 390, 844, color_scheme=scheme)
    seat.sit(players=3)
    seat.wait_for_decision()
    seat.page.goto(f"{server.url}#/you")
    seat.page.get_by_role("button", name="Make a personal link").click()
    expect(seat.page.get_by_label("Open this on the other device")).to_be_visible()
    expect(seat.page.get_by_role("button", name="Resign the game with Ada, Ben")).to_be_visible()
    assert list_violations(seat) == []
    seat.page.goto(f"{server.url}#/pair")
    expect(seat.page.get_by_role("button", name="Find players")).to_be_visible()
    assert list_violations(seat) == []
