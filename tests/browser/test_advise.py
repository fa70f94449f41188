"""A real table is entered by clicking cards; the ladder is opened, and one of its agents is played."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from lastcard.advice import Situation, advise, make_config
from tests.browser.conftest import Server
from tests.browser.seat import Seat
from tests.browser.test_accessibility import list_violations

OpenSeat = Callable[..., Seat]


def open_advise(seat: Seat) -> None:
    seat.page.goto(f"{seat.url}#/advise")
    seat.page.get_by_role("heading", name="Advice for a real table").wait_for()


def pick(seat: Seat, *cards: str) -> None:
    for card in cards:
        seat.page.locator(f"[data-pick='{card}']").click()


@pytest.mark.slow
def test_a_table_is_entered_by_clicking_and_answered(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    page = seat.page
    open_advise(seat)
    pick(seat, "r5", "r9", "g2", "bR", "w", "w")
    page.get_by_role("button", name="Take back Wild").first.click()
    page.get_by_role("button", name="One opponent more").click()
    page.get_by_label("Seat 1 holds").fill("5")
    page.get_by_label("Seat 2 holds").fill("3")
    page.get_by_role("button", name="History").click()
    page.get_by_role("button", name="first card, turned up").click()
    pick(seat, "b7")
    page.get_by_role("button", name="Seat 1", exact=True).click()
    pick(seat, "g7")
    page.get_by_role("button", name="draws", exact=True).click()
    expect(page.get_by_text("Seat 2: draws a card", exact=True)).to_be_visible()
    page.get_by_label("Simulations").select_option("1000")
    page.get_by_role("button", name="What should I do?").click()
    answer = page.locator("[data-best]")
    answer.wait_for()

    situation = Situation.parse("r5 r9 g2 bR w", "g7", "5,3", history="turned up b7; 1 plays g7; 2 draws 1")
    report = advise(situation, make_config(simulations=1000), seed=0)
    expect(answer).to_have_attribute("data-best", report.best.text)
    for value in report.actions:
        expect(answer).to_contain_text(f"{100 * value.value:.1f}%")
    expect(answer).to_contain_text("Why:")
    assert report.belief
    chance = report.belief.marginals()[1]
    for card, likely in list(chance.items())[:8]:
        shown = answer.locator(f"td[data-card='{card.text}']").inner_text()
        assert shown == ("" if likely < 0.005 else str(round(100 * likely)))
    assert list_violations(seat) == []


@pytest.mark.slow
def test_the_same_by_keyboard_on_a_phone(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server, 390, 844, has_touch=True, is_mobile=True)
    page = seat.page
    open_advise(seat)
    page.get_by_role("button", name="Show an example").tap()
    expect(page.locator("[data-held]")).to_have_count(8)
    page.get_by_label("Simulations").select_option("1000")
    page.get_by_role("button", name="What should I do?").press("Enter")
    page.locator("[data-best]").wait_for()
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow == 0
    assert list_violations(seat) == []
    page.reload()
    expect(page.locator("[data-held]")).to_have_count(8)


def test_what_cannot_be_is_said(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server, color_scheme="dark")
    page = seat.page
    open_advise(seat)
    page.get_by_role("button", name="What should I do?").click()
    expect(page.get_by_role("alert")).to_contain_text("Choose the top card first")
    pick(seat, "g7", "g7", "b1")
    page.get_by_role("button", name="Top card").click()
    pick(seat, "g7")
    seat.watch.is_server_up = False  # Chromium counts an answer of 422 as an error
    page.get_by_role("button", name="What should I do?").click()
    expect(page.get_by_role("alert")).to_contain_text(
        "This table is not possible: the deck has 2 g7, but hand and top have 3"
    )
    pick(seat, "w")
    page.get_by_role("button", name="What should I do?").click()
    expect(page.get_by_role("alert")).to_contain_text("called is missing")
    page.get_by_role("group", name="The color that was named").get_by_role("button", name="blue").click()
    page.get_by_role("button", name="What should I do?").click()
    page.locator("[data-best]").wait_for()
    assert list_violations(seat) == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_someone_on_the_ladder_is_played(server: Server, open_seat: OpenSeat, scheme: str) -> None:
    seat = open_seat(server, color_scheme=scheme)
    page = seat.page
    seat.open_start()
    page.get_by_role("link", name="Ladder").click()
    expect(page.get_by_role("img", name=re.compile("Rounds won"))).to_be_visible()
    page.get_by_role("button", name="4 players").click()
    expect(page.get_by_role("heading", name="Rounds won against 3 times heuristic")).to_be_visible()
    assert page.locator("[data-agent=omniscient] button").count() == 0
    assert list_violations(seat) == []
    page.locator("[data-agent=frequency] button").click()
    seat.board.wait_for()
    expect(page.locator(".seats li")).to_have_count(3)
    expect(page.locator(".seats li").first).to_contain_text("frequency")
