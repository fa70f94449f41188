"""A static host: a folder of files below any path, without a server program of ours."""

from __future__ import annotations

import functools
import threading
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@dataclass
class Host:
    """A static host, with a site below a path."""

    folder: Path
    path: str = "games/cards"
    serving: ThreadingHTTPServer | None = None
    port: int = 0

    @property
    def site(self) -> Path:
        return self.folder / self.path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/{self.path}/"

    def start(self) -> None:
        self.serving = ThreadingHTTPServer(
            ("127.0.0.1", self.port), functools.partial(Quiet, directory=str(self.folder))
        )
        self.port = self.serving.server_address[1]
        threading.Thread(target=self.serving.serve_forever, daemon=True).start()

    def stop(self) -> None:
        if self.serving is not None:
            self.serving.shutdown()
            self.serving.server_close()
            self.serving = None
