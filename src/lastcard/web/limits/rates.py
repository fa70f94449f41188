"""Rates and shares: how often, and how much at a time, a user may ask."""

from __future__ import annotations

import hashlib
import ipaddress
import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, Protocol

from lastcard.errors import RequestError
from lastcard.web.refusals import refuse

_MOST_KEYS: Final = 10_000
"""Users that a rate remembers; a user with a full bucket is forgotten."""
_MOST_READ: Final = 1_000
"""Addresses, and users, that need not be read again: each message of a client takes a token."""
_LEAST_REPORTED: Final = 0.05
"""Part of a limit that a user has to take before other processes learn of it."""


@lru_cache(maxsize=_MOST_READ)
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


@lru_cache(maxsize=_MOST_READ)
def _key(user: str) -> str:
    """Stands for a user in reports to other processes, which the store keeps for seconds.

    It hides an address from a glance only: there are few enough addresses to try them all.
    """
    return hashlib.blake2b(user.encode(), digest_size=8).hexdigest()


class SharedLimit(Protocol):
    """A limit per user that holds for several processes together."""

    def report(self) -> Mapping[str, float]:
        """Amounts that users have taken here; only of those who took enough to matter."""
        ...

    def note(self, reports: Mapping[int, Mapping[str, float]]) -> None:
        """Notes the reports of the other processes, by their numbers."""
        ...


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
        self._taken: dict[str, float] = {}
        self._noted: dict[tuple[int, str], float] = {}

    def take(self, user: str, amount: float = 1.0) -> None:
        """Takes a token, or as many as the amount.

        Raises:
            RequestError: with status 429, if there are too few.
        """
        now = self._clock()
        if len(self._buckets) > _MOST_KEYS:
            self._forget(now)
        key = _key(user)
        tokens = self._tokens(key, now)
        if tokens < amount:
            wait = (amount - tokens) / self._per_second
            raise too_many(self._what, wait)
        self._buckets[key] = (tokens - amount, now)
        missing = self._burst - tokens  # counted from here as long as the bucket is nearly full
        self._taken[key] = amount + (self._taken.get(key, 0.0) if self._matters(tokens) else missing)

    def report(self) -> Mapping[str, float]:
        """Tokens that users took here since their buckets were full; of one that still is nearly full, nothing."""
        now = self._clock()
        return {key: taken for key, taken in self._taken.items() if self._matters(self._tokens(key, now))}

    def _matters(self, tokens: float) -> bool:
        return tokens <= (1 - _LEAST_REPORTED) * self._burst

    def note(self, reports: Mapping[int, Mapping[str, float]]) -> None:
        """Takes the tokens that were taken at other processes since their last reports, even if there are too few."""
        now, noted = self._clock(), dict[tuple[int, str], float]()
        for process, report in reports.items():
            for key, taken in report.items():
                before = self._noted.get((process, key), 0.0)
                since = taken - before if taken >= before else taken
                noted[process, key] = taken
                self._buckets[key] = (max(self._tokens(key, now) - since, -self._burst), now)
        self._noted = noted

    def _tokens(self, key: str, now: float) -> float:
        tokens, counted = self._buckets.get(key, (self._burst, now))
        return min(tokens + (now - counted) * self._per_second, self._burst)

    def _forget(self, now: float) -> None:
        full = [key for key in self._buckets if self._tokens(key, now) >= self._burst]
        # A full bucket is as good as none. If none is full, all go: a bound on memory is worth one more burst each.
        for key in full or list(self._buckets):
            del self._buckets[key]
            self._taken.pop(key, None)


def too_many(what: str, retry_after_seconds: float, code: str = "too_many") -> RequestError:
    """Error of a request over a limit."""
    seconds = max(math.ceil(retry_after_seconds), 1)
    return refuse(code, retry_after_seconds=retry_after_seconds, what=what, seconds=seconds)


class Elsewhere:
    """Counts what each user holds at other processes."""

    def __init__(self) -> None:
        self._reports: Mapping[int, Mapping[str, float]] = {}

    def note(self, reports: Mapping[int, Mapping[str, float]]) -> None:
        """Replaces the reports of all processes."""
        self._reports = reports

    def count(self, user: str) -> float:
        """Number that the user holds there."""
        return sum(report.get(_key(user), 0.0) for report in self._reports.values())


def report_held(held: Mapping[str, int], most_per_user: int) -> Mapping[str, float]:
    """A report of what users hold, of those who hold enough to matter."""
    return {_key(user): count for user, count in held.items() if count >= _LEAST_REPORTED * most_per_user}


class Share:
    """Counts what each user holds at the moment, and refuses what is too much."""

    def __init__(self, what: str, most: int, most_per_user: int) -> None:
        self._what = what
        self._most = most
        self._most_per_user = most_per_user
        self._held: dict[str, int] = {}
        self._elsewhere = Elsewhere()
        self.total = 0

    def take(self, user: str) -> None:
        """Takes one more.

        Raises:
            RequestError: with status 429, if the user, or all users together, hold too many.
        """
        held = self._held.get(user, 0)
        if held + self._elsewhere.count(user) >= self._most_per_user:
            raise too_many(self._what, 1, "too_many_yours")
        if self.total >= self._most:
            raise too_many(self._what, 5, "too_many_here")
        self._held[user] = held + 1
        self.total += 1

    def has_room(self, user: str) -> bool:
        """True if the user may take one more; for callers that need no reason."""
        held = self._held.get(user, 0) + self._elsewhere.count(user)
        return held < self._most_per_user and self.total < self._most

    def report(self) -> Mapping[str, float]:
        """Number that each user holds here."""
        return report_held(self._held, self._most_per_user)

    def note(self, reports: Mapping[int, Mapping[str, float]]) -> None:
        """Notes what users hold at other processes."""
        self._elsewhere.note(reports)

    def give_back(self, user: str) -> None:
        """Gives one back."""
        held = self._held[user] - 1
        if held:
            self._held[user] = held
        else:
            del self._held[user]
        self.total -= 1
