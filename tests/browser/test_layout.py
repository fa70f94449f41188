"""Nothing on the table overlaps, nothing moves when something appears, and all text fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.conftest import Server
from tests.browser.seat import Seat

OpenSeat = Callable[..., Seat]
SIZES = [
    (360, 640),
    (390, 844),
    (640, 400),  # 1280x800 at 200 %
    (768, 1024),
    (844, 390),
    (1024, 768),
    (1280, 800),
    (1366, 768),
    (2560, 1440),
]
PLAYERS = range(2, 11)
TIGHT = [(360, 640), (1366, 768)]
"""The sizes with the least room for ten; `make test-all` looks at all sizes with all numbers of players."""
LOOK = """() => {
    const parts = {
        bar: "header.bar", felt: ".felt", status: ".status", coach: ".coach", hand: ".hand", controls: ".controls",
        panel: ".gathering:not(main)", aside: ".aside", seat: ".seats > li", piles: ".middle",
    };
    const found = {};
    for (const [name, selector] of Object.entries(parts)) {
        document.querySelectorAll(selector).forEach((node, i) => {
            const { left, top, right, bottom } = node.getBoundingClientRect();
            found[`${name} ${i}`] = [left, top, right, bottom].map(Math.round);
        });
    }
    return found;
}"""
SETTLE = """async () => {
    await document.fonts.ready;
    for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
}"""
CLIPPED = """() => [...document.querySelectorAll("main *, .bar *")].flatMap((node) => {
    if (node.closest(".unseen, svg, .log, .scroll, option, .deal, input") || !node.checkVisibility()) return [];
    let [left, top, right, bottom] = [0, 0, innerWidth, innerHeight];
    for (let at = node; at !== document.body; at = at.parentElement) {
        const style = getComputedStyle(at);
        const bounds = at.getBoundingClientRect();
        const isBox = at.matches(".seat, .status, .controls, .button, .label, .said");
        if (!isBox && /auto|scroll/.test(style.overflowY)) return [];
        if (!isBox && style.overflowX === "visible") continue;
        [left, right] = [Math.max(left, bounds.left), Math.min(right, bounds.right)];
        if (isBox) [top, bottom] = [Math.max(top, bounds.top), Math.min(bottom, bounds.bottom)];
    }
    return [...node.childNodes].filter((child) => child.nodeType === 3 && child.textContent.trim()).flatMap((child) => {
        const range = document.createRange();
        range.selectNode(child);
        const text = range.getBoundingClientRect();
        const isWithin = text.left >= left - 1 && text.right <= right + 1;
        const fits = isWithin && text.top >= top - 3 && text.bottom <= bottom + 3;
        return fits ? [] : [`${child.textContent} of ${node.className} at ${text.left}, ${text.top}, ${text.right}`];
    });
})"""
Box = tuple[int, int, int, int]


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] - 1 and other[0] < one[2] - 1 and one[1] < other[3] - 1 and other[1] < one[3] - 1


def check(seat: Seat) -> dict[str, Box]:
    """No part lies on another or outside of the window, and no text is cut; returns where the parts are."""
    for _ in range(20):  # on a busy machine the table follows a closed panel some frames later
        boxes = wait_until_still(seat)
        problems = [*list_collisions(seat, boxes), *seat.page.evaluate(CLIPPED)]
        if not problems:
            break
        seat.page.wait_for_timeout(250)
    assert problems == []
    return boxes


def wait_until_still(seat: Seat) -> dict[str, Box]:
    """Waits until two looks find the parts in the same places."""
    seat.page.evaluate(SETTLE)
    boxes: dict[str, Box] = seat.page.evaluate(LOOK)
    for _ in range(20):
        seat.page.wait_for_timeout(100)
        before, boxes = boxes, seat.page.evaluate(LOOK)
        if boxes == before:
            break
    return boxes


def list_collisions(seat: Seat, boxes: dict[str, Box]) -> list[str]:
    size = seat.page.viewport_size
    assert size is not None
    outside = [
        f"{name} is outside of the window: {box}"
        for name, box in boxes.items()
        if min(box[:2]) < -1 or box[2] > size["width"] + 1 or box[3] > size["height"] + 1
    ]
    named = list(boxes.items())
    on_felt = ("seat", "piles")
    overlapping = [
        f"{one} {a} / {other} {b}"
        for i, (one, a) in enumerate(named)
        for other, b in named[i + 1 :]
        if overlap(a, b) and not (one.startswith("felt") and other.startswith(on_felt))
    ]
    return outside + overlapping


def check_again(seat: Seat, expected: dict[str, Box]) -> dict[str, Box]:
    """Checks until everything is where it is expected, or five seconds are over."""
    for _ in range(25):
        boxes = check(seat)
        if boxes == expected:
            break
        seat.page.wait_for_timeout(200)
    return boxes


def states(seat: Seat) -> Iterator[str]:
    """Brings up each thing that can appear beside the table, and takes it away again; names it while it is there."""
    page = seat.page
    page.evaluate("document.querySelector('.hand li.unfit button')?.click()")
    yield "remark"
    page.keyboard.press("h")
    expect(page.locator(".hint")).to_be_visible()
    yield "hint"
    for key in ("l", "a"):
        page.keyboard.press(key)
        expect(page.locator(".aside")).to_be_visible()
        expect(page.locator(".hint")).to_be_visible()  # an analysis is a new search, with the same answer
        check(seat)
        page.keyboard.press(key)
    expect(page.locator(".aside")).to_have_count(0)
    yield "closed panels"


def check_states(seat: Seat) -> dict[str, Box]:
    """Nothing moves when something appears; returns where the parts are."""
    if seat.page.locator(".aside").count():
        seat.page.keyboard.press("l")
        expect(seat.page.locator(".aside")).to_have_count(0)
        seat.page.wait_for_timeout(1000)
    before = check(seat)
    for name in states(seat):
        assert check_again(seat, before) == before, f"something moves: {name}"
    return before


def check_table(seat: Seat, players: int) -> None:
    sockets: list[WebSocketRoute] = []

    def connect(socket: WebSocketRoute) -> None:
        # The first one only: once it is closed, the connection stays lost.
        if not sockets:
            socket.connect_to_server()
        sockets.append(socket)

    seat.page.route_web_socket("**/ws", connect)
    seat.sit(players=players, length="game", rules="official hand_size=9")
    for _ in range(2):
        if seat.wait_for_decision() != "over":
            seat.act("mouse")
    seat.wait_for_decision()
    before = check_states(seat)
    assert len([name for name in before if name.startswith("seat")]) == players - 1
    for socket in sockets:
        socket.close()
    expect(seat.page.get_by_text("The connection is lost. Your seat is kept.")).to_be_visible()
    assert check_again(seat, before) == before, "something moves when the connection is lost"


def test_a_card_that_leans_out_of_the_window_scrolls_nothing(server: Server, open_seat: OpenSeat) -> None:
    seat = open_seat(server, 640, 400)
    seat.sit(players=3)
    seat.wait_for_decision()
    before = check(seat)
    seat.page.locator(".hand li").first.evaluate("card => { card.style.translate = '0 40px' }")
    seat.page.locator(".hand button").first.evaluate("button => { button.focus(); button.scrollIntoView() }")
    after = wait_until_still(seat)
    assert (after["bar 0"], after["felt 0"]) == (before["bar 0"], before["felt 0"])


def check_gathering(seat: Seat, players: int) -> None:
    seat.sit(players=players, friends=1, name="Maximiliane Schmidt")
    expect(seat.page.locator(".gathering .button.main")).to_be_visible()
    if seat.page.locator(".aside").count():
        seat.page.keyboard.press("l")
    check(seat)


@pytest.mark.parametrize("size", TIGHT)
def test_nothing_overlaps_or_moves(server: Server, open_seat: OpenSeat, size: tuple[int, int]) -> None:
    check_table(open_seat(server, *size), 10)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES[:4:3] + SIZES[4:7:2])
def test_the_invitation_covers_nothing(server: Server, open_seat: OpenSeat, size: tuple[int, int]) -> None:
    check_gathering(open_seat(server, *size), 6)


@pytest.mark.slow
@pytest.mark.parametrize("size", [*SIZES[:3], (1280, 800)])
def test_names_of_friends_are_whole(server: Server, open_seat: OpenSeat, size: tuple[int, int]) -> None:
    """Long ones, and one that runs from right to left, on a page at 200 % as well."""
    names = ["Maximiliane Schmidt", "عبد الرحمن الأندلسي"]
    seat = open_seat(server, *size)
    seat.sit(players=6, friends=len(names))
    held = seat.page.evaluate("JSON.parse(localStorage.getItem('lastcard.games'))[0]")
    for name in names:
        headers = {"Authorization": f"Bearer {held['invite']}"}
        path = f"{seat.url}api/games/{held['game']}/seats"
        assert seat.page.request.post(path, headers=headers, data={"name": name}).status == 201
    for name in names:
        expect(seat.page.locator(".seats .name", has_text=name)).to_be_visible()
    if seat.page.locator(".aside").count():
        seat.page.keyboard.press("l")
    check(seat)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("players", PLAYERS)
def test_nothing_overlaps_or_moves_at_any_size(
    server: Server, open_seat: OpenSeat, size: tuple[int, int], players: int
) -> None:
    check_table(open_seat(server, *size), players)
    check_gathering(open_seat(server, *size), players)
