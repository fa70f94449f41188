"""Changes that the site's hooks make to pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.hooks.boards import list_scripts
from docs.hooks.check_site import check_site
from docs.hooks.docstring_examples import fence_examples
from docs.hooks.formulas import render_formulas
from docs.hooks.source_pages import show_code, targets, turn_links

GOOD = '<p id="here"></p><a href="b.html#there"></a><a href="https://doi.org/x"></a><a href="#here"></a>'


def make_site(folder: Path, page: str) -> Path:
    (folder / "a.html").write_text(page, encoding="utf-8")
    (folder / "b.html").write_text('<h1 id="there"></h1>', encoding="utf-8")
    return folder


def test_a_whole_site_passes(tmp_path: Path) -> None:
    assert check_site(make_site(tmp_path, GOOD)) == []


@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        ('<a href="c.html"></a>', "a.html: c.html leads to no file"),
        ('<a href="b.html#where"></a>', "a.html: b.html#where leads to no such part of b.html"),
        ('<a href="#where"></a>', "a.html: #where leads to no such part of a.html"),
        ('<img src="x.png">', "a.html: x.png leads to no file"),
        ('<img src="//cdn.example/x.png">', "a.html: <img> loads //cdn.example/x.png from another host"),
        (
            '<script src="https://cdn.example/x.js">',
            "a.html: <script> loads https://cdn.example/x.js from another host",
        ),
        ('<link href="https://fonts.example/f">', "a.html: <link> loads https://fonts.example/f from another host"),
    ],
)
def test_a_broken_or_foreign_link_is_found(page: str, complaint: str, tmp_path: Path) -> None:
    assert check_site(make_site(tmp_path, page)) == [complaint]


def test_formulas_become_mathml() -> None:
    page = '<p><span class="arithmatex">\\(a &lt; b\\)</span></p><div class="arithmatex">\\[\\frac{1}{n}\\]</div>'
    made = render_formulas(page)
    assert made.count("<math") == 2
    assert "<mo>&#x0003C;</mo>" in made
    assert 'display="block"><mrow><mfrac>' in made
    assert "arithmatex" not in made


def test_a_formula_that_is_not_understood_is_an_error() -> None:
    with pytest.raises(ValueError, match="not understood"):
        render_formulas('<span class="arithmatex">\\(\\nosuchthing x\\)</span>')


def test_links_out_of_the_docs_are_turned_to_the_site() -> None:
    text = "[x](../../core/README.md#rules) [y](../../examples/engine.py) [z](ladder.md) [w](https://a.example/b)"
    assert turn_links("explanation/proof.md", text) == (
        "[x](../source/core/README.md#rules) [y](../source/examples/engine.py.md) [z](ladder.md) [w](https://a.example/b)"
    )
    assert turn_links("source/CONTRIBUTING.md", "[x](docs/reference/rules.md)") == "[x](../reference/rules.md)"


def test_links_in_code_and_to_nothing_are_left() -> None:
    text = "```md\n[x](../../README.md)\n```\n[y](../../no-such-file.md)"
    assert turn_links("explanation/proof.md", text) == text
    assert list(targets("docs/explanation/proof.md", text)) == []


def test_a_file_is_shown_as_code() -> None:
    assert show_code("core/a.hpp", "int a;\n") == "# `core/a.hpp`\n\n````cpp\nint a;\n````\n"


def test_doctests_of_a_docstring_are_fenced() -> None:
    text = "One.\n\nRaises:\n    Error: if not.\n\n>>> 1 + 1\n2\n>>> 3\n3\n\nMore."
    assert fence_examples(text) == text.replace(">>> 1 + 1\n2\n>>> 3\n3", "```pycon\n>>> 1 + 1\n2\n>>> 3\n3\n```")


def test_pages_with_a_board_load_its_scripts() -> None:
    assert list_scripts("<p>no board</p>") == []
    page = '<div data-board="tree"></div><div data-board="belief"></div><div data-board="tree"></div>'
    assert list_scripts(page) == ["boards/board.js", "boards/tree.js", "boards/belief.js"]
