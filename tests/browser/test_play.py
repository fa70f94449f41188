"""Whole rounds in a real browser, as a person plays them."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from lastcard.record import Record
from tests.browser.conftest import Server
from tests.browser.seat import Seat

OpenSeat = Callable[..., Seat]
DRAW_FOURS = "r1,r1,r2,r2,r3,y1,y1,y2,y2,g1,g1,b1,b1,w+4,w+4,w+4,w+4"
"""A deck in which Wild Draw Fours are never far."""


def test_a_round_by_mouse_from_the_start_page_to_the_rematch(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server, motion="no-preference")
    seat.open_start()
    page = seat.page
    page.get_by_role("button", name="One player more").click()
    page.get_by_role("radio", name=re.compile("^Beginner")).check()
    page.get_by_role("radio", name="One round").check()
    page.get_by_role("radio", name="Instant").check()
    page.get_by_text("More options").click()
    page.get_by_label("Hand size").fill("5")
    page.get_by_label("Hand size").press("Tab")
    seat.deal()
    expect(page.locator(".seats > li")).to_have_count(2)
    seat.wait_for_decision()

    seat.play_until_over("mouse")
    expect(page.get_by_role("heading", name=re.compile("wins? the round"))).to_be_visible()
    expect(page.locator(".ending tbody tr")).to_have_count(3)
    page.get_by_text("How do I know that the cards were not changed during the game?").click()
    expect(page.get_by_text("This browser has checked that they match.")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the record").click()
    record = Record.from_text(download.value.path().read_text())
    record.check()
    assert record.rules.hand_size == 5

    first = page.url
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: url != first)
    seat.wait_for_decision()
    assert not seat.is_over


@pytest.mark.slow
def test_a_round_by_keyboard_only(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    seat.open_start()
    page = seat.page
    page.get_by_role("radio", name="Hard", exact=True).focus()
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    expect(page.get_by_role("radio", name=re.compile("^Beginner"))).to_be_checked()
    page.get_by_role("radio", name="To 500 points").focus()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("radio", name="One round")).to_be_checked()
    page.get_by_role("radio", name="Calm").focus()
    for _ in range(2):
        page.keyboard.press("ArrowUp")
    expect(page.get_by_role("radio", name="Instant")).to_be_checked()
    page.keyboard.press("Enter")
    seat.board.wait_for()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("go through your hand")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()

    seat.play_until_over("keyboard")
    first = page.url
    page.keyboard.press("n")
    page.wait_for_url(lambda url: url != first)


@pytest.mark.slow
def test_the_keyboard_stays_at_the_table_when_its_button_is_gone(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    # With two cards the opponent may win the next round immediately: the button is back before the test sees it go.
    seat.sit(rules="official hand_size=4", length="game")
    seat.play_until_over("keyboard")
    following = seat.page.get_by_role("button", name="Next round")
    following.focus()
    seat.page.keyboard.press("Enter")
    expect(following).to_have_count(0)
    expect(seat.board).to_be_focused()


def test_a_round_by_touch_at_phone_size(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server, 390, 844, has_touch=True, is_mobile=True)
    seat.sit(players=4, rules="official hand_size=5")
    seat.wait_for_decision()
    overflow = seat.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow == 0
    seat.play_until_over("touch")
    expect(seat.page.get_by_role("button", name="Rematch")).to_be_in_viewport()


@pytest.mark.slow
def test_twenty_cards_stay_within_reach_at_phone_size(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server, 390, 844, has_touch=True, is_mobile=True)
    seat.sit(rules="official hand_size=20")
    seat.wait_for_decision()
    assert len(seat.hand) >= 20
    covered = seat.page.locator(".hand .index").evaluate_all(
        """all => all.filter((corner) => {
            const { left, right, top, bottom } = corner.getBoundingClientRect();
            const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            return hit?.closest("[data-card]") !== corner.closest("[data-card]");
        }).length"""
    )
    assert covered == 0
    strips = seat.page.locator(".hand li").evaluate_all(
        """all => all.slice(1).flatMap((next, i) => {
            const [here, there] = [all[i], next].map((item) => new DOMMatrix(getComputedStyle(item).transform));
            return there.e > here.e ? [there.e - here.e] : [];
        })"""
    )
    assert min(strips) >= 24  # WCAG 2.2, 2.5.8


@pytest.mark.slow
def test_house_rules_on_a_phone_on_its_side(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server, 844, 390, has_touch=True, is_mobile=True)
    seat.sit(players=3, rules="house hand_size=4", window=60.0)
    for _ in range(15):
        if seat.wait_for_decision() == "over":
            break
        seat.act("mouse")


@pytest.mark.slow
def test_a_tournament_game_with_a_challenge_and_a_call_of_uno(server: Server, open_seat: OpenSeat) -> None:
    """A round has a challenge with probability 0.74 and a call with 0.83: a false alarm in fewer than 1 in 1e11."""
    seat = open_seat(server)
    rules = f"tournament hand_size=3 target_score=1000000 deck={DRAW_FOURS}"
    seat.sit(rules=rules, length="game", window=60.0)
    page = seat.page
    page.keyboard.press("l")
    so_far: set[str] = set()
    for number in range(1, 21):
        seat.done.clear()
        seat.play_until_over("mouse")
        told = page.get_by_role("log")
        if "challenge" in seat.done:
            expect(told).to_contain_text(re.compile(r"You challenge .*(guilty|innocent)"))
        if "uno" in seat.done:
            expect(told).to_contain_text("You call UNO")
        so_far |= set(seat.done)
        if {"challenge", "uno"} <= so_far:
            break
        page.get_by_role("button", name="Next round").click()
        expect(page.get_by_role("banner")).to_contain_text(f"round {number + 1}")
    assert {"challenge", "uno"} <= so_far
    expect(page.locator(".ending tbody tr")).to_have_count(2)


@pytest.mark.slow
def test_a_drawn_card_that_does_not_fit_is_kept_without_a_click(server: Server, open_seat: OpenSeat) -> None:
    """Three of five drawn cards do not fit: a false alarm in fewer than 1 in 1e11."""
    seat = open_seat(server, keeps_for_me=True)
    page = seat.page
    sent: list[Any] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(json.loads(frame))))
    seat.sit(rules="numbers hand_size=12 drawn_card=may_play must_play=false")
    for _ in range(30):
        seat.wait_for_decision()
        asked, views, num_playable = page.evaluate(
            """() => {
                const { ask, views } = document.querySelector("main").dataset;
                return [ask, Number(views), document.querySelectorAll(".hand li.playable").length];
            }"""
        )
        if asked == "turn":
            page.keyboard.press("d")
        elif num_playable:
            seat.decide("mouse")
        page.wait_for_function("(n) => Number(document.querySelector('main').dataset.views) > n", arg=views)
        if any(message.get("action") == "keep" for message in sent):
            return
    raise AssertionError("30 decisions, and no card was kept")


def test_a_reload_in_the_middle_of_a_turn_brings_everything_back(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    seat.sit(players=3)
    for _ in range(3):
        if seat.wait_for_decision() != "over":
            seat.act("mouse")
    asked = seat.wait_for_decision()
    seat.page.keyboard.press("l")
    before = (asked, seat.hand, seat.board.get_attribute("data-ply"), seat.page.get_by_role("log").inner_text())
    seat.page.reload()
    again = seat.wait_for_decision()
    seat.page.keyboard.press("l")
    assert before == (again, seat.hand, seat.board.get_attribute("data-ply"), seat.page.get_by_role("log").inner_text())
    if again != "over":
        seat.act("mouse")


def test_a_server_that_is_killed_comes_back_to_the_same_turn(own_server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(own_server)
    seat.sit(rules="official")
    seat.wait_for_decision()
    before = (seat.hand, seat.top_card, seat.board.get_attribute("data-ply"))
    seat.watch.is_server_up = False
    own_server.stop(signal.SIGKILL)
    notice = seat.page.get_by_text("The connection is lost. Your seat is kept.")
    expect(notice).to_be_visible()
    own_server.start()
    expect(notice).to_be_hidden()
    seat.watch.is_server_up = True
    seat.wait_for_decision()
    assert before == (seat.hand, seat.top_card, seat.board.get_attribute("data-ply"))
    seat.act("mouse")


def test_a_refused_game_says_which_field_is_wrong(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    seat.open_start()
    seat.page.get_by_text("More options").click()
    seat.page.get_by_role("switch", name="Draw until playable").check()
    seat.page.get_by_label("Drawn card").select_option("end_turn")
    seat.watch.is_server_up = False  # Chromium counts an answer of 422 as an error
    seat.page.get_by_role("button", name="Play", exact=True).click()
    expect(seat.page.get_by_role("alert")).to_contain_text("“Draw until playable” does not work with")


def test_unreadable_storage_counts_as_none(server: Server, open_seat: OpenSeat) -> None:
    """Another program, or an older page, may have left anything there."""
    seat = open_seat(server)
    seat.page.add_init_script(
        """if (location.origin !== "null" && !sessionStorage.length) {
            sessionStorage.setItem("once", "1");
            localStorage.setItem("lastcard.games", "[null, 3]");
            localStorage.setItem("lastcard.name", "{}");
        }"""
    )
    seat.open_start()
    seat.deal()
    seat.wait_for_decision()
    expect(seat.page.get_by_text("[object Object]")).to_have_count(0)


def test_a_part_of_the_page_that_does_not_arrive_is_reported(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    seat.watch.is_server_up = False
    page = seat.page
    page.route("**/assets/pages-*.js", lambda route: route.abort())
    page.goto(f"{seat.url}#/rules/3.1")
    expect(page.get_by_role("heading", name="Rules", exact=True)).to_be_visible()
    page.goto(f"{seat.url}#/settings")
    expect(page.get_by_role("alert")).to_contain_text("part of the page could not be loaded")
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
