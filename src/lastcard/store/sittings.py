"""Games of a server: the people who hold their seats, and what is kept once they are finished."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection

from lastcard.record import Record, check_people
from lastcard.rules import Rules, format_rules
from lastcard.seeds import seed_bytes
from lastcard.store import lease_rows, sitting_rows, studies, writing
from lastcard.store.entry import GameEntry
from lastcard.store.lease_rows import LostLeaseError
from lastcard.store.leases import LeaseStore
from lastcard.store.sitting_rows import StoredSitting
from lastcard.store.studies import StoredStudy

_MOST_PRUNED: Final = 100


class SittingStore(LeaseStore):
    """Writes and reads sittings, uploads, branches and analyses."""

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
        """Enters a game and the person who begins it on a server, and returns the game's number.

        Args:
            rules: Rules of the table.
            agents: A name for each seat.
            seed: The table's.
            seat: The person's.
            key: Key by which clients name the game.
            token_hash: SHA-256 of the person's token.
            settings: JSON values that `find_sitting` returns.
            people: Seats that others may take.
            round_number: The round that is dealt, or 0 while people gather.

        Raises:
            StoreError: from the future, if the key belongs to another game, or another person sits there.
        """
        seed_bytes(seed)
        text = format_rules(rules.replace(players=len(agents)))
        seats = check_people([seat, *people], len(agents))
        names, kept = tuple(agents), dict(settings)

        def begin(connection: Connection) -> int:
            game = writing.begin_game(connection, text, names, seats, seed, key)
            sitting_rows.add_sitting(connection, game, seat, token_hash, round_number, kept)
            return game

        return self._submit_claimed(begin)

    def _submit_claimed(self, begin: Callable[[Connection], int]) -> Future[int]:
        """Submits work that begins a game, which belongs to this process."""
        owner = self.owner

        def work(connection: Connection) -> int:
            game = begin(connection)
            if owner and not lease_rows.claim(connection, game, owner):
                raise LostLeaseError(f"process {owner} has counted as dead")
            return game

        return self._submit(work)

    def take_seat(self, game: int, seat: int, *, token_hash: str, name: str) -> Future[None]:
        """Stores who takes a seat of a sitting; can be retried.

        Raises:
            StoreError: from the future, if another has it, or the game has no sitting.
        """
        return self._submit_owned(
            game, lambda connection: sitting_rows.add_holder(connection, game, seat, token_hash, name)
        )

    def give_up_seat(self, game: int, seat: int, *, token_hash: str, how: str) -> Future[None]:
        """Stores that a person has left a seat, which others may then take, or resigned it; can be retried."""
        return self._submit_owned(
            game, lambda connection: sitting_rows.give_up(connection, game, seat, token_hash, how)
        )

    def note_round(self, game: int, number: int) -> Future[None]:
        """Stores that a round of a sitting was dealt.

        Raises:
            StoreError: from the future, if the game has no sitting.
        """
        return self._submit_owned(game, lambda connection: sitting_rows.note_round(connection, game, number))

    def find_sitting(self, key: str) -> StoredSitting | None:
        """The sitting of the game with that key, if it has one."""
        return self._read(lambda connection: sitting_rows.find_sitting(connection, key))

    def import_game(self, record: Record, key: str, token_hash: str) -> Future[int]:
        """Stores an uploaded record, which only the holder of the token may delete, and returns its number.

        Raises:
            RecordError: if it does not replay.
            StoreError: from the future, if the key belongs to another game.
        """
        entry = GameEntry.of(record)
        return self._submit(lambda connection: studies.add_import(connection, entry, key, token_hash))

    def begin_branch(
        self, start: Record, *, seat: int, key: str, token_hash: str, settings: Mapping[str, Any]
    ) -> Future[int]:
        """Enters a sitting that continues a record of one round, and returns the game's number.

        Args:
            start: The round as far as it was played, with the players who continue.
            seat: The person's.
            key: Key by which clients name the game.
            token_hash: SHA-256 of the person's token.
            settings: JSON values that `find_sitting` returns.

        Raises:
            RecordError: if it does not replay.
        """
        entry, kept = GameEntry.of(start), dict(settings)

        def begin(connection: Connection) -> int:
            game = studies.begin_branch(connection, entry, key)
            sitting_rows.add_sitting(connection, game, seat, token_hash, start.rounds[-1].number, kept)
            return game

        return self._submit_claimed(begin)

    def find_study(self, key: str) -> StoredStudy | None:
        """The game with that key, as a study needs it."""
        return self._read(lambda connection: studies.find_study(connection, key))

    def read_analyses(self, game: int, analyst: str) -> list[dict[str, Any]]:
        """Analyses of the rounds that the analyst has judged."""
        return self._read(lambda connection: studies.read_analyses(connection, game, analyst))

    def prune_some(self, before: datetime, but: Sequence[str] = (), last: int | None = None) -> Future[int]:
        """Deletes up to a hundred games of a server that were over, or begun and never finished, before that time.

        Few at a time, so that a running game does not wait for long; 0 when there are no more.

        Args:
            before: In UTC, as `lastcard.store.utc.now`.
            but: Keys of games that stay.
            last: Number after which all games stay.
        """
        return self._submit(lambda connection: studies.prune(connection, before, _MOST_PRUNED, but, last))

    def find_newest(self) -> datetime | None:
        """Time at which the newest game ended or, if it is not over, began; None without games."""
        return self._read(studies.find_newest)

    def find_last_old(self, keep: timedelta, most_gap: timedelta, time: datetime, sure: timedelta) -> int:
        """Number of the newest game that is that old, even if the clock was set between two games; 0 without one.

        Args:
            keep: The age.
            most_gap: Most that counts of the time between a game and the next.
            time: The time of day.
            sure: Time of which it is sure that it has just passed.
        """
        return self._read(lambda connection: studies.find_last_old(connection, keep, most_gap, time, sure))

    def count_old(self, before: datetime, but: Sequence[str] = (), last: int | None = None) -> Future[tuple[int, int]]:
        """Number of games that `prune_some` would delete in the end, and of those that were never finished."""
        return self._submit(lambda connection: studies.count_old(connection, before, but, last))

    def prune(self, before: datetime) -> int:
        """Deletes all such games; returns how many."""
        deleted = 0
        while some := self.prune_some(before).result():
            deleted += some
        return deleted

    def delete_game(self, game: int) -> Future[bool]:
        """Deletes a game with all its rows; False if there was none.

        Raises:
            StoreError: from the future, if it belongs to a match.
        """
        return self._submit(lambda connection: studies.delete_game(connection, game))
