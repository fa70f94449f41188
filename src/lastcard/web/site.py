"""A static site: the page as a folder of files without a server. Games are played on the visitor's device."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from lastcard.errors import RequestError
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
_ICONS: Final = {"icon-192.png": "192x192", "icon-512.png": "512x512"}


def write_site(target: Path, docs: Path | None = None) -> int:
    """Writes the site into a folder, which is empty, new, or has an earlier site; returns the number of files.

    Args:
        target: The folder.
        docs: A folder with the built documentation, which becomes `docs/` of the site; by default that of the wheel,
            if there is one.

    Raises:
        RequestError: if the engine was not built, or the folder has files but no earlier site.
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
    _clear(target)
    kept = _copy_files(_list_page(engine), target)
    write_file(target / "index.html", _make_page(has_docs=docs is not None), RequestError)
    limits = Limits()
    _write_json(target / "catalog.json", {**make_catalog(limits), "device": True})
    _write_json(target / "ladder.json", make_ladder(limits))
    _write_json(target / "manifest.webmanifest", _make_manifest())
    kept = sorted({*kept, *_WRITTEN})
    # The documentation is too much to fetch for a game: it is fetched when one of its pages is read.
    read = _copy_files(_list_docs(docs), target) if docs is not None else []
    write_file(target / _WORKER, _make_worker(target, kept, read), RequestError)
    write_file(target / _NO_JEKYLL, "", RequestError)
    files = [*kept, *read, _WORKER, _NO_JEKYLL, _MARK]
    write_file(target / _MARK, "".join(f"{name}\n" for name in files), RequestError)
    return len(files)


def has_docs() -> bool:
    """Returns True if this package contains the documentation."""
    return (DOCS / "index.html").is_file()


def _clear(target: Path) -> None:
    """Removes the files of an earlier site; refuses a folder that has others alone."""
    if target.exists() and not target.is_dir():
        raise RequestError(f"{target} is not a folder", status=422)
    mark = target / _MARK
    if mark.is_file():
        for name in mark.read_text(encoding="utf-8", errors="replace").splitlines():
            path = target / name
            # The list may have come with a folder that other people made: it must not reach other folders.
            if path.parent.resolve().is_relative_to(target.resolve()) and path.is_file():
                path.unlink()
    elif target.is_dir() and any(target.iterdir()):
        raise RequestError(f"{target} is not empty, and not a site of lastcard; name another folder", status=422)
    target.mkdir(parents=True, exist_ok=True)


def _list_page(engine: Mapping[str, Path]) -> Iterator[tuple[str, Path]]:
    """Files of the page by their path in the site."""
    for path in STATIC.rglob("*"):
        if path.is_file():
            yield path.relative_to(STATIC).as_posix(), path
    for name, path in engine.items():
        yield f"engine/{name}", path
    for name in _ICONS:
        yield name, _OWN / name


def _list_docs(docs: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(docs.rglob("*")):
        if path.is_file():
            yield f"docs/{path.relative_to(docs).as_posix()}", path


def _copy_files(files: Iterable[tuple[str, Path]], target: Path) -> list[str]:
    """Copies files to their paths in the site; returns these."""
    names = []
    for name, path in files:
        to = target / name
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, to)
        names.append(name)
    return names


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
    write_file(path, json.dumps(value, separators=(",", ":")), RequestError)
