"""How much one user, and all of them together, may ask of the server."""

from __future__ import annotations

import ipaddress
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from lastcard.errors import RequestError, shorten

RECORDS_PATH: Final = "/api/studies"
"""Where records are brought."""
_MOST_KEYS: Final = 10_000
"""Users remembered by a rate; whoever comes back to a full bucket need not be."""


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


def user_of(address: str | None) -> str:
    """Whom an address belongs to: itself, or of IPv6 the /64 that one user usually has.

    >>> user_of("2001:db8::1") == user_of("2001:db8::2"), user_of("192.0.2.1")
    (True, '192.0.2.1')
    """
    try:
        read = ipaddress.ip_address(address or "")
    except ValueError:
        return address or "unknown"
    if isinstance(read, ipaddress.IPv6Address) and read.ipv4_mapped is None:
        return str(ipaddress.ip_network((read, 64), strict=False))
    return str(read)


class Rate:
    """A bucket of tokens for each user, which fills at a steady rate.

    >>> rate = Rate("actions", per_second=1.0, burst=1, clock=lambda: 0.0)
    >>> rate.take("somebody")
    >>> rate.take("somebody")
    Traceback (most recent call last):
        ...
    lastcard.errors.RequestError: too many actions; try again in 1 s
    """

    def __init__(self, what: str, per_second: float, burst: float, clock: Callable[[], float]) -> None:
        self._what = what
        self._per_second = per_second
        self._burst = burst
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}  # tokens and when they were counted

    def take(self, user: str) -> None:
        """Takes a token.

        Raises:
            RequestError: with status 429, if there is none.
        """
        now = self._clock()
        if len(self._buckets) > _MOST_KEYS:
            self._forget(now)
        tokens = self._tokens(user, now)
        if tokens < 1:
            wait = (1 - tokens) / self._per_second
            raise too_many(self._what, wait)
        self._buckets[user] = (tokens - 1, now)

    def _tokens(self, user: str, now: float) -> float:
        tokens, counted = self._buckets.get(user, (self._burst, now))
        return min(tokens + (now - counted) * self._per_second, self._burst)

    def _forget(self, now: float) -> None:
        full = [user for user in self._buckets if self._tokens(user, now) >= self._burst]
        for user in full or list(self._buckets):
            del self._buckets[user]


def too_many(what: str, retry_after_seconds: float) -> RequestError:
    """What to say over a limit."""
    seconds = max(math.ceil(retry_after_seconds), 1)
    message = f"too many {what}; try again in {seconds} s"
    return RequestError(message, status=429, retry_after_seconds=retry_after_seconds)


class Share:
    """Counts what each user holds at the moment, and refuses what is too much."""

    def __init__(self, what: str, most: int, most_per_user: int) -> None:
        self._what = what
        self._most = most
        self._most_per_user = most_per_user
        self._held: dict[str, int] = {}
        self.total = 0

    def take(self, user: str) -> None:
        """Takes one more.

        Raises:
            RequestError: with status 429, if that is too much for the user or for all together.
        """
        held = self._held.get(user, 0)
        if held >= self._most_per_user:
            raise too_many(f"{self._what} of yours at a time", 1)
        if self.total >= self._most:
            raise too_many(f"{self._what} on this server at a time", 5)
        self._held[user] = held + 1
        self.total += 1

    def give_back(self, user: str) -> None:
        """Lets go of one."""
        held = self._held[user] - 1
        if held:
            self._held[user] = held
        else:
            del self._held[user]
        self.total -= 1
