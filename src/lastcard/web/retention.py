"""Retention: old games are deleted, and a full store takes no more."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final

from lastcard.errors import StoreError
from lastcard.store.store import Store
from lastcard.store.utc import now
from lastcard.web.limits import Limits
from lastcard.web.refusals import refuse

_EVERY_SECONDS: Final = 3_600.0
_PAUSE_SECONDS: Final = 0.1
"""Between two parts of a pruning, so that games are stored in between."""
_FRESH_SECONDS: Final = 5.0
_MOST_DAYS: Final = 100_000.0  # dates go no further back
_LOG: Final = logging.getLogger(__name__)


class Retention:
    """Watches the size of the store. Use it in one event loop."""

    def __init__(
        self, store: Store, limits: Limits, clock: Callable[[], float], list_loaded: Callable[[], Sequence[str]]
    ) -> None:
        self._store = store
        self._limits = limits
        self._clock = clock
        self._list_loaded = list_loaded
        self._measured: tuple[float, int] | None = None

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
        """Deletes old games every hour."""
        while True:
            try:
                await self.prune()
            except StoreError as error:
                _LOG.error("old games could not be deleted: %s", error)
            await asyncio.sleep(_EVERY_SECONDS)

    async def prune(self) -> int:
        """Deletes games that are older than `keep_days`, unless they are in memory; returns how many."""
        before, deleted = now() - timedelta(days=min(self._limits.keep_days, _MOST_DAYS)), 0
        while some := await asyncio.wrap_future(self._store.prune_some(before, self._list_loaded())):
            deleted += some
            await asyncio.sleep(_PAUSE_SECONDS)
        if deleted:
            _LOG.warning("%d games older than %g days deleted", deleted, self._limits.keep_days)
        return deleted
