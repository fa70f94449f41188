"""The figures in the pages are those of the committed results."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmarks.pages import RESULTS, fill_page
from docs.images.make_figures import FIGURES, digest
from docs.images.make_figures import HERE as IMAGES
from tests.docs.pages import PAGES, read_page


@pytest.mark.parametrize(
    "page", [page for page in PAGES if "<!-- from " in read_page(page) or ".json" in read_page(page)]
)
def test_a_page_has_the_committed_figures(page: str) -> None:
    assert read_page(page) == fill_page(read_page(page)), "python -m benchmarks.pages puts them in"


def test_a_table_follows_its_results(tmp_path: Path) -> None:
    row = {"table": "trees", "share": 0.5, "low": 0.49, "high": 0.51, "rounds": 2000}
    known, unknown = {"plies": 40.4, "unfinished": 0.0}, {"plies": None, "unfinished": None}
    rows = [row | {"name": "mcts one"} | known, row | {"name": "pomcp two"} | unknown]
    (tmp_path / "matches.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    page = "before\n<!-- from matches.jsonl: trees: mcts -->\nold\n<!-- end -->\nafter"
    assert fill_page(page, tmp_path) == (
        "before\n<!-- from matches.jsonl: trees: mcts -->\n\n"
        "|  | rounds won | rounds | plies a round | unfinished |\n| --- | ---: | ---: | ---: | ---: |\n"
        "| mcts one | 50.0 ± 1.0 % | 2,000 | 40 | 0.0 % |\n\n"
        "<!-- end -->\nafter"
    )
    assert "| pomcp two | 50.0 ± 1.0 % | 2,000 |\n" in fill_page(page.replace("mcts", "pomcp"), tmp_path)
    with pytest.raises(ValueError, match="no rows 'trees: halving'"):
        fill_page(page.replace("mcts", "halving"), tmp_path)


def test_every_file_of_results_is_shown() -> None:
    """A result whose program goes leaves the pages, and a result that no page shows goes as well."""
    shown = "".join(map(read_page, PAGES)) + "".join(file for file, _, _ in FIGURES.values())
    assert [file.name for file in RESULTS.iterdir() if file.name not in shown] == []


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
    shown, _, _ = FIGURES[name]
    assert digest(shown) in (IMAGES / name).read_text(encoding="utf-8"), "make docs draws it again"
