"""Games on this device: the engine in the browser referees, analyses and judges, and nothing asks the server."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Dialog, Error, FilePayload, Page, Route, expect

from lastcard.analysis import analyse
from lastcard.record import Record
from lastcard.web.engine_files import has_engine
from tests.browser.conftest import Server
from tests.browser.seat import Seat
from tests.browser.test_study import check_that_you_are_you

OpenSeat = Callable[..., Seat]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not has_engine(), reason="the engine is not built: run make .venv/.engine"),
]


def choose(page: Page, *names: str) -> None:
    for name in names:
        page.get_by_role("radio", name=name, exact=True).check()


def sit_on_device(seat: Seat, *choices: str) -> None:
    seat.open_start()
    choose(seat.page, "On this device", "One round", "Instant", *choices)
    seat.deal()
    seat.wait_for_decision()


def read_all(page: Page) -> list[dict[str, Any]]:
    """The games that the browser has stored, as JSON values."""
    stored: list[dict[str, Any]] = page.evaluate(
        """() => new Promise((resolve, reject) => {
            const opening = indexedDB.open("lastcard", 1);
            opening.onsuccess = () => {
                const asking = opening.result.transaction("games").objectStore("games").getAll();
                asking.onsuccess = () => resolve(asking.result);
                asking.onerror = () => reject(asking.error);
            };
        })"""
    )
    return stored


def read_stored(page: Page) -> Any:
    """The only game that the browser has stored; None if there is none."""
    return next(iter(read_all(page)), None)


def read_game(page: Page, game: str) -> dict[str, Any]:
    """The stored game of that name."""
    return next(stored for stored in read_all(page) if stored["game"] == game)


DELETE = """() => new Promise((resolve, reject) => {
    const opening = indexedDB.open("lastcard", 1);
    opening.onsuccess = () => {
        const asking = opening.result.transaction("games", "readwrite").objectStore("games").clear();
        asking.onsuccess = () => resolve();
        asking.onerror = () => reject(asking.error);
    };
})"""
STORE = """(games) => new Promise((resolve, reject) => {
    const opening = indexedDB.open("lastcard", 1);
    opening.onsuccess = () => {
        const writing = opening.result.transaction("games", "readwrite");
        for (const game of games) writing.objectStore("games").put(game);
        writing.oncomplete = () => resolve(opening.result.close());
        writing.onabort = () => reject(writing.error);
    };
})"""
FULL = """() => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (value) {
        const request = put.call(this, value);
        const { transaction } = this;
        Object.defineProperty(transaction, "error", { value: new DOMException("full", "QuotaExceededError") });
        request.addEventListener("success", () => transaction.abort());
        return request;
    };
}"""
"""A full disk as Chromium tells of it: the write succeeds, its transaction does not."""


def kill_workers(seat: Seat) -> None:
    """Lets all workers of the page fail as they do when the engine runs out of memory."""
    wanted = len(seat.watch.complaints) + len(seat.page.workers)
    for worker in seat.page.workers:
        with suppress(Error):  # it may just have been ended
            worker.evaluate("() => { setTimeout(() => { throw new Error('out of memory'); }); }")
    for _ in range(100):
        if len(seat.watch.complaints) >= wanted:
            break
        seat.page.wait_for_timeout(50)


def forgive_workers(seat: Seat) -> None:
    """The browser complains of workers that were killed, and of nothing else."""
    assert set(seat.watch.complaints) == {"error: out of memory"}
    seat.watch.complaints.clear()


def read_record(page: Page) -> Record:
    return Record.from_text(read_stored(page)["text"])


@pytest.mark.slow
def test_a_round_without_the_server_from_the_deal_to_the_study(own_server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(own_server)
    sit_on_device(seat, "Beginner")  # who needs no network: those of hints, analysis, judge and levels come unasked
    page = seat.page
    page.wait_for_function(
        """(names) => names.every((name) =>
            performance.getEntriesByType("resource").some((entry) => entry.name.includes(`/engine/${name}`)))""",
        arg=["lastcard.wasm", "advisor-2.safetensors", "champion-3.safetensors"],
    )
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    own_server.stop()
    page.keyboard.press("a")
    expect(page.locator(".analysis")).to_contain_text(re.compile("Done: "))
    seat.play_until_over("mouse")
    assert read_record(page).rounds[0].outcome is not None

    page.get_by_role("link", name="Study this game").click()
    page.locator("main[data-shown]:not([data-shown=''])").wait_for()
    page.get_by_role("button", name=re.compile("^Judge")).click()
    expect(page.get_by_text("Agreed with the judge")).to_be_visible()
    (judged,) = read_stored(page)["judged"]
    assert judged["decisions"] == [each.to_dict() for each in analyse(read_record(page)).judgments]
    page.keyboard.press("Home")
    page.get_by_label("Opponents").select_option("champion")
    page.get_by_role("button", name="Continue from move 0").click()
    seat.board.wait_for()
    seat.wait_for_decision()
    # Scripts of workers and the icon come from the browser's own cache: a request would have failed.
    assert not [address for address in asked if "/assets/worker-" not in address and not address.endswith("/icon.svg")]


def test_a_study_on_the_device_calls_its_player_you(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    seat.open_start()
    seat.page.get_by_text("More options").click()
    seat.page.get_by_label("Hand size").fill("2")
    seat.page.get_by_label("Hand size").press("Tab")
    choose(seat.page, "On this device", "One round", "Instant", "Beginner")
    seat.deal()
    seat.play_until_over("mouse")
    check_that_you_are_you(seat)


def test_a_reload_brings_the_game_back_and_an_engine_that_dies_is_replaced(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    page = seat.page
    sit_on_device(seat, "House")
    seat.act("mouse")
    seat.wait_for_decision()
    hand, top = sorted(seat.hand), seat.top_card
    page.reload()
    seat.wait_for_decision()
    assert (sorted(seat.hand), seat.top_card) == (hand, top)
    page.evaluate(
        """() => {
            window.notices = [];
            const look = () => window.notices.push(document.querySelector(".notice > span")?.textContent);
            new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
        }"""
    )
    kill_workers(seat)
    seat.act("mouse")
    assert seat.wait_for_decision()
    assert set(page.evaluate("() => window.notices")) == {None, "The engine stopped. The game is stored."}
    forgive_workers(seat)


def test_two_tabs_with_one_game_lose_no_move(server: Server, open_seat: OpenSeat) -> None:
    """The tab that is behind shows what is stored instead of overwriting it, and a deleted game stays deleted."""
    seat = open_seat(server)
    sit_on_device(seat, "Beginner")
    other = Seat(seat.page.context.new_page(), server.address, seat.watch)
    other.page.goto(seat.page.url)
    other.wait_for_decision()
    seat.page.bring_to_front()
    for _ in range(2):
        if seat.wait_for_decision() != "over":
            seat.act("mouse")
    seat.wait_for_decision()
    played = read_stored(seat.page)["text"]
    other.page.bring_to_front()
    other.act("mouse")
    expect(other.page.get_by_text("The game went on in another tab.")).to_be_visible()
    other.wait_for_decision()
    assert read_stored(other.page)["text"] == played
    assert other.top_card == seat.top_card

    if not seat.is_over:
        table = other.page.url.removesuffix("/")
        other.page.goto(table.replace("#/game/", "#/study/"))
        expect(other.page).to_have_url(table)  # no study shows the hands before the end
        other.wait_for_decision()
        seat.page.evaluate(DELETE)
        other.decide("mouse")
        expect(other.page.get_by_text("This device does not have that game.")).to_be_visible()
        assert read_stored(seat.page) is None


def test_a_level_is_offered_only_for_rules_that_it_plays(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    seat.open_start()
    page, champion = seat.page, seat.page.get_by_role("radio", name="Champion", exact=True)
    choose(page, "On this device", "One round", "Instant", "Champion")
    choose(page, "House")
    expect(champion).to_be_disabled()
    expect(page.get_by_role("radio", name="Hardest", exact=True)).to_be_checked()
    choose(page, "Official")
    expect(champion).to_be_checked()
    page.get_by_role("button", name="One player more").click()
    expect(champion).to_be_disabled()
    seat.deal()
    seat.board.wait_for()
    page.wait_for_function("localStorage.getItem('lastcard.games')")
    assert [each["level"] for each in read_stored(page)["seats"]] == ["", "hardest", "hardest"]


@pytest.mark.slow
def test_records_are_imported_and_damaged_ones_refused(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    page = seat.page
    text = import_example(seat)
    page.goto(f"{server.url}#/study")
    page.get_by_label("Record", exact=True).fill(text.replace(" went_out ", " blocked "))
    page.get_by_role("button", name="Study it on this device").click()
    expect(page.get_by_role("alert")).to_contain_text("the record says")
    page.go_back()
    page.locator("main[data-shown]:not([data-shown=''])").wait_for()
    assert read_record(page) == Record.from_text(text)
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save the record").click()
    assert Record.load(saving.value.path()) == Record.from_text(text)


@pytest.mark.slow
def test_a_full_store_is_said_and_the_game_continues(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    sit_on_device(seat)
    seat.page.evaluate(FULL)
    seat.act("mouse")
    told = "This device has no room left. Delete old games. The game continues, but is not stored."
    expect(seat.page.get_by_text(told)).to_be_visible()
    seat.wait_for_decision()
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    seat.page.on("dialog", leave)
    seat.page.reload()
    seat.wait_for_decision()
    assert asked == ["beforeunload"]


def import_example(seat: Seat) -> str:
    """Imports a record of one round to this device and opens it; returns the record."""
    page = seat.page
    text = (Path(__file__).parents[2] / "examples" / "round.txt").read_text(encoding="utf-8")
    page.goto(f"{seat.url}#/study")
    page.get_by_label("Record", exact=True).fill(text)
    page.get_by_role("button", name="Study it on this device").click()
    page.locator("main[data-shown]:not([data-shown=''])").wait_for()
    return text


def test_a_judge_without_its_network_says_so(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    page = seat.page
    page.route("**/engine/*.safetensors*", lambda route: route.fulfill(body=b"not a network"))
    text = import_example(seat)
    costs = page.locator("[data-judging]")
    page.get_by_role("button", name=re.compile("^Judge")).click()
    expect(costs.get_by_role("alert")).to_contain_text("The network advisor-2 cannot be used")
    expect(costs).to_contain_text("The judge stopped before the end.")
    page.unroute_all()
    page.get_by_role("button", name="Continue judging").click()
    told = [f"-{100 * each.cost:.1f}%" for each in analyse(Record.from_text(text)).costliest(12)]
    expect(costs.locator("ol .cost")).to_have_text(told)


@pytest.mark.slow
def test_a_judge_that_stops_says_why_and_can_continue(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    page = seat.page
    held: list[Route] = []
    # It waits for its network: otherwise it may be done before its worker is killed.
    page.route("**/engine/advisor-2.safetensors*", lambda route: held.append(route))
    import_example(seat)
    costs = page.locator("[data-judging]")
    with page.expect_worker():
        page.get_by_role("button", name=re.compile("^Judge")).click()
    while not held:
        page.wait_for_timeout(50)
    kill_workers(seat)
    for route in held:
        route.continue_()
    expect(costs.get_by_role("alert")).to_have_text("The engine stopped.")
    forgive_workers(seat)
    page.evaluate(FULL)
    page.get_by_role("button", name="Continue judging").click()
    told = "This device has no room left. Delete old games. The result is not stored."
    expect(costs.get_by_role("alert")).to_have_text(told)
    expect(costs).to_have_attribute("data-judging", "done")
    expect(costs.get_by_text("Agreed with the judge")).to_be_visible()
    assert read_stored(page)["judged"] == []


def test_games_of_the_device_are_listed_even_if_the_page_forgot_them(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    page = seat.page
    sit_on_device(seat)
    import_example(seat)
    page.evaluate("() => localStorage.removeItem('lastcard.games')")
    page.goto(f"{server.url}#/study")
    page.reload()
    sheet = page.get_by_role("region", name="Your finished games")
    expect(sheet.get_by_role("heading", name="Unfinished games on this device")).to_be_visible()
    finished, unfinished = sheet.get_by_role("list").all()
    unfinished.get_by_role("link").click()
    seat.wait_for_decision()
    page.go_back()
    for each in (unfinished, finished):
        each.get_by_role("button", name=re.compile("^Delete")).click()
        each.get_by_role("group").get_by_role("button", name=re.compile("^Delete")).click()
        expect(each).to_have_count(0)
    assert read_stored(page) is None


def test_a_server_without_the_engine_says_so(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)

    def without(route: Route) -> None:
        route.fulfill(json={**route.fetch().json(), "device": False})

    seat.page.route("**/api/catalog", without)
    seat.open_start()
    expect(seat.page.get_by_text("started without the engine for browsers")).to_be_visible()
    expect(seat.page.get_by_role("radio", name="On this device")).to_have_count(0)
    seat.deal()
    assert json.loads(seat.page.evaluate("() => localStorage.getItem('lastcard.games')"))[0]["token"] != "device"


def test_games_on_the_device_count_over_time_and_are_exported_and_deleted(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    sit_on_device(seat)
    seat.play_until_over("mouse")
    page = seat.page
    page.goto(f"{server.url}#/you")
    expect(page.get_by_text("1 of them was played on this device.")).to_be_visible()
    expect(page.get_by_role("rowheader", name="2 players")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export my data").click()
    exported = json.loads(saved.value.path().read_text(encoding="utf-8"))
    [game] = exported["browser"]["games"]
    assert game["text"] == read_stored(page)["text"]
    page.get_by_role("button", name="Delete my data").click()
    page.get_by_role("group").get_by_role("button", name="Delete my data").click()
    expect(page.get_by_text("1 game was deleted")).to_be_visible()
    assert read_stored(page) is None


IS_FULL = """() => new Promise((resolve, reject) => {
    const opening = indexedDB.open("other", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("values", { autoIncrement: true });
    opening.onsuccess = () => {
        const writing = opening.result.transaction("values", "readwrite");
        writing.objectStore("values").put("a");
        writing.oncomplete = () => resolve(opening.result.close() ?? false);
        writing.onabort = () => resolve(opening.result.close() ?? writing.error.name === "QuotaExceededError");
    };
    opening.onerror = () => reject(opening.error);
})"""


def limit_room(seat: Seat, num_bytes: int | None) -> None:
    """Sets what the browser lets the page store; None: as much as usual."""
    client = seat.page.context.new_cdp_session(seat.page)
    quota = {} if num_bytes is None else {"quotaSize": num_bytes}
    client.send("Storage.overrideQuotaForOrigin", {"origin": seat.url.rstrip("/"), **quota})


@pytest.mark.slow
def test_a_game_continues_on_a_full_disk_and_is_stored_once_there_is_room(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    other = seat.page.context.new_page()
    import_example(Seat(other, server.url, seat.watch))
    other.goto(f"{server.url}#/study")
    sit_on_device(seat, "Beginner")
    page, table = seat.page, seat.page.url.split("/")[5]
    before = read_game(page, table)["text"]
    limit_room(seat, 1)
    for _ in range(120):  # Chromium looks every half minute
        if page.evaluate(IS_FULL):
            break
        page.wait_for_timeout(500)
    else:
        raise AssertionError("the quota was not applied")
    seat.act("mouse")
    told = "This device has no room left. Delete old games. The game continues, but is not stored."
    expect(page.get_by_text(told)).to_be_visible()
    assert read_game(page, table)["text"] == before
    assert seat.wait_for_decision() != "over"
    # What the message asks for needs no room.
    other.bring_to_front()
    other.get_by_role("button", name=re.compile("^Delete")).click()
    other.get_by_role("group").get_by_role("button", name=re.compile("^Delete")).click()
    expect(other.get_by_text("None in this browser yet")).to_be_visible()
    page.bring_to_front()
    limit_room(seat, None)
    seat.act("mouse")
    seat.wait_for_decision()
    assert read_stored(page)["game"] == table
    assert len(read_record(page).rounds[0].actions) >= len(Record.from_text(before).rounds[0].actions) + 2


def test_a_game_does_not_start_on_a_full_disk(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    limit_room(seat, 1)
    seat.open_start()
    page = seat.page
    choose(page, "On this device")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("This device has no room left. Delete old games.")
    expect(seat.board).to_have_count(0)
    limit_room(seat, None)
    seat.deal()
    seat.wait_for_decision()
    assert read_stored(page)["seats"]


def test_a_store_that_the_browser_closed_is_opened_again(server: Server, open_seat: OpenSeat) -> None:
    """Browsers close it when people delete what a page has stored."""
    seat = open_seat(server)
    sit_on_device(seat, "Beginner")
    page = seat.page
    client = page.context.new_cdp_session(page)
    client.send("Storage.clearDataForOrigin", {"origin": server.url.rstrip("/"), "storageTypes": "indexeddb"})
    seat.decide("mouse")
    expect(page.get_by_text("This device does not have that game.")).to_be_visible()
    page.evaluate("() => { location.hash = '#/'; }")
    seat.deal()
    seat.wait_for_decision()
    assert len(read_stored(page)["seats"]) == 2


def test_the_browser_is_asked_once_to_keep_games(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    page = seat.page
    page.add_init_script(
        "window.asked = 0; StorageManager.prototype.persist = async () => { window.asked += 1; return false; };"
    )
    import_example(seat)
    assert page.evaluate("() => window.asked") == 0
    page.evaluate("() => { location.hash = '#/'; }")
    choose(page, "On this device")
    for _ in range(2):
        seat.deal()
        seat.wait_for_decision()
        page.wait_for_function("() => window.asked === 1")
        page.evaluate("() => { location.hash = '#/'; }")


def test_a_game_that_cannot_be_read_takes_no_other_along(server: Server, open_seat: OpenSeat) -> None:
    """Games outlive the version of the page that stored them, and its rules."""
    seat = open_seat(server)
    page = seat.page
    text = import_example(seat)
    game = {**read_stored(page), "source": "table", "seat": 0, "ended": "2026-01-02T03:04:05Z"}
    damaged = {**game, "game": "device-damaged", "text": text.replace("official", "oficial")}
    page.evaluate(STORE, [game, damaged])
    page.goto(f"{server.url}#/you")
    expect(page.get_by_text("1 of them was played on this device.")).to_be_visible()
    expect(page.get_by_text("One game on this device cannot be read")).to_be_visible()
    expect(page.get_by_text("Looking at your games")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("link", name="See why, save or delete").click()
    row = page.get_by_role("listitem").filter(has_text="The record cannot be read")
    expect(row).to_contain_text("line 2: no rules preset 'oficial'")
    expect(row.locator("[lang=en]")).to_have_text(re.compile("^no rules preset 'oficial'"))
    expect(row.get_by_role("link")).to_have_count(0)
    with page.expect_download() as saving:
        row.get_by_role("button", name="Save the record").click()
    assert saving.value.path().read_text(encoding="utf-8") == damaged["text"]
    page.evaluate("() => { location.hash = '#/study/device-damaged'; }")
    expect(page.get_by_role("alert")).to_contain_text("The record cannot be read: line 2: no rules preset 'oficial'")
    page.get_by_role("link", name="Your finished games").click()
    row.get_by_role("button", name=re.compile("^Delete")).click()
    row.get_by_role("group").get_by_role("button", name=re.compile("^Delete")).click()
    expect(row).to_have_count(0)
    assert read_stored(page)["text"] == text


def test_a_reason_in_english_is_marked_as_that_and_its_line_is_not(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server, locale="de")
    page = seat.page
    seat.page.goto(f"{server.url}#/study")
    text = (Path(__file__).parents[2] / "examples" / "round.txt").read_text(encoding="utf-8")
    page.get_by_label("Aufzeichnung", exact=True).fill(text.replace("official", "oficial"))
    page.get_by_role("button", name="Auf diesem Gerät ansehen").click()
    problem = page.get_by_role("alert")
    expect(problem).to_contain_text("Die Aufzeichnung lässt sich nicht lesen: Zeile 2: no rules preset 'oficial'")
    expect(problem.locator("[lang=en]")).to_have_text(re.compile("^no rules preset 'oficial'"))
    chosen = "() => { const e = document.activeElement; return e.value.slice(e.selectionStart, e.selectionEnd) }"
    assert page.evaluate(chosen) == '[Rules "oficial"]'


def test_a_record_that_stops_before_the_end_names_no_winner(server: Server, open_seat: OpenSeat) -> None:
    record = Record.from_text((Path(__file__).parents[2] / "examples" / "round.txt").read_text(encoding="utf-8"))
    [played] = record.rounds
    cut = replace(record, rounds=(replace(played, actions=played.actions[:5], reshuffles=(), outcome=None),))
    seat = open_seat(server)
    page = seat.page
    for button in ("Study it on this device", "Study this record"):
        page.goto(f"{server.url}#/study")
        page.get_by_label("Record", exact=True).fill(cut.to_text())
        page.get_by_role("button", name=button).click()
        expect(page.get_by_role("heading", level=1)).to_have_text("The record stops before the end")
    page.goto(f"{server.url}#/study")
    expect(page.get_by_role("link", name=re.compile("1 round, the record stops before the end$"))).to_have_count(2)


def test_all_open_games_of_the_device_can_be_resumed(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    sit_on_device(seat, "Beginner")
    page, first = seat.page, seat.page.url.split("#")[1]
    hand = sorted(seat.hand)
    page.goto(f"{server.url}#/")
    seat.deal()
    page.goto(f"{server.url}#/")
    expect(page.get_by_text("2 games are open.")).to_be_visible()
    page.get_by_role("link", name="All open games").click()
    games = page.get_by_role("region", name="Open games").get_by_role("link")
    expect(games).to_have_count(2)
    games.nth(1).click()
    seat.wait_for_decision()
    assert page.url.split("#")[1].rstrip("/") == first.rstrip("/")
    assert sorted(seat.hand) == hand


def test_exported_games_are_imported_and_damaged_ones_named(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    sit_on_device(seat, "Beginner")
    seat.play_until_over("mouse")
    page = seat.page
    page.goto(f"{server.url}#/")
    seat.deal()
    seat.wait_for_decision()
    hand = sorted(seat.hand)
    text = import_example(seat)
    page.goto(f"{server.url}#/you")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export my data").click()
    exported = json.loads(saved.value.path().read_text(encoding="utf-8"))
    games = {each["game"]: each for each in read_all(page)}
    page.get_by_role("button", name="Delete my data").click()
    page.get_by_role("group").get_by_role("button", name="Delete my data").click()
    expect(page.get_by_text("3 games were deleted")).to_be_visible()

    page.goto(f"{server.url}#/study")
    damaged = {"text": text.replace("official", "oficial")}
    exported["browser"]["games"] = [damaged, *exported["browser"]["games"], 5]
    file: FilePayload = {
        "name": "lastcard-data.json",
        "mimeType": "application/json",
        "buffer": json.dumps(exported).encode(),
    }
    for told in ("3 games were imported to this device.", "0 games were imported to this device; 3 were already here."):
        page.get_by_label("Choose a file").set_input_files([file])
        expect(page.get_by_role("status").filter(has_text=told)).to_be_visible()
        problem = page.locator("#record-problem")
        expect(problem).to_contain_text("Game 1 of the file: The record cannot be read: line 2: no rules preset")
        expect(problem).to_contain_text("Game 5 of the file: The record cannot be read")
    sheet = page.get_by_role("region", name="Your finished games")
    finished, unfinished = sheet.get_by_role("list").all()
    expect(finished.get_by_role("listitem")).to_have_count(2)
    expect(unfinished.get_by_role("listitem")).to_have_count(1)
    for each in read_all(page):
        before = games.get(each["game"], {"source": "import", "text": text, "seat": None})
        assert [each[name] for name in ("source", "text", "seat")] == [
            before[name] for name in ("source", "text", "seat")
        ]
    page.goto(f"{server.url}#/you")
    expect(page.get_by_text("1 of them was played on this device.")).to_be_visible()
    page.goto(f"{server.url}#/")
    page.get_by_role("link", name="Resume your game").click()
    seat.wait_for_decision()
    assert sorted(seat.hand) == hand


def test_an_open_game_of_the_device_is_deleted_where_open_games_are(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    seat.open_start()
    page = seat.page
    choose(page, "On this device", "One round", "Instant", "Easy", "House")
    while page.get_by_role("button", name="One player more").is_enabled():
        page.get_by_role("button", name="One player more").click()
    seat.deal()
    page.wait_for_function("localStorage.getItem('lastcard.games')")
    page.goto(f"{server.url}#/study")
    expect(page.get_by_role("link", name="House, round 1, against 9 × Easy", exact=True)).to_be_visible()
    page.goto(f"{server.url}#/you")
    games = page.get_by_role("region", name="Open games")
    games.get_by_role("button", name=re.compile("^Delete the game with Ada, ")).click()
    games.get_by_role("group").get_by_role("button", name="Delete").click()
    expect(games.get_by_text("No game is open in this browser.")).to_be_visible()
    assert read_stored(page) is None
    page.goto(f"{server.url}#/")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page.get_by_text("You have an unfinished game.")).to_have_count(0)


def test_the_table_of_an_imported_game_is_its_study(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    import_example(seat)
    game = read_stored(seat.page)["game"]
    seat.page.goto(f"{server.url}#/game/{game}")
    seat.page.locator("main[data-shown]:not([data-shown=''])").wait_for()
    assert f"#/study/{game}" in seat.page.url


def test_a_browser_that_allows_no_workers_is_told_so(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    page = seat.page
    page.add_init_script("window.Worker = class { constructor() { throw new Error('blocked'); } };")
    seat.open_start()
    choose(page, "On this device")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("This browser cannot run the engine: blocked")


FEW = "The deck has too few cards for this. Choose fewer players, or a lower number at “Hand size”."
CLASH = "“Draw until playable” does not work with “Drawn card: end turn”. Change one of them."


@pytest.mark.parametrize("place", ["On this device", "On the server"])
def test_rules_that_contradict_each_other_are_named_as_on_the_page(
    server: Server, open_seat: OpenSeat, place: str
) -> None:
    seat = open_seat(server)
    seat.watch.is_server_up = False  # the browser counts a refusal of the server as an error
    seat.open_start()
    page = seat.page
    choose(page, place)
    page.get_by_text("More options").click()
    choose(page, "Mini")
    for _ in range(3):
        page.get_by_role("button", name="One player more").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text(FEW)
    choose(page, "House")
    page.get_by_label("Hand size").fill("40")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text(FEW)
    page.get_by_label("Hand size").fill("7")
    page.get_by_label("Drawn card", exact=True).select_option("end turn")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text(CLASH)
