"""Names the search dialog of the theme, which has a role and no name, for screen readers."""

from __future__ import annotations

from typing import Final

_DIALOG: Final = 'data-md-component="search" role="dialog"'


def on_post_page(output: str, **_: object) -> str:
    """Adds the name to a page."""
    return output.replace(_DIALOG, f'{_DIALOG} aria-label="Search"')
