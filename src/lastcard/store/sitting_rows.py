"""Rows of sittings: games on a server, and the people who hold their seats.

Each function works in a transaction of the caller.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, and_, delete, insert, select, update

from lastcard.errors import StoreError
from lastcard.store.damage import naming, read_object
from lastcard.store.schema import DEPARTURES, FURTHER_TOKENS, GAMES, HOLDERS, SITTINGS
from lastcard.store.utc import now
from lastcard.store.writing import to_json


@dataclass(frozen=True, slots=True)
class StoredHolder:
    """A person who took a seat."""

    seat: int
    token_hash: str
    name: str


@dataclass(frozen=True, slots=True)
class StoredSitting:
    """A game on a server, and the people who hold its seats."""

    game: int
    seat: int
    """Seat of the player who created the game."""
    token_hash: str
    round: int
    """The round dealt last; 0 while people gather."""
    settings: Mapping[str, Any]
    is_finished: bool
    holders: tuple[StoredHolder, ...] = ()
    """People who took seats later."""
    departed: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    """Seats that were given up, and how, by the hash of the token that held each."""
    further: tuple[tuple[int, str], ...] = ()
    """Seats and hashes of further tokens of their people."""


def add_sitting(
    connection: Connection, game: int, seat: int, token_hash: str, round_number: int, settings: Mapping[str, Any]
) -> None:
    """Enters the sitting of a game that has just begun; can be retried.

    Raises:
        StoreError: if another sits there.
    """
    found = connection.execute(select(SITTINGS.c.token_hash).where(SITTINGS.c.game_id == game)).scalar()
    if found is not None:
        if found != token_hash:
            raise StoreError(f"another person holds game {game}")
        return
    values = {"game_id": game, "seat": seat, "token_hash": token_hash, "settings": to_json(settings)}
    connection.execute(insert(SITTINGS).values(**values, round=round_number))


def add_holder(connection: Connection, game: int, seat: int, token_hash: str, name: str) -> None:
    """Enters who takes a seat; can be retried.

    Raises:
        StoreError: if another has it, or the game has no sitting.
    """
    place = and_(HOLDERS.c.game_id == game, HOLDERS.c.seat == seat)
    found = connection.execute(select(HOLDERS.c.token_hash).where(place)).scalar()
    if found is not None:
        if found != token_hash:
            raise StoreError(f"game {game}: seat {seat} is taken")
        return
    if connection.execute(select(SITTINGS.c.game_id).where(SITTINGS.c.game_id == game)).scalar() is None:
        raise StoreError(f"game {game} has no sitting")
    connection.execute(insert(HOLDERS).values(game_id=game, seat=seat, token_hash=token_hash, name=name))


def note_round(connection: Connection, game: int, number: int) -> None:
    """Stores that a round was dealt.

    Raises:
        StoreError: if the game has no sitting.
    """
    if connection.execute(update(SITTINGS).where(SITTINGS.c.game_id == game).values(round=number)).rowcount != 1:
        raise StoreError(f"game {game} has no sitting")


def find_sitting(connection: Connection, key: str) -> StoredSitting | None:
    """The sitting of the game with that key."""
    joined = select(SITTINGS, GAMES.c.finished).join(GAMES, GAMES.c.id == SITTINGS.c.game_id)
    with naming("the sitting of a game", key):
        row = connection.execute(joined.where(GAMES.c.key == key)).first()
    if row is None:
        return None
    with naming(f"the sitting of game {row.game_id}"):
        settings = read_object(row.settings)
    columns = select(HOLDERS.c.seat, HOLDERS.c.token_hash, HOLDERS.c.name).where(HOLDERS.c.game_id == row.game_id)
    holders = tuple(StoredHolder(*found) for found in connection.execute(columns.order_by(HOLDERS.c.seat)))
    is_finished = row.finished is not None
    gone = select(DEPARTURES).where(DEPARTURES.c.game_id == row.game_id)
    departed = {each.token_hash: (each.seat, each.how) for each in connection.execute(gone)}
    tokens = select(FURTHER_TOKENS.c.seat, FURTHER_TOKENS.c.token_hash)
    rows = connection.execute(tokens.where(FURTHER_TOKENS.c.game_id == row.game_id))
    # The tokens of an uploaded record have no seat.
    further = tuple((number, token_hash) for number, token_hash in rows if number is not None)
    return StoredSitting(
        row.game_id, row.seat, row.token_hash, row.round, settings, is_finished, holders, departed, further
    )


def give_up(connection: Connection, game: int, seat: int, token_hash: str, how: str) -> None:
    """Stores that the person with that token has given up a seat; further tokens of the seat end with it.

    Can be retried.
    """
    same_seat = and_(FURTHER_TOKENS.c.game_id == game, FURTHER_TOKENS.c.seat == seat)
    further = connection.execute(select(FURTHER_TOKENS.c.token_hash).where(same_seat)).scalars().all()
    for each in (token_hash, *further):
        place = and_(DEPARTURES.c.game_id == game, DEPARTURES.c.token_hash == each)
        if connection.execute(select(DEPARTURES.c.seat).where(place)).first() is None:
            row = {"game_id": game, "token_hash": each, "seat": seat, "how": how, "at": now()}
            connection.execute(insert(DEPARTURES).values(**row))
    mine = and_(HOLDERS.c.game_id == game, HOLDERS.c.seat == seat, HOLDERS.c.token_hash == token_hash)
    connection.execute(delete(HOLDERS).where(mine))
    connection.execute(delete(FURTHER_TOKENS).where(same_seat))
