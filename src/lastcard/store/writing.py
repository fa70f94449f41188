"""Writes of games. Each function works in a transaction of the caller."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Integer, and_, bindparam, insert, select, update

from lastcard.agents import find_agent, format_agent
from lastcard.errors import AgentError, StoreError, shorten
from lastcard.store.entry import GameEntry, SeatEntry
from lastcard.store.lease_rows import require_owned
from lastcard.store.schema import (
    ACTIONS,
    AGENTS,
    BRANCHES,
    GAMES,
    ROUNDS,
    SEATS,
)
from lastcard.store.statements import FastStatement
from lastcard.store.utc import now

# Agents


def put_agent(connection: Connection, name: str, *, is_person: bool = False) -> int:
    """Number of the agent with that name, entered if new."""
    kind, short, configuration = ("person", name, name) if is_person else describe_agent(name)
    same = and_(AGENTS.c.kind == kind, AGENTS.c.configuration == configuration)
    found = connection.execute(select(AGENTS.c.id).where(same)).scalar()
    if found is not None:
        return int(found)
    return insert_row(connection, AGENTS, kind=kind, name=short, configuration=configuration)


def describe_agent(name: str) -> tuple[str, str, str]:
    """Kind, name and configuration of an agent that is no person.

    >>> describe_agent("random")[:2]
    ('agent', 'random')
    >>> describe_agent("another program")
    ('other', 'another program', 'another program')
    """
    try:
        return "agent", find_agent(name).name, format_agent(name)
    except AgentError:
        return "other", name, name


# Whole games


def add_game(connection: Connection, game: GameEntry, key: str | None = None, **where: int) -> int:
    """Stores a finished game and returns its number, which for a key that is known is the one it has.

    Raises:
        StoreError: if the key belongs to another game.
    """
    if key is not None:
        found = connection.execute(select(GAMES.c.id, GAMES.c.record).where(GAMES.c.key == key)).first()
        if found is not None:
            if found.record != game.text:
                raise StoreError(f"the key {shorten(key)} belongs to another game, number {found.id}")
            return int(found.id)
    time = now()
    number = insert_row(
        connection,
        GAMES,
        key=key,
        began=time,
        players=len(game.seats),
        rules=game.rules,
        seed=_seed_text(game.seed),
        **_finished_values(game, time),
        **where,
    )
    _put_seats(connection, number, game.seats)
    _put_rounds(connection, number, game)
    put_actions(connection, number, game)
    return number


def put_actions(connection: Connection, game: int, entry: GameEntry) -> None:
    """Stores every action of a record."""
    actions = [
        {"game_id": game, "round": played, "number": place, "seat": seat, "action": action}
        for played, place, seat, action in entry.actions
    ]
    if actions:
        connection.execute(insert(ACTIONS), actions)


# Games in progress


def begin_game(
    connection: Connection, rules: str, agents: Sequence[str], people: Sequence[int], seed: int, key: str | None
) -> int:
    """Enters a game about to be played; for a key that is known, returns the game it has.

    Raises:
        StoreError: if the key belongs to another game.
    """
    seats = [SeatEntry(name, seat in people, 0) for seat, name in enumerate(agents)]
    if key is not None:
        found = connection.execute(select(GAMES).where(GAMES.c.key == key)).first()
        if found is not None:
            stored = [(row.name, row.kind == "person") for row in seats_of(connection, found.id)]
            same = found.rules == rules and found.seed == str(seed)
            if not same or stored != [(seat.name, seat.is_person) for seat in seats]:
                raise StoreError(f"the key {shorten(key)} belongs to another game, number {found.id}")
            return int(found.id)
    return enter_game(connection, rules, seats, seed, key)


def enter_game(
    connection: Connection, rules: str, seats: Sequence[SeatEntry], seed: int | None, key: str | None
) -> int:
    """Enters a game about to be played, and who sits there."""
    begun = {"key": key, "began": now(), "rules": rules, "players": len(seats), "seed": _seed_text(seed)}
    number = insert_row(connection, GAMES, **begun, rounds=0, plies=0)
    _put_seats(connection, number, seats)
    return number


_LAST_ACTION: Final = (
    select(ACTIONS.c.round, ACTIONS.c.number)
    .where(ACTIONS.c.game_id == bindparam("game", type_=Integer))
    .order_by(ACTIONS.c.round.desc(), ACTIONS.c.number.desc())
    .limit(1)
)
_APPEND_NEXT: Final = FastStatement("""
    INSERT INTO actions (game_id, round, number, seat, action)
    SELECT :game, :round, :number, :seat, CAST(:action AS TEXT) FROM games
    WHERE id = :game AND finished IS NULL AND :seat BETWEEN 0 AND players - 1
        AND COALESCE((SELECT process_id FROM leases WHERE game_id = :game FOR SHARE), 0) = :owner
        AND (:round, :number - 1) =
        (SELECT round, number FROM actions WHERE game_id = :game ORDER BY round DESC, number DESC LIMIT 1)
""")
"""Writes nothing unless the action follows the last of its round, and the game is this process's own: nearly every
action of a busy server."""
_ACTIONS_OF: Final = FastStatement(
    "SELECT round, number, seat, action FROM actions WHERE game_id = :game ORDER BY round, number"
)


def append_action(
    connection: Connection, game: int, played: int, number: int, seat: int, action: str, *, owner: int = 0
) -> bool:
    """Stores the next action of a game; False if it was stored before.

    Raises:
        LostLeaseError: if the game belongs to another process than `owner`.
        StoreError: if another action is stored there, it is not the next, or the game is over.
    """
    row = {"game": game, "round": played, "number": number, "seat": seat, "action": action, "owner": owner}
    if _APPEND_NEXT.execute(connection, row).rowcount == 1:
        return True
    require_owned(connection, game, owner)
    return _append_first(connection, game, played, number, seat, action)


def _append_first(connection: Connection, game: int, played: int, number: int, seat: int, action: str) -> bool:
    """Stores the first action of a round, accepts one that was stored before, or raises the reason."""
    where = f"game {game}, round {played}, action {number}"
    place = and_(ACTIONS.c.game_id == game, ACTIONS.c.round == played)
    found = connection.execute(
        select(ACTIONS.c.seat, ACTIONS.c.action).where(place, ACTIONS.c.number == number)
    ).first()
    if found is not None:
        if tuple(found) != (seat, action):
            raise StoreError(f"{where}: {found.action} of seat {found.seat} is stored, not {action} of seat {seat}")
        return False
    kept = _require_game(connection, game)
    if kept.finished is not None:
        raise StoreError(f"{where}: the game is over")
    if not 0 <= seat < kept.players:
        raise StoreError(f"{where}: there is no seat {seat}")
    _require_next(connection, game, played, number)
    connection.execute(insert(ACTIONS).values(game_id=game, round=played, number=number, seat=seat, action=action))
    return True


def is_branch(connection: Connection, game: int) -> bool:
    """Returns whether the game is a branch of another."""
    return connection.execute(select(BRANCHES.c.game_id).where(BRANCHES.c.game_id == game)).first() is not None


def _require_next(connection: Connection, game: int, played: int, number: int) -> None:
    found = connection.execute(_LAST_ACTION, {"game": game}).first()
    if found is None and number == 1 and is_branch(connection, game):
        return  # its first round is that of another game, whichever number it had
    last_round, last_number = (found.round, found.number) if found else (0, 0)
    if (played, number) not in ((last_round, last_number + 1), (last_round + 1, 1)):
        raise StoreError(
            f"game {game}: after action {last_number} of round {last_round} comes the next, or the first of the next"
            f" round, not action {number} of round {played}"
        )


def finish_game(connection: Connection, game: int, entry: GameEntry) -> bool:
    """Stores the record of a game whose actions are stored; False if it was finished before.

    Raises:
        StoreError: if it is finished with another record, or the record is not of what is stored.
    """
    kept = _require_game(connection, game)
    if kept.finished is not None:
        if kept.record != entry.text:
            raise StoreError(f"game {game} is finished with another record")
        return False
    if (kept.rules, kept.seed) != (entry.rules, _seed_text(entry.seed)):
        raise StoreError(f"game {game}: the record belongs to another game: {entry.rules}, seed {entry.seed}")
    if [row.name for row in seats_of(connection, game)] != [seat.name for seat in entry.seats]:
        raise StoreError(f"game {game}: the record belongs to another game: other players sit there")
    if actions_of(connection, game) != list(entry.actions):
        raise StoreError(f"game {game}: the record does not hold the actions that were stored")
    connection.execute(update(GAMES).where(GAMES.c.id == game).values(**_finished_values(entry, now())))
    for number, seat in enumerate(entry.seats):
        place = and_(SEATS.c.game_id == game, SEATS.c.seat == number)
        connection.execute(update(SEATS).where(place).values(points=seat.points))
    _put_rounds(connection, game, entry)
    return True


def _require_game(connection: Connection, game: int) -> Any:
    found = connection.execute(select(GAMES).where(GAMES.c.id == game)).first()
    if found is None:
        raise StoreError(f"there is no game {game}")
    return found


# Shared parts


def seats_of(connection: Connection, game: int) -> Sequence[Any]:
    """Name, kind, configuration and points of each seat."""
    columns = (SEATS.c.name, SEATS.c.points, AGENTS.c.kind, AGENTS.c.configuration)
    joined = select(*columns).join(AGENTS, AGENTS.c.id == SEATS.c.agent_id)
    return connection.execute(joined.where(SEATS.c.game_id == game).order_by(SEATS.c.seat)).all()


def actions_of(connection: Connection, game: int) -> list[tuple[int, int, int, str]]:
    """Round, place in it, seat and notation of each: thousands for a long game."""
    found: list[tuple[int, int, int, str]] = _ACTIONS_OF.execute(connection, {"game": game}).fetchall()
    return found


def _put_seats(connection: Connection, game: int, seats: Sequence[SeatEntry]) -> None:
    rows = [
        {
            "game_id": game,
            "seat": number,
            "agent_id": put_agent(connection, seat.name, is_person=seat.is_person),
            "name": seat.name,
            "points": seat.points,
        }
        for number, seat in enumerate(seats)
    ]
    connection.execute(insert(SEATS), rows)


def _put_rounds(connection: Connection, game: int, entry: GameEntry) -> None:
    rows = [
        {
            "game_id": game,
            "number": played.number,
            "dealer": played.dealer,
            "winner": played.winner,
            "ending": played.ending,
            "points": " ".join(map(str, played.points)),
            "plies": played.plies,
        }
        for played in entry.rounds
    ]
    if rows:
        connection.execute(insert(ROUNDS), rows)


def _finished_values(game: GameEntry, time: datetime) -> dict[str, object]:
    return {
        "finished": time,
        "winner": game.winner,
        "rounds": len(game.rounds),
        "plies": game.plies,
        "record": game.text,
    }


def insert_row(connection: Connection, table: Any, **values: object) -> int:
    """Inserts a row and returns its number."""
    made = connection.execute(insert(table).values(**values)).inserted_primary_key
    assert made is not None
    return int(made[0])


def _seed_text(seed: int | None) -> str | None:
    # A seed has up to 256 bits, and an integer of a database 64.
    return None if seed is None else str(seed)


def to_json(value: object) -> str:
    """JSON without spaces, as the store keeps it."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
