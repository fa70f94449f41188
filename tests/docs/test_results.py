"""The figures in the pages are those of the committed results."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmarks.pages import fill_page
from docs.images.make_figures import FIGURES, digest
from docs.images.make_figures import HERE as IMAGES
from tests.docs.pages import PAGES, read_page


@pytest.mark.parametrize(
    "page", [page for page in PAGES if "<!-- from " in read_page(page) or ".json: " in read_page(page)]
)
def test_a_page_has_the_committed_figures(page: str) -> None:
    assert read_page(page) == fill_page(read_page(page)), "python -m benchmarks.pages puts them in"


def test_a_table_follows_its_results(tmp_path: Path) -> None:
    rows = [{"name": name, "share": 0.5, "error": 0.01, "deals": 2000} for name in ("mcts one", "pomcp two")]
    (tmp_path / "trees-x.json").write_text(json.dumps([*rows, {"name": "time", "mean_ms": 1.2}]), encoding="utf-8")
    page = "before\n<!-- from trees-x.json: mcts -->\nold\n<!-- end -->\nafter"
    assert fill_page(page, tmp_path) == (
        "before\n<!-- from trees-x.json: mcts -->\n\n"
        "|  | rounds won | deals |\n| --- | ---: | ---: |\n| mcts one | 50.0 ± 1.0 % | 2,000 |\n\n"
        "<!-- end -->\nafter"
    )


def test_what_was_not_measured_says_how_to(tmp_path: Path) -> None:
    page = fill_page("<!-- from trees-corrections.json -->\n<!-- end -->", tmp_path)
    assert "`python -m benchmarks.strength.trees corrections --save`" in page


def test_a_figure_within_a_line_follows_its_results(tmp_path: Path) -> None:
    (tmp_path / "speed.json").write_text('{"figures": {"rounds": 1234567.8}}', encoding="utf-8")
    page = "It is <!-- speed.json: rounds -->12<!-- --> a second."
    assert fill_page(page, tmp_path) == "It is <!-- speed.json: rounds -->1,234,568<!-- --> a second."


def test_the_readme_has_the_cost_that_the_page_on_analyses_shows() -> None:
    found = re.search(r"\(cost (\d+ ± \d+)\)", read_page("docs/how-to/analyse-a-game.md"))
    assert found
    assert f"one cost {found[1]} points" in read_page("README.md")


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_shows_the_committed_results(name: str) -> None:
    file, _, _ = FIGURES[name]
    assert digest(file) in (IMAGES / name).read_text(encoding="utf-8"), "make docs draws it again"
