"""The page and the engine: files of a folder, compressed once, in the encoding that the browser takes."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import brotli
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers, QueryParams
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, PathLike
from starlette.types import Scope

from lastcard.web.engine_files import ENGINE, list_engine_files

IMMUTABLE: Final = "public, max-age=31536000, immutable"
"""For a file whose address changes with its content."""
_ENCODERS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    # The highest quality takes ten times as long, for a tenth of the size.
    "br": lambda content: bytes(brotli.compress(content, quality=9)),
    "gzip": lambda content: gzip.compress(content, compresslevel=9, mtime=0),
}
"""The best first."""
_COMPRESSIBLE: Final = (".css", ".html", ".js", ".json", ".safetensors", ".svg", ".txt", ".wasm", ".webmanifest")
_LEAST_BYTES: Final = 1_024
"""Below this a packet holds the file as it is."""
_INDEX: Final = "index.html"
_CHARSET: Final = '<meta charset="utf-8" />'


@dataclass(frozen=True, slots=True)
class _Version:
    """Identity of a file: one that has changed is read again."""

    path: Path
    size: int
    modified: int
    engine: str = ""
    """Version of the engine, which the page names."""

    @classmethod
    def of(cls, path: Path, status: os.stat_result | None = None) -> _Version:
        """The file as it is now."""
        status = status or path.stat()
        engine = find_engine_version() if path.name == _INDEX else ""
        return cls(path, status.st_size, status.st_mtime_ns, engine)

    def read(self) -> bytes:
        """Reads what clients are sent."""
        content = self.path.read_bytes()
        if self.engine:
            mark = f'<meta name="lastcard-engine" content="{self.engine}" />'
            content = add_to_head(content.decode(), mark).encode()
        return content


@cache
def _encode(version: _Version, encoding: str | None) -> bytes:
    return version.read() if encoding is None else _ENCODERS[encoding](version.read())


@cache
def _digest(version: _Version) -> str:
    """Tells contents apart, alike in all processes and on all machines."""
    return hashlib.sha256(version.read()).hexdigest()[:16]


def find_engine_version() -> str:
    """Changes with any file of the engine; empty without one."""
    files = [_digest(_Version.of(path)) for path in list_engine_files().values()]
    return hashlib.sha256("".join(files).encode()).hexdigest()[:12] if files else ""


def add_to_head(page: str, *elements: str) -> str:
    """The page with more elements in its head."""
    return page.replace(_CHARSET, "\n    ".join((_CHARSET, *elements)), 1)


def compress_early(folder: Path) -> threading.Thread:
    """Starts a thread to compress the page and the engine, so that the first visitors do not wait for it.

    Networks wait until they are asked for: most people need one or two of them.
    """
    files = [path for path in (*folder.rglob("*"), ENGINE) if path.is_file() and path.suffix in _COMPRESSIBLE]

    def compress() -> None:
        for version in map(_Version.of, files):
            if version.size >= _LEAST_BYTES:
                for encoding in _ENCODERS:
                    _encode(version, encoding)

    thread = threading.Thread(target=compress, name="lastcard compress", daemon=True)
    thread.start()
    return thread


class Page(StaticFiles):
    """Static files that are sent compressed to browsers that accept it."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answers for a path below the folder."""
        response = await super().get_response(path, scope)
        file = getattr(response, "path", None)
        if response.status_code != 200 or file is None or not str(file).endswith(_COMPRESSIBLE):
            return response
        response.headers["Vary"] = "Accept-Encoding"
        version = _Version.of(Path(file))
        encoding = choose_encoding(Headers(scope=scope).get("accept-encoding", ""))
        if version.size < _LEAST_BYTES:
            encoding = None
        if encoding is None and not version.engine:
            return response
        # In a thread: the first time takes up to half a second.
        content = await asyncio.to_thread(_encode, version, encoding)
        headers = {name: response.headers[name] for name in ("last-modified", "vary", "etag")}
        if encoding is not None:
            # Weak, since the bytes differ from those of the file, which has the same tag.
            headers |= {"etag": f"W/{headers['etag']}", "content-encoding": encoding}
        made = Response(b"" if scope["method"] == "HEAD" else content, 200, headers, response.media_type)
        made.headers["content-length"] = str(len(content))
        return made

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Answers with a file, or says that the client has it: by its content, whenever it was installed."""
        tag = f'"{_digest(_Version.of(Path(full_path), stat_result))}"'
        response = FileResponse(full_path, status_code, {"etag": tag}, stat_result=stat_result)
        asked = Headers(scope=scope).get("if-none-match")
        if asked is not None and self.is_not_modified(response.headers, Headers({"if-none-match": asked})):
            return NotModifiedResponse(response.headers)
        return response


class EngineFiles(Page):
    """The engine for browsers and the networks of its agents; nothing else lies beside them for clients."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """The file of that name."""
        file = list_engine_files().get(path)
        return ("", None) if file is None else (str(file), file.stat())

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answers with a file that may be kept for ever, if the client asked for it by the version that it has."""
        response = await super().get_response(path, scope)
        asked = QueryParams(scope["query_string"]).get("v")
        if asked is not None and asked == find_engine_version():
            response.headers["Cache-Control"] = IMMUTABLE
        return response


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
