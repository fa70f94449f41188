"""A tournament kept in a store: its chunks with their games, and in the end its ratings."""

from __future__ import annotations

from collections.abc import Sequence

from lastcard.agents import AgentLike
from lastcard.arena.ratings import Rating
from lastcard.arena.results import ChunkResult
from lastcard.arena.schedule import Tournament
from lastcard.errors import RecordError, StoreError
from lastcard.store.store import Store


class KeptMatch:
    """A match of a store that is being played; make one with `begin` or `resume`."""

    keeps_games = True

    def __init__(self, store: Store, number: int, tournament: Tournament, chunks: list[ChunkResult]) -> None:
        self.number = number
        self.note = f"This is match {number} of {store.name}."
        """A note for the user."""
        self.tournament = tournament
        self.chunks = chunks
        """Chunks that the store held when the match was opened."""
        self._store = store

    @classmethod
    def begin(cls, store: Store, tournament: Tournament) -> KeptMatch:
        """A new match."""
        number = store.begin_match(tournament.to_dict(), tournament.agents).result()
        return cls(store, number, tournament, [])

    @classmethod
    def resume(cls, store: Store, number: int | None = None, agents: Sequence[AgentLike] = ()) -> KeptMatch:
        """Resumes a match; without a number, the only unfinished one.

        Agents of your own have to be given again: nothing is imported for a name in a store.

        Raises:
            StoreError: if there is no such match.
            RecordError: if it cannot be read, or played here.
        """
        kept = store.find_match(_find_unfinished(store) if number is None else number)
        try:
            tournament = Tournament.from_dict(kept.tournament, agents)
            players = tournament.rules.players
            chunks = [ChunkResult.from_dict(fields, players) for fields in store.read_chunks(kept.number)]
        except RecordError as error:
            raise RecordError(f"{store.name}: match {kept.number}: {error}") from None
        return cls(store, kept.number, tournament, chunks)

    @property
    def resume_arguments(self) -> tuple[str, ...]:
        """Arguments of `lastcard arena` that resume it."""
        return "--resume", self._store.name, "--match", str(self.number)

    def append(self, chunk: ChunkResult) -> None:
        """Keeps a chunk and its games for good before it returns."""
        self._store.add_chunk(self.number, chunk.pairing, chunk.number, chunk.to_dict(), chunk.games).result()

    def rate(self, ratings: Sequence[Rating | None], *, is_complete: bool) -> None:
        """Keeps the ratings so far, in the order of the agents, and whether nothing is left to play."""
        told = [(rating.value, rating.error) if rating else None for rating in ratings]
        self._store.rate_match(self.number, told, is_complete=is_complete).result()


def _find_unfinished(store: Store) -> int:
    damaged: list[StoreError] = []
    matches = store.list_matches(damaged.append)
    unfinished = [match.number for match in matches if match.finished is None]
    if len(unfinished) == 1:
        return unfinished[0]
    if unfinished:
        told = ", ".join(map(str, sorted(unfinished)))
        raise StoreError(f"{store.name} holds several unfinished matches: choose one with --match: {told}")
    if damaged:
        raise damaged[0]
    if not matches:
        raise StoreError(f"{store.name} holds no match")
    raise StoreError(f"every match in {store.name} is finished; --match {matches[0].number} shows the last one")
