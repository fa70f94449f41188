"""A finished game is studied as a person would: stepped through, judged, shared, branched off, brought, deleted."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from lastcard.analysis import Analysis, analyse
from lastcard.record import Record
from lastcard.rules import parse_rules
from lastcard.table import Table
from tests.browser.conftest import Server
from tests.browser.seat import Seat
from tests.browser.test_accessibility import list_violations

OpenSeat = Callable[..., Seat]
JUDGE_MS = 300_000
"""Time for the judge."""
RECORD = Table(parse_rules("official players=3 hand_size=4"), ["heuristic", "random", "random"], 5).play_round()


def bring(seat: Seat, text: str) -> None:
    seat.page.goto(f"{seat.url}#/study")
    seat.page.get_by_role("textbox", name="Record").fill(text)
    seat.page.get_by_role("button", name="Study this record").click()


def check_judged(seat: Seat, game: str, expected: Analysis) -> None:
    """Compares what the browser has stored and shows with `lastcard analyse`."""
    stored: dict[str, Any] = seat.page.evaluate(
        """game => new Promise((resolve, reject) => {
            const opening = indexedDB.open("lastcard-judgements", 1);
            opening.onsuccess = () => {
                const asking = opening.result.transaction("judgements").objectStore("judgements").get(game);
                asking.onsuccess = () => resolve(asking.result);
                asking.onerror = () => reject(asking.error);
            };
        })""",
        game,
    )
    [part] = stored["judged"]
    assert part["decisions"] == [each.to_dict() for each in expected.judgments]
    rows = seat.page.locator("[data-judging] tbody tr")
    for number in range(rows.count()):
        made = [each for each in expected.judgments if each.seat == number]
        agreed = sum(each.played is each.report.best for each in made)
        expect(rows.nth(number)).to_contain_text(f"{agreed} of {len(made)}")
        mean = sum(each.cost for each in made) / max(len(made), 1)
        expect(rows.nth(number)).to_contain_text(f"{100 * mean:.1f}%")


def hands_shown(seat: Seat) -> list[int]:
    """Returns the number of open cards of each seat."""
    counts: list[int] = seat.page.locator("#board [data-seat]").evaluate_all(
        "all => all.map(li => li.querySelectorAll('[data-card]').length)"
    )
    return counts


def check_that_you_are_you(seat: Seat, label: str = "You") -> None:
    """A finished game speaks to its player as the table did."""
    page = seat.page
    page.get_by_role("link", name="Study this game").click()
    page.get_by_role("button", name="Everything").click()
    page.locator("main[data-shown$='/truth']").wait_for()
    expect(page.locator(".seats > span").first).to_have_text(re.compile(rf"^{re.escape(label)}\s+\d+$"))
    expect(page.locator("#board [data-seat='0'] strong").first).to_have_text(label)
    expect(page.get_by_role("group", name="Whose view").get_by_role("button").nth(1)).to_have_text(label)
    expect(page.get_by_role("combobox", name="Your seat").locator("option").first).to_have_text(label)
    log = page.get_by_role("region", name="What happened")
    expect(log).to_contain_text(re.compile(r"\bYou (play|draw)"))
    expect(log).not_to_contain_text(re.compile(r"Player|Maxi"))
    page.get_by_role("link", name="Study", exact=True).click()
    expect(page.get_by_role("link", name=re.compile(r"(you|Ada) won$"))).to_be_visible()


@pytest.mark.parametrize(("given", "label"), [({}, "You"), ({"name": "Gast"}, "You"), ({"name": "Maxi"}, "Maxi (you)")])
def test_a_study_calls_its_player_you(server: Server, open_seat: OpenSeat, given: dict[str, str], label: str) -> None:
    """Also one who gave no name, whom a page in German calls "Gast"."""
    seat = open_seat(server)
    seat.sit(rules="official hand_size=2", **given)
    seat.play_until_over("mouse")
    check_that_you_are_you(seat, label)


@pytest.mark.long
def test_a_game_just_played_is_studied_judged_and_deleted(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    page = seat.page
    seat.sit(rules="official hand_size=3", length="round")
    seat.play_until_over("mouse")
    page.get_by_role("link", name="Study this game").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("won$"))
    expect(page.get_by_text("Played here")).to_contain_text("Official, Hand size: 3")
    expect(page.locator(".seats")).to_contain_text("Beginner")
    # From the person's own seat: the other hand is hidden.
    expect(page.get_by_role("button", name="As you saw it")).to_have_attribute("aria-pressed", "true")
    for view, name, sees in (
        ("0", "As you saw it", (True, False)),
        ("truth", "Everything", (True, True)),
        ("1", "As Ada saw it", (False, True)),
    ):
        page.get_by_role("button", name=name).click()
        expect(page.locator(f"main[data-shown='1/{view}']")).to_be_visible()
        assert tuple(count > 0 for count in hands_shown(seat)) == sees
    # By keyboard to the end and back.
    page.keyboard.press("End")
    expect(page.get_by_role("button", name="One move on")).to_be_disabled()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator("output[data-ply]")).to_have_attribute("data-ply", "1")
    page.wait_for_url(re.compile(r"#/study/[\w-]+/1/1/1$"))

    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/" in request.url else None)
    page.get_by_role("button", name="Judge every decision").click()
    expect(page.locator("[data-judging=done]")).to_be_visible(timeout=JUDGE_MS)
    assert asked == [], "the browser judges by itself"
    game = page.url.partition("#/study/")[2].partition("/")[0]
    record = Record.from_text(page.request.get(f"{seat.url}api/studies/{game}/record").text())
    check_judged(seat, game, analyse(record))
    page.reload()
    expect(page.locator("[data-judging=done]")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("How likely each seat was to win"))).to_be_visible()
    page.get_by_role("button", name="Everything").click()
    costly = page.locator("[data-judging] ol button")
    if costly.count():
        told = costly.first.inner_text()
        costly.first.click()
        ply = re.search(r"move (\d+)", told)
        assert ply
        before = str(int(ply[1]) - 1)  # the position in which the seat decided
        expect(page.locator("output[data-ply]")).to_have_attribute("data-ply", before)
        expect(page.locator("section .number", has_text=re.compile(f"^{ply[1]}$"))).to_be_visible()
        marks = page.locator(".curve .mark title").all_text_contents()
        assert any(f"move {ply[1]}:" in mark for mark in marks), "the chart counts like the list"
        expect(page.get_by_role("heading", name=re.compile("decides?$"))).to_be_visible()
    assert list_violations(seat) == []

    page.get_by_role("button", name="Delete this game").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("heading", name="Your finished games")).to_be_visible()
    expect(page.get_by_text("None in this browser yet")).to_be_visible()


def test_a_record_is_brought_shared_and_played_on(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    page = seat.page
    bring(seat, RECORD.to_text())
    page.locator("#board").wait_for()
    for _ in range(4):
        page.get_by_role("button", name="One move on").click()
    page.get_by_role("button", name="As random 2 saw it").click()
    expect(page.locator("main[data-shown='1/2']")).to_be_visible()
    link = page.get_by_label("A link to this place in the game").input_value()
    assert link.endswith("/1/4/2")

    # Another person opens the link, sees the same, and cannot delete it.
    friend = open_seat(server, 390, 844, has_touch=True, is_mobile=True)
    friend.page.goto(link)
    expect(friend.page.locator("output[data-ply]")).to_have_attribute("data-ply", "4")
    expect(friend.page.locator("main[data-shown='1/2']")).to_be_visible()
    assert hands_shown(friend)[:2] == [0, 0]
    assert friend.page.get_by_role("button", name="Delete this game").count() == 0
    overflow = friend.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow == 0
    with friend.page.expect_download() as saved:
        friend.page.get_by_role("button", name="Save the record").click()
    assert Path(saved.value.path()).read_text() == RECORD.to_text()

    # The friend takes a seat and plays on against agents.
    friend.page.get_by_label("Your seat").select_option("0")
    friend.page.get_by_label("Opponents").select_option("beginner")
    friend.page.get_by_role("button", name="Continue from move 4").click()
    friend.board.wait_for()
    states = list(RECORD.states())
    expect(friend.page.locator(".hand [data-card]")).to_have_count(len(states[4].hand(0)))
    friend.wait_for_decision()


@pytest.mark.slow
def test_a_record_that_is_dropped_and_one_that_is_wrong(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    page = seat.page
    seat.watch.is_server_up = False  # Chromium counts an answer of 422 as an error
    bring(seat, RECORD.to_text().replace("official", "oficial"))
    expect(page.locator("#record-problem")).to_contain_text("line 2: no rules preset 'oficial'")
    chosen = page.evaluate(
        "() => { const e = document.activeElement; return e.value.slice(e.selectionStart, e.selectionEnd) }"
    )
    assert "oficial" in chosen
    seat.watch.is_server_up = True
    transfer = page.evaluate_handle(
        "text => { const t = new DataTransfer(); t.items.add(new File([text], 'game.txt')); return t }",
        RECORD.to_text(),
    )
    page.dispatch_event(".drop", "drop", {"dataTransfer": transfer})
    expect(page.get_by_role("button", name="One move on")).to_be_enabled()
    # The page still has something to write into the address when its reader has left it.
    page.evaluate("() => { location.hash = '#/study'; document.querySelector('[aria-label=\"One move on\"]').click() }")
    expect(page.get_by_role("link", name=re.compile("Official, Hand size"))).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_a_record_with_long_names_fits(server: Server, open_seat: OpenSeat, size: tuple[int, int]) -> None:
    seat = open_seat(server, *size)
    bring(seat, RECORD.to_text().replace("random", "m" * 300))
    seat.page.locator("#board").wait_for()
    overflow = seat.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow == 0


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_study_is_accessible(server: Server, open_seat: OpenSeat, scheme: str) -> None:
    seat = open_seat(server, color_scheme=scheme)
    seat.page.goto(f"{seat.url}#/study")
    expect(seat.page.get_by_role("heading", name="Your finished games")).to_be_visible()
    assert list_violations(seat) == []
    bring(seat, RECORD.to_json_lines())
    seat.page.locator("#board").wait_for()
    assert list_violations(seat) == []
    seat.page.goto(f"{seat.url}#/study/nothing")
    seat.watch.is_server_up = False
    expect(seat.page.get_by_role("alert")).to_contain_text("There is no such game")
    assert list_violations(seat) == []
