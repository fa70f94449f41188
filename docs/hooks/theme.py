"""Mends the pages of the theme: their search dialog gets a name, and their script waits for the first frame."""

from __future__ import annotations

import re
from typing import Final

_DIALOG: Final = 'data-md-component="search" role="dialog"'
_BUNDLE: Final = re.compile(r'<script src="([^"]*/bundle\.[^"]*)"></script>')
# The script fetches the search index when it starts. The index is much larger than a page.
_LOADER: Final = (
    "<script>requestAnimationFrame(() => setTimeout(() => "
    r'document.body.append(Object.assign(document.createElement("script"), { src: "\1" }))))</script>'
)


def on_post_page(output: str, **_: object) -> str:
    """Names the dialog, which has a role and no name, for screen readers; loads the script after the first frame."""
    return _BUNDLE.sub(_LOADER, output.replace(_DIALOG, f'{_DIALOG} aria-label="Search"'))
