"""A person across games: the menu of a table, the page about you, and strangers who meet."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Server
from tests.browser.seat import Seat
from tests.browser.test_friends import take_seat
from tests.browser.test_study import RECORD, bring

OpenSeat = Callable[..., Seat]
NUM_JUDGED = """() => new Promise((resolve) => {
    const opening = indexedDB.open("lastcard-judgements", 1);
    opening.onsuccess = () => {
        const asking = opening.result.transaction("judgements").objectStore("judgements").count();
        asking.onsuccess = () => resolve(asking.result);
    };
})"""
TABLE = {"players": 3, "friends": 1, "name": "Eva", "rules": "official hand_size=15"}


@pytest.fixture
def public_server(tmp_path: Path) -> Iterator[Server]:
    """A server that others reach by a public name."""
    serving = Server(tmp_path / "web.db", options=("--origin", "https://cards.example"))
    serving.start()
    yield serving
    serving.stop()


def open_menu(seat: Seat) -> None:
    seat.page.get_by_role("button", name="This table").click()


def test_reactions_are_shown_and_can_be_muted(server: Server, open_seat: OpenSeat) -> None:
    host, friend = open_seat(server), open_seat(server, 390, 844)
    host.sit(**TABLE)
    link = host.page.get_by_label("Send this link to your friends").input_value()
    take_seat(friend, link, "Finn")
    shown = host.page.locator(".seats .reaction")
    open_menu(friend)
    friend.page.get_by_role("button", name="Well played").click()
    expect(shown).to_have_count(1)
    expect(host.page.get_by_text("Finn: Well played")).to_be_attached()
    open_menu(host)
    host.page.get_by_role("button", name="Mute Finn").click()
    host.page.get_by_role("button", name="Close").click()
    expect(shown).to_have_count(0)
    open_menu(friend)
    friend.page.get_by_role("button", name="Wow").click()
    expect(friend.page.get_by_text("You: Wow")).to_be_attached()
    expect(shown).to_have_count(0)


@pytest.mark.slow
def test_a_table_is_shared_at_any_time_by_an_address_that_others_reach(
    public_server: Server, open_seat: OpenSeat
) -> None:
    host = open_seat(public_server)
    host.sit(**TABLE)
    host.page.get_by_role("button", name="Start now").click()
    host.wait_for_decision()
    open_menu(host)
    join = host.page.get_by_role("textbox", name="Send this link to your friends").input_value()
    watch = host.page.get_by_label("Link to watch, without a seat").input_value()
    assert join.startswith("https://cards.example/#/join/")
    assert watch.startswith("https://cards.example/#/watch/")
    expect(host.page.get_by_role("img", name=re.compile("QR code"))).to_be_visible()


@pytest.mark.slow
def test_a_server_on_this_machine_says_that_others_cannot_reach_it(server: Server, open_seat: OpenSeat) -> None:
    host, friend = open_seat(server), open_seat(server)
    host.open_start()
    host.page.get_by_role("button", name="One friend more").click()
    host.page.get_by_role("button", name="Set the table").click()
    expect(host.page.get_by_text("Others cannot reach this server")).to_be_visible()
    # The address as it stands in the browser lets others in.
    friend.page.goto(host.page.url)
    expect(friend.page.get_by_role("button", name="Take a seat")).to_be_visible()


@pytest.mark.slow
def test_games_are_listed_left_and_resigned(server: Server, open_seat: OpenSeat) -> None:
    host = open_seat(server)
    host.sit(players=2, name="Eva", rules="official hand_size=15")
    host.wait_for_decision()
    host.page.get_by_role("link", name="lastcard").click()
    expect(host.page.get_by_text("One game is open; it is your turn in one.")).to_be_visible()
    host.page.get_by_role("link", name="You", exact=True).click()
    expect(host.page.get_by_role("link", name=re.compile("^Your turn with Ada"))).to_be_visible()
    host.page.get_by_role("button", name="Resign the game with Ada").click()
    host.page.get_by_role("button", name="Resign", exact=True).click()
    expect(host.page.get_by_text("No game is open in this browser.")).to_be_visible()
    host.page.reload()
    expect(host.page.get_by_text("1 game, 0 wins, 1 resigned.")).to_be_visible()
    host.sit(players=2, name="Eva", rules="official hand_size=15", pace=1.0)
    host.wait_for_decision()
    open_menu(host)
    host.page.get_by_role("button", name="Let an agent play for me").click()
    expect(host.page.get_by_text("An agent plays for you.")).to_be_visible()
    host.page.get_by_role("button", name="I am back").click()
    open_menu(host)
    host.page.get_by_role("button", name="Leave", exact=True).click()
    host.page.get_by_role("group", name="Leave this table?").get_by_role("button", name="Leave").click()
    host.page.get_by_role("button", name="Play", exact=True).wait_for()
    assert host.page.evaluate("localStorage.getItem('lastcard.games')") == "[]"


@pytest.mark.slow
def test_a_personal_link_brings_games_to_another_browser_once(server: Server, open_seat: OpenSeat) -> None:
    first, second, third = open_seat(server), open_seat(server, 390, 844), open_seat(server)
    first.sit(players=2, name="Eva", rules="official hand_size=15")
    first.wait_for_decision()
    first.page.goto(f"{server.url}#/you")
    first.page.get_by_role("button", name="Make a personal link").click()
    link = first.page.get_by_label("Open this on the other device").input_value()
    second.page.goto(link)
    second.page.get_by_role("button", name="Bring my games").click()
    second.page.get_by_role("link", name=re.compile("^Your turn with Ada")).click()
    second.wait_for_decision()
    third.watch.is_server_up = False  # the browser reports the refusal
    third.page.goto(link)
    third.page.get_by_role("button", name="Bring my games").click()
    expect(third.page.get_by_role("alert")).to_contain_text("This link has been used or revoked")


@pytest.mark.slow
def test_data_is_exported_and_deleted(server: Server, open_seat: OpenSeat) -> None:
    host = open_seat(server)
    host.sit(players=2, name="Eva", rules="official hand_size=15")
    host.wait_for_decision()
    host.page.goto(f"{server.url}#/you")
    with host.page.expect_download() as saving:
        host.page.get_by_role("button", name="Export my data").click()
    data = json.loads(Path(saving.value.path()).read_text(encoding="utf-8"))
    [game] = data["games"]
    assert (game["name"], game["view"]["seat"]) == ("Eva", 0)
    assert "token" not in json.dumps(data)
    host.page.get_by_role("button", name="Delete my data").click()
    host.page.get_by_role("group", name=re.compile("^Delete all")).get_by_role("button", name="Delete my data").click()
    expect(host.page.get_by_text("1 game was deleted")).to_be_visible()
    assert host.page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('lastcard.games'))") == []


@pytest.mark.slow
def test_what_decisions_cost_is_summed_up_exported_and_deleted(server: Server, open_seat: OpenSeat) -> None:
    """The browser judges the games of a person; the server has no part in it."""
    seat = open_seat(server)
    page = seat.page
    seat.sit(rules="official hand_size=3", length="round")
    seat.play_until_over("mouse")
    page.goto(f"{server.url}#/you")
    page.get_by_role("button", name="Judge one more game").click()
    expect(page.get_by_text("1 of 1 game is judged")).to_be_visible()
    rows = page.locator("table", has=page.get_by_text("Win probability that you give away")).locator("tbody tr")
    expect(rows.first).to_be_visible()
    page.reload()
    expect(rows.first).to_be_visible()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Export my data").click()
    data = json.loads(Path(saving.value.path()).read_text(encoding="utf-8"))
    [judged] = data["browser"]["judgements"]
    decisions = [each for part in judged["judged"] for each in part["decisions"] if each["seat"] == 0]
    shown = sum(int(text) for text in rows.locator("td:nth-of-type(1)").all_inner_texts())
    assert shown == len(decisions)
    page.get_by_role("button", name="Delete my data").click()
    page.get_by_role("group", name=re.compile("^Delete all")).get_by_role("button", name="Delete my data").click()
    expect(page.get_by_text("1 game was deleted")).to_be_visible()
    assert page.evaluate(NUM_JUDGED) == 0


def test_judgements_of_games_of_others_are_exported_and_deleted(server: Server, open_seat: OpenSeat) -> None:
    owner, reader = open_seat(server), open_seat(server)
    bring(owner, RECORD.to_text())
    owner.page.locator("#board").wait_for()
    page = reader.page
    page.goto(owner.page.url)
    page.get_by_role("button", name=re.compile("^Judge")).click()
    expect(page.get_by_text("Agreed with the judge")).to_be_visible()
    page.goto(f"{server.url}#/you")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Export my data").click()
    [judged] = json.loads(saving.value.path().read_text(encoding="utf-8"))["browser"]["judgements"]
    assert judged["game"] in owner.page.url
    page.get_by_role("button", name="Delete my data").click()
    page.get_by_role("group", name=re.compile("^Delete all")).get_by_role("button", name="Delete my data").click()
    expect(page.get_by_text("0 games were deleted")).to_be_visible()
    assert page.evaluate(NUM_JUDGED) == 0


@pytest.mark.slow
def test_strangers_meet(own_server: Server, open_seat: OpenSeat) -> None:
    one, two = open_seat(own_server), open_seat(own_server, 390, 844)
    for seat in (one, two):
        seat.open_start()
        seat.page.get_by_role("link", name="Play with others").click()
        seat.page.get_by_role("radio", name="120 sec").check()
        seat.page.get_by_role("button", name="Find players").click()
    for seat in (one, two):
        seat.board.wait_for()
        expect(seat.page.locator(".seats > li")).to_have_count(1)
        expect(seat.page.locator(".seats")).to_contain_text("person")
