"""Hints and analyses of a game on the server, which the browser searches by itself: its numbers are Python's."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import WebSocket, expect

from lastcard import _core
from lastcard.agents import make_agent
from lastcard.observation import Observation
from lastcard.rules import parse_rules
from lastcard.search.report import SearchReport
from tests.browser.conftest import Server
from tests.browser.seat import Seat

OpenSeat = Callable[..., Seat]
Messages = list[dict[str, Any]]


def listen(seat: Seat) -> tuple[Messages, Messages]:
    """Every message that the page sends and receives from now on."""
    sent: Messages = []
    received: Messages = []

    def follow(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(json.loads(frame)))
        socket.on("framereceived", lambda frame: received.append(json.loads(frame)))

    seat.page.on("websocket", follow)
    return sent, received


def put_together(received: Messages) -> Observation:
    """Puts the observation together from all that the seat was sent of the round."""
    views = [message["view"] for message in received if message["type"] == "view"]
    last = views[-1]
    events = {
        number: event
        for view in views
        if view["round"] == last["round"]
        for number, event in enumerate(view["log"], view["ply"] - len(view["log"]))
    }
    core = _core.read_view(last, [events[number] for number in sorted(events)])
    return Observation(core, parse_rules(last["rules"]["text"]))


def search(received: Messages, agent: str = "halving:simulations=20000") -> SearchReport:
    """The search that the page makes, in Python."""
    searcher: Any = make_agent(agent, 0)
    report: SearchReport = searcher.search(put_together(received))
    return report


def expect_done(seat: Seat) -> None:
    expect(seat.page.get_by_text(re.compile("^Done: "))).to_be_visible()


def test_a_hint_names_an_action_its_chance_and_a_reason(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    sent, _ = listen(seat)
    seat.sit(players=3, rules="official hand_size=12")
    seat.wait_for_decision()
    seat.page.keyboard.press("h")
    hint = seat.page.locator(".hint")
    expect(hint).to_be_visible()
    text = hint.inner_text()
    assert re.match(r"(Play|Draw|Keep|Name)", text), text
    assert len(text) > len("Draw a card."), text
    expect(seat.page.locator(".hinted").first).to_be_visible()
    assert {message["type"] for message in sent} <= {"join", "ping"}, "the server is not asked"


@pytest.mark.slow
def test_a_hint_says_what_the_analysis_says_and_that_is_what_python_finds(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    _, received = listen(seat)
    seat.sit(players=3, rules="official hand_size=12")
    seat.wait_for_decision()
    seat.act("mouse")
    seat.wait_for_decision()
    page = seat.page
    expect(page.get_by_role("meter")).to_be_hidden()
    page.keyboard.press("a")
    expect_done(seat)
    page.keyboard.press("h")
    hint = page.locator(".hint")
    expect(hint).to_be_visible()
    report = search(received)
    values = {value.action.text: value.value for value in report.actions}
    badges = page.locator(".bars .badge").all_inner_texts()
    if report.best.text == max(values, key=lambda action: values[action]):
        assert badges == ["best"]
        expect(page.locator(".bars li").first.locator(".badge")).to_be_visible()
    else:
        assert set(badges) == {"level"}
        expect(hint).to_contain_text("they are level")
    expect(hint).to_contain_text(re.compile(rf"{round(values[report.best.text] * 100)}%"))
    bars = page.locator(".bars button")
    expect(bars).to_have_count(len(values))
    expect(bars.first).to_contain_text(f"{max(values.values()) * 100:.1f}%")
    expect(page.locator(".reason")).to_contain_text("Why:")


@pytest.mark.slow
def test_after_a_reconnect_the_page_knows_all_that_it_needs(own_server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(own_server)
    _, received = listen(seat)
    seat.sit(players=2, rules="official hand_size=12")
    for _ in range(2):
        seat.wait_for_decision()
        seat.act("mouse")
    seat.wait_for_decision()
    seat.watch.is_server_up = False
    own_server.stop()
    expect(seat.page.get_by_text("The connection is lost.")).to_be_visible()
    own_server.start()
    seat.wait_for_decision()
    seat.act("mouse")
    seat.wait_for_decision()
    while not seat.page.locator(".hand li.playable").count():  # a single action needs no search
        seat.act("mouse")
        seat.wait_for_decision()
    seat.page.keyboard.press("a")
    expect_done(seat)
    report = search(received)
    best = max(value.value for value in report.actions)
    expect(seat.page.locator(".bars button").first).to_contain_text(f"{best * 100:.1f}%")


@pytest.mark.slow
def test_the_heat_map_shows_each_opponent_each_card(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    _, received = listen(seat)
    seat.sit(players=3, rules="official hand_size=12")
    counts = seat.page.locator(".seats .count")
    for _ in range(20):
        seat.wait_for_decision()
        if len(set(counts.all_inner_texts())) == 2:
            break
        seat.act("mouse")
    # A seat with more cards is likelier to hold each: the two maps are not the same.
    assert len(set(counts.all_inner_texts())) == 2
    seat.page.keyboard.press("a")
    expect_done(seat)
    belief = search(received).belief
    assert belief is not None
    cells = seat.page.locator(".map td")
    expect(cells).to_have_count(54)
    for name, number in (("Ada", 1), ("Ben", 2)):
        seat.page.get_by_role("button", name=name, exact=True).click()
        expect(seat.page.locator(".map caption").first).to_contain_text(name)
        shown: dict[str, str] = cells.evaluate_all(
            "all => Object.fromEntries(all.map(c => [c.dataset.card, c.innerText]))"
        )
        for card, chance in belief.marginals()[number].items():
            assert abs(int(shown[card.text] or 0) - 100 * chance) <= 0.51, (card, chance)


@pytest.mark.slow
def test_choosing_analyst_and_budget_asks_again(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    seat.sit(rules="official hand_size=12")
    seat.wait_for_decision()
    seat.page.keyboard.press("a")
    expect_done(seat)
    seat.page.get_by_label("Budget").select_option(label="1,000 simulations")
    expect(seat.page.get_by_text(re.compile("^Done: ((1K|[0-9]{1,3}) simulations|there is nothing)"))).to_be_visible()
    seat.page.get_by_label("Budget").select_option(label="0.5 sec")
    # Another number, however fast the machine is.
    expect(seat.page.get_by_text(re.compile("^Done: (?!1K )"))).to_be_visible()


@pytest.mark.slow
def test_the_tree_of_a_tree_search_unfolds(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    _, received = listen(seat)
    seat.sit(rules="official hand_size=12")
    seat.wait_for_decision()
    seat.page.keyboard.press("a")
    expect_done(seat)
    expect(seat.page.get_by_role("heading", name="Search tree")).to_be_hidden()
    seat.page.get_by_label("Analyst").select_option("ismcts")
    expect(seat.page.get_by_role("heading", name="Search tree")).to_be_visible()
    expect_done(seat)
    root = search(received, "ismcts:simulations=20000").tree(1)
    expect(seat.page.locator(".tree > li")).to_have_count(len(root))
    first = seat.page.locator(".tree details").first
    expect(first.locator("ul").first).to_be_hidden()
    first.locator("summary").first.click()
    expect(first.locator("ul").first).to_be_visible()


@pytest.mark.parametrize("lacks", ["the file", pytest.param("WebAssembly", marks=pytest.mark.slow)])
def test_without_the_engine_one_sentence_stands_in_for_hints(server: Server, open_seat: OpenSeat, lacks: str) -> None:
    seat = open_seat(server)
    seat.watch.is_server_up = False  # Chromium counts an answer of 404 as an error
    if lacks == "the file":
        seat.page.route("**/engine/lastcard.wasm*", lambda route: route.fulfill(status=404))
    else:
        seat.page.add_init_script("delete globalThis.WebAssembly")
    seat.sit(rules="official hand_size=12")
    seat.wait_for_decision()
    seat.page.keyboard.press("h")
    expect(seat.page.locator(".coach [role=alert]")).to_contain_text("hints, analysis and judging need")
    expect(seat.page.locator(".hint")).to_be_hidden()
    seat.act("mouse")  # the game itself goes on
    seat.wait_for_decision()


@pytest.mark.slow
def test_a_network_that_does_not_fit_is_said_and_the_game_goes_on(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server)
    files = "**/engine/*.safetensors*"
    seat.page.route(files, lambda route: route.fulfill(body=b"not a network at all"))
    seat.sit(rules="official hand_size=12")
    seat.wait_for_decision()
    seat.page.keyboard.press("h")
    expect(seat.page.locator(".coach [role=alert]")).to_contain_text(re.compile("The network .* cannot be used"))
    seat.act("mouse")
    seat.wait_for_decision()
    seat.page.unroute(files)
    seat.page.keyboard.press("h")
    expect(seat.page.locator(".hint")).to_be_visible()  # the file is asked for again


@pytest.mark.slow
def test_the_core_never_runs_on_the_thread_of_the_page(server: Server, open_seat: OpenSeat) -> None:
    """Only workers make an instance of it, so no search can block a frame."""
    seat = open_seat(server)
    seat.page.add_init_script(
        """window.instances = 0;
        const { instantiate, Instance } = WebAssembly;
        WebAssembly.instantiate = (...all) => { window.instances += 1; return instantiate(...all); };
        WebAssembly.Instance = class extends Instance {
            constructor(...all) { super(...all); window.instances += 1; }
        };"""
    )
    seat.sit(rules="official hand_size=12")
    seat.wait_for_decision()
    seat.page.keyboard.press("a")
    expect_done(seat)
    assert seat.page.evaluate("window.instances") == 0
    assert len(seat.page.workers) > 0
