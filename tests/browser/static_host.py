"""A static host: a folder of files below any path, without a server program of ours."""

from __future__ import annotations

import functools
import threading
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    kept_seconds = 0

    def end_headers(self) -> None:
        """Says how long browsers may keep the file."""
        if self.kept_seconds:
            self.send_header("Cache-Control", f"max-age={self.kept_seconds}, immutable")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@dataclass
class Host:
    """A static host, with a site below a path."""

    folder: Path
    path: str = "games/cards"
    kept_seconds: int = 0
    """Seconds for which browsers may keep files; not told if 0."""
    serving: ThreadingHTTPServer | None = None
    port: int = 0

    @property
    def site(self) -> Path:
        return self.folder / self.path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/{self.path}/"

    def start(self) -> None:
        handler = type("Handler", (Quiet,), {"kept_seconds": self.kept_seconds})
        self.serving = ThreadingHTTPServer(
            ("127.0.0.1", self.port), functools.partial(handler, directory=str(self.folder))
        )
        self.port = self.serving.server_address[1]
        threading.Thread(target=self.serving.serve_forever, daemon=True).start()

    def stop(self) -> None:
        if self.serving is not None:
            self.serving.shutdown()
            self.serving.server_close()
            self.serving = None
