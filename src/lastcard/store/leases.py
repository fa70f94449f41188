"""Ownership of games: in PostgreSQL several processes serve a store, and each game belongs to one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future

from sqlalchemy import Connection

from lastcard.store import lease_rows
from lastcard.store.access import StoreAccess, T
from lastcard.store.lease_rows import Peer


class LeaseStore(StoreAccess):
    """Writes games only while they are this process's own."""

    owner = 0
    """Number of this process among those that share the store; 0 if it does not share it."""

    @property
    def can_be_shared(self) -> bool:
        """True if several processes may serve the store."""
        return self._database.is_shared

    def register(self, address: str, secret: str) -> Future[int]:
        """Enters this process among those that share the store; gives its number, to be the `owner`.

        Args:
            address: Host and port at which the other processes reach this one.
            secret: What they have to know.
        """
        return self._submit(lambda connection: lease_rows.register(connection, address, secret))

    def renew(self, usage: str = "{}") -> Future[dict[int, str] | None]:
        """Shows that this process lives; gives the usage of all that do, or None if this one has counted as dead."""
        owner = self.owner  # the work runs later, when this process may have registered again
        return self._submit(lambda connection: lease_rows.renew(connection, owner, usage))

    def retire(self) -> Future[None]:
        """Frees all games of this process."""
        owner = self.owner
        return self._submit(lambda connection: lease_rows.retire(connection, owner))

    def probe(self) -> Future[None]:
        """Commits a write that changes nothing, to a row of this process alone: no other waits for it."""
        owner = self.owner
        return self._submit(lambda connection: lease_rows.rewrite(connection, owner)) if owner else super().probe()

    def claim(self, game: int) -> Future[bool]:
        """Takes a game that no living process has; gives whether this one has it now."""
        owner = self.owner
        return self._submit(lambda connection: not owner or lease_rows.claim(connection, game, owner))

    def release(self, game: int) -> None:
        """Lets other processes have the game."""
        if owner := self.owner:
            self._submit(lambda connection: lease_rows.release(connection, game, owner))

    def find_peers(self, keys: Sequence[str]) -> dict[str, Peer]:
        """The other processes that have these games, by their keys."""
        return self._read(lambda connection: lease_rows.find_peers(connection, keys, self.owner)) if self.owner else {}

    def _submit_owned(self, game: int, work: Callable[[Connection], T]) -> Future[T]:
        """Submits work that fails with `LostLeaseError` if another process has the game."""
        owner = self.owner

        def owned(connection: Connection) -> T:
            lease_rows.require_owned(connection, game, owner)
            return work(connection)

        return self._submit(owned)
