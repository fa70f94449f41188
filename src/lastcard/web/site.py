"""A static site: the page as a folder of files without a server. Games are played on the visitor's device."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from lastcard.errors import LastcardError, RequestError
from lastcard.files import write_file
from lastcard.version import __version__
from lastcard.web.api.app import STATIC
from lastcard.web.api.catalog import make_catalog
from lastcard.web.api.guard import PAGE_POLICY
from lastcard.web.api.ladder import make_ladder
from lastcard.web.api.page import add_to_head
from lastcard.web.engine_files import list_engine_files
from lastcard.web.limits import Limits

_OWN: Final = Path(__file__).parent / "site_files"
_WORKER: Final = "service-worker.js"
_MARK: Final = ".lastcard-site"
"""A file that shows that a folder was written here, and lists what may be replaced: other files stay."""
_NO_JEKYLL: Final = ".nojekyll"
"""A file without which GitHub Pages leaves out files that begin with an underscore, as some of the documentation do."""
DOCS: Final = Path(__file__).parent / "docs"
"""The documentation that a wheel contains; a source tree has none."""
_WRITTEN: Final = ("index.html", "catalog.json", "ladder.json", "manifest.webmanifest")
_DOCS_HEADER: Final = b'<form class="md-header__option" data-md-component="palette">'
"""The choice between light and dark in the header of a page of the documentation."""
_ICONS: Final = {"icon-192.png": "192x192", "icon-512.png": "512x512"}


def write_site(target: Path, docs: Path | None = None) -> int:
    """Writes the site into a folder, which is empty, new, or has an earlier site; returns the number of files.

    Args:
        target: The folder.
        docs: A folder with the built documentation, which becomes `docs/` of the site; by default that of the wheel,
            if there is one.

    Raises:
        RequestError: if the engine was not built, or the folder has files but no earlier site.
        LastcardError: if a file cannot be written; the next call replaces what was written until then.
    """
    engine = list_engine_files()
    if not engine:
        raise RequestError(
            "a site needs the engine for browsers: build it with `make wasm`, then `make web`", status=503
        )
    if docs is None and has_docs():
        docs = DOCS
    if docs is not None and not (docs / "index.html").is_file():
        raise RequestError(f"{docs} is not built documentation: it has no index.html; run `make site`", status=422)
    if docs is not None and docs.resolve().is_relative_to(target.resolve()):
        raise RequestError(f"{docs} is in the folder to write; name another folder", status=422)
    earlier = _list_earlier(target)
    page = dict(_list_page(engine))
    # The documentation is too much to fetch for a game: it is fetched when one of its pages is read.
    read = dict(_list_docs(docs)) if docs is not None else {}
    kept = sorted({*page, *_WRITTEN})
    files = [*kept, *read, _WORKER, _NO_JEKYLL, _MARK]
    target.mkdir(parents=True, exist_ok=True)
    # First of all: a run that stops early leaves a folder that the next one may replace.
    _write_mark(target, dict.fromkeys([*earlier, *files]))
    _copy_files(page, target)
    _copy_files(read, target)
    limits = Limits()
    _write_json(target / "catalog.json", {**make_catalog(limits), "device": True})
    _write_json(target / "ladder.json", make_ladder(limits))
    _write_json(target / "manifest.webmanifest", _make_manifest())
    write_file(target / "index.html", _make_page(has_docs=docs is not None), LastcardError)
    write_file(target / _WORKER, _make_worker(target, kept, [*read]), LastcardError)
    write_file(target / _NO_JEKYLL, "", LastcardError)
    _remove(target, {*earlier}.difference(files))
    _write_mark(target, files)
    return len(files)


def has_docs() -> bool:
    """Returns True if this package contains the documentation."""
    return (DOCS / "index.html").is_file()


def _list_earlier(target: Path) -> list[str]:
    """The files of an earlier site; refuses a folder that has others alone."""
    if target.exists() and not target.is_dir():
        raise RequestError(f"{target} is not a folder", status=422)
    mark = target / _MARK
    if mark.is_file():
        return mark.read_text(encoding="utf-8", errors="replace").splitlines()
    if target.is_dir() and any(target.iterdir()):
        raise RequestError(f"{target} is not empty, and not a site of lastcard; name another folder", status=422)
    return []


def _remove(target: Path, names: Iterable[str]) -> None:
    for name in names:
        path = target / name
        # The list may have come with a folder that other people made: it must not reach other folders.
        if path.parent.resolve().is_relative_to(target.resolve()) and path.is_file():
            path.unlink()


def _write_mark(target: Path, names: Iterable[str]) -> None:
    write_file(target / _MARK, "".join(f"{name}\n" for name in names), LastcardError)


def _list_page(engine: Mapping[str, Path]) -> Iterator[tuple[str, Path]]:
    """Files of the page that are copied, by their path in the site."""
    for path in STATIC.rglob("*"):
        if path.is_file() and path.name not in _WRITTEN:
            yield path.relative_to(STATIC).as_posix(), path
    for name, path in engine.items():
        yield f"engine/{name}", path
    for name in _ICONS:
        yield name, _OWN / name


def _list_docs(docs: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(docs.rglob("*")):
        if path.is_file():
            yield f"docs/{path.relative_to(docs).as_posix()}", path


def _copy_files(files: Mapping[str, Path], target: Path) -> None:
    """Copies files to their paths in the site; pages of the documentation get a link to the game."""
    for name, path in files.items():
        data = path.read_bytes()
        if name.endswith(".html"):
            link = f'<a class="md-header__option site-play" href="{"../" * name.count("/")}">Play</a>'
            data = data.replace(_DOCS_HEADER, link.encode() + _DOCS_HEADER)
        to = target / name
        to.parent.mkdir(parents=True, exist_ok=True)
        write_file(to, data, LastcardError)


def _make_page(*, has_docs: bool) -> str:
    """The page with its policy, its manifest, and the mark that it has no server."""
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    return add_to_head(
        page,
        *(['<meta name="lastcard-docs" content="./docs/index.html" />'] if has_docs else []),
        f'<meta http-equiv="Content-Security-Policy" content="{PAGE_POLICY}" />',
        '<meta name="lastcard-site" content="static" />',
        '<meta name="theme-color" content="#26313b" />',
        '<link rel="manifest" href="./manifest.webmanifest" />',
        '<link rel="apple-touch-icon" href="./icon-192.png" />',
    )


def _make_manifest() -> dict[str, Any]:
    icons = [{"src": f"./{name}", "sizes": sizes, "type": "image/png"} for name, sizes in _ICONS.items()]
    return {
        "name": "lastcard",
        "short_name": "lastcard",
        "description": "Play UNO against an AI, and see what it thinks.",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#26313b",
        "theme_color": "#26313b",
        "icons": [*icons, {"src": "./icon.svg", "sizes": "any", "type": "image/svg+xml"}],
    }


def _make_worker(target: Path, files: list[str], docs: list[str]) -> str:
    """The service worker with the files that it keeps; its version changes with any of them."""
    digest = hashlib.sha256()
    for name in files + docs:
        digest.update(name.encode() + b"\0" + (target / name).read_bytes())
    source = (_OWN / _WORKER).read_text(encoding="utf-8")
    version = f"{__version__}-{digest.hexdigest()[:12]}"
    filled = source.replace('"@VERSION@"', json.dumps(version))
    return filled.replace('"@FILES@"', json.dumps(files)).replace('"@DOCS@"', json.dumps(docs))


def _write_json(path: Path, value: object) -> None:
    write_file(path, json.dumps(value, separators=(",", ":")), LastcardError)
