"""Plays in a browser until there is something to see, and takes the pictures of the web page that README.md shows.

Run it with `python -m docs.images.make_web` in the repository's root after changing the page.
"""

from __future__ import annotations

import io
import re
import tempfile
from pathlib import Path
from typing import Any, Literal

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import ARGUMENTS, KEEP_BY_HAND, PATIENCE_MS, Server, Watch
from tests.browser.seat import Seat

IMAGES = Path(__file__).parent
RECORD = IMAGES.parents[1] / "examples" / "round.txt"
JUDGE_MS = 300_000
GAME = {"players": 4, "opponents": ["hard"], "rules": "tournament", "length": "game"}
MOST_DEALS = 25
PLIES = 5


def find_decision(browser: Browser, server: Server, width: int, height: int, scheme: Literal["light", "dark"]) -> Seat:
    """A seat that has to choose between cards, a few plies into a game."""
    is_phone = width < 600
    for _ in range(MOST_DEALS):
        options: dict[str, Any] = {"color_scheme": scheme, "has_touch": is_phone, "is_mobile": is_phone}
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(KEEP_BY_HAND)
        seat = Seat(context.new_page(), server.url, Watch(server.url))
        seat.sit(**GAME)
        for _ in range(PLIES):
            if seat.wait_for_decision() != "over":
                seat.act("mouse")
        is_turn = seat.wait_for_decision() == "turn"
        if is_turn and seat.page.locator(".hand li.playable").count() >= 2 and len(seat.hand) <= 8:
            return seat
        context.close()
    raise SystemExit(f"no fitting decision in {MOST_DEALS} deals; try again")


def study_decision(browser: Browser, server: Server) -> Seat:
    """The costliest decision of the example, judged, with all cards face up."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000}, color_scheme="light")
    context.set_default_timeout(PATIENCE_MS)
    seat = Seat(context.new_page(), server.url, Watch(server.url))
    seat.page.goto(f"{server.url}#/study")
    seat.page.get_by_role("textbox", name="Record").fill(RECORD.read_text(encoding="utf-8"))
    seat.page.get_by_role("button", name="Study this record").click()
    seat.page.get_by_role("button", name="Judge every decision").click()
    seat.page.locator("[data-judging=done]").wait_for(timeout=JUDGE_MS)
    seat.page.get_by_role("button", name="Everything").click()
    seat.page.locator("[data-judging] ol button").first.click()
    seat.page.get_by_role("heading", name=re.compile("decides$")).wait_for()
    return seat


def take(seat: Seat, name: str) -> None:
    """Saves what the page shows once nothing moves any more."""
    seat.page.mouse.move(5, 5)
    seat.page.wait_for_function("() => document.getAnimations().every(one => one.playState === 'finished')")
    picture = Image.open(io.BytesIO(seat.page.screenshot())).convert("RGB")
    # A palette makes it a fifth of the size, and nobody sees the difference.
    few = picture.quantize(256, method=Image.Quantize.MAXCOVERAGE, kmeans=4, dither=Image.Dither.NONE)
    few.save(IMAGES / f"{name}.png", optimize=True)


def main() -> None:
    """Takes all pictures."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS.split())
        server = Server(Path(folder) / "web.db")
        server.start()
        try:
            wide = find_decision(browser, server, 1400, 1000, "light")
            wide.page.keyboard.press("l")
            wide.page.keyboard.press("a")
            wide.page.get_by_text("Done:").wait_for()
            take(wide, "web-table")
            take(find_decision(browser, server, 390, 844, "dark"), "web-phone")
            take(study_decision(browser, server), "web-study")
        finally:
            server.stop()
            browser.close()


if __name__ == "__main__":
    main()
