"""The page: files of a folder, each compressed once, in the encoding that the browser takes."""

from __future__ import annotations

import asyncio
import gzip
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import brotli
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from lastcard.web.engine_files import ENGINE, list_engine_files

_ENCODERS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "br": lambda content: bytes(brotli.compress(content, quality=11)),
    "gzip": lambda content: gzip.compress(content, compresslevel=9, mtime=0),
}
"""The best first."""
_COMPRESSIBLE: Final = (".css", ".html", ".js", ".json", ".svg", ".txt", ".wasm", ".webmanifest")
_LEAST_BYTES: Final = 1_024
"""Below this a packet holds the file as it is."""


@dataclass(frozen=True, slots=True)
class _Version:
    """Identity of a file: one that has changed is compressed again."""

    path: Path
    size: int
    modified: int


@cache
def _compress(version: _Version, encoding: str) -> bytes:
    return _ENCODERS[encoding](version.path.read_bytes())


class Page(StaticFiles):
    """Static files that are sent compressed to browsers that accept it."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answers for a path below the folder."""
        response = await super().get_response(path, scope)
        file = getattr(response, "path", None)
        if response.status_code != 200 or file is None or not str(file).endswith(_COMPRESSIBLE):
            return response
        response.headers["Vary"] = "Accept-Encoding"
        encoding = choose_encoding(Headers(scope=scope).get("accept-encoding", ""))
        status = Path(file).stat()
        if encoding is None or status.st_size < _LEAST_BYTES:
            return response
        version = _Version(Path(file), status.st_size, status.st_mtime_ns)
        # In a thread: the first time takes up to half a second.
        content = await asyncio.to_thread(_compress, version, encoding)
        headers = {name: response.headers[name] for name in ("last-modified", "vary")}
        # Weak, since the bytes differ from those of the file, which has the same tag.
        headers |= {"etag": f"W/{response.headers['etag']}", "content-encoding": encoding}
        compressed = Response(b"" if scope["method"] == "HEAD" else content, 200, headers, response.media_type)
        compressed.headers["content-length"] = str(len(content))
        return compressed


class EngineFiles(Page):
    """The engine for browsers and the networks of its agents; nothing else lies beside them for clients."""

    def __init__(self) -> None:
        super().__init__(directory=ENGINE.parent, check_dir=False)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """The file of that name."""
        file = list_engine_files().get(path)
        return ("", None) if file is None else (str(file), file.stat())


def choose_encoding(accepted: str) -> str | None:
    """The best encoding that the header Accept-Encoding allows, or None for the file as it is.

    >>> choose_encoding("gzip, deflate, br"), choose_encoding("gzip;q=0.5, br;q=0"), choose_encoding("identity")
    ('br', 'gzip', None)
    """
    allowed = set()
    for part in accepted.lower().split(","):
        name, _, parameters = part.strip().partition(";")
        quality = parameters.replace(" ", "").removeprefix("q=")
        if quality.strip("0.") or not parameters:
            allowed.add(name.strip())
    return next((name for name in _ENCODERS if name in allowed), None)
