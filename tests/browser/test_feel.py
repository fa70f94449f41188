"""Sounds, motion, settings and the way from the first page to the first card."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Server
from tests.browser.seat import Seat
from tests.browser.test_accessibility import list_violations

OpenSeat = Callable[..., Seat]
COUNT_SOUNDS = """
    window.sounds = 0;
    const start = AudioScheduledSourceNode.prototype.start;
    AudioScheduledSourceNode.prototype.start = function (...when) {
        window.sounds += 1;
        return start.apply(this, when);
    };
"""


def test_actions_sound_until_muted_and_then_stay_silent(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    page = seat.page
    page.add_init_script(COUNT_SOUNDS)
    seat.sit(rules="official hand_size=12")
    seat.wait_for_decision()
    seat.act("mouse")
    page.wait_for_function("() => window.sounds > 0")
    sound = page.get_by_role("button", name="Sound")
    expect(sound).to_have_attribute("aria-pressed", "true")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "false")
    page.reload()
    seat.wait_for_decision()
    expect(sound).to_have_attribute("aria-pressed", "false")
    seat.act("mouse")
    seat.wait_for_decision()
    assert page.evaluate("window.sounds") == 0


@pytest.mark.slow
def test_a_page_that_nobody_has_touched_does_not_vibrate(server: Server, open_seat: OpenSeat) -> None:
    """Browsers refuse it there, and complain in the console, which fails the test."""
    seat = open_seat(server)
    seat.sit(rules="numbers hand_size=12")  # no Wild is turned up, so every action changes the hand
    seat.wait_for_decision()
    untouched = seat.page.context.new_page()
    seat.watch.follow(untouched)
    untouched.goto(seat.page.url)
    untouched.locator(".hand [data-card]").first.wait_for()
    before = seat.page.locator(".hand [data-card]").count()
    seat.act("mouse")
    expect(untouched.locator(".hand [data-card]")).not_to_have_count(before)


@pytest.mark.slow
@pytest.mark.parametrize(("motion", "falls"), [("no-preference", True), ("reduce", False)])
def test_confetti_falls_unless_less_motion_is_wanted(
    server: Server, open_seat: OpenSeat, motion: Literal["no-preference", "reduce"], falls: bool
) -> None:
    seat = open_seat(server, motion=motion)
    seat.page.add_init_script(
        """window.fell = 0;
        new MutationObserver(() => {
            window.fell = Math.max(window.fell, document.querySelectorAll(".confetti svg").length);
        }).observe(document, { childList: true, subtree: true });"""
    )
    seat.sit(rules="official hand_size=1")
    seat.play_until_over("mouse")
    expect(seat.page.get_by_role("heading", name=re.compile("wins? the round"))).to_be_visible()
    assert (seat.page.evaluate("window.fell") > 0) == falls


@pytest.mark.slow
@pytest.mark.parametrize(("motion", "shouts"), [("no-preference", True), ("reduce", False)])
def test_the_table_shouts_unless_less_motion_is_wanted(
    server: Server, open_seat: OpenSeat, motion: Literal["no-preference", "reduce"], shouts: bool
) -> None:
    seat = open_seat(server, motion=motion)
    seat.page.add_init_script(
        """window.shouted = [];
        new MutationObserver(() => {
            const shout = document.querySelector(".shout");
            if (shout) window.shouted.push(shout.textContent);
        }).observe(document, { childList: true, subtree: true });"""
    )
    seat.sit(players=3, rules="tournament hand_size=5")
    seat.play_until_over("mouse")
    assert bool(seat.page.evaluate("window.shouted")) == shouts


@pytest.mark.slow
@pytest.mark.parametrize(("motion", "flies"), [("no-preference", True), ("reduce", False)])
def test_cards_are_dealt_unless_less_motion_is_wanted(
    server: Server, open_seat: OpenSeat, motion: Literal["no-preference", "reduce"], flies: bool
) -> None:
    seat = open_seat(server, motion=motion)
    seat.page.add_init_script(
        """window.flights = 0;
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (frames, options) {
            if (this.matches("[data-card], .ghost") && options.duration > 100) window.flights += 1;
            return animate.call(this, frames, options);
        };"""
    )
    seat.sit(players=3, pace=5.0)
    expect(seat.page.locator(".hand [data-card]").first).to_be_visible()
    if flies:
        seat.page.wait_for_function("() => window.flights > 0")
    else:
        assert seat.page.evaluate("window.flights") == 0


@pytest.mark.parametrize(("width", "height", "screens"), [(1280, 800, 1), (390, 844, 2)])
def test_one_click_leads_from_a_page_that_fits_to_the_cards(
    server: Server, open_seat: OpenSeat, width: int, height: int, screens: int
) -> None:
    seat = open_seat(server, width, height)
    seat.open_start()
    assert seat.page.evaluate("document.documentElement.scrollHeight") <= screens * height
    expect(seat.page.get_by_role("radio", name="Mini")).to_be_hidden()
    seat.deal()
    expect(seat.page.locator(".hand [data-card]").first).to_be_visible()
    seat.page.wait_for_function("document.activeElement.closest('main') !== null")  # the keyboard is at the table


@pytest.mark.slow
def test_settings_are_kept_and_change_the_table(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    page = seat.page
    seat.sit(players=3)
    seat.wait_for_decision()
    plain = page.locator(".hand [data-card]").first.bounding_box()
    page.get_by_role("link", name="Settings").click()
    for choice in ("Plum", "Night", "Large", "By number", "Dark"):
        page.get_by_role("radio", name=choice).check()
    page.get_by_role("switch", name="Left-handed").check()
    assert list_violations(seat) == []
    page.reload()
    expect(page.locator("html[data-table=plum][data-cards=night][data-theme=dark]")).to_have_count(1)
    page.get_by_role("link", name="Back to your game").click()
    seat.wait_for_decision()
    large = page.locator(".hand [data-card]").first.bounding_box()
    controls, hand = page.locator(".controls").bounding_box(), page.locator(".hand").bounding_box()
    assert plain is not None
    assert large is not None
    assert controls is not None
    assert hand is not None
    assert large["width"] > plain["width"]
    assert controls["x"] < hand["x"]
    ranks = ["0123456789SR+".index(card[1]) for card in seat.hand if not card.startswith("w")]
    assert ranks == sorted(ranks)
    assert list_violations(seat) == []


@pytest.mark.slow
def test_a_card_waits_for_a_second_click_where_that_is_wanted(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    page = seat.page
    page.goto(f"{server.url}#/settings")
    page.get_by_role("switch", name=re.compile("second click")).check()
    page.get_by_role("radio", name="Ocean").check()
    page.get_by_role("radio", name="Paper").check()
    assert list_violations(seat) == []
    seat.sit(rules="official hand_size=15")
    if seat.wait_for_decision() == "name_color":  # the first card is a Wild
        seat.act("mouse")
        seat.wait_for_decision()
    before = seat.board.get_attribute("data-ply")
    card = page.locator(".hand li.playable [data-card]:not([data-card^=w])").first
    card.locator(".index").click()
    expect(page.locator(".hand li.lifted")).to_have_count(1)
    assert seat.board.get_attribute("data-ply") == before
    assert list_violations(seat) == []


def test_a_bad_link_says_so_once(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    seat.watch.is_server_up = False  # Chromium may count a refusal as an error
    seat.page.goto(f"{server.url}#/watch/nosuchgame/nosuchlink")
    expect(seat.page.get_by_role("alert")).to_have_count(1)
    expect(seat.page.get_by_text("Taking your seat")).to_have_count(0)
