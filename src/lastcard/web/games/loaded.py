"""Games in memory: loaded from the store when a client asks, and released when no client does."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Final

from lastcard.errors import RequestError
from lastcard.store.sitting_rows import StoredSitting
from lastcard.table import Table
from lastcard.web.games.journal import Journal
from lastcard.web.games.live_game import LiveGame
from lastcard.web.games.presence import Audience, Holder, Presence
from lastcard.web.games.seating import SeatInfo, check_offered
from lastcard.web.games.settings import GameServices, GameSettings
from lastcard.web.games.setup import (
    make_players,
    make_settings,
    read_holders,
    read_request,
    read_resigned,
    read_seats,
    seat_agents,
)
from lastcard.web.limits import Elsewhere, report_held, too_many
from lastcard.web.peers import MovedError
from lastcard.web.refusals import refuse

_SWEEP_SECONDS: Final = 20.0
_LEAST_IDLE_SECONDS: Final = 5.0
"""Shortest idle time before a game leaves memory for another; longer than any request takes."""
_STOP_SECONDS: Final = 1.0
"""Time in which games may store what they are about to, before another process takes them."""


class LoadedGames:
    """Games in memory by key. Use it in one event loop."""

    def __init__(self, services: GameServices) -> None:
        self._services = services
        self._games: dict[str, LiveGame] = {}
        self._users: dict[str, str] = {}
        """The user for whom each game was loaded."""
        self._loading: dict[str, asyncio.Lock] = {}
        self._elsewhere = Elsewhere()
        self._is_stopped = False

    def __len__(self) -> int:
        return len(self._games)

    def __contains__(self, key: str) -> bool:
        return key in self._games

    def peek(self, key: str) -> LiveGame | None:
        """The game of that key if it is in memory; asking for it is no sign of life."""
        return self._games.get(key)

    def has(self, key: str) -> bool:
        """True if the game is in memory and has not failed."""
        game = self._games.get(key)
        return game is not None and not game.failure

    def list_keys(self) -> list[str]:
        """Keys of the games in memory."""
        return list(self._games)

    def close(self) -> None:
        """Stops every game where it is."""
        for game in self._games.values():
            game.close()
        self._games.clear()

    def let_go(self) -> None:
        """Stops every game where it is, because other processes have them now; clients have to connect again."""
        for key in tuple(self._games):
            self._games[key].let_go()
            self.forget(key)

    async def stop(self) -> None:
        """Lets every game go once what it is storing is stored, and loads no more."""
        self._is_stopped = True
        with suppress(TimeoutError):
            async with asyncio.timeout(_STOP_SECONDS):
                for game in tuple(self._games.values()):
                    async with game.referee.lock:
                        game.let_go()
        self.let_go()

    async def find(self, key: str, token: str, user: str) -> tuple[LiveGame, Audience]:
        """The game of that key, loaded if need be, and the seat that the token holds; None for an invitation.

        Raises:
            RequestError: with status 403 if the token belongs to another game, 404 without such a game.
        """
        if self._is_stopped:
            raise MovedError
        game = self._games.get(key)
        # A game that failed is loaded again: the store has the last state that was acknowledged.
        if game is None or game.failure:
            # One load at a time for each game, however many requests ask for it.
            async with self._loading.setdefault(key, asyncio.Lock()):
                try:
                    game = self._games.get(key)
                    if game is None or game.failure:
                        game = await self._load(key, token, user)
                finally:
                    # Keys come from clients: locks of keys that do not exist would pile up.
                    self._loading.pop(key, None)
        try:
            audience = game.presence.identify(token)
        except RequestError:
            if not self._services.store.owner:
                raise
            await self._admit_further(key, game)
            audience = game.presence.identify(token)
        game.presence.note(audience)
        game.used = self._services.clock()
        game.resume()
        return game, audience

    async def _admit_further(self, key: str, game: LiveGame) -> None:
        """Admits tokens that a personal link has made at another process."""
        sitting = await asyncio.to_thread(self._services.store.find_sitting, key)
        for seat, token_hash in sitting.further if sitting else ():
            if game.presence.is_held(seat) and not game.presence.holder(seat).owns(token_hash):
                game.presence.admit(seat, token_hash)

    def adopt(
        self,
        key: str,
        number: int,
        table: Table,
        settings: GameSettings,
        presence: Presence,
        user: str,
        *,
        is_gathering: bool = False,
        is_finished: bool = False,
    ) -> LiveGame:
        """Takes a table into memory as a live game, which `start` sets going.

        Args:
            key: Name of the game for clients.
            number: Its number in the store.
            table: The table, new or loaded.
            settings: Settings of the request.
            presence: The people who hold seats.
            user: The user for whom it counts.
            is_gathering: True if the first round waits for people to join.
            is_finished: True if the store has marked the game as finished.
        """
        services = self._services
        players = make_players(table, settings.seats, services.limits)
        journal = Journal(services.store, number, is_finished=is_finished)
        game = LiveGame(key, table, players, settings, presence, journal, services, user, is_gathering=is_gathering)
        self._games[key] = game
        self._users[key] = user
        return game

    def make_presence(
        self,
        seats: Sequence[SeatInfo],
        holders: Mapping[int, Holder],
        invite_hash: str,
        resigned: Collection[int] = (),
    ) -> Presence:
        """The people of a game on this server."""
        services = self._services
        return Presence(seats, holders, invite_hash, services.clock, services.limits.away_seconds, resigned)

    async def _load(self, key: str, token: str, user: str) -> LiveGame:
        if key in self._games:
            self.forget(key)
        sitting, presence = await self._read_sitting(key, token)
        self.make_room(user)
        if self._services.store.owner:
            if not await asyncio.wrap_future(self._services.store.claim(sitting.game)):
                raise MovedError
            # Another process may have written it until now.
            sitting, presence = await self._read_sitting(key, token)
        settings, table = await asyncio.to_thread(self._read_table, sitting)
        if sitting.is_finished and not table.state.is_over:
            raise refuse("all_resigned")
        state = {"is_gathering": sitting.round == 0, "is_finished": sitting.is_finished}
        game = self.adopt(key, sitting.game, table, settings, presence, user, **state)
        await game.start()
        return game

    async def _read_sitting(self, key: str, token: str) -> tuple[StoredSitting, Presence]:
        """The sitting and its people; refuses a token of another game before the game takes any room."""
        sitting = await asyncio.to_thread(self._services.store.find_sitting, key)
        if sitting is None:
            raise refuse("no_game")
        invite_hash = sitting.settings.get("invite_hash", "")
        presence = self.make_presence(read_seats(sitting), read_holders(sitting), invite_hash, read_resigned(sitting))
        presence.identify(token)
        return sitting, presence

    def _read_table(self, sitting: StoredSitting) -> tuple[GameSettings, Table]:
        seats = read_seats(sitting)
        check_offered(seats)
        settings = make_settings(read_request(sitting), seats)
        table = self._services.store.read_table(sitting.game, seat_agents(seats))
        if table.state.round_number < sitting.round:
            table.next_round()
        return settings, table

    # Room

    def make_room(self, user: str) -> None:
        """Makes room for one more game.

        Raises:
            RequestError: with status 429, if the user or the server has too many that are in use.
        """
        limits = self._services.limits
        held = [key for key, owner in self._users.items() if owner == user]
        if len(held) + self._elsewhere.count(user) >= limits.max_games_per_user or len(self._games) >= limits.max_games:
            self._sweep(_LEAST_IDLE_SECONDS)
        here = len([key for key in held if key in self._games])
        if here + self._elsewhere.count(user) >= limits.max_games_per_user:
            raise too_many("games", 30, "too_many_yours")
        if len(self._games) >= limits.max_games:
            raise too_many("games", 30, "too_many_here")

    def report(self) -> Mapping[str, float]:
        """Games that each user has in memory here."""
        return report_held(Counter(self._users.values()), self._services.limits.max_games_per_user)

    def note(self, reports: Mapping[int, Mapping[str, float]]) -> None:
        """Notes how many games users have in the memory of other processes."""
        self._elsewhere.note(reports)

    async def sweep_forever(self) -> None:
        """Releases games that have not been in use for a while, now and then."""
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            self._sweep(self._services.limits.idle_seconds)

    def _sweep(self, idle_seconds: float) -> None:
        now = self._services.clock()
        for key, game in tuple(self._games.items()):
            is_idle = not game.presence.has_listeners and now - game.used >= idle_seconds
            # A locked game is storing an action; released now, it would be loaded without that action.
            if is_idle and not game.referee.lock.locked():
                self.forget(key)

    def forget(self, key: str) -> None:
        """Releases a game, which stays in the store."""
        game = self._games.pop(key)
        game.close()
        del self._users[key]
        self._services.store.release(game.journal.number)
