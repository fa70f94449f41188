r"""Formulas as MathML, made when the site is built: no script runs in the reader's browser and none is fetched.

`arithmatex` finds `$...$` and `$$...$$` and leaves them marked; what it marked is rendered here.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Final

from latex2mathml.converter import convert
from mkdocs.exceptions import PluginError

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

_MARKED: Final = re.compile(
    r'<span class="arithmatex">\\\((?P<inline>.*?)\\\)</span>'
    r'|<div class="arithmatex">\s*\\\[(?P<block>.*?)\\\]\s*</div>',
    re.DOTALL,
)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """The page with its formulas rendered."""
    try:
        return render_formulas(html)
    except Exception as error:
        raise PluginError(f"{page.file.src_uri}: a formula cannot be rendered: {error}") from error


def render_formulas(text: str) -> str:
    r"""HTML in which everything that arithmatex marked is MathML.

    >>> "<msup><mi>e</mi><mi>x</mi></msup>" in render_formulas(r'<span class="arithmatex">\(e^x\)</span>')
    True
    """
    return _MARKED.sub(_render, text)


def _render(found: re.Match[str]) -> str:
    display = "inline" if found["inline"] is not None else "block"
    source = html.unescape(found[display]).strip()
    made = convert(source, display=display)
    if "\\" in made:  # the converter leaves what it does not know as it is
        raise ValueError(f"not understood: {source}")
    return made
