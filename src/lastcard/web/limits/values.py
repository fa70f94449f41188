"""Everything that a server bounds, and the bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from lastcard.errors import RequestError, shorten

RECORDS_PATH: Final = "/api/studies"
"""Where records are brought."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Everything that is bounded, with what it is bounded by."""

    max_simulations: int = 200_000
    """For a decision, a hint or an analysis."""
    max_seconds: float = 5.0
    """For the same."""
    window_simulations: int = 5_000
    """For an agent's answer in a window, which has to be found while `cover_seconds` run."""
    window_seconds: float = 0.05
    """For the same, of an agent that counts no simulations."""
    cover_seconds: float = 0.3
    """With jump-in, how long after an action its result is told, whether or not somebody was asked in a window."""
    bot_threads: int = 2
    """Threads in which agents decide."""
    analysis_threads: int = 2
    """Threads in which hints and analyses are searched."""
    max_waiting: int = 8
    """Hints and analyses that wait for a thread."""
    max_searches_per_user: int = 2
    """Hints and analyses of one user at a time."""
    frames_per_second: float = 10.0
    """Of an analysis."""
    max_games: int = 500
    """In memory; those nobody looks at wait in the store."""
    max_games_per_user: int = 50
    """In memory."""
    idle_seconds: float = 600.0
    """After which a game that nobody looks at leaves memory."""
    new_games_per_minute: float = 30.0
    """By one user."""
    requests_per_second: float = 50.0
    """By one user, over HTTP and sockets together."""
    refusal_seconds: float = 0.5
    """How long the answer to one request too many is held back, so that asking again at once is no use."""
    max_refusals: int = 500
    """Answers held back at a time; others are given at once."""
    max_refusals_per_user: int = 50
    """The same, of one user."""
    max_connections: int = 2_000
    """Open at a time, of any kind."""
    max_sockets: int = 1_000
    """Open at a time."""
    max_sockets_per_user: int = 50
    """Open at a time."""
    max_frame_bytes: int = 4_096
    """From a socket's client."""
    max_body_bytes: int = 16_384
    """Of a request."""
    max_record_bytes: int = 262_144
    """Of a request that brings a record."""
    replay_threads: int = 2
    """Threads in which finished games are opened and replayed."""
    max_replays: int = 32
    """Requests about finished games that run or wait."""
    max_replays_per_user: int = 8
    """The same, of one user."""
    max_studies_waiting: int = 16
    """Finished games that wait until one is judged."""
    max_studies_per_user: int = 2
    """Games judged or waiting, of one user."""
    max_study_decisions: int = 5_000
    """Of a game that is judged."""
    max_study_seconds: float = 900.0
    """After which a game is judged no further; rounds that are done are kept."""
    join_seconds: float = 5.0
    """In which a socket has to join a game."""
    away_seconds: float = 10.0
    """After which a person whose connection is lost counts as having left."""

    def body_bytes(self, path: str) -> int:
        """How much a request to that path may bring."""
        return self.max_record_bytes if path == RECORDS_PATH else self.max_body_bytes


def read_limits(changes: Sequence[str]) -> Limits:
    """The usual limits with changes such as `max_games=2000`.

    Raises:
        RequestError: if there is no such limit, or it cannot be that.

    >>> read_limits(["max_games=2000", "cover_seconds=0.5"]).max_games
    2000
    """
    usual = Limits()
    read: dict[str, Any] = {}
    for change in changes:
        name, _, text = change.partition("=")
        names = [field.name for field in fields(Limits)]
        if name not in names:
            raise RequestError(f"no limit {shorten(name)}; there are: {', '.join(names)}", status=422)
        kind = type(getattr(usual, name))
        try:
            value = kind(text)
        except ValueError:
            value = math.nan
        # Without a thread nothing runs, and what comes at no rate never comes.
        least = 1 if name.endswith(("_threads", "_per_second", "_per_minute")) else 0
        if not least <= value < math.inf:
            expected = "a whole number" if kind is int else "a number"
            raise RequestError(f"{name} must be {expected} of at least {least}, not {shorten(text)}", status=422)
        read[name] = value
    return replace(usual, **read)
