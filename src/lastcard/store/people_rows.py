"""Rows about one person across games: seats held by a token, further tokens, personal links, and erasing.

Each function works in a transaction of the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, and_, delete, func, insert, select, update

from lastcard.store.damage import naming, read_object
from lastcard.store.schema import (
    DEPARTURES,
    FURTHER_TOKENS,
    GAMES,
    HOLDERS,
    IMPORTS,
    LINK_SEATS,
    LINKS,
    SITTINGS,
    WAITING,
)
from lastcard.store.studies import delete_game
from lastcard.store.utc import now
from lastcard.store.writing import to_json

MOST_TOKENS: Final = 8
"""Further tokens of one seat."""
_ERASED: Final = "erased"
"""With the number of the seat, stands where the hash of a token was; no token has it."""


@dataclass(frozen=True, slots=True)
class Holding:
    """A seat, past or present, or an uploaded record, that a token proves."""

    game: int
    key: str
    seat: int | None
    """None for an uploaded record."""
    how: str
    """`held`, `left`, `resigned`, or `uploaded`."""
    is_finished: bool


@dataclass(frozen=True, slots=True)
class CarriedSeat:
    """A seat with the new token that a personal link made for it."""

    key: str
    game: int
    seat: int | None
    token: str
    is_finished: bool


def find_holding(connection: Connection, key: str, token_hash: str) -> Holding | None:
    """The seat that the token holds, or held, in the game with that key."""
    row = connection.execute(select(GAMES.c.id, GAMES.c.finished).where(GAMES.c.key == key)).first()
    if row is None:
        return None

    def find(table: Any, *columns: Any) -> Any:
        place = and_(table.c.game_id == row.id, table.c.token_hash == token_hash)
        return connection.execute(select(*columns, table.c.game_id).where(place)).first()

    is_finished = row.finished is not None
    if gone := find(DEPARTURES, DEPARTURES.c.seat, DEPARTURES.c.how):
        return Holding(row.id, key, gone.seat, gone.how, is_finished)
    for table in (SITTINGS, HOLDERS, FURTHER_TOKENS):
        if found := find(table, table.c.seat):
            return Holding(row.id, key, found.seat, "uploaded" if found.seat is None else "held", is_finished)
    return Holding(row.id, key, None, "uploaded", is_finished) if find(IMPORTS) else None


# Personal links


def add_link(connection: Connection, link_hash: str, expires: datetime, holdings: Sequence[Holding]) -> None:
    """Enters a personal link, and forgets those that have expired."""
    old = select(LINKS.c.link_hash).where(LINKS.c.expires <= now())
    connection.execute(delete(LINK_SEATS).where(LINK_SEATS.c.link_hash.in_(old)))
    connection.execute(delete(LINKS).where(LINKS.c.expires <= now()))
    connection.execute(insert(LINKS).values(link_hash=link_hash, expires=expires))
    rows = {each.game: {"link_hash": link_hash, "game_id": each.game, "seat": each.seat} for each in holdings}
    if rows:
        connection.execute(insert(LINK_SEATS), list(rows.values()))


def drop_link(connection: Connection, link_hash: str) -> None:
    """Forgets a personal link."""
    connection.execute(delete(LINK_SEATS).where(LINK_SEATS.c.link_hash == link_hash))
    connection.execute(delete(LINKS).where(LINKS.c.link_hash == link_hash))


def use_link(
    connection: Connection, link_hash: str, make_token: Callable[[], tuple[str, str]]
) -> list[CarriedSeat] | None:
    """Uses a personal link, which works once; None if there is none.

    Args:
        connection: The store's.
        link_hash: SHA-256 of the secret in the link.
        make_token: Makes a token and its hash.
    """
    found = connection.execute(select(LINKS.c.expires).where(LINKS.c.link_hash == link_hash)).scalar()
    if found is None or found <= now():
        return None
    joined = select(LINK_SEATS.c.game_id, LINK_SEATS.c.seat, GAMES.c.key, GAMES.c.finished)
    joined = joined.join(GAMES, GAMES.c.id == LINK_SEATS.c.game_id).where(LINK_SEATS.c.link_hash == link_hash)
    carried = []
    for row in connection.execute(joined.order_by(LINK_SEATS.c.game_id)).all():
        if not _is_held(connection, row.game_id, row.seat) or _is_full(connection, row.game_id, row.seat):
            continue
        token, token_hash = make_token()
        connection.execute(insert(FURTHER_TOKENS).values(token_hash=token_hash, game_id=row.game_id, seat=row.seat))
        carried.append(CarriedSeat(row.key, row.game_id, row.seat, token, row.finished is not None))
    drop_link(connection, link_hash)
    return carried


def _is_held(connection: Connection, game: int, seat: int | None) -> bool:
    """Returns whether the person still has the seat: it may have been given up since the link was made."""
    if seat is None:
        return True
    if connection.execute(select(HOLDERS.c.seat).where(HOLDERS.c.game_id == game, HOLDERS.c.seat == seat)).first():
        return True
    gone = select(DEPARTURES.c.token_hash).where(DEPARTURES.c.game_id == game)
    first = and_(SITTINGS.c.game_id == game, SITTINGS.c.seat == seat, SITTINGS.c.token_hash.not_in(gone))
    return connection.execute(select(SITTINGS.c.seat).where(first)).first() is not None


def _is_full(connection: Connection, game: int, seat: int | None) -> bool:
    same = and_(FURTHER_TOKENS.c.game_id == game, FURTHER_TOKENS.c.seat.is_not_distinct_from(seat))
    return connection.execute(select(func.count()).where(same)).scalar_one() >= MOST_TOKENS


# Erasing


def erase(connection: Connection, holding: Holding, token_hash: str) -> bool:
    """Erases a person from a finished game; returns whether the game went with it, because it was only the person's."""
    connection.execute(delete(WAITING).where(WAITING.c.token_hash == token_hash))
    if holding.how == "uploaded" or not _has_others(connection, holding):
        return delete_game(connection, holding.game)
    game, seat = holding.game, holding.seat
    connection.execute(delete(FURTHER_TOKENS).where(FURTHER_TOKENS.c.game_id == game, FURTHER_TOKENS.c.seat == seat))
    if holding.how != "held":
        # The row says that the seat was resigned: it stays, and points at no one.
        mine = and_(DEPARTURES.c.game_id == game, DEPARTURES.c.token_hash == token_hash)
        connection.execute(update(DEPARTURES).where(mine).values(token_hash=f"{_ERASED} {seat}"))
    mine = and_(SITTINGS.c.game_id == game, SITTINGS.c.seat == seat)
    row = connection.execute(select(SITTINGS).where(mine)).first()
    replaced = connection.execute(
        select(HOLDERS.c.token_hash).where(HOLDERS.c.game_id == game, HOLDERS.c.seat == seat)
    ).scalar()
    if replaced is not None and holding.how == "held":
        connection.execute(delete(HOLDERS).where(HOLDERS.c.game_id == game, HOLDERS.c.seat == seat))
    elif row is not None and (holding.how == "held" or row.token_hash == token_hash):
        with naming(f"the sitting of game {game}"):
            settings = read_object(row.settings)
        kept = {name: value for name, value in settings.items() if name not in ("called", "name")}
        connection.execute(update(SITTINGS).where(mine).values(token_hash=f"{_ERASED} {seat}", settings=to_json(kept)))
    return False


def _has_others(connection: Connection, holding: Holding) -> bool:
    """Returns whether another person has a seat in the game."""
    game, seat = holding.game, holding.seat
    gone = select(DEPARTURES.c.token_hash).where(DEPARTURES.c.game_id == game)
    others = select(HOLDERS.c.seat).where(HOLDERS.c.game_id == game)
    first = select(SITTINGS.c.seat).where(
        SITTINGS.c.game_id == game,
        SITTINGS.c.token_hash.not_in(gone),
        SITTINGS.c.token_hash.not_like(f"{_ERASED} %"),
    )
    seats = {*connection.execute(others).scalars(), *connection.execute(first).scalars()}
    return bool(seats - ({seat} if holding.how == "held" else set()))
