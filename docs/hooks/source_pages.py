"""Pages link to files of the repository; the site has each of them as a page, so that every link works in both.

A link that leads out of `docs/`, such as `../../core/search/tree.hpp`, is turned to `source/`, where Markdown is shown
as it is and anything else as highlighted code. A target that does not exist is left for MkDocs to complain about.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT: Final = Path(__file__).parents[2]
ALWAYS: Final = ("core/README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
"""Files in the navigation."""
_FENCED: Final = re.compile(r"(^ *```.*?^ *```$)", re.DOTALL | re.MULTILINE)
_LINK: Final = re.compile(r"(?<=\]\()(?![a-z]+:)([^()#\s]+)")
_LEXERS: Final = {".hpp": "cpp", ".cpp": "cpp", ".py": "python", ".json": "json", ".jsonl": "json", ".toml": "toml"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds what pages link to, and what those link to."""
    waiting = [*ALWAYS, *_linked(files)]
    seen = set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        text = (ROOT / path).read_text(encoding="utf-8")
        if path.endswith(".md"):
            waiting += filter(is_outside, targets(path, text))
        else:
            text = show_code(path, text)
        files.append(File.generated(config, site_path(path), content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turns links that lead out of `docs/`."""
    return turn_links(page.file.src_uri, markdown)


def turn_links(page: str, markdown: str) -> str:
    """The text of that page of the site with its links to files of the repository turned to the site.

    >>> turn_links("explanation/a.md", "[tree](../../core/search/tree.hpp), [b](b.md)")
    '[tree](../source/core/search/tree.hpp.md), [b](b.md)'
    """
    here = repository_path(page)

    def turn(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(here), link[1]))
        if not (ROOT / target).is_file() or (here.startswith("docs/") and target.startswith("docs/")):
            return link[1]
        return posixpath.relpath(site_path(target), posixpath.dirname(page))

    parts = _FENCED.split(markdown)
    return "".join(part if index % 2 else _LINK.sub(turn, part) for index, part in enumerate(parts))


def targets(path: str, markdown: str) -> Iterator[str]:
    """The files of the repository that a file of it links to."""
    for index, part in enumerate(_FENCED.split(markdown)):
        if index % 2 == 0:
            for link in _LINK.finditer(part):
                target = posixpath.normpath(posixpath.join(posixpath.dirname(path), link[1]))
                if (ROOT / target).is_file():
                    yield target


def site_path(path: str) -> str:
    """Returns the place of a repository file on the site.

    >>> site_path("docs/index.md"), site_path("core/README.md"), site_path("README.md")
    ('index.md', 'source/core/README.md', 'index.md')
    """
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path == "README.md":
        return "index.md"
    return f"source/{path}" if path.endswith(".md") else f"source/{path}.md"


def is_outside(path: str) -> bool:
    """Returns True if the site has the file only if it is shown.

    >>> is_outside("core/README.md"), is_outside("docs/images/web-table.png"), is_outside("README.md")
    (True, False, False)
    """
    return not path.startswith("docs/") and path != "README.md"


def repository_path(page: str) -> str:
    """Returns the place of a Markdown page of the site in the repository."""
    return page.removeprefix("source/") if page.startswith("source/") else f"docs/{page}"


def show_code(path: str, text: str) -> str:
    """A page that shows a file."""
    lexer = _LEXERS.get(Path(path).suffix, "text")
    return f"# `{path}`\n\n````{lexer}\n{text.rstrip()}\n````\n"


def _linked(files: Files) -> Iterator[str]:
    for file in files.documentation_pages():
        path = repository_path(file.src_uri)
        yield from filter(is_outside, targets(path, file.content_string))
