"""Audits the static site with Lighthouse: `python -m benchmarks.speed.lighthouse [--runs N] [--docs FOLDER]`.

Writes the site of `lastcard site` to a folder, serves it compressed, and lets Lighthouse load the start page, a table,
a study, the rules and a page of the documentation in Chromium as on a phone: a slow network and a slow CPU. Performance
is the median of the runs. Each run is a first visit, except of a table or a study, which exist only on a later one.
Needs the page's tools (`make frontend`) and the engine (`make web`).
"""

from __future__ import annotations

import argparse
import functools
import gzip
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, sync_playwright

from lastcard.web.site import write_site

ROOT: Final = Path(__file__).parents[2]
LIGHTHOUSE: Final = ROOT / "frontend" / "node_modules" / "lighthouse" / "cli" / "index.js"
LEAST_PERFORMANCE: Final = 90
RECORD: Final = ROOT / "examples" / "round.txt"
_FLAGS: Final = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
_LATER: Final = ("table", "study")
_START_SECONDS: Final = 60
_COMPRESSED: Final = (".html", ".js", ".css", ".json", ".svg", ".wasm", ".webmanifest")


class Compressing(SimpleHTTPRequestHandler):
    """Serves files as static hosts do: texts and the engine compressed."""

    def do_GET(self) -> None:
        """Sends a file."""
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if path.suffix not in _COMPRESSED or not path.is_file():
            super().do_GET()
            return
        body = gzip.compress(path.read_bytes(), 6)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@contextmanager
def serve_site(docs: Path | None = None) -> Iterator[str]:
    """Serves the static site; yields its address."""
    with tempfile.TemporaryDirectory() as folder:
        write_site(Path(folder) / "site", docs)
        handler = functools.partial(Compressing, directory=folder)
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as serving:
            threading.Thread(target=serving.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{serving.server_address[1]}/site/"
            serving.shutdown()


@contextmanager
def open_browser() -> Iterator[int]:
    """Starts a Chromium that keeps what pages store until the end; yields the port of its debugger."""
    chromium = shutil.which("chromium")
    if chromium is None or not LIGHTHOUSE.is_file():
        raise SystemExit("Lighthouse needs Debian's chromium and the page's tools: make programs frontend")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        told = Path(folder) / "DevToolsActivePort"
        command = [chromium, *_FLAGS, f"--user-data-dir={folder}", "--remote-debugging-port=0", "about:blank"]
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until = time.monotonic() + _START_SECONDS
            while not (told.is_file() and told.read_text(encoding="ascii").count("\n")):
                if running.poll() is not None or time.monotonic() > until:
                    raise SystemExit("chromium did not start")
                time.sleep(0.1)
            yield int(told.read_text(encoding="ascii").splitlines()[0])
        finally:
            running.terminate()
            running.wait()


def prepare_pages(address: str, port: int) -> dict[str, str]:
    """Begins a game and brings a record in that browser; returns the address of each page by its name."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
        page = browser.contexts[0].new_page()
        table, study = _begin_game(page, address), _bring_record(page, address)
        page.close()
    return {"start": address, "table": table, "study": study, "rules": f"{address}#/rules"}


def _begin_game(page: Page, address: str) -> str:
    page.goto(address)
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator(".hand [data-card]").first.wait_for()
    return page.url


def _bring_record(page: Page, address: str) -> str:
    page.goto(f"{address}#/study")
    page.get_by_role("textbox", name="Record").fill(RECORD.read_text(encoding="utf-8"))
    page.get_by_role("button", name="Study this record").click()
    page.get_by_role("button", name="Judge every decision").wait_for()
    return page.url


def audit(address: str, categories: Sequence[str], port: int, *, is_first_visit: bool = False) -> dict[str, float]:
    """Audits a page in that browser; returns the score of each category, of 100, and prints the audits that failed."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = ["node", str(LIGHTHOUSE), address, "--quiet", "--output=json", f"--output-path={report}"]
        command += [f"--only-categories={','.join(categories)}", f"--port={port}", "--no-enable-error-reporting"]
        # Otherwise Lighthouse deletes the service worker and its files. From these files alone, nothing comes over the
        # network, and a slow one cannot be simulated.
        command += [] if is_first_visit else ["--disable-storage-reset"]
        subprocess.run(command, cwd=folder, check=True)
        found = json.loads(report.read_text(encoding="utf-8"))
    for category in found["categories"].values():
        for part in category["auditRefs"]:
            entry = found["audits"][part["id"]]
            if part["weight"] > 0 and entry["score"] is not None and entry["score"] < 0.9:
                print(f"{category['id']}: {entry['id']} {entry['score']} {entry.get('displayValue', '')}")
    failed = [entry["id"] for entry in found["audits"].values() if entry.get("errorMessage")]
    if any(category["score"] is None for category in found["categories"].values()):
        sys.exit(f"lighthouse: {address} could not be measured ({', '.join(failed)}); try again on a quiet machine")
    return {name: 100 * category["score"] for name, category in found["categories"].items()}


def main() -> None:
    """Prints the scores and the median of performance."""
    parser = argparse.ArgumentParser(description="Audit the static site with Lighthouse.")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--docs", type=Path, help="built documentation, to audit its start page as well")
    parser.add_argument("--page", default="", help="only this page: start, table, study, rules or docs")
    options = parser.parse_args()
    with serve_site(options.docs) as address, open_browser() as port:
        pages = prepare_pages(address, port)
        if options.docs:
            pages["docs"] = f"{address}docs/explanation/sequential-halving.html"
        for name, page in pages.items():
            if options.page not in ("", name):
                continue
            _report(name, page, options.runs, port, is_first_visit=name not in _LATER)


def _report(name: str, page: str, num_runs: int, port: int, *, is_first_visit: bool) -> None:
    check = functools.partial(audit, page, port=port, is_first_visit=is_first_visit)
    runs = [check(("performance",))["performance"] for _ in range(num_runs)]
    scores = check(("accessibility", "best-practices"))
    median = statistics.median(runs)
    verdict = "ok" if median >= LEAST_PERFORMANCE else f"less than {LEAST_PERFORMANCE}"
    print(f"{name}: performance {median:.0f} (median of {', '.join(f'{run:.0f}' for run in runs)}), {verdict}")
    print(f"{name}: " + ", ".join(f"{category} {score:.0f}" for category, score in scores.items()))


if __name__ == "__main__":
    main()
