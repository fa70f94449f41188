"""Looks over the finished site: every link and anchor leads somewhere, and nothing is loaded from another host.

What is wrong is logged as a warning, which `mkdocs build --strict` turns into a failure.
"""

from __future__ import annotations

import logging
import posixpath
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

log = logging.getLogger("mkdocs.hooks.check_site")

_LOADS: Final = {("link", "href"), ("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src")}
"""Attributes whose target a browser fetches by itself."""


def on_post_build(config: MkDocsConfig) -> None:
    """Warns of whatever is wrong with the site."""
    for complaint in check_site(Path(config.site_dir)):
        log.warning(complaint)


@dataclass
class PageParts(HTMLParser):
    """The links of a page, and the targets that it offers."""

    ids: set[str] = field(default_factory=set)
    links: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes ids and links."""
        for name, value in attrs:
            if name == "id" or (tag == "a" and name == "name"):
                self.ids.add(value or "")
            elif name in ("href", "src") and value:
                self.links.append((tag, value) if (tag, name) in _LOADS else ("a", value))


def check_site(folder: Path) -> list[str]:
    """Every link of the site's pages that leads nowhere, and everything they load from elsewhere."""
    pages = {}
    for file in sorted(folder.rglob("*.html")):
        parts = PageParts()
        parts.feed(file.read_text(encoding="utf-8"))
        pages[file.relative_to(folder).as_posix()] = parts
    found = []
    for page, parts in pages.items():
        for tag, link in parts.links:
            complaint = _check_link(folder, pages, page, tag, link)
            if complaint:
                found.append(f"{page}: {complaint}")
    return found


def _check_link(folder: Path, pages: dict[str, PageParts], page: str, tag: str, link: str) -> str:
    url = urlsplit(link)
    if url.scheme == "data":
        return ""
    if url.scheme or url.netloc:
        return "" if tag == "a" else f"<{tag}> loads {link} from another host"
    if not url.path:
        target = page
    elif url.path.startswith("/"):
        target = url.path.lstrip("/")
    else:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(url.path)))
    if (folder / target).is_dir():
        target = posixpath.normpath(posixpath.join(target, "index.html"))
    if not (folder / target).is_file():
        return f"{link} leads to no file"
    anchor = unquote(url.fragment)
    if anchor and target in pages and anchor not in pages[target].ids and anchor != "__top":
        return f"{link} leads to no such part of {target}"
    return ""
