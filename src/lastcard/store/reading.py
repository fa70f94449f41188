"""Queries for games. Each function works in a transaction of the caller."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, exists, func, or_, select

from lastcard.errors import RecordError, RulesError, require_int
from lastcard.rules import MAX_PLAYERS, format_rules, parse_rules
from lastcard.store.damage import UNREADABLE, DamageError, naming, read_text
from lastcard.store.schema import AGENTS, GAMES, SEATS
from lastcard.store.writing import describe_agent


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFilter:
    """Filter for games; a field that is None does not matter."""

    agent: str | None = None
    """Played: any of that name, or, if options follow, exactly that one."""
    winner: str | None = None
    """Agent that won, with any or the given options."""
    rules: str | None = None
    """Rules of the games, for any number of players unless they say `players=`."""
    players: int | None = None
    since: datetime | None = None
    """Begun then or later; without a time zone it is UTC."""
    match: int | None = None


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """A seat, its player, and the final score."""

    name: str
    configuration: str
    is_person: bool
    points: int


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game, without its record."""

    number: int
    key: str | None
    match: int | None
    began: datetime
    """Start time in UTC; `finished` is in UTC as well."""
    finished: datetime | None
    rules: str
    seed: int | None
    winner: int | None
    rounds: int
    plies: int
    seats: tuple[StoredSeat, ...]

    def to_dict(self) -> dict[str, object]:
        """The game as JSON values."""
        return {
            "game": self.number,
            "key": self.key,
            "match": self.match,
            "began": format_time(self.began),
            "finished": self.finished and format_time(self.finished),
            "rules": self.rules,
            "seed": self.seed,
            "winner": self.winner,
            "rounds": self.rounds,
            "plies": self.plies,
            "seats": [
                {
                    "name": seat.name,
                    "configuration": seat.configuration,
                    "person": seat.is_person,
                    "points": seat.points,
                }
                for seat in self.seats
            ],
        }


def format_time(time: datetime) -> str:
    """Formats a time of the store, to the second.

    >>> format_time(datetime(2026, 2, 3, 4, 5, 6))
    '2026-02-03T04:05:06Z'
    """
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


# Games


def list_numbers(connection: Connection, wanted: GameFilter, limit: int, below: int | None = None) -> list[int]:
    """Numbers of the newest games that fit, newest first; `below` leaves out that number and what came after.

    Raises:
        LastcardError: if rules or an agent's options cannot be read.
    """
    query = _filter_games(select(GAMES.c.id), wanted).order_by(GAMES.c.id.desc()).limit(limit)
    return list(connection.execute(query if below is None else query.where(GAMES.c.id < below)).scalars())


def read_games(connection: Connection, numbers: Sequence[int]) -> list[StoredGame | DamageError]:
    """The games of these numbers, newest first; an error in the place of each that is damaged."""
    try:
        return list(_read_games(connection, numbers))
    except UNREADABLE:
        return [_read_alone(connection, number) for number in numbers]


def _read_alone(connection: Connection, number: int) -> StoredGame | DamageError:
    try:
        with naming(f"game {number}"):
            [game] = _read_games(connection, [number])
            return game
    except DamageError as error:
        return error


def _read_games(connection: Connection, numbers: Sequence[int]) -> Iterator[StoredGame]:
    rows = connection.execute(select(GAMES).where(GAMES.c.id.in_(numbers)).order_by(GAMES.c.id.desc())).all()
    seats = _seats_of_many(connection, numbers)
    for row in rows:
        if len(seats[row.id]) != row.players:
            raise ValueError(f"{len(seats[row.id])} seats where {row.players} belong")
        yield StoredGame(
            row.id,
            row.key,
            row.match_id,
            row.began,
            row.finished,
            read_text("rules", row.rules),
            None if row.seed is None else int(row.seed),
            None if row.winner is None else require_int("winner", row.winner, 0, row.players - 1, RecordError),
            require_int("rounds", row.rounds, 0, 2**63, RecordError),
            require_int("plies", row.plies, 0, 2**63, RecordError),
            tuple(seats[row.id]),
        )


def count_games(connection: Connection, wanted: GameFilter) -> int:
    """Number of games that fit."""
    return int(connection.execute(_filter_games(select(func.count()).select_from(GAMES), wanted)).scalar_one())


def _filter_games(query: Select[Any], wanted: GameFilter) -> Select[Any]:
    if wanted.agent is not None:
        query = query.where(_is_seated(wanted.agent))
    if wanted.winner is not None:
        query = query.where(_is_seated(wanted.winner, SEATS.c.seat == GAMES.c.winner))
    if wanted.rules is not None:
        query = query.where(GAMES.c.rules.in_(_rules_texts(wanted.rules)))
    if wanted.players is not None:
        query = query.where(GAMES.c.players == wanted.players)
    if wanted.since is not None:
        query = query.where(GAMES.c.began >= _to_utc(wanted.since))
    if wanted.match is not None:
        query = query.where(GAMES.c.match_id == wanted.match)
    return query


def _is_seated(name: str, *more: ColumnElement[bool]) -> ColumnElement[bool]:
    _, short, configuration = describe_agent(name)
    fits = AGENTS.c.configuration == configuration
    if ":" not in name:
        fits = or_(fits, AGENTS.c.name == short)
    seated = exists().where(and_(SEATS.c.game_id == GAMES.c.id, SEATS.c.agent_id == AGENTS.c.id, fits, *more))
    return seated


def _rules_texts(text: str) -> list[str]:
    """Texts of the rules, for each number of players they allow."""
    rules = parse_rules(text)
    if "players=" in text:
        return [format_rules(rules)]
    texts = []
    for players in range(2, MAX_PLAYERS + 1):
        try:
            texts.append(format_rules(rules.replace(players=players)))
        except RulesError:
            continue
    return texts


def _to_utc(time: datetime) -> datetime:
    return time.astimezone(UTC).replace(tzinfo=None) if time.tzinfo else time


def _seats_of_many(connection: Connection, games: Sequence[int]) -> dict[int, list[StoredSeat]]:
    columns = (SEATS.c.game_id, SEATS.c.name, SEATS.c.points, AGENTS.c.kind, AGENTS.c.configuration)
    query = select(*columns).join(AGENTS, AGENTS.c.id == SEATS.c.agent_id).where(SEATS.c.game_id.in_(games))
    seats: dict[int, list[StoredSeat]] = {game: [] for game in games}
    for row in connection.execute(query.order_by(SEATS.c.game_id, SEATS.c.seat)):
        points = require_int("points", row.points, -(2**63), 2**63, RecordError)
        name, configuration = read_text("name", row.name), read_text("configuration", row.configuration)
        seats[row.game_id].append(StoredSeat(name, configuration, row.kind == "person", points))
    return seats
