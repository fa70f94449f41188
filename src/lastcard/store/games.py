"""Games of a store: finished ones, and ones in progress."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any, Final, NoReturn

from sqlalchemy import Connection, select

from lastcard.actions import Action, parse_action
from lastcard.agents import Agent
from lastcard.errors import StoreError, require_int
from lastcard.observation import Observation
from lastcard.record import Record, check_people
from lastcard.rules import Rules, format_rules, parse_rules
from lastcard.seeds import seed_bytes
from lastcard.store import reading, studies, writing
from lastcard.store.damage import UNREADABLE, DamageError
from lastcard.store.entry import GameEntry
from lastcard.store.leases import LeaseStore
from lastcard.store.reading import GameFilter, StoredGame
from lastcard.store.schema import GAMES
from lastcard.table import Table

_PAGE: Final = 200
_EVERYTHING: Final = GameFilter()


class GameStore(LeaseStore):
    """Writes and reads games."""

    def add_game(self, record: Record, key: str | None = None) -> Future[int]:
        """Stores a record and returns its number; with a key it can be retried and is stored once.

        Raises:
            RecordError: if it does not replay.
            StoreError: from the future, if the key belongs to another game.
        """
        entry = GameEntry.of(record)
        return self._submit(lambda connection: writing.add_game(connection, entry, key))

    def begin_game(
        self,
        rules: Rules,
        agents: Sequence[str],
        seed: int,
        people: Collection[int] = (),
        key: str | None = None,
    ) -> Future[int]:
        """Enters a game that a `Table` with these arguments is about to play, and returns its number.

        Raises:
            StoreError: from the future, if the key belongs to another game.
        """
        seed_bytes(seed)
        text = format_rules(rules.replace(players=len(agents)))
        seats = check_people(people, len(agents))
        names = tuple(agents)
        return self._submit(lambda connection: writing.begin_game(connection, text, names, seats, seed, key))

    def append_action(self, game: int, action: Action, *, round_number: int, number: int, seat: int) -> Future[bool]:
        """Stores the next action; False if it was stored before.

        Args:
            game: Number from `begin_game`.
            action: The applied action.
            round_number: Number of the round, from 1.
            number: Place among the actions of the round, from 1.
            seat: The seat that acted.

        Raises:
            StoreError: from the future, if another action is stored there, it is not the next, or the game is over.
        """
        stored = self._append(game, [(seat, action)], round_number, number)
        return self._submit(lambda connection: bool(stored(connection)))

    def append_actions(
        self, game: int, actions: Sequence[tuple[int, Action]], *, round_number: int, number: int
    ) -> Future[int]:
        """Stores actions that follow each other in a round, each with the seat it is of: all of them or none.

        Args:
            game: Number from `begin_game`.
            actions: Seat and action of each.
            round_number: Number of the round, from 1.
            number: Place of the first among the actions of the round, from 1.

        Returns:
            From the future, how many were not stored before.

        Raises:
            StoreError: from the future, as for `append_action`.
        """
        return self._submit(self._append(game, actions, round_number, number))

    def _append(
        self, game: int, actions: Sequence[tuple[int, Action]], round_number: int, number: int
    ) -> Callable[[Connection], int]:
        for name, value in (("round_number", round_number), ("number", number)):
            require_int(name, value, 1, 2**31 - 1, StoreError)
        rows = [(round_number, place, seat, action.text) for place, (seat, action) in enumerate(actions, number)]
        owner = self.owner
        return lambda connection: sum(writing.append_action(connection, game, *each, owner=owner) for each in rows)

    def finish_game(self, game: int, record: Record) -> Future[bool]:
        """Stores the record of a game whose actions are stored; False if it was finished before.

        Raises:
            RecordError: if it does not replay.
            StoreError: from the future, if it is finished with another record, or the record is not of what is stored.
        """
        entry = GameEntry.of(record)
        return self._submit_owned(game, lambda connection: writing.finish_game(connection, game, entry))

    def list_games(
        self,
        wanted: GameFilter = _EVERYTHING,
        limit: int | None = None,
        damaged: Callable[[StoreError], None] | None = None,
    ) -> Iterator[StoredGame]:
        """The games that fit, newest first.

        Args:
            wanted: Which games.
            limit: Largest number of games.
            damaged: Called for each damaged game, which is left out; without it, the first one raises.

        Raises:
            StoreError: if a game is damaged.
        """
        left, below = limit, None
        while left is None or left > 0:
            size = _PAGE if left is None else min(left, _PAGE)
            numbers, page = self._read(partial(_read_page, wanted=wanted, limit=size, below=below))
            yield from self._without_damage(page, damaged)
            if len(numbers) < size:
                return
            below = numbers[-1]
            left = None if left is None else left - size

    def count_games(self, wanted: GameFilter = _EVERYTHING) -> int:
        """Number of games that fit."""
        return self._read(lambda connection: reading.count_games(connection, wanted))

    def find_game(self, game: int) -> StoredGame:
        """The game of that number.

        Raises:
            StoreError: if there is none, or it is damaged.
        """
        self._find_row(game)
        [found] = self._without_damage(self._read(lambda connection: reading.read_games(connection, [game])), None)
        return found

    def read_text(self, game: int) -> str:
        """The record of a game as text.

        Raises:
            StoreError: if there is no such game, or it does not replay.
        """
        row, record = self._find_row(game), self.read_record(game)
        return record.to_text() if row.record is None else str(row.record)

    def read_record(self, game: int) -> Record:
        """The record of a game; of one in progress, up to its last action that was stored.

        Raises:
            StoreError: if there is no such game, or it does not replay.
        """
        row = self._find_row(game)
        try:
            return self._replay(row, None).record if row.record is None else Record.from_text(row.record)
        except UNREADABLE as error:
            raise self._unreplayable(game, error) from None

    def read_table(self, game: int, agents: Sequence[str | Agent]) -> Table:
        """A table that resumes the game where it stopped, with these agents, which start from scratch.

        Raises:
            StoreError: if there is no such game, or it does not replay.
        """
        row = self._find_row(game)
        try:
            return (
                self._replay(row, agents) if row.record is None else Table.resume(Record.from_text(row.record), agents)
            )
        except UNREADABLE as error:
            raise self._unreplayable(game, error) from None

    def find_damage(self) -> Iterator[str]:
        """Reads the whole store and yields each problem: of the database, of a row, or of a record that cannot be."""
        yield from self._read(self._database.find_corruption)
        damaged: list[StoreError] = []
        for game in self.list_games(limit=None, damaged=damaged.append):
            try:
                if game.finished is not None:
                    self.read_record(game.number)
            except StoreError as error:
                yield str(error)
        yield from map(str, damaged)

    def _find_row(self, game: int) -> Any:
        columns = (GAMES.c.id, GAMES.c.rules, GAMES.c.seed, GAMES.c.record)
        found = self._read(lambda connection: connection.execute(select(*columns).where(GAMES.c.id == game)).first())
        if found is None:
            raise StoreError(f"there is no game {game} in {self.name}")
        return found

    def _replay(self, row: Any, agents: Sequence[str | Agent] | None) -> Table:
        """The table of a game in progress; without agents, with those of the record, who cannot decide."""
        seats, actions, start = self._read(lambda connection: _read_progress(connection, row.id))
        people = [seat for seat, row in enumerate(seats) if row.kind == "person"]
        seated = [_Absent(row.name) for row in seats] if agents is None else agents
        if start is None:
            table = Table(parse_rules(row.rules), seated, int(row.seed), people)
        else:
            table = Table.resume(Record.from_text(start), seated, people)
        for played, number, _, action in actions[0 if start is None else table.num_actions :]:
            if number == 1 and played > table.state.round_number:
                table.next_round()
            table.apply(parse_action(action))
        return table

    def _unreplayable(self, game: int, error: Exception) -> StoreError:
        if isinstance(error, StoreError):
            return error  # the database failed
        return DamageError(f"game {game} of {self.name} does not replay: {error}", f"game {game}")


class _Absent:
    """Placeholder for a player whose actions are known."""

    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, observation: Observation) -> NoReturn:
        raise StoreError(f"{self.name} is not here")


def _read_page(
    connection: Connection, wanted: GameFilter, limit: int, below: int | None
) -> tuple[list[int], list[StoredGame | DamageError]]:
    """Numbers and games, as they are at one moment."""
    numbers = reading.list_numbers(connection, wanted, limit, below)
    return numbers, reading.read_games(connection, numbers)


def _read_progress(
    connection: Connection, game: int
) -> tuple[Sequence[Any], list[tuple[int, int, int, str]], str | None]:
    """Seats, actions, and the record that a branch continues."""
    return (
        writing.seats_of(connection, game),
        writing.actions_of(connection, game),
        studies.find_branch(connection, game),
    )
