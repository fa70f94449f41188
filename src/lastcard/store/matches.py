"""Matches of a store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from lastcard.errors import StoreError
from lastcard.store import match_rows
from lastcard.store.access import StoreAccess
from lastcard.store.entry import GameEntry
from lastcard.store.match_rows import StoredMatch


class MatchStore(StoreAccess):
    """Writes and reads matches, their chunks and ratings."""

    def begin_match(self, tournament: Mapping[str, Any], agents: Sequence[str]) -> Future[int]:
        """Enters a match, given as JSON values with `rules`, `players` and `seed`, and returns its number."""
        fields, names = dict(tournament), tuple(agents)
        return self._submit(lambda connection: match_rows.begin_match(connection, fields, names))

    def add_chunk(
        self, match: int, pairing: int, number: int, result: Mapping[str, Any], games: Sequence[GameEntry] = ()
    ) -> Future[bool]:
        """Stores a chunk of a match with its games; False if it was stored before.

        Raises:
            StoreError: from the future, if another result is stored for it, or there is no such match.
        """
        fields, entries = dict(result), tuple(games)
        return self._submit(
            lambda connection: match_rows.add_chunk(connection, match, pairing, number, fields, entries)
        )

    def rate_match(
        self, match: int, ratings: Sequence[tuple[float, float] | None], *, is_complete: bool
    ) -> Future[None]:
        """Stores rating and error of each agent so far, and once nothing is left to play, when that was."""
        rated = tuple(ratings)
        return self._submit(lambda connection: match_rows.rate_match(connection, match, rated, is_complete=is_complete))

    def list_matches(self, damaged: Callable[[StoreError], None] | None = None) -> list[StoredMatch]:
        """All matches, newest first; `damaged` as for `list_games`.

        Raises:
            StoreError: if a match is damaged.
        """
        return list(self._without_damage(self._read(match_rows.list_matches), damaged))

    def find_match(self, match: int) -> StoredMatch:
        """The match of that number.

        Raises:
            StoreError: if there is none, or it is damaged.
        """
        found = self._read(lambda connection: match_rows.list_matches(connection, match))
        if not found:
            raise StoreError(f"there is no match {match} in {self.name}")
        [only] = self._without_damage(found, None)
        return only

    def read_chunks(self, match: int) -> list[dict[str, Any]]:
        """The results of a match so far."""
        return self._read(lambda connection: match_rows.read_chunks(connection, match))
