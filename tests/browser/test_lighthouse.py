"""Lighthouse finds the pages of the static site accessible, and nothing against good practice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchmarks.speed.lighthouse import LIGHTHOUSE, audit, open_browser, prepare_pages, serve_site
from lastcard.web.engine_files import has_engine

DOCS = Path(__file__).parents[2] / "build" / "site"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not has_engine(), reason="the engine is not built: run make .venv/.engine"),
    pytest.mark.skipif(not LIGHTHOUSE.exists(), reason="Lighthouse comes with the page's tools: make frontend"),
    pytest.mark.skipif(not (DOCS / "index.html").exists(), reason="the documentation is not built: run make site"),
]


def test_the_static_site_passes_lighthouse() -> None:
    # In a thread of its own: the browser of other tests keeps an event loop running in this one.
    with serve_site(DOCS) as address, open_browser() as port, ThreadPoolExecutor(1) as pool:
        pages = pool.submit(prepare_pages, address, port).result() | {
            "docs": f"{address}docs/",
            "board": f"{address}docs/explanation/sequential-halving.html",
        }
        scores = {name: audit(page, ("accessibility", "best-practices"), port) for name, page in pages.items()}
    assert {name: score["accessibility"] for name, score in scores.items()} == dict.fromkeys(pages, 100)
    assert {name: score["best-practices"] for name, score in scores.items() if score["best-practices"] < 95} == {}
