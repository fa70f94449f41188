"""Rows of studies: uploads, branches and analyses of finished games.

Each function works in a transaction of the caller.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, inspect, select, true

from lastcard.errors import StoreError
from lastcard.store.damage import naming, read_object
from lastcard.store.entry import GameEntry, SeatEntry
from lastcard.store.schema import (
    ACTIONS,
    ANALYSES,
    BRANCHES,
    DEPARTURES,
    FURTHER_TOKENS,
    GAMES,
    HOLDERS,
    IMPORTS,
    LEASES,
    LINK_SEATS,
    ROUNDS,
    SEATS,
    SITTINGS,
    WAITING,
)
from lastcard.store.writing import add_game, enter_game, put_actions


@dataclass(frozen=True, slots=True)
class StoredStudy:
    """A game that has a key, as a study needs it."""

    game: int
    began: datetime
    is_finished: bool
    is_import: bool
    is_branch: bool
    token_hashes: tuple[str, ...]
    """Hashes of the tokens that may delete it."""
    settings: Mapping[str, Any]
    """Settings of the sitting; empty without one."""
    called: Mapping[int, str]
    """Names of the people who took seats of the sitting."""


def find_study(connection: Connection, key: str) -> StoredStudy | None:
    """The game with that key."""
    with naming("a game", key):
        row = connection.execute(select(GAMES.c.id, GAMES.c.began, GAMES.c.finished).where(GAMES.c.key == key)).first()
    if row is None:
        return None
    sittings = connection.execute(select(SITTINGS).where(SITTINGS.c.game_id == row.id)).all()
    holders = connection.execute(select(HOLDERS).where(HOLDERS.c.game_id == row.id)).all()
    uploaded = connection.execute(select(IMPORTS.c.token_hash).where(IMPORTS.c.game_id == row.id)).scalars().all()
    further = connection.execute(
        select(FURTHER_TOKENS.c.token_hash).where(FURTHER_TOKENS.c.game_id == row.id)
    ).scalars()
    gone = set(connection.execute(select(DEPARTURES.c.token_hash).where(DEPARTURES.c.game_id == row.id)).scalars())
    sittings_left = [person for person in sittings if person.token_hash not in gone]
    with naming(f"the sitting of game {row.id}"):
        settings = read_object(sittings[0].settings) if sittings else {}
    return StoredStudy(
        game=row.id,
        began=row.began,
        is_finished=row.finished is not None,
        is_import=bool(uploaded),
        is_branch=find_branch(connection, row.id) is not None,
        token_hashes=(*(person.token_hash for person in (*sittings_left, *holders)), *uploaded, *further),
        settings=settings,
        called={
            **{sitting.seat: settings["called"] for sitting in sittings_left if "called" in settings},
            **{holder.seat: holder.name for holder in holders},
        },
    )


# Uploaded records


def add_import(connection: Connection, entry: GameEntry, key: str, token_hash: str) -> int:
    """Stores an uploaded record and the hash of its token; can be retried.

    Raises:
        StoreError: if the key belongs to another game, or it was uploaded with another token.
    """
    game = add_game(connection, entry, key)
    found = connection.execute(select(IMPORTS.c.token_hash).where(IMPORTS.c.game_id == game)).scalar()
    if found is None:
        connection.execute(insert(IMPORTS).values(game_id=game, token_hash=token_hash))
    elif found != token_hash:
        raise StoreError(f"game {game} was uploaded with another token")
    return game


# Branches


def begin_branch(connection: Connection, entry: GameEntry, key: str) -> int:
    """Enters a game that continues the record."""
    seats = [SeatEntry(seat.name, seat.is_person, 0) for seat in entry.seats]
    game = enter_game(connection, entry.rules, seats, entry.seed, key)
    put_actions(connection, game, entry)
    connection.execute(insert(BRANCHES).values(game_id=game, record=entry.text))
    return game


def find_branch(connection: Connection, game: int) -> str | None:
    """The record that the game continues, if it is a branch."""
    if not inspect(connection).has_table(BRANCHES.name):
        return None  # a store of version 1 that is only read
    return connection.execute(select(BRANCHES.c.record).where(BRANCHES.c.game_id == game)).scalar()


# Analyses


def read_analyses(connection: Connection, game: int, analyst: str) -> list[dict[str, Any]]:
    """Analyses of the rounds that the analyst has judged, in order."""
    wanted = and_(ANALYSES.c.game_id == game, ANALYSES.c.analyst == analyst)
    query = select(ANALYSES.c.round, ANALYSES.c.result).where(wanted).order_by(ANALYSES.c.round)
    found = []
    for row in connection.execute(query):
        with naming(f"the analysis of round {row.round} of game {game}"):
            found.append(read_object(row.result, "round"))
    return found


# Deleting


def delete_game(connection: Connection, game: int) -> bool:
    """Deletes a game with all its rows; False if there was none.

    Raises:
        StoreError: if it belongs to a match, whose results rest on it.
    """
    row = connection.execute(select(GAMES.c.match_id).where(GAMES.c.id == game)).first()
    if row is None:
        return False
    if row.match_id is not None:
        raise StoreError(f"game {game} belongs to match {row.match_id}")
    _delete_rows(connection, game)
    return True


def find_newest(connection: Connection) -> datetime | None:
    """Time at which the newest game ended or, if it is not over, began; None without games."""
    time = select(func.coalesce(GAMES.c.finished, GAMES.c.began)).order_by(GAMES.c.id.desc()).limit(1)
    with naming("the newest game"):
        return connection.execute(time).scalar()


def find_last_old(connection: Connection, keep: timedelta, most_gap: timedelta, time: datetime, sure: timedelta) -> int:
    """Number of the newest game that is that old by the gaps between games; 0 without one."""
    later, age = time, timedelta()
    most_gap = min(most_gap, keep / 2)  # one wrong clock makes no game old
    most = max(most_gap, sure)
    query = select(GAMES.c.id, GAMES.c.began).order_by(GAMES.c.id.desc())
    with naming("the time of a game"), connection.execute(query, execution_options={"yield_per": 1_000}) as rows:
        for game, began in rows:
            age += min(max(later - began, timedelta()), most)
            if age >= keep:
                return int(game)
            later, most = began, most_gap
    return 0


def _is_old(before: datetime, but: Sequence[str], last: int | None) -> ColumnElement[bool]:
    """Games of a server that were over, or begun and never finished, before that time."""
    on_server = GAMES.c.id.in_(select(SITTINGS.c.game_id).union(select(IMPORTS.c.game_id)))
    is_old = func.coalesce(GAMES.c.finished, GAMES.c.began) < before
    is_early = true() if last is None else GAMES.c.id <= last
    is_free = GAMES.c.id.not_in(select(LEASES.c.game_id))
    return and_(on_server, is_old, is_early, is_free, GAMES.c.match_id.is_(None), GAMES.c.key.not_in(but))


def count_old(connection: Connection, before: datetime, but: Sequence[str], last: int | None) -> tuple[int, int]:
    """Number of games that `prune` would delete, and of those that were never finished."""
    found = select(func.count(), func.count(GAMES.c.finished)).where(_is_old(before, but, last))
    count, finished = connection.execute(found).one()
    return count, count - finished


def prune(connection: Connection, before: datetime, most: int, but: Sequence[str], last: int | None) -> int:
    """Deletes games of a server that were over, or begun and never finished, before that time; returns how many."""
    found = select(GAMES.c.id).where(_is_old(before, but, last)).order_by(GAMES.c.id).limit(most)
    old = connection.execute(found).scalars().all()
    for game in old:
        _delete_rows(connection, game)
    return len(old)


def _delete_rows(connection: Connection, game: int) -> None:
    people: Sequence[Any] = (WAITING, LINK_SEATS, FURTHER_TOKENS, DEPARTURES, HOLDERS, SITTINGS)
    tables: Sequence[Any] = (LEASES, ANALYSES, BRANCHES, IMPORTS, *people, ACTIONS, ROUNDS, SEATS)
    for table in tables:
        connection.execute(delete(table).where(table.c.game_id == game))
    connection.execute(delete(GAMES).where(GAMES.c.id == game))
