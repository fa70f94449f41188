"""Ownership: this process among those that serve the same store, and the games that it has."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from typing import Final

import orjson

from lastcard.errors import StoreError
from lastcard.store.lease_rows import LEASE_SECONDS, Peer
from lastcard.store.store import Store
from lastcard.web.games.driver import wait_for
from lastcard.web.games.loaded import LoadedGames
from lastcard.web.lease import Lease
from lastcard.web.limits import SharedLimit
from lastcard.web.peers import MovedError, Peers

_BEAT_SECONDS: Final = LEASE_SECONDS / 5
_PATIENCE_SECONDS: Final = 2 * LEASE_SECONDS
"""Time for which a request waits for a game whose process is dead."""
_LOG: Final = logging.getLogger(__name__)


class Ownership:
    """Shows that this process lives, and finds out who has a game. Use it in one event loop."""

    def __init__(
        self, store: Store, games: LoadedGames, peers: Peers, lease: Lease, limits: Mapping[str, SharedLimit]
    ) -> None:
        self._store = store
        self._games = games
        self._peers = peers
        self._lease = lease
        self._limits = limits
        self._renewing: asyncio.Task[None] | None = None
        self._address = ""
        self._is_leaving = False

    async def join(self, address: str) -> None:
        """Shares the store from now on.

        Args:
            address: Host and port at which the other processes reach this one.

        Raises:
            StoreError: if it cannot be written.
        """
        self._address, asked = address, self._lease.now()
        self._store.owner = await asyncio.wrap_future(self._store.register(address, self._peers.secret))
        self._lease.note_renewed(asked)

    async def beat_forever(self) -> None:
        """Renews the lease on all games of this process; without it, lets them go."""
        while True:
            await asyncio.sleep(_BEAT_SECONDS)
            try:
                await self._renew()
            except StoreError as error:
                _LOG.debug("the lease could not be renewed: %s", error)  # readiness says so

    async def make_sure(self) -> None:
        """Makes sure that the games in memory are still this process's own, which they may not be after a pause.

        Raises:
            StoreError: if the store cannot be written.
        """
        if not self._lease.is_sure:
            await self._renew()

    async def _renew(self) -> None:
        """Renews the lease once, however many ask for it meanwhile."""
        if self._renewing is None or self._renewing.done():
            self._renewing = asyncio.create_task(self._beat())
            self._renewing.add_done_callback(lambda done: done.cancelled() or done.exception())
        await wait_for(self._renewing)

    async def _beat(self) -> None:
        usage = {name: limit.report() for name, limit in self._limits.items()}
        asked, was_sure = self._lease.now(), self._lease.is_sure
        living = await asyncio.wrap_future(self._store.renew(orjson.dumps(usage).decode()))
        if living is not None:
            self._lease.note_renewed(asked)
            if not was_sure:
                self._games.notify()  # sockets waited
            self._peers.note_living(living)
            others = {number: orjson.loads(each) for number, each in living.items() if number != self._store.owner}
            for name, limit in self._limits.items():
                limit.note({number: report.get(name, {}) for number, report in others.items()})
        if living is not None or self._is_leaving:
            return
        _LOG.warning("this process was silent for too long: its games continue on others")
        self._games.let_go()
        await self.join(self._address)

    async def hand_over(self) -> None:
        """Lets the other processes have all games, and takes no more."""
        self._is_leaving = True
        await self._games.stop()
        try:
            await asyncio.wrap_future(self._store.retire())
        except StoreError as error:
            _LOG.warning("the games of this process are free in %g s: %s", LEASE_SECONDS, error)

    async def locate(self, key: str) -> Peer | None:
        """The other process that has the game; None if this one has it, or may take it.

        Raises:
            MovedError: if the process that has it does not answer.
            StoreError: if the store does not say who has it.
        """
        await self.make_sure()
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while self._store.owner and not self._games.has(key):
            peer = (await asyncio.to_thread(self._store.find_peers, [key])).get(key)
            if peer is None or await self._peers.answers(peer):
                return peer
            if time.monotonic() > deadline:
                raise MovedError
            await asyncio.sleep(_BEAT_SECONDS)
        return None
