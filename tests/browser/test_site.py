"""`lastcard site`: a folder below any path, offline after the first visit, installable, updated with a running game."""

from __future__ import annotations

import errno
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, FilePayload, Playwright, expect

from lastcard.errors import LastcardError
from lastcard.web.engine_files import has_engine
from lastcard.web.site import write_site
from tests.browser.conftest import ARGUMENTS, PATIENCE_MS, Watch, find_chromium
from tests.browser.seat import Seat
from tests.browser.static_host import Host
from tests.browser.test_device import choose, read_all, read_stored

OpenSeat = Callable[..., Seat]

DOCS = Path(__file__).parents[2] / "build" / "site"
NUM_DOCS_KEPT = """() => caches.keys().then(([name]) => caches.open(name)).then((cache) => cache.keys())
    .then((kept) => kept.filter(({ url }) => url.includes("/docs/")).length)"""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not has_engine(), reason="the engine is not built: run make .venv/.engine"),
]


@pytest.fixture
def write_host(tmp_path: Path) -> Iterator[Callable[..., Host]]:
    """Writes a site for a host, which stops after its pages were closed: they may still be fetching files."""
    made: list[Host] = []

    def write(docs: Path | None = None, **settings: Any) -> Host:
        made.append(Host(tmp_path, **settings))
        write_site(made[-1].site, docs)
        return made[-1]

    yield write
    for each in made:
        each.stop()


@pytest.fixture
def host(write_host: Callable[..., Host]) -> Host:
    made = write_host()
    made.start()
    return made


def wait_until_kept(seat: Seat) -> None:
    seat.page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    seat.page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def test_after_the_first_visit_a_game_needs_no_network(host: Host, open_seat: OpenSeat) -> None:
    seat = open_seat(host, 390, 844, has_touch=True)
    seat.open_start()
    wait_until_kept(seat)
    host.stop()
    seat.watch.is_server_up = False  # the browser looks for a new version, and says that it cannot
    seat.page.reload()
    seat.open_start()
    choose(seat.page, "One round", "Instant", "Champion")
    seat.deal()
    seat.wait_for_decision()
    seat.act("touch")
    seat.page.goto(f"{host.url}#/ladder")
    expect(seat.page.get_by_role("heading", level=1)).to_be_visible()


def test_pages_that_need_a_server_say_so(host: Host, open_seat: OpenSeat) -> None:
    seat = open_seat(host)
    for page in ("advise", "pair", "join/abc/def", "study/abc"):
        seat.page.goto(f"{host.url}#/{page}")
        expect(seat.page.get_by_text("That page needs a server, which this site does not have.")).to_be_visible()
        expect(seat.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    seat.page.evaluate("() => { location.hash = '#/'; }")
    expect(seat.page.get_by_text("That page needs a server")).to_have_count(0)


@pytest.mark.skipif(not (DOCS / "boards" / "engine.js").exists(), reason="the documentation is not built: make site")
def test_the_documentation_needs_no_network_once_a_page_was_read(
    host: Host, open_seat: OpenSeat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lastcard.web.site.DOCS", DOCS)  # where a wheel has it
    write_site(host.site)
    seat = open_seat(host)
    seat.open_start()
    wait_until_kept(seat)
    num_files = sum(1 for path in DOCS.rglob("*") if path.is_file())
    assert seat.page.evaluate(NUM_DOCS_KEPT) == 0
    seat.page.get_by_role("link", name="Documentation").click()
    expect(seat.page.get_by_role("heading", level=1)).to_be_visible()
    for _ in range(600):
        if seat.page.evaluate(NUM_DOCS_KEPT) == num_files:
            break
        seat.page.wait_for_timeout(200)
    assert seat.page.evaluate(NUM_DOCS_KEPT) == num_files
    host.stop()
    seat.watch.is_server_up = False
    seat.page.goto(f"{host.url}docs/explanation/tree-searches.html")
    seat.page.locator("[data-board]").scroll_into_view_if_needed()
    expect(seat.page.locator(".board-status")).to_have_text(re.compile("^The search chooses "))
    seat.page.goto(f"{host.url}docs/")
    expect(seat.page.get_by_role("heading", level=1)).to_be_visible()


def test_a_host_may_leave_out_the_ends_of_addresses(
    tmp_path: Path, write_host: Callable[..., Host], open_seat: OpenSeat
) -> None:
    """Some hosts redirect from `x.html` to `x` and from `index.html` to its folder."""
    docs = tmp_path / "docs"
    docs.mkdir()
    for name in ("index", "rules"):
        (docs / f"{name}.html").write_text(f"<title>{name}</title><link rel='icon' href='data:,'><h1>{name}</h1>")
    host = write_host(docs, has_short_addresses=True)
    host.start()
    seat = open_seat(host)
    seat.open_start()
    wait_until_kept(seat)
    seat.page.goto(f"{host.url}docs/index.html")
    seat.page.wait_for_function(f"() => ({NUM_DOCS_KEPT})().then((number) => number === 2)")
    host.stop()
    seat.watch.is_server_up = False
    for page in ("docs/", "docs/rules.html", "docs/rules"):
        seat.page.goto(f"{host.url}{page}")
        expect(seat.page.get_by_role("heading", level=1)).to_be_visible()
    seat.open_start()


@pytest.mark.slow
def test_it_can_be_installed(host: Host, open_seat: OpenSeat) -> None:
    seat = open_seat(host)
    seat.open_start()
    wait_until_kept(seat)
    client = seat.page.context.new_cdp_session(seat.page)
    manifest = client.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["name"] == "lastcard"
    # Playwright's windows are private ones, in which nothing can be installed; there must be no other reason.
    errors = {error["errorId"] for error in client.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert errors <= {"in-incognito"}


@pytest.fixture
def open_profile(playwright: Playwright, tmp_path: Path) -> Callable[..., BrowserContext]:
    """Starts a browser that remembers what was installed in it."""

    def open_browser(*options: str) -> BrowserContext:
        context = playwright.chromium.launch_persistent_context(
            str(tmp_path / "profile"), executable_path=find_chromium(), args=[*ARGUMENTS.split(), *options]
        )
        context.set_default_timeout(PATIENCE_MS)
        return context

    return open_browser


@pytest.mark.slow
def test_the_installed_app_plays_without_a_network(host: Host, open_profile: Callable[..., BrowserContext]) -> None:
    with open_profile() as context:
        seat = Seat(context.new_page(), host.url, Watch(host.url))
        seat.open_start()
        wait_until_kept(seat)
        client = context.new_cdp_session(seat.page)
        app = client.send("Page.getAppId")["appId"]
        client.send("PWA.install", {"manifestId": app, "installUrlOrBundleUrl": host.url})
        assert client.send("PWA.getOsAppState", {"manifestId": app})["badgeCount"] == 0
    host.stop()
    with open_profile(f"--app={host.url}") as context:
        seat = Seat(context.pages[0], host.url, Watch(host.url))
        assert seat.page.evaluate("() => matchMedia('(display-mode: standalone)').matches")
        choose(seat.page, "One round", "Instant", "Champion")
        seat.deal()
        seat.wait_for_decision()
        seat.act("mouse")
        seat.wait_for_decision()
        hand = sorted(seat.hand)
    with open_profile(f"--app={host.url}") as context:  # closed in the middle of a game, and opened again
        seat = Seat(context.pages[0], host.url, Watch(host.url))
        seat.page.get_by_role("link", name="Resume your game").click()
        seat.wait_for_decision()
        assert sorted(seat.hand) == hand


def begin_game(host: Host, open_seat: OpenSeat) -> Seat:
    """A seat in the middle of a round, on a site that works without its host."""
    seat = open_seat(host)
    seat.open_start()
    wait_until_kept(seat)
    choose(seat.page, "One round", "Instant")
    seat.deal()
    seat.wait_for_decision()
    seat.act("mouse")
    seat.wait_for_decision()
    return seat


def test_a_tab_that_is_closed_loses_nothing(host: Host, open_seat: OpenSeat) -> None:
    seat = begin_game(host, open_seat)
    hand, top = sorted(seat.hand), seat.top_card
    context = seat.page.context
    seat.page.close()
    seat.page = context.new_page()
    seat.watch.follow(seat.page)
    seat.open_start()
    seat.page.get_by_role("link", name="Resume your game").click()
    seat.wait_for_decision()
    assert (sorted(seat.hand), seat.top_card) == (hand, top)


def offer_update(host: Host, seat: Seat) -> None:
    """Puts another version on the host, and lets the page find it."""
    page = host.site / "index.html"
    page.write_text(page.read_text().replace('name="lastcard-site"', 'name="lastcard-site" class="next"'))
    worker = host.site / "service-worker.js"
    worker.write_text(re.sub(r'VERSION = "[^"]*"', 'VERSION = "next"', worker.read_text()))
    seat.page.evaluate(
        "() => navigator.serviceWorker.getRegistration().then((found) => found.update()).then(() => null)"
    )
    expect(seat.page.get_by_text("A new version is ready")).to_be_visible()


def expect_update(seat: Seat) -> None:
    seat.page.wait_for_function("() => document.querySelector('meta.next') !== null")


def test_an_update_waits_and_keeps_the_running_game(host: Host, open_seat: OpenSeat) -> None:
    seat = begin_game(host, open_seat)
    hand, top = sorted(seat.hand), seat.top_card
    offer_update(host, seat)
    assert (sorted(seat.hand), seat.top_card) == (hand, top)
    seat.page.get_by_role("button", name="Update", exact=True).click()
    expect_update(seat)
    seat.wait_for_decision()
    assert (sorted(seat.hand), seat.top_card) == (hand, top)
    caches = seat.page.evaluate("() => caches.keys()")
    assert caches == [f"lastcard {host.url} next"]


def test_an_update_in_one_tab_updates_the_others_and_keeps_their_games(host: Host, open_seat: OpenSeat) -> None:
    seat = begin_game(host, open_seat)
    hand, top = sorted(seat.hand), seat.top_card
    other = Seat(seat.page.context.new_page(), host.url, seat.watch)
    seat.watch.follow(other.page)
    other.open_start()
    offer_update(host, other)
    other.page.get_by_role("button", name="Update", exact=True).click()
    expect_update(other)
    expect_update(seat)
    seat.page.bring_to_front()
    seat.wait_for_decision()
    assert (sorted(seat.hand), seat.top_card) == (hand, top)
    seat.page.keyboard.press("h")
    expect(seat.page.locator(".hint")).to_be_visible()


SPOIL = """(file) => caches.keys().then(([name]) => caches.open(name))
    .then((cache) => cache.put(new URL(file, location.href), new Response("half a network"))).then(() => null)"""
NETWORK = "engine/champion-3.safetensors"


def test_a_network_that_was_kept_and_does_not_fit_is_replaced(host: Host, open_seat: OpenSeat) -> None:
    seat = open_seat(host)
    seat.open_start()
    wait_until_kept(seat)
    seat.page.evaluate(SPOIL, NETWORK)
    choose(seat.page, "One round", "Instant", "Champion")
    seat.deal()
    seat.wait_for_decision()
    hand = sorted(seat.hand)
    host.stop()
    seat.watch.is_server_up = False
    seat.page.reload()
    seat.wait_for_decision()
    assert sorted(seat.hand) == hand


def test_a_network_that_does_not_fit_keeps_the_game_until_the_host_has_another(
    write_host: Callable[..., Host], open_seat: OpenSeat
) -> None:
    """A browser without service workers keeps the wrong file in its own cache, as it may."""
    host = write_host(kept_seconds=10_000)
    file = host.site / NETWORK
    network = file.read_bytes()
    file.write_bytes(network[:1000])
    host.start()
    seat = open_seat(host)
    seat.page.add_init_script("delete Navigator.prototype.serviceWorker")
    seat.open_start()
    choose(seat.page, "One round", "Instant", "Champion")
    seat.page.get_by_role("button", name="Play", exact=True).click()
    notice = seat.page.get_by_role("alert")
    expect(notice).to_contain_text("The network champion-3 cannot be used")
    file.write_bytes(network)
    stored = read_stored(seat.page)["text"]
    notice.get_by_role("button", name="Try again").click()
    seat.wait_for_decision()
    assert read_stored(seat.page)["text"].startswith(stored.rstrip())


def test_a_network_that_the_host_lacks_is_named(host: Host, open_seat: OpenSeat) -> None:
    (host.site / NETWORK).unlink()
    seat = open_seat(host)
    seat.page.add_init_script("delete Navigator.prototype.serviceWorker")
    seat.open_start()
    choose(seat.page, "One round", "Instant", "Champion")
    seat.watch.is_server_up = False  # the browser says what it cannot load
    seat.page.get_by_role("button", name="Play", exact=True).click()
    told = "The network champion-3 cannot be used: The server answered 404."
    expect(seat.page.get_by_role("alert")).to_contain_text(told)


def test_a_browser_without_webassembly_is_told_what_it_lacks(host: Host, open_seat: OpenSeat) -> None:
    seat = open_seat(host)
    seat.page.add_init_script("delete globalThis.WebAssembly")
    seat.open_start()
    seat.page.get_by_role("button", name="Play", exact=True).click()
    expect(seat.page.get_by_role("alert")).to_have_text(
        "This browser has no WebAssembly, which games on this device, hints, analysis and judging need."
    )
    expect(seat.board).to_have_count(0)
    expect(seat.page.get_by_role("button", name="Play", exact=True)).to_be_enabled()


def open_beside_another(host: Host, open_seat: OpenSeat) -> tuple[Host, Seat]:
    """Another site in a folder of the same host, and a browser that has opened the first."""
    other = Host(host.folder, "games/more", port=host.port)
    write_site(other.site)
    seat = open_seat(Host(host.folder, "games", port=host.port))
    seat.url = host.url
    seat.open_start()
    return other, seat


def test_sites_of_one_host_keep_their_own_copies(host: Host, open_seat: OpenSeat) -> None:
    other, seat = open_beside_another(host, open_seat)
    wait_until_kept(seat)
    seat.page.goto(other.url)
    wait_until_kept(seat)
    kept = seat.page.evaluate("() => caches.keys()")
    assert sorted(name.split()[1] for name in kept) == [host.url, other.url]
    host.stop()
    seat.watch.is_server_up = False
    seat.open_start()


def test_sites_of_one_host_have_games_and_settings_of_their_own(host: Host, open_seat: OpenSeat) -> None:
    other, seat = open_beside_another(host, open_seat)
    page = seat.page
    choose(page, "One round", "Instant", "Beginner")
    seat.deal()
    seat.wait_for_decision()
    page.goto(f"{host.url}#/settings")
    page.get_by_role("radio", name="Dark").check()

    seat.url = other.url
    seat.open_start()
    expect(page.get_by_text("You have an unfinished game.")).to_have_count(0)
    assert page.evaluate("() => document.documentElement.dataset.theme") is None
    page.evaluate("() => { location.hash = '#/you'; }")
    page.get_by_role("button", name="Delete my data").click()
    page.get_by_role("group").get_by_role("button", name="Delete my data").click()
    expect(page.get_by_text("0 games were deleted")).to_be_visible()
    page.goto(f"{other.url}#/study")
    expect(page.get_by_text("None in this browser yet")).to_be_visible()

    seat.url = host.url
    seat.open_start()
    assert page.evaluate("() => document.documentElement.dataset.theme") == "dark"
    page.get_by_role("link", name="Resume your game").click()
    seat.wait_for_decision()


def test_a_game_that_another_site_has_is_imported_as_one_more(host: Host, open_seat: OpenSeat) -> None:
    other, seat = open_beside_another(host, open_seat)
    page = seat.page
    choose(page, "One round", "Instant", "Beginner")
    seat.deal()
    seat.wait_for_decision()
    stored = read_stored(page)
    export = json.dumps({"browser": {"games": [stored]}}).encode()
    file: FilePayload = {"name": "lastcard-data.json", "mimeType": "application/json", "buffer": export}
    page.goto(f"{other.url}#/study")
    for told in ("1 game was imported to this device.", "0 games were imported to this device; 1 was already here."):
        page.get_by_label("Choose a file").set_input_files([file])
        expect(page.get_by_role("status").filter(has_text=told)).to_be_visible()
    games = {game["site"]: game for game in read_all(page)}
    assert len(games) == 2
    assert games[urlsplit(host.url).path] == stored
    assert games[urlsplit(other.url).path]["text"] == stored["text"]
    seat.open_start()
    page.get_by_role("link", name="Resume your game").click()
    seat.wait_for_decision()


@pytest.mark.slow
def test_requests_to_an_api_are_never_kept(host: Host, open_seat: OpenSeat) -> None:
    (host.site / "api").mkdir()
    (host.site / "api" / "number.json").write_text("1")
    seat = open_seat(host)
    seat.open_start()
    wait_until_kept(seat)
    ask = "() => fetch('api/number.json', { cache: 'no-store' }).then((answer) => answer.json())"
    assert seat.page.evaluate(ask) == 1
    (host.site / "api" / "number.json").write_text("2")
    assert seat.page.evaluate(ask) == 2
    kept = seat.page.evaluate(
        "() => caches.keys().then(([name]) => caches.open(name)).then((c) => c.keys()).then((k) => k.map((r) => r.url))"
    )
    assert kept
    assert not [address for address in kept if "/api/" in address]


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(Exception, match="not a site of lastcard"):
        write_site(tmp_path)
    assert (tmp_path / "mine.txt").read_text() == "mine"
    site = tmp_path / "site"
    first = write_site(site)
    own = site / "CNAME"
    own.write_text("cards.example.org")
    (site / "assets" / "old.js").write_text("")  # of an earlier version
    (site / "away").symlink_to(tmp_path)
    elsewhere = ["../mine.txt", str(tmp_path / "mine.txt"), "away/mine.txt", "assets", "a/b"]
    mark = site / ".lastcard-site"
    mark.write_text("\n".join([mark.read_text(), "assets/old.js", *elsewhere]))
    assert write_site(site) == first
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert own.read_text() == "cards.example.org"
    assert "CNAME" not in (site / "service-worker.js").read_text()
    assert not (site / "assets" / "old.js").exists()
    (site / "docs").mkdir()
    (site / "docs" / "index.html").write_text("")
    with pytest.raises(Exception, match="is in the folder to write"):
        write_site(site, site / "docs")
    assert (site / "index.html").is_file()
    assert (site / ".nojekyll").is_file()  # without it GitHub Pages leaves out files whose names begin with "_"
    shutil.rmtree(site)


@pytest.mark.parametrize("name", ["engine/lastcard.wasm", "catalog.json", "index.html", "service-worker.js"])
def test_a_write_that_stops_early_keeps_the_site_and_is_repaired_by_the_next(tmp_path: Path, name: str) -> None:
    site = tmp_path / "site"
    blocked = site / name
    blocked.mkdir(parents=True)
    (site / ".lastcard-site").write_text("")  # a site that has nothing yet
    for _ in range(2):
        with pytest.raises(LastcardError, match=re.escape(f"cannot write '{blocked}': Is a directory")):
            write_site(site)
    blocked.rmdir()
    number = write_site(site)
    (site / "CNAME").write_text("cards.example.org")
    (site / "assets" / "old.js").write_text("")  # of an earlier version
    mark = site / ".lastcard-site"
    mark.write_text(f"{mark.read_text()}assets/old.js\n")
    files = {path: path.read_bytes() for path in site.rglob("*") if path.is_file() and path not in (blocked, mark)}
    blocked.unlink()
    blocked.mkdir()
    with pytest.raises(LastcardError, match="Is a directory"):
        write_site(site)
    assert {path: path.read_bytes() for path in files} == files
    blocked.rmdir()
    assert write_site(site) == number
    assert not (site / "assets" / "old.js").exists()
    assert (site / "CNAME").exists()
    assert len(mark.read_text().split()) == number


def test_a_first_write_that_stops_early_is_repaired_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("lastcard.web.site.make_catalog", fail)
        with pytest.raises(OSError, match="No space left"):
            write_site(tmp_path / "site")
    assert write_site(tmp_path / "site") == write_site(tmp_path / "other")


@pytest.mark.skipif(not (DOCS / "boards" / "engine.js").exists(), reason="the documentation is not built: make site")
@pytest.mark.parametrize("has_short_addresses", [False, True])
def test_every_page_of_the_documentation_leads_back_to_the_game(
    write_host: Callable[..., Host], open_seat: OpenSeat, has_short_addresses: bool
) -> None:
    host = write_host(DOCS, has_short_addresses=has_short_addresses)
    host.start()
    for path in (host.site / "docs").rglob("*.html"):
        assert path.read_text(encoding="utf-8").count(">Play</a>") == 1, path
    seat = open_seat(host, 390, 844)
    for page in ("docs/index.html", "docs/explanation/tree-searches.html"):
        seat.page.goto(f"{host.url}{page}")
        seat.page.get_by_role("link", name="Play", exact=True).click()
        expect(seat.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
        assert seat.page.url.split("#")[0] == host.url
