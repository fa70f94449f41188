"""Rows for results over time: finished games of a person. Each function works in a transaction of the caller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from lastcard.store.damage import naming, read_object
from lastcard.store.people_rows import find_holding
from lastcard.store.schema import BRANCHES, DEPARTURES, GAMES, SITTINGS


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game that is over for the person."""

    key: str
    seat: int
    ended: datetime
    players: int
    won: bool
    resigned: bool
    is_finished: bool
    settings: Mapping[str, Any]


def list_past_games(connection: Connection, seats: Sequence[tuple[str, str]]) -> list[PastGame]:
    """The games, each named by its key and the hash of a token, that are over for the person, oldest first.

    Branches do not count, since they continue another game, nor do uploads and seats that were left.
    """
    found = [_find_past(connection, key, token_hash) for key, token_hash in seats]
    return sorted((game for game in found if game is not None), key=lambda game: (game.ended, game.key))


def _find_past(connection: Connection, key: str, token_hash: str) -> PastGame | None:
    holding = find_holding(connection, key, token_hash)
    if holding is None or holding.seat is None or holding.how == "left":
        return None
    resigned = holding.how == "resigned"
    if not resigned and not holding.is_finished:
        return None
    game = holding.game
    if connection.execute(select(BRANCHES.c.game_id).where(BRANCHES.c.game_id == game)).first() is not None:
        return None
    columns = (GAMES.c.began, GAMES.c.finished, GAMES.c.players, GAMES.c.winner)
    row = connection.execute(select(*columns).where(GAMES.c.id == game)).one()
    settings = connection.execute(select(SITTINGS.c.settings).where(SITTINGS.c.game_id == game)).scalar_one()
    with naming(f"the sitting of game {game}"):
        read = read_object(settings)
    gave_up = connection.execute(
        select(DEPARTURES.c.at).where(DEPARTURES.c.game_id == game, DEPARTURES.c.token_hash == token_hash)
    ).scalar()
    return PastGame(
        key=key,
        seat=holding.seat,
        ended=gave_up or row.finished or row.began,
        players=row.players,
        won=not resigned and row.winner == holding.seat,
        resigned=resigned,
        is_finished=holding.is_finished,
        settings=read,
    )
