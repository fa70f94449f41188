"""Two browsers at one table, and a third as a spectator."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PATIENCE_MS, Server
from tests.browser.seat import Seat

OpenSeat = Callable[..., Seat]
LOOK_MS = 50


def set_table(host: Seat, name: str, *, length: str = "One round") -> str:
    """Sets a table for two people and an agent from the start page; returns the link."""
    host.open_start()
    page = host.page
    page.get_by_role("button", name="One player more").click()
    page.get_by_role("button", name="One friend more").click()
    page.get_by_label("Your name").fill(name)
    page.get_by_role("radio", name=re.compile("^Beginner")).check()
    page.get_by_role("radio", name=length).check()
    page.get_by_role("radio", name="Instant").check()
    page.get_by_role("button", name="Set the table").click()
    expect(page.get_by_role("heading", name="One seat is free")).to_be_visible()
    return page.get_by_label("Send this link to your friends").input_value()


def take_seat(friend: Seat, link: str, name: str) -> None:
    friend.page.goto(link)
    friend.page.get_by_label("Your name").fill(name)
    friend.page.get_by_role("button", name="Take a seat").click()
    friend.board.wait_for()


def play_in_turn(seats: list[Seat], most: int = 400) -> None:
    """Lets the seat that is asked act, until the round is over for all."""
    acted = waited = 0
    while not all(seat.is_over for seat in seats):
        asked = [seat for seat in seats if seat.board.get_attribute("data-ask") not in ("nothing", "over")]
        for seat in asked:
            seat.act("mouse")
        acted += len(asked)
        waited = 0 if asked else waited + 1
        assert acted < most, f"the round goes on after {most} decisions"
        assert waited * LOOK_MS < PATIENCE_MS, "nobody is asked"
        if not asked:
            seats[0].page.wait_for_timeout(LOOK_MS)


@pytest.mark.slow
def test_two_browsers_play_a_round_and_a_third_looks_on(server: Server, open_seat: OpenSeat) -> None:
    host, friend = open_seat(server), open_seat(server, 390, 844, has_touch=True, is_mobile=True)
    onlooker = open_seat(server)
    link = set_table(host, "Eva")
    onlooker.page.goto(link)
    expect(onlooker.page.get_by_text("Eva plays by Official rules at a table for 3.")).to_be_visible()
    onlooker.page.get_by_role("link", name="Watch").click()
    expect(onlooker.page.get_by_text("The game has not started.")).to_be_visible()

    take_seat(friend, link, "Finn")
    expect(host.page.locator(".seats")).to_contain_text("Finn")
    expect(friend.page.locator(".seats")).to_contain_text("Eva")
    expect(onlooker.page.locator(".seats > li")).to_have_count(3)
    expect(onlooker.page.locator(".seats")).to_contain_text("Finn")
    expect(onlooker.page.locator(".hand")).to_have_count(0)
    assert set(host.hand) != set() != set(friend.hand)

    play_in_turn([host, friend])
    heading = re.compile("wins? the round|Nobody wins")
    for seat in (host, friend, onlooker):
        expect(seat.page.get_by_role("heading", name=heading)).to_be_visible()
    expect(onlooker.page.get_by_role("button", name=re.compile("Rematch"))).to_have_count(0)

    host.page.get_by_role("button", name="Rematch").click()
    expect(host.page.get_by_role("heading", name="One seat is free")).to_be_visible()
    friend.page.get_by_role("button", name="Join the rematch").click()
    expect(friend.page.locator(".seats")).to_contain_text("Eva")
    expect(host.page.get_by_role("heading", name="One seat is free")).to_be_hidden()


@pytest.mark.slow
def test_an_agent_plays_for_a_friend_who_leaves_and_gives_the_seat_back(server: Server, open_seat: OpenSeat) -> None:
    host, friend = open_seat(server), open_seat(server)
    link = set_table(host, "Eva", length="To 500 points")
    take_seat(friend, link, "Finn")
    expect(host.page.locator(".seats")).to_contain_text("Finn")
    table = friend.page.url
    friend.page.goto("about:blank")
    finn = host.page.locator(".seats > li", has_text="Finn")
    expect(finn).to_contain_text("away")
    # Whether or not it is Finn's turn when the time to come back is over.
    expect(finn).to_contain_text("away: an agent plays")
    for _ in range(3):
        # The others are not kept waiting: the agent plays Finn's turns.
        if host.wait_for_decision() == "over":
            break
        host.act("mouse")
    friend.page.goto(table)
    friend.board.wait_for()
    expect(finn).not_to_contain_text("away")


@pytest.mark.slow
def test_an_agent_plays_for_an_idle_person_until_they_are_back(server: Server, open_seat: OpenSeat) -> None:
    host, friend = open_seat(server), open_seat(server, 390, 844, has_touch=True, is_mobile=True)
    host.sit(players=2, friends=1, name="Eva", turn=2.0, rules="official hand_size=15")
    link = host.page.get_by_label("Send this link to your friends").input_value()
    take_seat(friend, link, "Finn")
    notice = friend.page.get_by_text("An agent plays for you.")
    for _ in range(20):
        # Eva acts whenever she is asked; Finn never does.
        if notice.is_visible():
            break
        if host.board.get_attribute("data-ask") not in ("nothing", "over"):
            host.act("mouse")
        host.page.wait_for_timeout(LOOK_MS * 10)
    expect(notice).to_be_visible()
    expect(host.page.locator(".seats > li", has_text="Finn")).to_contain_text("away: an agent plays")
    friend.page.get_by_role("button", name="I am back").tap()
    expect(notice).to_be_hidden()
