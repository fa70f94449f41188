"""Rates and shares: how often, and how much at a time, a user may ask."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from lastcard.errors import RequestError
from lastcard.web.limits.networks import Network, networks_of
from lastcard.web.refusals import refuse

_MOST_KEYS: Final = 10_000
"""Networks that a rate remembers; one with a full bucket is forgotten."""
_LEAST_REPORTED: Final = 0.05
"""Part of a user's limit that a network has to take before other processes learn of it."""


class SharedLimit(Protocol):
    """A limit per user that holds for several processes together."""

    def report(self) -> Mapping[str, float]:
        """Amounts that networks have taken here, by their keys; only of those that took enough to matter."""
        ...

    def note(self, reports: Mapping[int, Mapping[str, float]]) -> None:
        """Notes the reports of the other processes, by their numbers."""
        ...


class Rate:
    """A bucket of tokens for each user, which fills at a steady rate; one for each network, which pays less.

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
        networks = networks_of(user)
        lack = max(amount / growth - self._tokens(key, now) for key, growth in networks)
        if lack > 0:
            raise too_many(self._what, lack / self._per_second)
        for key, growth in networks:
            tokens, cost = self._tokens(key, now), amount / growth
            self._buckets[key] = (tokens - cost, now)
            missing = self._burst - tokens  # counted from here as long as the bucket is nearly full
            self._taken[key] = cost + (self._taken.get(key, 0.0) if self._matters(tokens) else missing)

    def report(self) -> Mapping[str, float]:
        """Tokens taken here since the buckets were full; from one that still is nearly full, none."""
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


class Share:
    """Counts what each user and network holds at the moment, and refuses what is too much.

    A user who returns to what was left to others meanwhile takes from a reserve, if there is one, and what is held at
    other processes does not count.
    """

    def __init__(
        self, what: str, most: int, most_per_user: int, *, reserve: int = 0, retry_after_seconds: float = 1.0
    ) -> None:
        self._what = what
        self._most = most
        self._most_per_user = most_per_user
        self._reserve = reserve
        self._retry_after_seconds = retry_after_seconds
        self._held: Counter[str] = Counter()
        self._elsewhere: Mapping[int, Mapping[str, float]] = {}
        self.total = 0

    def take(self, user: str, *, returns: bool = False) -> None:
        """Takes one more.

        Raises:
            RequestError: with status 429, if a network of the user, or all users together, hold too many.
        """
        if self._find_full(user, returns=returns):
            raise too_many(self._what, self._retry_after_seconds, "too_many_yours")
        if not self.has_room(user, returns=returns):
            raise too_many(self._what, self._retry_after_seconds, "too_many_here")
        self._held.update(network.key for network in networks_of(user))
        self.total += 1

    def has_room(self, user: str, *, returns: bool = False) -> bool:
        """True if the user may take one more; for callers that need no reason."""
        most = self._most + self._reserve if returns else self._most
        return self.total < most and not self._find_full(user, returns=returns)

    def find_rivals(self, user: str, *, returns: bool = False) -> Callable[[str], bool]:
        """A test of another user: whether this one comes nearer to room once that one gives something back."""
        full = self._find_full(user, returns=returns)
        return lambda other: full.issubset(network.key for network in networks_of(other))

    def count(self, user: str) -> int:
        """Number that the widest network of the user holds here."""
        return self._held[networks_of(user)[-1].key]

    def _find_full(self, user: str, *, returns: bool) -> set[str]:
        """Networks of the user that hold all they may."""
        return {
            network.key
            for network in networks_of(user)
            if self._held[network.key] + (0 if returns else self._count_elsewhere(network.key)) >= self._limit(network)
        }

    def _limit(self, network: Network) -> int:
        """Number that the users of a network may hold together: never what belongs to all."""
        return max(min(network.growth * self._most_per_user, self._most // 2), self._most_per_user)

    def report(self) -> Mapping[str, float]:
        """Number that each network holds here; only of those that hold enough to matter."""
        return {key: count for key, count in self._held.items() if count >= _LEAST_REPORTED * self._most_per_user}

    def note(self, reports: Mapping[int, Mapping[str, float]]) -> None:
        """Notes what networks hold at other processes."""
        self._elsewhere = reports

    def _count_elsewhere(self, key: str) -> float:
        return sum(report.get(key, 0.0) for report in self._elsewhere.values())

    def give_back(self, user: str) -> None:
        """Gives one back."""
        for key, _ in networks_of(user):
            self._held[key] -= 1
            if not self._held[key]:
                del self._held[key]
        self.total -= 1
