"""The first round teaches, and the rules are one click away from what they are about."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Server
from tests.browser.seat import Seat
from tests.browser.test_accessibility import list_violations

OpenSeat = Callable[..., Seat]
ROOT = Path(__file__).parents[2]
LESSON = (("r9",), ("gS",), ("w", "color:b"), ("draw", "y9"), ("uno", "b2"), ("g8",))
"""Cards and buttons to press, step by step."""


def test_the_first_round_is_played_on_a_phone(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server, 390, 844, has_touch=True, is_mobile=True)
    page = seat.page
    seat.open_start()
    page.get_by_role("link", name="New here?").tap()
    # What does not fit, and what is not to be learned now, is explained.
    page.locator("[data-card=b2]").tap()
    expect(page.get_by_role("alert")).to_contain_text("Blue 2 does not fit")
    assert list_violations(seat) == []
    for presses in LESSON:
        for press in presses:
            page.locator(f".learn [data-card='{press}'], .learn [data-action='{press}']").tap()
        page.locator("[data-action=next]").tap()
    expect(page.get_by_role("link", name="Play a real round")).to_be_visible()
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow == 0
    page.get_by_role("link", name="Play a real round").tap()
    expect(page.get_by_role("link", name="New here?")).to_have_count(0)


@pytest.mark.slow
def test_uno_has_to_be_called_before_the_last_card_but_one(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    page = seat.page
    page.goto(f"{seat.url}#/learn")
    for presses in LESSON[:4]:
        for press in presses:
            page.locator(f".learn [data-card='{press}'], .learn [data-action='{press}']").click()
        page.locator("[data-action=next]").click()
    page.locator("[data-card=b2]").click()
    expect(page.get_by_role("alert")).to_have_text("Call UNO first, then play blue 2.")
    page.get_by_role("link", name="Skip").click()
    expect(page.get_by_role("link", name="New here?")).to_have_count(0)


@pytest.mark.slow
def test_rules_are_found_by_word_and_number(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    page = seat.page
    page.goto(f"{seat.url}#/rules/6.3")
    expect(page.locator("[data-rule='6.3']")).to_be_in_viewport()
    assert list_violations(seat) == []
    numbers = page.locator("[data-rule]").evaluate_all("all => all.map(one => one.dataset.rule)")
    reference = (ROOT / "docs" / "reference" / "rules.md").read_text(encoding="utf-8")
    assert [number for number in numbers if f"**{number}** " not in reference] == []
    page.get_by_role("searchbox").fill("jump identical")
    expect(page.locator("[data-rule]")).to_have_count(1)
    expect(page.locator("[data-rule='10.6']")).to_be_visible()
    page.get_by_role("searchbox").fill("4.3")
    expect(page.get_by_role("heading", name="4.3 Draw Two")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("1 rule")


@pytest.mark.slow
def test_the_table_opens_the_rule_that_applies_now(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    seat.sit(players=3)
    asked = seat.wait_for_decision()
    rule = seat.page.locator(".status .rule")
    can_play = seat.page.locator(".hand li.playable").count() > 0
    wanted = "2.2" if asked == "name_color" else "3.1" if can_play else "3.2"
    expect(rule).to_have_attribute("data-rule", wanted)
    rule.click()
    shown = seat.page.get_by_role("dialog").locator(f"[data-rule='{wanted}']")
    expect(shown).to_be_in_viewport()
    expect(shown).to_have_class(re.compile("current"))
    assert list_violations(seat) == []
    seat.page.keyboard.press("Escape")
    expect(seat.page.get_by_role("dialog")).to_have_count(0)
    seat.page.keyboard.press("r")
    expect(seat.page.get_by_role("dialog")).to_be_visible()
