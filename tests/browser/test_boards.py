"""Live boards of the documentation: they show what Python computes, also from files, and read well without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.seat import Seat
from tests.browser.static_host import Host
from tests.browser.test_accessibility import AXE
from tests.wasm.positions import Position, explain

OpenSeat = Callable[..., Seat]
Rows = list[list[str]]

BUILD = Path(__file__).parents[2] / "build"

pytestmark = pytest.mark.skipif(
    not (BUILD / "site" / "boards" / "engine.js").exists(), reason="the documentation is not built: run make site"
)

START = Position("r7 b5 yR w", "r5", 4, "draw")
"""The position that all boards start with."""
SEED = 1


def in_percent(chance: float) -> str:
    """Rounds halves up, as JavaScript's `toFixed` does."""
    return str(Decimal(100 * chance).quantize(Decimal("0.1"), ROUND_HALF_UP))


def percent(chance: float) -> str:
    return f"{in_percent(chance)} %"


def list_stages(position: Position, agent: str = "halving:advisor=heuristic") -> Rows:
    """A row for each action: its name, then each stage."""
    stages = explain(position, agent, SEED)["stages"]
    names = list(dict.fromkeys(row["action"] for stage in reversed(stages) for row in stage))
    rows = []
    for name in names:
        found = [next((row for row in stage if row["action"] == name), None) for stage in stages]
        rows.append([name, *map(_describe_stage, found)])
    return rows


def _describe_stage(row: dict[str, Any] | None) -> str:
    if row is None:
        return "–"
    return f"{percent(row['value'])} of {row['simulations']:,}" + ("" if row["stays"] else ", out")


def list_roots(position: Position, agent: str) -> Rows:
    """A row for each action: its name, its visits and its win probability."""
    found = explain(position, agent, SEED)
    order = [row["action"] for row in found["actions"]]
    roots = sorted(found["tree"], key=lambda node: order.index(node["action"]))
    return [[node["action"], f"{node['simulations']:,}", percent(node["value"])] for node in roots]


def list_chances(position: Position) -> Rows:
    """A row for each rank: the probability of each color in percent."""
    believed, counted = (
        explain(position, f"halving:advisor=heuristic,simulations={budget}", SEED)["belief"]["1"]
        for budget in ("200", "1,belief=uniform")
    )

    def describe(card: str) -> str:
        change = believed.get(card, 0) - counted.get(card, 0)
        sign = "" if abs(change) < 0.01 else " ▲" if change > 0 else " ▼"
        return f"{in_percent(believed.get(card, 0))}{sign}"

    rows = [[rank, *(describe(color + rank) for color in "rygb")] for rank in [*"0123456789", "S", "R", "+2"]]
    return [*rows, *([wild, describe(wild)] for wild in ("w", "w+4"))]


@dataclass(frozen=True)
class Board:
    """A page with a board, and what it shows of a position."""

    page: str
    compute: Callable[[Position], Rows]
    is_tree: bool = False

    def read(self, page: Page) -> Rows:
        """The rows as the page shows them, live or not; of a tree those of its root."""
        lines = page.locator(".board-shown > .board-node > summary, .board-shown > div.board-node")
        if self.is_tree and lines.count():
            texts = [" ".join(line.split()) for line in lines.all_inner_texts()]
            return [re.split(r" (?=[\d,]+ ·)| · ", text) for text in texts]
        rows = page.locator("[data-board] table tbody tr").all()
        cells = [[" ".join(cell.split()) for cell in row.locator("th, td").all_inner_texts()] for row in rows]
        return [[cell for cell in row if cell] for row in cells]


BOARDS = (
    Board("sequential-halving", list_stages),
    Board("expectiminimax", lambda position: list_roots(position, "expectiminimax"), is_tree=True),
    Board("tree-searches", lambda position: list_roots(position, "ismcts:simulations=2000"), is_tree=True),
    Board("hidden-cards", list_chances),
)


@pytest.fixture(scope="module")
def docs() -> Iterator[Host]:
    host = Host(BUILD, "site")
    host.start()
    yield host
    host.stop()


def open_board(seat: Seat, address: str) -> Page:
    seat.page.goto(address)
    wait_for_search(seat.page)
    return seat.page


def wait_for_search(page: Page) -> None:
    page.locator("[data-board]").scroll_into_view_if_needed()
    expect(page.locator(".board-status")).to_have_text(re.compile("^The search chooses "))


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.page)
def test_a_board_shows_what_python_computes(board: Board, docs: Host, open_seat: OpenSeat) -> None:
    page = open_board(open_seat(docs), f"{docs.url}explanation/{board.page}.html")
    before = board.read(page)
    assert before == board.compute(START)
    page.get_by_role("button", name="Remove yR").click()
    wait_for_search(page)
    hand = board.read(page)
    assert hand == board.compute(Position("r7 b5 w", "r5", 4, "draw")) != before
    page.get_by_label("Add").select_option("gS")
    wait_for_search(page)
    page.get_by_label("Top card").select_option("b2")
    wait_for_search(page)
    page.get_by_label("cards and then").select_option("b9")
    wait_for_search(page)
    assert board.read(page) == board.compute(Position("r7 b5 w gS", "b2", 4, "b9"))


@pytest.mark.parametrize("is_file", [False, True])
def test_the_engine_and_the_network_are_loaded_when_needed(docs: Host, browser: Browser, is_file: bool) -> None:
    page = browser.new_context().new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    folder = (BUILD / "site").as_uri() + "/" if is_file else docs.url
    page.goto(f"{folder}explanation/sequential-halving.html")
    assert f"{folder}boards/engine.js" not in asked
    wait_for_search(page)
    assert f"{folder}boards/engine.js" in asked
    expect(page.locator(".board-status")).to_contain_text("Its advisor is the heuristic.")
    network = f"{folder}boards/advisor-2.js"
    assert network not in asked
    page.locator("[data-board]").get_by_label("Search").select_option("halving")
    expect(page.locator(".board-status")).to_contain_text("Its advisor is the network.")
    assert network in asked
    shown = BOARDS[0].read(page)
    assert shown == list_stages(START, "halving") != list_stages(START)
    page.context.close()


def test_the_script_of_the_theme_waits() -> None:
    for page in (BUILD / "site").rglob("*.html"):
        if page.name != "404.html":
            html = page.read_text(encoding="utf-8")
            assert "/bundle." in html, page
            assert not re.search(r'<script src="[^"]*/bundle\.', html), page


@pytest.mark.parametrize("is_file", [False, True])
def test_the_search_box_finds_pages(docs: Host, browser: Browser, is_file: bool) -> None:
    page = browser.new_context().new_page()
    folder = (BUILD / "site").as_uri() + "/" if is_file else docs.url
    page.goto(f"{folder}explanation/sequential-halving.html")
    page.locator("input.md-search__input").click()
    page.keyboard.type("sequential halving")
    expect(page.locator(".md-search-result__item").first).to_contain_text("Sequential halving")
    page.context.close()


WATCH_PAGE = """
    window.calls = [];
    const watch = (owner, name) => {
        const real = owner[name];
        owner[name] = function (...given) {
            calls.push(name);
            return new.target ? new real(...given) : real.apply(this, given);
        };
    };
    for (const name of ["Module", "Instance", "compile", "compileStreaming", "instantiate", "instantiateStreaming"])
        watch(WebAssembly, name);
    watch(window, "atob");
"""
"""Lists what a page does to unpack, compile or start an engine outside workers."""


@pytest.mark.parametrize("is_file", [False, True])
def test_the_engine_runs_in_a_worker_only(docs: Host, browser: Browser, is_file: bool) -> None:
    page = browser.new_context().new_page()
    page.add_init_script(WATCH_PAGE)
    folder = (BUILD / "site").as_uri() + "/" if is_file else docs.url
    page.goto(f"{folder}explanation/sequential-halving.html")
    wait_for_search(page)
    page.locator("[data-board]").get_by_label("Search").select_option("halving")
    expect(page.locator(".board-status")).to_contain_text("Its advisor is the network.")
    assert page.evaluate("calls") == []
    assert [worker.url for worker in page.workers if worker.url.startswith(("blob:", f"{docs.url}boards/"))]
    page.evaluate("() => new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))")
    assert page.evaluate("calls") == ["Module"]  # it would have been seen
    page.context.close()


@pytest.mark.parametrize(
    ("setup", "engine", "message"),
    [
        ("delete globalThis.WebAssembly", None, "this browser has no WebAssembly"),
        ("", None, "the engine could not be loaded"),
        ("", "self.onmessage = () => { throw new Error('oh'); }", "the engine stopped (Uncaught Error: oh)"),
        ("", "self.onmessage = () => postMessage({ error: 'unreachable' })", "unreachable"),
    ],
)
def test_without_an_engine_the_table_stays(
    setup: str, engine: str | None, message: str, docs: Host, browser: Browser
) -> None:
    page = browser.new_context().new_page()
    page.add_init_script(setup)
    page.route("**/boards/engine.js", lambda route: route.fulfill(body=engine) if engine else route.abort())
    page.goto(f"{docs.url}explanation/sequential-halving.html")
    page.locator("[data-board]").scroll_into_view_if_needed()
    expect(page.locator(".board-status")).to_have_text(f"No live board: {message}.")
    assert BOARDS[0].read(page) == BOARDS[0].compute(START)
    # Where the browser cannot run the engine, no change of the form could help.
    expect(page.locator("[data-board] form")).to_have_count(0 if setup else 1)
    page.unroute("**/boards/engine.js")
    if not setup:
        page.get_by_role("button", name="Remove yR").click()
        wait_for_search(page)
        assert BOARDS[0].read(page) == BOARDS[0].compute(Position("r7 b5 w", "r5", 4, "draw"))
    page.context.close()


def test_a_reader_quicker_than_the_first_search_keeps_the_form(docs: Host, browser: Browser) -> None:
    page = browser.new_context().new_page()
    page.route("**/bundle.*.js", lambda _: None)  # the page is never loaded to its end
    page.goto(f"{docs.url}explanation/sequential-halving.html", wait_until="commit")
    for cards, words in (("0", "^The opponent held must be "), ("4", "^The search chooses ")):
        page.get_by_label("The opponent held").fill(cards)
        page.get_by_label("The opponent held").blur()
        expect(page.locator(".board-status")).to_have_text(re.compile(words))
    assert BOARDS[0].read(page) == BOARDS[0].compute(START)
    page.context.close()


def test_a_first_position_that_is_refused_keeps_the_form(docs: Host, browser: Browser) -> None:
    page = browser.new_context().new_page()
    address = f"{docs.url}explanation/sequential-halving.html"
    html = (BUILD / "site" / "explanation" / "sequential-halving.html").read_text(encoding="utf-8")
    body = html.replace(f'data-hand="{START.hand}"', 'data-hand="r0 b5"').replace('data-top="r5"', 'data-top="r0"')
    page.route(address, lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto(address)
    page.locator("[data-board]").scroll_into_view_if_needed()
    expect(page.locator(".board-status")).to_have_text("This position is not possible: the deck has no more r0.")
    page.get_by_role("button", name="Remove r0").click()
    wait_for_search(page)
    page.context.close()


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        (
            "The opponent held",
            ["", "0", "1", "2.5", "13", "105"],
            "The opponent held must be a whole number from 2 to 12.",
        ),
        ("Seed", ["", "-1", "1.5", "1e30"], "Seed must be a whole number from 0 to 999999."),
    ],
)
def test_a_number_outside_its_limits_is_not_searched(
    name: str, values: list[str], message: str, docs: Host, open_seat: OpenSeat
) -> None:
    page = open_board(open_seat(docs), f"{docs.url}explanation/sequential-halving.html")
    for value in values:
        field = page.get_by_label(name)
        before = field.input_value()
        field.fill(value)
        field.blur()
        expect(page.locator(".board-status")).to_have_text(message)
        assert BOARDS[0].read(page) == []
        field.fill(before)
        field.blur()
        wait_for_search(page)
    assert BOARDS[0].read(page) == BOARDS[0].compute(START)


def test_an_action_that_is_not_possible_any_more_is_said(docs: Host, open_seat: OpenSeat) -> None:
    page = open_board(open_seat(docs), f"{docs.url}explanation/hidden-cards.html")
    page.get_by_label("cards and then").select_option("r9")
    wait_for_search(page)
    page.get_by_label("Top card").select_option("b2")
    expect(page.locator(".board-status")).to_have_text(
        re.compile(r"^That action is not possible any more\. The search chooses ")
    )
    assert BOARDS[3].read(page) == BOARDS[3].compute(Position("r7 b5 yR w", "b2", 4))
    page.get_by_label("Seed").fill("1")
    page.get_by_label("cards and then").select_option("draw")
    wait_for_search(page)


def test_after_an_engine_has_died_the_next_search_starts_another_one(docs: Host, browser: Browser) -> None:
    page = browser.new_context().new_page()
    page.goto(f"{docs.url}explanation/sequential-halving.html")
    wait_for_search(page)
    engine = next(worker for worker in page.workers if worker.url.endswith("/boards/engine.js"))
    engine.evaluate("() => { self.postMessage = () => {}; self.onmessage = () => { throw 1; }; }")
    page.get_by_role("button", name="Remove yR").click()
    expect(page.locator(".board-status")).to_have_text("No live board: the engine stopped (Uncaught 1).")
    assert BOARDS[0].read(page) == []
    page.get_by_label("Add").select_option("yR")
    wait_for_search(page)
    assert BOARDS[0].read(page)
    page.context.close()


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.page)
def test_without_scripts_a_page_shows_the_same_table(board: Board, docs: Host, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{docs.url}explanation/{board.page}.html")
    assert board.read(page) == board.compute(START)
    context.close()


def test_a_board_works_in_a_page_opened_as_a_file(browser: Browser) -> None:
    page = browser.new_context().new_page()
    page.goto((BUILD / "site" / "explanation" / "tree-searches.html").as_uri())
    wait_for_search(page)
    assert BOARDS[2].read(page) == BOARDS[2].compute(START)
    page.context.close()


@pytest.mark.slow
def test_a_board_is_used_by_keyboard_alone(docs: Host, open_seat: OpenSeat) -> None:
    page = open_board(open_seat(docs), f"{docs.url}explanation/tree-searches.html")
    page.get_by_role("button", name="Remove r7").focus()
    page.keyboard.press("Enter")
    wait_for_search(page)
    expect(page.get_by_role("button", name="Remove b5")).to_be_focused()
    page.get_by_label("cards and then").focus()
    page.keyboard.type("did")
    wait_for_search(page)
    node = page.locator(".board-shown > details").nth(1)
    node.locator("> summary").focus()
    page.keyboard.press("Enter")
    expect(node).to_have_attribute("open", "")
    assert BOARDS[2].read(page) == BOARDS[2].compute(Position("b5 yR w", "r5", 4))


@pytest.mark.slow
def test_an_impossible_position_is_refused_in_words(docs: Host, open_seat: OpenSeat) -> None:
    page = open_board(open_seat(docs), f"{docs.url}explanation/sequential-halving.html")
    page.get_by_label("Add").select_option("r0")
    wait_for_search(page)
    page.get_by_label("Top card").select_option("r0")
    expect(page.locator(".board-status")).to_have_text("This position is not possible: the deck has no more r0.")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.page)
def test_boards_are_accessible_and_fit_on_a_phone(
    board: Board, scheme: Literal["light", "dark"], docs: Host, open_seat: OpenSeat
) -> None:
    seat = open_seat(docs, 390, 844, color_scheme=scheme)
    page = open_board(seat, f"{docs.url}explanation/{board.page}.html")
    page.evaluate(AXE.read_text() + ";undefined")
    found: Sequence[Any] = page.evaluate('async () => (await axe.run("[data-board]")).violations')
    assert [f"{entry['id']}: {entry['nodes'][0]['html']}" for entry in found] == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
