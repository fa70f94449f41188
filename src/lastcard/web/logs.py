"""Logs of the server, as text or as one JSON object per line, and what they say of failures."""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from lastcard.errors import StoreError
from lastcard.store.damage import DamageError
from lastcard.store.outage import OutageError

REQUEST_LOG: Final = "lastcard.web.requests"
_TEXT: Final = "%(levelname)s %(name)s: %(message)s"
_LOGGED: Final = "logged"
"""Note on an error that the log has."""
_MOST_PLACES: Final = 4


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


def log_failure(logger: logging.Logger, what: str, error: BaseException) -> None:
    """Logs a failure with its cause: once, wherever the error is seen on its way up, and once in an outage."""
    if not is_logged(error):
        note_logged(error)
        logger.error("%s: %s", what, describe_failure(error))


def is_logged(error: BaseException) -> bool:
    """Returns True if the log has the error, or another one of the same outage."""
    return _LOGGED in getattr(error, "__notes__", ()) or (isinstance(error, OutageError) and error.outage.is_logged)


def note_logged(error: BaseException) -> None:
    """Notes that the log has the error."""
    error.add_note(_LOGGED)
    if isinstance(error, OutageError):
        error.outage.is_logged = True


def describe_failure(error: BaseException) -> str:
    """Describes an error as a log may: the kinds and places of it and of its causes.

    Not the messages, which may name a card or a token. Of a store it says which row is damaged, or what the database
    said.

    >>> describe_failure(DamageError("game 7 is damaged (seed must be a number, not 'x')", "game 7"))
    'game 7 is damaged; restore it from a backup'
    """
    if isinstance(error, DamageError):
        return f"{error.row} is damaged; restore it from a backup"
    if isinstance(error, StoreError) and error.__cause__ is not None:
        return str(error)
    return ", caused by ".join(map(_name_places, _list_causes(error)))


def _list_causes(error: BaseException) -> Iterator[BaseException]:
    seen: list[BaseException] = []
    following: BaseException | None = error
    while following is not None and following not in seen:
        yield following
        seen.append(following)
        following = following.__cause__ or following.__context__


def _name_places(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)[-_MOST_PLACES:]
    places = " > ".join(f"{frame.name} ({Path(frame.filename).name}:{frame.lineno})" for frame in frames)
    return f"{type(error).__name__} in {places}" if places else type(error).__name__
