"""Engines that crash or whose worker dies: the page says so, starts another, and loses no ply."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, expect

from lastcard.web.engine_files import has_engine
from tests.browser.conftest import Server
from tests.browser.seat import Seat
from tests.browser.test_device import FULL, choose, forgive_workers, kill_workers, read_stored, sit_on_device
from tests.wasm.stub import make_stub

OpenSeat = Callable[..., Seat]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not has_engine(), reason="the engine is not built: run make .venv/.engine"),
]

CRASH = """() => {
    Uint8Array.prototype.indexOf = () => { throw new WebAssembly.RuntimeError("unreachable"); };
}"""
"""Lets the next call of a worker's engine end as if the core had trapped: no call of the real one does."""
LISTEN = """() => {
    window.notices = new Set();
    window.plies = [];
    new MutationObserver(() => {
        const said = document.querySelector(".notice > span")?.textContent;
        if (said) window.notices.add(said);
        window.plies.push(Number(document.querySelector("main").dataset.ply));
    }).observe(document.body, { attributes: true, childList: true, subtree: true });
}"""


def crash_workers(page: Page) -> None:
    for worker in page.workers:
        with suppress(Error):  # it may just have been ended
            worker.evaluate(CRASH)


def read_ply(seat: Seat) -> int:
    return int(seat.board.get_attribute("data-ply") or -1)


def test_hints_come_back_after_their_worker_died(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    page = seat.page
    hint = page.locator(".hint")
    seat.sit(rules="official hand_size=12")
    seat.wait_for_decision()
    page.keyboard.press("h")
    expect(hint).to_be_visible()
    seat.act("mouse")
    seat.wait_for_decision()
    kill_workers(seat)
    page.keyboard.press("h")
    expect(hint).to_be_visible()  # nobody was searching: there is nothing to tell
    forgive_workers(seat)
    seat.act("mouse")
    seat.wait_for_decision()
    crash_workers(page)
    page.keyboard.press("h")
    expect(page.locator(".coach [role=alert]")).to_have_text("The engine stopped.")
    page.keyboard.press("h")
    expect(hint).to_be_visible()


def test_a_core_that_ends_is_no_refusal_and_is_never_asked_again(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    seat.page.route("**/engine/lastcard.wasm*", lambda route: route.fulfill(body=make_stub(traps=False)))
    seat.sit()
    seat.wait_for_decision()
    for _ in range(2):
        with seat.page.expect_worker():
            seat.page.keyboard.press("h")
        expect(seat.page.locator(".coach [role=alert]")).to_have_text("The engine stopped.")
        for _ in range(100):
            if not seat.page.workers:
                break
            seat.page.wait_for_timeout(100)
        assert seat.page.workers == []


def test_a_table_whose_core_crashes_continues(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    sit_on_device(seat, "Beginner")
    seat.act("mouse")
    seat.wait_for_decision()
    ply = read_ply(seat)
    seat.page.evaluate(LISTEN)
    crash_workers(seat.page)
    with seat.page.expect_worker():
        seat.act("mouse")
    seat.wait_for_decision()
    seat.page.wait_for_function("(ply) => Number(document.querySelector('main').dataset.ply) > ply", arg=ply)
    assert min(seat.page.evaluate("() => window.plies")) == ply
    assert seat.page.evaluate("() => [...window.notices]") == ["The engine stopped. The game is stored."]


def test_a_game_that_could_not_be_stored_outlives_its_engine(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    page = seat.page
    sit_on_device(seat, "Beginner")
    page.evaluate("() => { window.put = IDBObjectStore.prototype.put; }")
    page.evaluate(FULL)
    stored = read_stored(page)["text"]
    seat.act("mouse")
    expect(page.get_by_text("The game continues, but is not stored.")).to_be_visible()
    seat.wait_for_decision()
    ply = read_ply(seat)
    page.evaluate(LISTEN)
    kill_workers(seat)
    seat.act("mouse")
    page.wait_for_function("(ply) => Number(document.querySelector('main').dataset.ply) > ply", arg=ply)
    assert min(page.evaluate("() => window.plies")) == ply
    said = "The engine stopped. The game continues, but is not stored."
    assert page.evaluate("() => [...window.notices]") == [said]
    assert read_stored(page)["text"] == stored
    forgive_workers(seat)

    seat.wait_for_decision()
    page.evaluate("() => { IDBObjectStore.prototype.put = window.put; }")
    seat.act("mouse")
    seat.wait_for_decision()
    hand = sorted(seat.hand)
    page.reload()
    seat.wait_for_decision()
    assert sorted(seat.hand) == hand
    assert read_ply(seat) > ply


def test_a_crash_while_dealing_says_nothing_of_a_game(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    sit_on_device(seat, "Beginner")
    page = seat.page
    page.goto(f"{server.url}#/")
    play = page.get_by_role("button", name="Play", exact=True)
    play.wait_for()
    crash_workers(page)
    play.click()
    expect(page.get_by_role("alert")).to_have_text("The engine stopped.")
    play.click()
    seat.wait_for_decision()


def test_a_table_whose_network_does_not_fit_says_so_and_keeps_the_game(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    page = seat.page
    files = "**/engine/champion-3.safetensors*"
    page.route(files, lambda route: route.fulfill(body=b"not a network at all"))
    seat.open_start()
    choose(page, "On this device", "One round", "Instant", "Champion")
    page.get_by_role("button", name="Play", exact=True).click()
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text(re.compile("The network champion-3 cannot be used"))
    stored = read_stored(page)["text"]
    page.unroute(files)
    notice.get_by_role("button", name="Try again").click()
    seat.wait_for_decision()
    assert read_stored(page)["text"].startswith(stored.rstrip())
