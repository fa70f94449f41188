"""Limits of a server, by name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from lastcard.errors import RequestError, shorten

RECORDS_PATH: Final = "/api/studies"
"""Path to which records are uploaded."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits with their defaults."""

    max_simulations: int = 200_000
    """Simulations of one decision."""
    max_seconds: float = 5.0
    """Seconds of one decision; an agent that takes longer answers with fewer simulations."""
    window_simulations: int = 5_000
    """Simulations of an agent in a window, which has to answer within `cover_seconds`."""
    window_seconds: float = 0.05
    """Seconds of an agent in a window, if it counts no simulations."""
    cover_seconds: float = 0.3
    """Seconds between an action and its result with jump-in, whether or not a seat was asked in a window."""
    bot_threads: int = 2
    """Threads in which agents decide, and as many again for those of users who compute much."""
    prompt_seconds: float = 5.0
    """Seconds of computing after which a user's agents give way to those of others; what is 20 s old counts half."""
    max_games: int = 500
    """Games loaded at a time; the others wait in the store."""
    max_games_per_user: int = 50
    """Games that one user may have loaded."""
    idle_seconds: float = 600.0
    """Seconds without a client after which a game leaves memory."""
    new_games_per_minute: float = 30.0
    """New games and uploads per user."""
    requests_per_second: float = 50.0
    """Requests per user, over HTTP and sockets together."""
    refusal_seconds: float = 0.5
    """Delay of a 429, so that an immediate retry gains nothing."""
    max_refusals: int = 500
    """Delayed responses at a time; further ones are sent immediately."""
    max_refusals_per_user: int = 50
    """Delayed responses per user."""
    max_connections: int = 2_000
    """Open connections of any kind."""
    max_connections_per_user: int = 200
    """Open connections per user, besides sockets."""
    request_seconds: float = 15.0
    """Seconds in which a request has to arrive, or a new connection has to send one."""
    max_sockets: int = 1_000
    """Open sockets."""
    max_sockets_per_user: int = 50
    """Open sockets per user."""
    max_frame_bytes: int = 4_096
    """Bytes of a frame from a client."""
    max_body_bytes: int = 16_384
    """Bytes of a request."""
    max_record_bytes: int = 262_144
    """Bytes of a request that uploads a record."""
    replay_threads: int = 2
    """Threads in which finished games are opened and replayed."""
    max_replays: int = 32
    """Requests about finished games that run or wait."""
    max_replays_per_user: int = 8
    """Requests about finished games per user."""
    keep_days: float = 365.0
    """Days after which finished and abandoned games are deleted."""
    max_store_mb: float = 20_000.0
    """Size of the store in MB above which no game is begun, branched off or uploaded."""
    upload_mb_per_day: float = 20.0
    """Records that a user may upload, or branch off, in a day, in MB."""
    min_free_mb: float = 100.0
    """Free space in MB on the disk of the store below which the server is not ready."""
    join_seconds: float = 5.0
    """Seconds in which a socket has to join a game."""
    away_seconds: float = 10.0
    """Seconds after which a person without a connection counts as away."""

    def body_bytes(self, path: str) -> int:
        """Largest body of a request to that path, in bytes."""
        return self.max_record_bytes if path == RECORDS_PATH else self.max_body_bytes


def read_limits(changes: Sequence[str]) -> Limits:
    """Reads changes such as `max_games=2000` into the default limits.

    Raises:
        RequestError: if there is no such limit, or the value is out of range.

    >>> read_limits(["max_games=2000", "cover_seconds=0.5"]).max_games
    2000
    """
    usual = Limits()
    read: dict[str, Any] = {}
    for change in changes:
        name, equals, text = change.partition("=")
        names = [field.name for field in fields(Limits)]
        if name not in names:
            raise RequestError(f"no limit {shorten(name)}; there are: {', '.join(names)}", status=422)
        if not equals:
            raise RequestError(f"--limit must be NAME=VALUE, not {shorten(change)}", status=422)
        kind = type(getattr(usual, name))
        try:
            value = kind(text)
        except ValueError:
            value = math.nan
        # Without a thread nothing runs, and at a rate of zero no request ever succeeds.
        least = 1 if name.endswith(("_threads", "_per_second", "_per_minute")) else 0
        if not least <= value < math.inf:
            expected = "a whole number" if kind is int else "a number"
            raise RequestError(f"{name} must be {expected} of at least {least}, not {shorten(text)}", status=422)
        read[name] = value
    return replace(usual, **read)
