"""Lighthouse finds the pages of the static site accessible, and nothing against good practice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from benchmarks.speed.lighthouse import LIGHTHOUSE, audit, open_browser, prepare_pages, serve_site
from lastcard.web.engine_files import has_engine

DOCS = Path(__file__).parents[2] / "build" / "site"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not has_engine(), reason="the engine is not built: run make .venv/.engine"),
    pytest.mark.skipif(not LIGHTHOUSE.exists(), reason="Lighthouse comes with the page's tools: make frontend"),
    pytest.mark.skipif(not (DOCS / "index.html").exists(), reason="the documentation is not built: run make site"),
]


def list_caches(address: str, port: int) -> list[str]:
    """Names of the caches in that browser, after opening a page that adds none."""
    with sync_playwright() as playwright:
        page = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}").contexts[0].new_page()
        page.goto(address)
        kept: list[str] = page.evaluate("() => caches.keys()")
        page.close()
    return kept


def test_the_static_site_passes_lighthouse() -> None:
    # In a thread of its own: the browser of other tests keeps an event loop running in this one.
    with serve_site(DOCS) as address, open_browser() as port, ThreadPoolExecutor(1) as pool:
        pages = pool.submit(prepare_pages, address, port).result() | {
            "docs": f"{address}docs/",
            "board": f"{address}docs/explanation/sequential-halving.html",
        }
        scores = {
            name: audit(page, ("accessibility", "best-practices"), port, is_first_visit=name == "board")
            for name, page in pages.items()
        }
        kept = pool.submit(list_caches, pages["board"], port).result()
    assert {name: score["accessibility"] for name, score in scores.items()} == dict.fromkeys(pages, 100)
    assert {name: score["best-practices"] for name, score in scores.items() if score["best-practices"] < 95} == {}
    assert kept == [], "the last audit was not that of a first visit"
