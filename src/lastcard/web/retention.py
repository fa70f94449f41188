"""Retention: old games are deleted, and a full store takes no more."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Final

from lastcard.errors import StoreError
from lastcard.store.damage import DamageError
from lastcard.store.store import Store
from lastcard.store.utc import now
from lastcard.web.limits import Limits
from lastcard.web.logs import log_failure
from lastcard.web.refusals import refuse

_EVERY_SECONDS: Final = 3_600.0
_PAUSE_SECONDS: Final = 0.1
"""Between two parts of a pruning, so that games are stored in between."""
_FRESH_SECONDS: Final = 5.0
_MOST_DAYS: Final = 100_000.0  # dates go no further back
_MOST_GAP: Final = timedelta(days=30)
"""Between two games, or the newest one and the next start: in a longer one, the clock may have been set."""
_LOG: Final = logging.getLogger(__name__)


class Retention:
    """Watches the size of the store. Use it in one event loop."""

    def __init__(
        self,
        store: Store,
        limits: Limits,
        clock: Callable[[], float],
        list_loaded: Callable[[], Sequence[str]],
        read_time: Callable[[], datetime] = now,
    ) -> None:
        """Notes the newest game, before this start adds any.

        Args:
            store: Opened for writing.
            limits: Limits of the server.
            clock: Seconds, from any start, which nobody sets.
            list_loaded: Lists the keys of the games in memory.
            read_time: The time of day, in UTC, which may be wrong.
        """
        self._store = store
        self._limits = limits
        self._clock = clock
        self._list_loaded = list_loaded
        self._measured: tuple[float, int] | None = None
        self._read_time = read_time
        self._start = clock()
        try:
            self._newest = store.find_newest() or read_time()
        except DamageError:
            self._newest = datetime.min  # too far from any clock
        self._announced: tuple[datetime, int] | None = None
        self._is_in_doubt = False

    async def check_room(self) -> None:
        """Refuses to store another game if the store is full.

        Raises:
            RequestError: with status 503.
        """
        if self._measured is None or self._clock() - self._measured[0] > _FRESH_SECONDS:
            self._measured = (self._clock(), await asyncio.to_thread(self._store.measure_bytes))
        if self._measured[1] > self._limits.max_store_mb * 1e6:
            raise refuse("no_room")

    async def prune_forever(self) -> None:
        """Deletes old games every hour, an hour after it was announced."""
        while True:
            try:
                await self.prune()
            except StoreError as error:
                log_failure(_LOG, "old games could not be deleted", error)
            await asyncio.sleep(_EVERY_SECONDS)

    async def prune(self) -> int:
        """Deletes games that were older than `keep_days` the last time, and announces the next; returns how many.

        Not those in memory, nothing in the first hour after the start, and nothing while the clock is in doubt.
        """
        jump = self._find_jump()
        if bool(jump) != self._is_in_doubt:
            _LOG.warning("%s", jump or "the clock is right again: old games are deleted")
        self._is_in_doubt = bool(jump)
        if jump:
            self._announced = None
            return 0
        deleted = 0
        elapsed = timedelta(seconds=self._clock() - self._start)
        if self._announced and elapsed.total_seconds() >= _EVERY_SECONDS:
            deleted = await self._delete(*self._announced)
        time, keep = self._read_time(), timedelta(days=min(self._limits.keep_days, _MOST_DAYS))
        last = await asyncio.to_thread(self._store.find_last_old, keep, _MOST_GAP, time, elapsed)
        self._announced = time - keep, last
        count, unfinished = await asyncio.wrap_future(self._store.count_old(time - keep, self._list_loaded(), last))
        if count:
            line = "%d games older than %g days will be deleted in an hour, %d of them never finished"
            _LOG.warning(line, count, self._limits.keep_days, unfinished)
        return deleted

    async def _delete(self, before: datetime, last: int) -> int:
        deleted = 0
        while some := await asyncio.wrap_future(self._store.prune_some(before, self._list_loaded(), last)):
            deleted += some
            await asyncio.sleep(_PAUSE_SECONDS)
        if deleted:
            _LOG.warning("%d games older than %g days deleted", deleted, self._limits.keep_days)
        return deleted

    def _find_jump(self) -> str:
        """Compares the clock with the newest game before this start; returns the warning if they are too far apart."""
        time = self._read_time()
        gap = time - timedelta(seconds=self._clock() - self._start) - self._newest
        if abs(gap) <= _MOST_GAP:
            return ""
        return (
            f"no old games are deleted: the clock says {time:%Y-%m-%d}, and at start it was {gap.days:+,} days from the"
            f" newest game, {self._newest:%Y-%m-%d}; correct it, or if it is right, restart once there is a new game"
        )
