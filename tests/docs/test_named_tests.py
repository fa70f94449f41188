"""Every test that an explanation names as evidence exists."""

from __future__ import annotations

import re

import pytest

from tests.docs.pages import PAGES, ROOT, read_page

TESTS = {
    name
    for file in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^\s*(?:async )?def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
}
NAMING = [page for page in PAGES if page.startswith("docs/explanation/") and "`test_" in read_page(page)]


def missing_tests(text: str) -> list[str]:
    """Returns the tests that a text names and that do not exist."""
    return [name for name in re.findall(r"`(test_\w+)`", text) if name not in TESTS]


@pytest.mark.parametrize("page", NAMING)
def test_every_test_that_a_page_names_exists(page: str) -> None:
    assert missing_tests(read_page(page)) == []


def test_a_test_that_does_not_exist_is_missed() -> None:
    assert "docs/explanation/where-it-comes-from.md" in NAMING
    assert missing_tests("as `test_ucb1_by_hand` and `test_the_moon_is_full` show") == ["test_the_moon_is_full"]
