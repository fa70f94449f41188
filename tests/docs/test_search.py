"""A search on the site finds what newcomers look for."""

from __future__ import annotations

import json
import logging

import pytest

from tests.docs.pages import ROOT

build = pytest.importorskip("mkdocs.commands.build", reason="the extra docs has MkDocs")

SITE = "site/search/search_index.json"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """The site's search index, without the pages that are made from the code."""
    from mkdocs.config import load_config

    folder = tmp_path_factory.mktemp("search")
    log = logging.getLogger("mkdocs")
    level = log.level
    log.setLevel(logging.ERROR)  # no word of links to the pages that are left out
    config = load_config(
        str(ROOT / "mkdocs.yml"),
        plugins=["search"],
        hooks=[],
        strict=False,
        site_dir=str(folder / "site"),
        exclude_docs="*.py\n/reference/api/\n",
    )
    build.build(config)
    log.setLevel(level)
    found: list[dict[str, str]] = json.loads((folder / SITE).read_text(encoding="utf-8"))["docs"]
    return found


def search(index: list[dict[str, str]], word: str) -> list[str]:
    """Returns the pages with the word, the best first: titles count a thousand times as much as text."""

    def score(entry: dict[str, str]) -> int:
        return 1000 * entry["title"].lower().count(word) + entry["text"].lower().count(word)

    return [entry["location"] for entry in sorted(index, key=score, reverse=True) if score(entry)]


@pytest.mark.parametrize(
    ("word", "location"),
    [
        ("install", "how-to/install.html"),
        ("uninstall", "how-to/install.html#uninstall"),
        ("pipx", "how-to/install.html#with-pipx-or-uv"),
        ("container", "how-to/install.html#as-a-container"),
        ("windows", "how-to/install.html#windows"),
        ("macos", "how-to/faq.html#does-it-work-on-windows-or-macos"),
        ("platforms", "how-to/install.html#platforms"),
        ("glossary", "reference/glossary.html"),
        ("spectator", "how-to/run-the-server.html#play-with-friends"),
        ("health check", "how-to/deploy.html#health-check"),
        ("resume", "how-to/train-a-network.html#resume"),
        ("faq", "how-to/faq.html"),
        ("multiprocessing", "how-to/faq.html#multiprocessing"),
        ("cores", "how-to/faq.html#use-several-cores"),
        ("pandas", "how-to/faq.html#use-the-results-with-pandas"),
        ("troubleshooting", "how-to/troubleshooting.html"),
        ("illegal instruction", "how-to/troubleshooting.html#illegal-instruction"),
        ("port", "how-to/troubleshooting.html#the-port-is-in-use"),
        ("lastcard_cpu", "how-to/troubleshooting.html#illegal-instruction"),
        ("release", "how-to/release.html"),
    ],
)
def test_a_word_finds_its_page(index: list[dict[str, str]], word: str, location: str) -> None:
    assert location in search(index, word)[:3]


def test_a_word_that_is_nowhere_finds_nothing(index: list[dict[str, str]]) -> None:
    assert search(index, "no-such-word") == []
