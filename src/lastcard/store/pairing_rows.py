"""Rows of people who wait for others to play with. Each function works in a transaction of the caller."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, and_, delete, func, insert, select, update

from lastcard.store import sitting_rows, writing
from lastcard.store.schema import GAMES, WAITING
from lastcard.store.utc import now

_KEEP: Final = timedelta(minutes=10)
"""Time after which a row that no longer counts is deleted."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A person who waits."""

    token_hash: str
    level: str
    name: str


@dataclass(frozen=True, slots=True)
class PairedGame:
    """A game for people who waited, with one name for each of them, from seat 0."""

    rules: str
    agents: tuple[str, ...]
    people: tuple[int, ...]
    names: tuple[str, ...]
    seed: int
    key: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Found:
    """Progress of the search for others."""

    name: str
    waiting: int
    """People who wait for the same game, this one included."""
    seconds_left: float
    game: str | None
    """Key of the game, once it is found."""
    seat: int | None


MakeGame = Callable[[Sequence[Waiting]], PairedGame]


def add_waiting(connection: Connection, who: Waiting, kind: str, fills: datetime, expires: datetime) -> None:
    """Enters a person who waits, and deletes rows that no longer count."""
    connection.execute(delete(WAITING).where(WAITING.c.expires < now() - _KEEP))
    row = {"token_hash": who.token_hash, "level": who.level, "name": who.name}
    connection.execute(insert(WAITING).values(**row, kind=kind, fills=fills, expires=expires))


def count_waiting(connection: Connection, kind: str | None = None) -> int:
    """People who wait now, for any game or one kind."""
    query = select(func.count()).where(_is_waiting(kind))
    return int(connection.execute(query).scalar_one())


def find_kind(connection: Connection, token_hash: str) -> str | None:
    """The game that a person waits for, or waited for."""
    return connection.execute(select(WAITING.c.kind).where(WAITING.c.token_hash == token_hash)).scalar()


def cancel(connection: Connection, token_hash: str) -> None:
    """Forgets a person who waits; one who has a seat keeps it."""
    connection.execute(delete(WAITING).where(WAITING.c.token_hash == token_hash, WAITING.c.game_id.is_(None)))


def poll(connection: Connection, token_hash: str, expires: datetime, players: int, make_game: MakeGame) -> Found | None:
    """Prolongs the wait of a person, and begins a game if there are enough, or the time to wait is over.

    Args:
        connection: The store's.
        token_hash: Hash of the person's token.
        expires: When the row no longer counts, unless the person asks again.
        players: Seats of the game.
        make_game: Makes the game for those who waited longest.

    Returns:
        None if the person does not wait.
    """
    find_own = select(WAITING).where(WAITING.c.token_hash == token_hash)
    own = connection.execute(find_own).first()
    if own is None or (own.game_id is None and own.expires <= now()):
        return None
    if own.game_id is None:
        # Locked in the order of their numbers: the same people may ask another process at the same moment.
        query = select(WAITING).where(_is_waiting(own.kind)).order_by(WAITING.c.id).limit(players).with_for_update()
        rows = connection.execute(query).all()
        connection.execute(update(WAITING).where(WAITING.c.id == own.id).values(expires=expires))
        is_due = bool(rows) and min(row.fills for row in rows) <= now()
        if len(rows) == players or (is_due and own.id in [row.id for row in rows]):
            _seat(connection, rows, make_game)
        own = connection.execute(find_own).first()
        if own is None:
            return None  # cancelled at another process
    key = connection.execute(select(GAMES.c.key).where(GAMES.c.id == own.game_id)).scalar() if own.game_id else None
    left = max((own.fills - now()).total_seconds(), 0.0)
    return Found(own.name, count_waiting(connection, own.kind), left, key, own.seat)


def _seat(connection: Connection, rows: Sequence[Any], make_game: MakeGame) -> None:
    """Begins the game, whose first seats are those of the people, in order."""
    game = make_game([Waiting(row.token_hash, row.level, row.name) for row in rows])
    number = writing.begin_game(connection, game.rules, game.agents, game.people, game.seed, game.key)
    sitting_rows.add_sitting(connection, number, 0, rows[0].token_hash, 1, game.settings)
    for seat, row in enumerate(rows):
        if seat:
            sitting_rows.add_holder(connection, number, seat, row.token_hash, game.names[seat])
        values = {"game_id": number, "seat": seat, "name": game.names[seat]}
        connection.execute(update(WAITING).where(WAITING.c.id == row.id).values(**values))


def _is_waiting(kind: str | None) -> Any:
    counts = and_(WAITING.c.game_id.is_(None), WAITING.c.expires > now())
    return counts if kind is None else and_(counts, WAITING.c.kind == kind)
