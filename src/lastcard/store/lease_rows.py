"""Rows of processes that serve a store together, and of the games that each of them owns.

Each function works in a transaction of the caller. They are for PostgreSQL alone: one process writes a SQLite file. A
process lives as long as it renews its row in time, by the clock of the database; the first other one that looks
afterwards deletes the row, and all its leases with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, select, text

from lastcard.errors import StoreError
from lastcard.store.schema import GAMES, LEASES, PROCESSES
from lastcard.store.statements import FastStatement

LEASE_SECONDS: Final = 2.5
"""Time without a sign of life after which a process counts as dead."""
# Not now(), which stands still from the beginning of a transaction to its end.
_NOW: Final = "timezone('utc', clock_timestamp())"
_LATER: Final = f"{_NOW} + interval '{LEASE_SECONDS} seconds'"
_OWNER: Final = FastStatement("SELECT COALESCE((SELECT process_id FROM leases WHERE game_id = :game FOR SHARE), 0)")
"""Keeps the lease as it is until the transaction ends: no other process can get it before this one has committed."""


class LostLeaseError(StoreError):
    """Another process has the game: this one may not write it."""


@dataclass(frozen=True, slots=True)
class Peer:
    """Another process that serves the store."""

    number: int
    address: str
    """Host and port."""
    secret: str


def register(connection: Connection, address: str, secret: str) -> int:
    """Enters a process that serves the store, and returns its number."""
    _drop_dead(connection)
    values = f"(:address, :secret, {_LATER}, '{{}}')"
    row = f"INSERT INTO processes (address, secret, expires, usage) VALUES {values} RETURNING id"
    return int(connection.execute(text(row), {"address": address, "secret": secret}).scalar_one())


def renew(connection: Connection, process: int, usage: str) -> dict[int, str] | None:
    """Shows that the process lives; returns the usage of all that do, or None if it has counted as dead."""
    row = f"UPDATE processes SET expires = {_LATER}, usage = :usage WHERE id = :id"
    if connection.execute(text(row), {"id": process, "usage": usage}).rowcount != 1:
        return None
    return {row.id: row.usage for row in connection.execute(text(f"SELECT * FROM processes WHERE expires > {_NOW}"))}


def rewrite(connection: Connection, process: int) -> None:
    """Writes the row of the process again as it is.

    Raises:
        StoreError: if the process has counted as dead, and its row is gone.
    """
    row = PROCESSES.update().where(PROCESSES.c.id == process).values(usage=PROCESSES.c.usage)
    if connection.execute(row).rowcount != 1:
        raise StoreError("this process has counted as dead: it has no row in the store any more")


def retire(connection: Connection, process: int) -> None:
    """Ends a process: its games are free."""
    connection.execute(PROCESSES.delete().where(PROCESSES.c.id == process))


def claim(connection: Connection, game: int, process: int) -> bool:
    """Takes a game that no living process has; returns whether this process has it now.

    A process that is late itself, as on a busy machine, keeps its row and its games until another process looks.
    """
    _drop_dead(connection, but=process)
    row = "SELECT :game, id FROM processes WHERE id = :process ON CONFLICT (game_id) DO NOTHING"
    connection.execute(text(f"INSERT INTO leases (game_id, process_id) {row}"), {"game": game, "process": process})
    return connection.execute(select(LEASES.c.process_id).where(LEASES.c.game_id == game)).scalar() == process


def release(connection: Connection, game: int, process: int) -> None:
    """Lets other processes have the game."""
    connection.execute(LEASES.delete().where(LEASES.c.game_id == game, LEASES.c.process_id == process))


def require_owned(connection: Connection, game: int, owner: int) -> None:
    """Checks, until the transaction ends, that the game is of that process; of none, if that is 0.

    Raises:
        LostLeaseError: if it is not.
    """
    if _OWNER.execute(connection, {"game": game}).fetchone()[0] != owner:
        raise LostLeaseError(f"game {game} belongs to another process")


def find_peers(connection: Connection, keys: Sequence[str], process: int) -> dict[str, Peer]:
    """Living processes that have these games, other than that one."""
    joined = select(GAMES.c.key, PROCESSES.c.id, PROCESSES.c.address, PROCESSES.c.secret)
    joined = joined.join(LEASES, LEASES.c.game_id == GAMES.c.id).join(PROCESSES, PROCESSES.c.id == LEASES.c.process_id)
    living = joined.where(GAMES.c.key.in_(keys), PROCESSES.c.id != process, text(f"processes.expires > {_NOW}"))
    return {row.key: Peer(row.id, row.address, row.secret) for row in connection.execute(living)}


def _drop_dead(connection: Connection, but: int = 0) -> None:
    connection.execute(text(f"DELETE FROM processes WHERE expires < {_NOW} AND id <> :but"), {"but": but})
