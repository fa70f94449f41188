"""Rates and shares: how often, and how much at a time, a user may ask."""

from __future__ import annotations

import ipaddress
import math
from collections.abc import Callable
from typing import Final

from lastcard.errors import RequestError

_MOST_KEYS: Final = 10_000
"""Users that a rate remembers; a user with a full bucket is forgotten."""


def user_of(address: str | None) -> str:
    """The user of an address: the address itself, or the /64 of IPv6 that one user usually has.

    >>> user_of("2001:db8::1") == user_of("2001:db8::2"), user_of("192.0.2.1")
    (True, '192.0.2.1')
    """
    try:
        read = ipaddress.ip_address(address or "")
    except ValueError:
        return address or "unknown"
    if isinstance(read, ipaddress.IPv6Address) and read.ipv4_mapped is None:
        # Providers give a household a /64, and one machine may use any address of it.
        return str(ipaddress.ip_network((read, 64), strict=False))
    return str(read)


class Rate:
    """A bucket of tokens for each user, which fills at a steady rate.

    >>> rate = Rate("actions", per_second=1.0, burst=1, clock=lambda: 0.0)
    >>> rate.take("192.0.2.1")
    >>> rate.take("192.0.2.1")
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

    def take(self, user: str, amount: float = 1.0) -> None:
        """Takes a token, or as many as the amount.

        Raises:
            RequestError: with status 429, if there are too few.
        """
        now = self._clock()
        if len(self._buckets) > _MOST_KEYS:
            self._forget(now)
        tokens = self._tokens(user, now)
        if tokens < amount:
            wait = (amount - tokens) / self._per_second
            raise too_many(self._what, wait)
        self._buckets[user] = (tokens - amount, now)

    def _tokens(self, user: str, now: float) -> float:
        tokens, counted = self._buckets.get(user, (self._burst, now))
        return min(tokens + (now - counted) * self._per_second, self._burst)

    def _forget(self, now: float) -> None:
        full = [user for user in self._buckets if self._tokens(user, now) >= self._burst]
        # A full bucket is as good as none. If none is full, all go: a bound on memory is worth one more burst each.
        for user in full or list(self._buckets):
            del self._buckets[user]


def too_many(what: str, retry_after_seconds: float) -> RequestError:
    """Error of a request over a limit."""
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
            RequestError: with status 429, if the user, or all users together, hold too many.
        """
        held = self._held.get(user, 0)
        if held >= self._most_per_user:
            raise too_many(f"{self._what} of yours at a time", 1)
        if self.total >= self._most:
            raise too_many(f"{self._what} on this server at a time", 5)
        self._held[user] = held + 1
        self.total += 1

    def give_back(self, user: str) -> None:
        """Gives one back."""
        held = self._held[user] - 1
        if held:
            self._held[user] = held
        else:
            del self._held[user]
        self.total -= 1
