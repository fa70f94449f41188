"""The store itself: one process writes it, any number read it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NoReturn, TypeVar

from sqlalchemy import Connection, select
from sqlalchemy.exc import SQLAlchemyError

from lastcard.actions import Action, parse_action
from lastcard.agents import Agent
from lastcard.errors import StoreError, require_int
from lastcard.observation import Observation
from lastcard.record import Record, check_people
from lastcard.rules import Rules, format_rules, parse_rules
from lastcard.seeds import seed_bytes
from lastcard.store import files, header, reading, studies, writing
from lastcard.store.commits import GroupCommit
from lastcard.store.damage import UNREADABLE, DamageError
from lastcard.store.entry import GameEntry
from lastcard.store.reading import GameFilter, StoredGame, StoredMatch, StoredSitting
from lastcard.store.schema import GAMES
from lastcard.store.studies import StoredStudy
from lastcard.table import Table

T = TypeVar("T")
_PAGE: Final = 200
_EVERYTHING: Final = GameFilter()


class Store:
    """Games, matches and ratings; make one with `lastcard.store.open_store` and close it, or use it with `with`.

    What writes returns a future. Once that is done, the disk has what was written; before, it may have it or not, never
    a part. Everything can be tried again: what is stored already is not stored twice.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> record = Table(Rules.preset("official"), ["heuristic", "random"], seed=7).play_round()
    >>> with Store(Path(folder.name, "games.db")) as store:
    ...     number = store.add_game(record).result()
    ...     store.read_record(number) == record
    True
    >>> folder.cleanup()
    """

    def __init__(self, url: str | Path, *, read_only: bool = False, create: bool = True) -> None:
        """Opens a store to write, or only to read; a new one, if it may be created.

        Raises:
            StoreError: if it is no store, one of a newer lastcard, in use, or cannot be read or written; it stays as it
                is.
        """
        self.path = files.find_file(url)
        exists = header.check_file(self.path)
        self._commits: GroupCommit | None = None
        self._lock: files.WriterLock | None = None
        if not exists and (read_only or not create):
            raise StoreError(f"there is no store at {self.path}; lastcard arena --store makes one")
        if read_only:
            self._reader = files.open_reader(self.path)
            header.note_open(self, self.path)
            return
        self._lock = files.WriterLock(self.path)
        try:
            self._writer = files.open_writer(self.path)
            header.note_open(self, self.path)
            self._reader = files.open_reader(self.path)
        except BaseException:
            header.note_closed(self)
            self._lock.release()
            raise
        self._commits = GroupCommit(self._writer, str(self.path))

    def close(self) -> None:
        """Writes what was handed over, and lets go of the file."""
        self._reader.dispose()
        if self._commits and self._lock:
            self._commits.close()
            files.close_writer(self._writer)
            self._lock.release()
            self._lock = None
        header.note_closed(self)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def flush(self) -> None:
        """Waits until everything handed over so far is on the disk."""
        self._submit(_nothing).result()

    def copy_to(self, target: Path) -> None:
        """Copies the store as it is at one moment, even while another process writes it.

        Raises:
            StoreError: if the copy cannot be made, or there is something already.
        """
        files.copy_store(self.path, target)

    # Games that are over

    def add_game(self, record: Record, key: str | None = None) -> Future[int]:
        """Stores a record and gives its number; with a key, once, however often it is tried.

        Raises:
            RecordError: if it does not replay.
            StoreError: from the future, if the key is of another game.
        """
        entry = GameEntry.of(record)
        return self._submit(lambda connection: writing.add_game(connection, entry, key))

    # Games in progress

    def begin_game(
        self,
        rules: Rules,
        agents: Sequence[str],
        seed: int,
        people: Collection[int] = (),
        key: str | None = None,
    ) -> Future[int]:
        """Enters a game that a `Table` with these arguments is about to play, and gives its number.

        Raises:
            StoreError: from the future, if the key is of another game.
        """
        seed_bytes(seed)
        text = format_rules(rules.replace(players=len(agents)))
        seats = check_people(people, len(agents))
        names = tuple(agents)
        return self._submit(lambda connection: writing.begin_game(connection, text, names, seats, seed, key))

    def begin_sitting(
        self,
        rules: Rules,
        agents: Sequence[str],
        seed: int,
        *,
        seat: int,
        key: str,
        token_hash: str,
        settings: Mapping[str, Any],
        people: Collection[int] = (),
        round_number: int = 1,
    ) -> Future[int]:
        """Enters a game and the person who begins it on a server, and gives the game's number.

        Args:
            rules: As a `Table` is about to play.
            agents: A name for each seat.
            seed: The table's.
            seat: The person's.
            key: What the person calls the game by.
            token_hash: SHA-256 of what proves that one is that person.
            settings: JSON values that are given back by `find_sitting`.
            people: Seats for others to take.
            round_number: The round that is dealt, or 0 while people gather.

        Raises:
            StoreError: from the future, if the key is of another game, or another person sits there.
        """
        seed_bytes(seed)
        text = format_rules(rules.replace(players=len(agents)))
        seats = check_people([seat, *people], len(agents))
        names, told = tuple(agents), dict(settings)

        def begin(connection: Connection) -> int:
            game = writing.begin_game(connection, text, names, seats, seed, key)
            writing.add_sitting(connection, game, seat, token_hash, round_number, told)
            return game

        return self._submit(begin)

    def take_seat(self, game: int, seat: int, *, token_hash: str, name: str) -> Future[None]:
        """Stores who takes a seat of a sitting; once, however often it is tried.

        Raises:
            StoreError: from the future, if another has it, or nobody sits at that game.
        """
        return self._submit(lambda connection: writing.add_holder(connection, game, seat, token_hash, name))

    def note_round(self, game: int, number: int) -> Future[None]:
        """Stores that a round of a sitting was dealt.

        Raises:
            StoreError: from the future, if nobody sits at that game.
        """
        return self._submit(lambda connection: writing.note_round(connection, game, number))

    def append_action(self, game: int, action: Action, *, round_number: int, number: int, seat: int) -> Future[bool]:
        """Stores the next action; False if it was stored before.

        Args:
            game: As `begin_game` gave it.
            action: What was applied.
            round_number: Of the game's rounds, from 1.
            number: Place among the actions of the round, from 1.
            seat: Who acted.

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
            game: As `begin_game` gave it.
            actions: Seat and action of each.
            round_number: Of the game's rounds, from 1.
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
        told = [(round_number, place, seat, action.text) for place, (seat, action) in enumerate(actions, number)]
        return lambda connection: sum(writing.append_action(connection, game, *each) for each in told)

    def finish_game(self, game: int, record: Record) -> Future[bool]:
        """Stores the record of a game whose actions are stored; False if it was finished before.

        Raises:
            RecordError: if it does not replay.
            StoreError: from the future, if it is finished with another record, or the record is not of what is stored.
        """
        entry = GameEntry.of(record)
        return self._submit(lambda connection: writing.finish_game(connection, game, entry))

    # Games that are studied

    def import_game(self, record: Record, key: str, token_hash: str) -> Future[int]:
        """Stores a record that somebody brought to a server, who alone may delete it, and gives its number.

        Raises:
            RecordError: if it does not replay.
            StoreError: from the future, if the key is of another game.
        """
        entry = GameEntry.of(record)
        return self._submit(lambda connection: studies.add_import(connection, entry, key, token_hash))

    def begin_branch(
        self, start: Record, *, seat: int, key: str, token_hash: str, settings: Mapping[str, Any]
    ) -> Future[int]:
        """Enters a sitting that goes on where a record of one round stops, and gives the game's number.

        Args:
            start: The round as far as it was played, with who plays on.
            seat: The person's.
            key: What the person calls the game by.
            token_hash: SHA-256 of what proves that one is that person.
            settings: JSON values that are given back by `find_sitting`.

        Raises:
            RecordError: if it does not replay.
        """
        entry, told = GameEntry.of(start), dict(settings)

        def begin(connection: Connection) -> int:
            game = studies.begin_branch(connection, entry, key)
            writing.add_sitting(connection, game, seat, token_hash, start.rounds[-1].number, told)
            return game

        return self._submit(begin)

    def add_analysis(self, game: int, analyst: str, round_number: int, result: Mapping[str, Any]) -> Future[bool]:
        """Stores what an analyst made of a round, as JSON values; False if it was stored before.

        Raises:
            StoreError: from the future, if there is no such game, or it is being played.
        """
        told = dict(result)
        return self._submit(lambda connection: studies.put_analysis(connection, game, analyst, round_number, told))

    def delete_game(self, game: int) -> Future[bool]:
        """Removes a game with everything that is known of it; False if there was none.

        Raises:
            StoreError: from the future, if it belongs to a match.
        """
        return self._submit(lambda connection: studies.delete_game(connection, game))

    # Matches

    def begin_match(self, tournament: Mapping[str, Any], agents: Sequence[str]) -> Future[int]:
        """Enters a match, given as JSON values with `rules`, `players` and `seed`, and gives its number."""
        fields, names = dict(tournament), tuple(agents)
        return self._submit(lambda connection: writing.begin_match(connection, fields, names))

    def add_chunk(
        self, match: int, pairing: int, number: int, result: Mapping[str, Any], games: Sequence[GameEntry] = ()
    ) -> Future[bool]:
        """Stores a chunk of a match with its games; False if it was stored before.

        Raises:
            StoreError: from the future, if another result is stored for it, or there is no such match.
        """
        fields, entries = dict(result), tuple(games)
        return self._submit(lambda connection: writing.add_chunk(connection, match, pairing, number, fields, entries))

    def rate_match(
        self, match: int, ratings: Sequence[tuple[float, float] | None], *, is_complete: bool
    ) -> Future[None]:
        """Stores rating and error of each agent so far, and once nothing is left to play, when that was."""
        told = tuple(ratings)
        return self._submit(lambda connection: writing.rate_match(connection, match, told, is_complete=is_complete))

    # Reading

    def list_games(
        self,
        wanted: GameFilter = _EVERYTHING,
        limit: int | None = None,
        damaged: Callable[[StoreError], None] | None = None,
    ) -> Iterator[StoredGame]:
        """The games that fit, newest first.

        Args:
            wanted: Which games.
            limit: How many at most.
            damaged: Called for each that cannot be read, which is left out; without it, the first one raises.

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
        """How many games fit."""
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
        """A table that goes on where the game stopped, with these agents, who start anew.

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

    def find_sitting(self, key: str) -> StoredSitting | None:
        """Who sits at the game with that key, if it is one of a server's."""
        return self._read(lambda connection: reading.find_sitting(connection, key))

    def find_study(self, key: str) -> StoredStudy | None:
        """The game with that key, as those who study it need it."""
        return self._read(lambda connection: studies.find_study(connection, key))

    def read_analyses(self, game: int, analyst: str) -> list[dict[str, Any]]:
        """What an analyst made of each round that it has judged."""
        return self._read(lambda connection: studies.read_analyses(connection, game, analyst))

    def list_matches(self, damaged: Callable[[StoreError], None] | None = None) -> list[StoredMatch]:
        """All matches, newest first; `damaged` as for `list_games`.

        Raises:
            StoreError: if a match is damaged.
        """
        return list(self._without_damage(self._read(reading.list_matches), damaged))

    def find_match(self, match: int) -> StoredMatch:
        """The match of that number.

        Raises:
            StoreError: if there is none, or it is damaged.
        """
        found = self._read(lambda connection: reading.list_matches(connection, match))
        if not found:
            raise StoreError(f"there is no match {match} in {self.path}")
        [only] = self._without_damage(found, None)
        return only

    def read_chunks(self, match: int) -> list[dict[str, Any]]:
        """The results of a match so far."""
        return self._read(lambda connection: reading.read_chunks(connection, match))

    def _find_row(self, game: int) -> Any:
        columns = (GAMES.c.id, GAMES.c.rules, GAMES.c.seed, GAMES.c.record)
        found = self._read(lambda connection: connection.execute(select(*columns).where(GAMES.c.id == game)).first())
        if found is None:
            raise StoreError(f"there is no game {game} in {self.path}")
        return found

    def _replay(self, row: Any, agents: Sequence[str | Agent] | None) -> Table:
        """The table of a game in progress; without agents, with those of the record, who cannot decide."""
        seats, actions, start = self._read(lambda connection: _read_progress(connection, row.id))
        people = [seat for seat, told in enumerate(seats) if told.kind == "person"]
        seated = [_Absent(told.name) for told in seats] if agents is None else agents
        if start is None:
            table = Table(parse_rules(row.rules), seated, int(row.seed), people)
        else:
            table = Table.resume(Record.from_text(start), seated, people)
        for played, number, _, action in actions[0 if start is None else len(table.actions) :]:
            if number == 1 and played > table.state.round_number:
                table.next_round()
            table.apply(parse_action(action))
        return table

    def _unreplayable(self, game: int, error: Exception) -> StoreError:
        return StoreError(f"game {game} of {self.path} does not replay: {error}")

    def _without_damage(
        self, found: Iterable[T | DamageError], damaged: Callable[[StoreError], None] | None
    ) -> Iterator[T]:
        for each in found:
            if not isinstance(each, DamageError):
                yield each
            elif damaged:
                damaged(StoreError(f"{self.path}: {each}"))
            else:
                raise StoreError(f"{self.path}: {each}")

    def _read(self, work: Callable[[Connection], T]) -> T:
        try:
            with self._reader.connect() as connection:
                return work(connection)
        except DamageError as error:
            raise StoreError(f"{self.path}: {error}") from None
        except (SQLAlchemyError, sqlite3.Error, OverflowError, UnicodeEncodeError) as error:
            raise StoreError(f"cannot read {self.path}: {getattr(error, 'orig', error)}") from None

    def _submit(self, work: Callable[[Connection], T]) -> Future[T]:
        if self._commits is None:
            raise StoreError(f"{self.path} was opened for reading only")
        return self._commits.submit(work)


class _Absent:
    """Holds the place of somebody whose actions are known."""

    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, observation: Observation) -> NoReturn:
        raise StoreError(f"{self.name} is not here")


def _nothing(_: Connection) -> None:
    """No work at all."""


def _read_page(
    connection: Connection, wanted: GameFilter, limit: int, below: int | None
) -> tuple[list[int], list[StoredGame | DamageError]]:
    """Numbers and games, as they are at one moment."""
    numbers = reading.list_numbers(connection, wanted, limit, below)
    return numbers, reading.read_games(connection, numbers)


def _read_progress(
    connection: Connection, game: int
) -> tuple[Sequence[Any], list[tuple[int, int, int, str]], str | None]:
    """Seats, actions, and the record that a branch goes on from."""
    return (
        writing.seats_of(connection, game),
        writing.actions_of(connection, game),
        studies.find_branch(connection, game),
    )
