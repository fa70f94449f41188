"""Logs of the server, as text or as one JSON object per line."""

from __future__ import annotations

import json
import logging
from typing import Final, Literal

REQUEST_LOG: Final = "lastcard.web.requests"
_TEXT: Final = "%(levelname)s %(name)s: %(message)s"


class JsonFormatter(logging.Formatter):
    """Writes time, level, logger and message, and the fields of a request."""

    def format(self, record: logging.LogRecord) -> str:
        """Writes one line."""
        fields: dict[str, object] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S") + f".{int(record.msecs):03d}",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        return json.dumps(fields | getattr(record, "fields", {}), ensure_ascii=False)


def set_up(log_format: Literal["text", "json"], *, with_requests: bool) -> None:
    """Logs warnings and errors to standard error, and each request if asked for."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if log_format == "json" else logging.Formatter(_TEXT))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger(REQUEST_LOG).setLevel(logging.INFO if with_requests else logging.WARNING)
