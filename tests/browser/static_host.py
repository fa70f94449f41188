"""A static host: a folder of files below any path, without a server program of ours."""

from __future__ import annotations

import functools
import re
import threading
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    kept_seconds = 0
    has_short_addresses = False

    def do_GET(self) -> None:
        """Redirects from `x.html` to `x` where addresses are short, and sends the file there."""
        short = re.sub(r"(index)?\.html$", "", self.path)
        if self.has_short_addresses and short != self.path:
            self.send_response(308)
            self.send_header("Location", short)
            self.end_headers()
            return
        if self.has_short_addresses and Path(f"{self.translate_path(self.path)}.html").is_file():
            self.path += ".html"
        super().do_GET()

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
    has_short_addresses: bool = False
    """Addresses are without `index.html` and `.html`, as some hosts want them."""
    serving: ThreadingHTTPServer | None = None
    port: int = 0

    @property
    def site(self) -> Path:
        return self.folder / self.path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/{self.path}/"

    def start(self) -> None:
        settings = {"kept_seconds": self.kept_seconds, "has_short_addresses": self.has_short_addresses}
        handler = type("Handler", (Quiet,), settings)
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
