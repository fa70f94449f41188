"""A real server in a process of its own, a real Chromium, and pages that may say nothing bad."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, expect, sync_playwright

from tests.browser.seat import Seat

ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
)
PATIENCE_MS = 120_000
KEEP_BY_HAND = """if (location.origin !== "null") {  // a blank page has no storage, and says so
    for (const name of ["lastcard.preferences", `lastcard ${location.pathname} preferences`]) {
        const kept = JSON.parse(localStorage.getItem(name) ?? "{}");
        localStorage.setItem(name, JSON.stringify({ keepForMe: false, ...kept }));
    }
}"""
"""Lets a drawn card that does not fit be kept by the person. By itself the page keeps it after a moment, so that a test
which looks at such a decision twice may see the next one. A static site has settings of its own."""
expect.set_options(timeout=PATIENCE_MS)


@dataclass
class Server:
    """`lastcard serve` with a store of its own, which can be killed and started again."""

    store: Path
    port: int = 0
    process: subprocess.Popen[str] | None = None
    address: str = ""
    options: tuple[str, ...] = ()

    def start(self) -> None:
        command = [str(Path(sys.executable).parent / "lastcard"), "serve", "--store", str(self.store)]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port), *self.options], stdout=subprocess.PIPE, text=True, env={**os.environ}
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "http://" in line, f"lastcard serve said {line!r}"
        self.address = line.split("http://")[1].split()[0]
        self.port = int(self.address.rpartition(":")[2])

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(timeout=PATIENCE_MS / 1000)
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None

    @property
    def url(self) -> str:
        return f"http://{self.address}/"


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    serving = Server(tmp_path_factory.mktemp("store") / "web.db")
    serving.start()
    yield serving
    serving.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    serving = Server(tmp_path / "web.db")
    serving.start()
    yield serving
    serving.stop()


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Lives no longer than the tests here: while it does, asyncio believes that a loop is running."""
    with sync_playwright() as started:
        yield started


def find_chromium() -> str:
    chromium = shutil.which("chromium")
    assert chromium, "the tests of the page need Debian's chromium: make programs"
    return chromium


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    launched = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS.split())
    yield launched
    launched.close()


@dataclass
class Watch:
    """Watches that a page does not fail, break its policy, or ask other hosts for anything."""

    url: str
    complaints: list[str] = field(default_factory=list)
    is_server_up: bool = True

    def follow(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("console", self._hear)
        page.on("request", lambda request: self._check_host(request.url))
        page.on("websocket", lambda socket: self._check_host(socket.url))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and self.is_server_up:
            self.complaints.append(f"{message.type}: {message.text}")

    def _check_host(self, address: str) -> None:
        origin = "/".join(self.url.split("/")[:3])
        own = (self.url, self.url.replace("http", "ws", 1), f"blob:{origin}/")
        if not address.startswith(own) and address != "about:blank":
            self.complaints.append(f"other host: {address}")


@pytest.fixture
def open_seat(browser: Browser) -> Iterator[Callable[..., Seat]]:
    """Opens a page of a browser that knows nothing yet; fails afterwards if it complained."""
    contexts: list[BrowserContext] = []
    watches: list[Watch] = []

    def open_page(
        server: Server, width: int = 1280, height: int = 800, *, keeps_for_me: bool = False, **options: Any
    ) -> Seat:
        context = browser.new_context(
            viewport={"width": width, "height": height}, reduced_motion=options.pop("motion", "reduce"), **options
        )
        context.set_default_timeout(PATIENCE_MS)
        if not keeps_for_me:
            context.add_init_script(KEEP_BY_HAND)
        contexts.append(context)
        page = context.new_page()
        watch = Watch(server.url)
        watch.follow(page)
        watches.append(watch)
        return Seat(page, server.url, watch)

    yield open_page
    for context in contexts:
        context.close()
    assert [complaint for watch in watches for complaint in watch.complaints] == []
