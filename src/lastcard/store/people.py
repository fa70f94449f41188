"""People across games: personal links, pairing, results over time, and erasing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import datetime

from sqlalchemy import Connection

from lastcard.store import history_rows, pairing_rows, people_rows
from lastcard.store.access import StoreAccess
from lastcard.store.history_rows import PastGame
from lastcard.store.pairing_rows import Found, MakeGame, Waiting
from lastcard.store.people_rows import CarriedSeat, Holding


class PeopleStore(StoreAccess):
    """Writes and reads what belongs to one person. A person is known by the hashes of tokens only."""

    def find_holdings(self, seats: Sequence[tuple[str, str]]) -> list[Holding | None]:
        """The seats that tokens prove, each named by the key of a game and the hash of a token."""
        return self._read(lambda connection: [people_rows.find_holding(connection, *each) for each in seats])

    def list_past_games(self, seats: Sequence[tuple[str, str]]) -> list[PastGame]:
        """Those of the games that are over for the person, oldest first."""
        return self._read(lambda connection: history_rows.list_past_games(connection, seats))

    def add_link(self, link_hash: str, expires: datetime, holdings: Sequence[Holding]) -> Future[None]:
        """Stores a personal link."""
        return self._submit(lambda connection: people_rows.add_link(connection, link_hash, expires, holdings))

    def use_link(self, link_hash: str, make_token: Callable[[], tuple[str, str]]) -> Future[list[CarriedSeat] | None]:
        """Uses a personal link, which works once; None from the future if there is none."""
        return self._submit(lambda connection: people_rows.use_link(connection, link_hash, make_token))

    def drop_link(self, link_hash: str) -> Future[None]:
        """Forgets a personal link."""
        return self._submit(lambda connection: people_rows.drop_link(connection, link_hash))

    def erase(self, key: str, token_hash: str) -> Future[bool]:
        """Erases a person from a game that is over; True from the future if the whole game went."""

        def work(connection: Connection) -> bool:
            holding = people_rows.find_holding(connection, key, token_hash)
            return holding is not None and people_rows.erase(connection, holding, token_hash)

        return self._submit(work)

    def add_waiting(self, who: Waiting, kind: str, fills: datetime, expires: datetime) -> Future[None]:
        """Stores a person who waits for others to play with."""
        return self._submit(lambda connection: pairing_rows.add_waiting(connection, who, kind, fills, expires))

    def count_waiting(self) -> int:
        """People who wait."""
        return self._read(pairing_rows.count_waiting)

    def find_waiting_kind(self, token_hash: str) -> str | None:
        """The game that a person waits for, or waited for; None if the person does not wait."""
        return self._read(lambda connection: pairing_rows.find_kind(connection, token_hash))

    def poll_waiting(
        self, token_hash: str, expires: datetime, players: int, make_game: MakeGame
    ) -> Future[Found | None]:
        """Prolongs the wait of a person, and begins a game when it is time; None if the person does not wait."""
        return self._submit(lambda connection: pairing_rows.poll(connection, token_hash, expires, players, make_game))

    def cancel_waiting(self, token_hash: str) -> Future[None]:
        """Forgets a person who waits; one who has a seat keeps it."""
        return self._submit(lambda connection: pairing_rows.cancel(connection, token_hash))
