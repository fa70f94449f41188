"""Readiness: whether the server can keep what people play."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from lastcard.errors import StoreError
from lastcard.store.outage import Outage, OutageError
from lastcard.store.store import Store
from lastcard.web.limits import Limits
from lastcard.web.logs import is_logged, note_logged

_FRESH_SECONDS: Final = 2.0
"""A check that is no older than this is not made again: anybody may ask."""
_PROBE_SECONDS: Final = 10.0
_WATCH_SECONDS: Final = 30.0
_LOG: Final = logging.getLogger(__name__)


class Readiness:
    """Checks the store when asked, and logs each change once. Use it in one event loop."""

    def __init__(self, store: Store, limits: Limits, clock: Callable[[], float]) -> None:
        self._store = store
        self._limits = limits
        self._clock = clock
        self._checked: float | None = None
        self._problem: str | None = None
        self._outage: Outage | None = None
        self._lock = asyncio.Lock()

    @property
    def is_ready(self) -> bool:
        """True unless the last check found a problem."""
        return self._problem is None

    async def find_problem(self) -> str | None:
        """Returns the problem that the operator has to mend, or None."""
        async with self._lock:
            if self._checked is None or self._clock() - self._checked > _FRESH_SECONDS:
                problem, cause = await self._check()
                if problem and problem != self._problem and cause:
                    _LOG.error("not ready: %s", cause)
                elif self._problem and not problem:
                    _LOG.warning("ready again")
                    if self._outage:
                        self._outage.is_over = True
                self._problem, self._checked = problem, self._clock()
            return self._problem

    async def watch_forever(self) -> None:
        """Checks now and then, so that a problem is logged even if nobody asks."""
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            await self.find_problem()

    async def _check(self) -> tuple[str | None, str]:
        """The problem in public words, and its cause, unless the log has it."""
        try:
            await asyncio.wait_for(asyncio.wrap_future(self._store.probe()), _PROBE_SECONDS)
            size, free = await asyncio.to_thread(self._store.measure_bytes), self._store.measure_free_bytes()
        except StoreError as error:
            is_known = is_logged(error)
            self._outage = error.outage if isinstance(error, OutageError) else None
            note_logged(error)
            return "the store cannot be written", "" if is_known else str(error)
        except TimeoutError:
            return "the store does not answer", f"no commit within {_PROBE_SECONDS:g} s"
        except OSError as error:
            return "the disk of the store cannot be read", str(error)
        if free is not None and free / 1e6 < self._limits.min_free_mb:
            return "the disk is almost full", f"{free / 1e6:.0f} MB are free, fewer than {self._limits.min_free_mb:g}"
        if size / 1e6 > self._limits.max_store_mb:
            return "the store is full", f"the store has {size / 1e6:.0f} MB, more than {self._limits.max_store_mb:g}"
        return None, ""
