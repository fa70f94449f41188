"""Lighthouse finds the static site accessible, and nothing against good practice."""

from __future__ import annotations

import pytest

from benchmarks.speed.lighthouse import LIGHTHOUSE, audit, serve_site
from lastcard.web.engine_files import has_engine

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not has_engine(), reason="the engine is not built: run make .venv/.engine"),
    pytest.mark.skipif(not LIGHTHOUSE.exists(), reason="Lighthouse comes with the page's tools: make frontend"),
]


def test_the_static_site_passes_lighthouse() -> None:
    with serve_site() as address:
        scores = audit(address, ("accessibility", "best-practices"))
    assert scores["accessibility"] == 100
    assert scores["best-practices"] >= 95
