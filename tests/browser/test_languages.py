"""The page speaks the browser's language or the chosen one, fits, and stays accessible in each."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.conftest import Server
from tests.browser.seat import Seat
from tests.browser.test_accessibility import list_violations
from tests.browser.test_layout import check, check_states

OpenSeat = Callable[..., Seat]
MESSAGES = Path(__file__).parents[2] / "frontend" / "src" / "messages"
LANGUAGES = sorted(path.stem for path in MESSAGES.glob("*.json"))
PHONE = (360, 640)
SMALL = (640, 400)
"""A desktop page at 200 %."""
DESKTOP = (1280, 800)


def words(language: str) -> dict[str, str]:
    """The messages of a language by their names."""
    found: dict[str, str] = json.loads((MESSAGES / f"{language}.json").read_text(encoding="utf-8"))
    return found


def check_language(seat: Seat, language: str, **wanted: Any) -> None:
    page, said = seat.page, words(language)
    page.goto(seat.url)
    expect(page.get_by_role("button", name=said["start.play"], exact=True)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("html")).to_have_attribute("dir", "rtl" if language == "ar" else "ltr")
    width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width == 0, "the start page is wider than the window"
    assert list_violations(seat) == []
    seat.open_start = lambda: None  # type: ignore[method-assign]
    seat.sit(**wanted)
    seat.wait_for_decision()
    check_states(seat)
    assert list_violations(seat) == []


@pytest.mark.parametrize(("language", "size"), [("ar", PHONE), ("de", DESKTOP)])
def test_the_page_follows_the_browser(
    server: Server, open_seat: OpenSeat, language: str, size: tuple[int, int]
) -> None:
    check_language(open_seat(server, *size, locale=language), language, players=4, length="game")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [PHONE, SMALL, DESKTOP])
def test_every_language_fits_and_is_accessible(
    server: Server, open_seat: OpenSeat, language: str, size: tuple[int, int]
) -> None:
    seat = open_seat(server, *size, locale=language, color_scheme="dark")
    check_language(seat, language, players=6, length="game", rules="tournament hand_size=9")
    for place in ("settings", "study", "advise", "ladder"):
        seat.page.goto(f"{seat.url}#/{place}")
        expect(seat.page.get_by_role("heading", level=1)).to_be_visible()
        assert list_violations(seat) == []


def check_longest_question(seat: Seat) -> None:
    """The longest sentence that the table can say: who played a Wild Draw Four, and three ways to answer it.

    A countdown that appears beside it takes some of its room.
    """
    shown: list[tuple[WebSocketRoute, dict[str, Any]]] = []

    def connect(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def forward(message: str | bytes) -> None:
            said = json.loads(message)
            if said["type"] == "view":
                view = said["view"]
                view.update(phase="answer", top_card="w+4", top_player=1, to_act=view["seat"], draw_sum=4)
                view["deadline"] = None
                view["legal"] = ["accept", "challenge", "w+4:r"]
                view["seats"][1]["name"] = "Maximiliane Schmidt"
                shown.append((socket, said))
            socket.send(json.dumps(said))

        server.on_message(forward)

    seat.page.route_web_socket("**/ws", connect)
    seat.open_start = lambda: seat.page.goto(seat.url)  # type: ignore[method-assign,assignment]
    seat.sit(players=6, length="game", rules="house")
    expect(seat.page.locator(".status.mine p")).to_contain_text("Maximiliane")
    if seat.page.locator(".aside").count():
        seat.page.keyboard.press("l")
    check(seat)
    socket, said = shown[-1]
    said["view"]["deadline"] = 60.0
    socket.send(json.dumps(said))
    expect(seat.page.get_by_role("timer")).to_be_visible()
    check(seat)


def test_the_longest_question_fits(server: Server, open_seat: OpenSeat) -> None:
    check_longest_question(open_seat(server, *SMALL, locale="de"))


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [PHONE, SMALL, (844, 390), (860, 600), DESKTOP])
def test_the_longest_question_fits_everywhere(
    server: Server, open_seat: OpenSeat, language: str, size: tuple[int, int]
) -> None:
    check_longest_question(open_seat(server, *size, locale=language))


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(390, 844), DESKTOP])
def test_learning_the_rules_and_the_menu_of_the_table_are_accessible(
    server: Server, open_seat: OpenSeat, language: str, size: tuple[int, int]
) -> None:
    seat, said = open_seat(server, *size, locale=language), words(language)
    page = seat.page
    for place in ("learn", "rules", "you"):
        page.goto(f"{seat.url}#/{place}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert list_violations(seat) == []
    seat.open_start = lambda: page.goto(seat.url)  # type: ignore[method-assign,assignment]
    seat.sit(players=3, friends=1, rules="house")
    page.get_by_role("button", name=said["menu.button"]).first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert list_violations(seat) == []


@pytest.mark.slow
def test_a_language_is_chosen_in_the_settings_and_stays(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server, locale="pt-BR")
    page = seat.page
    page.goto(f"{seat.url}#/settings")
    expect(page.get_by_role("heading", level=1)).to_have_text(words("en")["settings.title"])
    page.get_by_role("radio", name="العربية").check()
    expect(page.get_by_role("heading", level=1)).to_have_text(words("ar")["settings.title"])
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(words("ar")["settings.title"])
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    page.get_by_role("radio", name="Español").check()
    expect(page.locator("html")).to_have_attribute("lang", "es")
