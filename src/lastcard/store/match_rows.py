"""Rows of matches, their chunks and ratings. Each function works in a transaction of the caller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, func, insert, select, update

from lastcard.errors import RecordError, StoreError, require_float, require_int, shorten
from lastcard.store.damage import DamageError, naming, read_object, read_text
from lastcard.store.entry import GameEntry
from lastcard.store.reading import format_time
from lastcard.store.schema import CHUNKS, GAMES, MATCH_AGENTS, MATCHES
from lastcard.store.utc import now
from lastcard.store.writing import add_game, insert_row, put_agent, to_json
from lastcard.version import __version__


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match, without its chunks."""

    number: int
    began: datetime
    finished: datetime | None
    lastcard: str
    tournament: Mapping[str, Any]
    agents: tuple[tuple[str, float | None, float | None], ...]
    """Name, rating and its error, of each."""
    chunks: int
    games: int

    def to_dict(self) -> dict[str, object]:
        """The match as JSON values."""
        agents = [{"agent": name, "rating": rating, "rating_error": error} for name, rating, error in self.agents]
        return {
            "match": self.number,
            "began": format_time(self.began),
            "finished": self.finished and format_time(self.finished),
            "lastcard": self.lastcard,
            "tournament": dict(self.tournament),
            "agents": agents,
            "chunks": self.chunks,
            "games": self.games,
        }


def begin_match(connection: Connection, tournament: Mapping[str, Any], agents: Sequence[str]) -> int:
    """Enters a match and who takes part."""
    number = insert_row(
        connection,
        MATCHES,
        began=now(),
        lastcard=__version__,
        rules=tournament["rules"],
        players=tournament["players"],
        seed=str(tournament["seed"]),
        tournament=to_json(tournament),
    )
    for place, name in enumerate(agents):
        agent = put_agent(connection, name)
        connection.execute(insert(MATCH_AGENTS).values(match_id=number, number=place, agent_id=agent, name=name))
    return number


def add_chunk(
    connection: Connection,
    match: int,
    pairing: int,
    number: int,
    result: Mapping[str, Any],
    games: Sequence[GameEntry],
) -> bool:
    """Stores a chunk with its games; False if it was stored before.

    Raises:
        StoreError: if another result is stored for it, or there is no such match.
    """
    text = to_json(result)
    key = and_(CHUNKS.c.match_id == match, CHUNKS.c.pairing == pairing, CHUNKS.c.number == number)
    found = connection.execute(select(CHUNKS.c.result).where(key)).scalar()
    if found is not None:
        if found != text:
            raise StoreError(f"chunk {number} of pairing {pairing} of match {match} is stored with another result")
        return False
    _require_match(connection, match)
    connection.execute(insert(CHUNKS).values(match_id=match, pairing=pairing, number=number, result=text))
    for game in games:
        add_game(connection, game, match_id=match, pairing=pairing, chunk=number)
    return True


def rate_match(
    connection: Connection, match: int, ratings: Sequence[tuple[float, float] | None], *, is_complete: bool
) -> None:
    """Stores what the match says of its agents so far, in their order; once complete, when it was finished."""
    _require_match(connection, match)
    for number, rating in enumerate(ratings):
        place = and_(MATCH_AGENTS.c.match_id == match, MATCH_AGENTS.c.number == number)
        value, error = rating or (None, None)
        connection.execute(update(MATCH_AGENTS).where(place).values(rating=value, rating_error=error))
    if is_complete:
        # A match that is rated again keeps the time at which it was finished.
        open_match = and_(MATCHES.c.id == match, MATCHES.c.finished.is_(None))
        connection.execute(update(MATCHES).where(open_match).values(finished=now()))


def _require_match(connection: Connection, match: int) -> None:
    if connection.execute(select(MATCHES.c.id).where(MATCHES.c.id == match)).scalar() is None:
        raise StoreError(f"there is no match {match}")


def list_matches(connection: Connection, number: int | None = None) -> list[StoredMatch | DamageError]:
    """All matches or one, newest first; an error in the place of each that is damaged."""
    query = select(MATCHES.c.id).order_by(MATCHES.c.id.desc())
    numbers = connection.execute(query if number is None else query.where(MATCHES.c.id == number)).scalars().all()
    chunks = _count_by_match(connection, CHUNKS.c.match_id)
    games = _count_by_match(connection, GAMES.c.match_id)
    found: list[StoredMatch | DamageError] = []
    for each in numbers:
        try:
            found.append(_read_match(connection, each, chunks.get(each, 0), games.get(each, 0)))
        except DamageError as error:
            found.append(error)
    return found


def _read_match(connection: Connection, number: int, chunks: int, games: int) -> StoredMatch:
    with naming(f"match {number}"):
        row = connection.execute(select(MATCHES).where(MATCHES.c.id == number)).one()
        tournament = read_object(row.tournament, "rules", "seed")
        read_text("rules", tournament["rules"])
        for field in ("deals", "seed"):
            require_int(field, tournament.get(field, 0), 0, 2**256, RecordError)
        agents = _agents_of_match(connection, number)
        return StoredMatch(number, row.began, row.finished, row.lastcard, tournament, agents, chunks, games)


def read_chunks(connection: Connection, match: int) -> list[dict[str, Any]]:
    """The results of a match so far, in the order of their numbers.

    Raises:
        DamageError: if one is damaged.
    """
    columns = (CHUNKS.c.pairing, CHUNKS.c.number, CHUNKS.c.result)
    query = select(*columns).where(CHUNKS.c.match_id == match).order_by(CHUNKS.c.pairing, CHUNKS.c.number)
    found = []
    with naming(f"match {match}"):
        rows = connection.execute(query).all()
    for row in rows:
        with naming(f"chunk {row.number} of pairing {row.pairing} of match {match}"):
            chunk = read_object(row.result)
            pairing, number = chunk.get("pairing", row.pairing), chunk.get("chunk", row.number)
            if (pairing, number) != (row.pairing, row.number):
                raise ValueError(f"it says chunk {shorten(number)} of pairing {shorten(pairing)}")
            found.append(chunk)
    return found


def _count_by_match(connection: Connection, column: Any) -> dict[int, int]:
    query = select(column, func.count()).where(column.is_not(None)).group_by(column)
    return {row[0]: row[1] for row in connection.execute(query)}


def _agents_of_match(connection: Connection, match: int) -> tuple[tuple[str, float | None, float | None], ...]:
    columns = (MATCH_AGENTS.c.name, MATCH_AGENTS.c.rating, MATCH_AGENTS.c.rating_error)
    query = select(*columns).where(MATCH_AGENTS.c.match_id == match).order_by(MATCH_AGENTS.c.number)
    rated = []
    for row in connection.execute(query):
        rating, error = (
            None if value is None else require_float("rating", value, -1e9, 1e9, RecordError)
            for value in (row.rating, row.rating_error)
        )
        rated.append((read_text("name", row.name), rating, error))
    return tuple(rated)
