"""Games in memory: loaded from the store when a client asks, and released when no client does."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Final

from lastcard.errors import RequestError
from lastcard.store.sitting_rows import StoredSitting
from lastcard.table import Table
from lastcard.web.games.driver import wait_for
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
from lastcard.web.limits import Share
from lastcard.web.peers import MovedError
from lastcard.web.refusals import refuse

_SWEEP_SECONDS: Final = 20.0
_LEAST_IDLE_SECONDS: Final = 5.0
"""Shortest idle time before a game leaves memory for another; longer than any request takes."""
_RETRY_SECONDS: Final = 30.0
"""Time after which a refused user may try again."""
_BUSY_SECONDS: Final = 0.05
"""Time after which a player who returns looks again whether a game can leave memory."""
_RESERVE: Final = 0.1
"""Part of `max_games` beyond it, for players who return to a running game."""
_STOP_SECONDS: Final = 1.0
"""Time in which games may store what they are about to, before another process takes them."""


class LoadedGames:
    """Games in memory by key. Use it in one event loop."""

    def __init__(self, services: GameServices) -> None:
        self._services = services
        self._games: dict[str, LiveGame] = {}
        most = services.limits.max_games
        self.places = Share(
            "games",
            most,
            services.limits.max_games_per_user,
            reserve=int(_RESERVE * most),
            retry_after_seconds=_RETRY_SECONDS,
        )
        """Places of games in memory, and of those that are about to be there."""
        self._users: dict[str, str] = {}
        """The user who has the place of each game."""
        self._coming: set[str] = set()
        """Games that have a place and are not ready yet."""
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}
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
        self._stop_loading()
        for game in self._games.values():
            game.close()
        self._games.clear()

    def let_go(self) -> None:
        """Stops every game where it is, because other processes have them now; clients have to connect again."""
        self._stop_loading()
        for key in tuple(self._users):
            if key in self._games:
                self._unload(key)
            else:
                self._give_back(key)

    def notify(self) -> None:
        """Lets all sockets know that there may be something new to send."""
        for game in self._games.values():
            game.broadcast.notify()

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
        while game is None or game.failure:
            game = await self._load(key, token, user)
            if not game.is_moved:  # it may have left memory again before this request continued
                break
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
        """Takes a table into memory as a live game, which `start` sets going; its place is reserved.

        Args:
            key: Name of the game for clients.
            number: Its number in the store.
            table: The table, new or loaded.
            settings: Settings of the request.
            presence: The people who hold seats.
            user: The user for whom its agents compute.
            is_gathering: True if the first round waits for people to join.
            is_finished: True if the store has marked the game as finished.

        Raises:
            MovedError: if all games were let go since the place was reserved.
        """
        if key not in self._users:
            raise MovedError
        services = self._services
        players = make_players(table, settings.seats, services.limits)
        journal = Journal(services.store, number, is_finished=is_finished)
        game = LiveGame(key, table, players, settings, presence, journal, services, user, is_gathering=is_gathering)
        assert key not in self._games, "each key has one live game"
        self._games[key] = game
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

    # Loading

    async def _load(self, key: str, token: str, user: str) -> LiveGame:
        """Loads a game once, however many requests wait for it.

        What refuses one of them, its token or its limits, is checked for each alone, before it joins the others.
        """
        sitting, presence = await self._read_sitting(key)
        is_player = presence.identify(token) is not None
        while True:
            if self._is_stopped:
                raise MovedError
            if key in self._loading:
                return await wait_for(self._loading[key])
            if self.has(key):
                return self._games[key]
            if key in self._games:
                self.forget(key)
            # From here to the task nothing else runs.
            if self._take_place(key, user, returns=is_player and not sitting.is_finished):
                task = asyncio.create_task(self._read_game(key, sitting.game, user), name=f"load {sitting.game}")
                self._loading[key] = task
                task.add_done_callback(lambda done: self._end_loading(key, sitting.game, done))
                return await wait_for(task)
            await asyncio.sleep(_BUSY_SECONDS)

    async def _read_game(self, key: str, number: int, user: str) -> LiveGame:
        store = self._services.store
        if store.owner and not await asyncio.wrap_future(store.claim(number)):
            raise MovedError
        # Only now: until then, another process or request may have written it.
        sitting, presence = await self._read_sitting(key)
        settings, table = await asyncio.to_thread(self._read_table, sitting)
        if sitting.is_finished and not table.state.is_over:
            raise refuse("all_resigned")
        state = {"is_gathering": sitting.round == 0, "is_finished": sitting.is_finished}
        game = self.adopt(key, number, table, settings, presence, user, **state)
        await game.start()
        return game

    def _end_loading(self, key: str, number: int, task: asyncio.Task[LiveGame]) -> None:
        del self._loading[key]
        self._end_coming(key)
        if key not in self._games:
            self._services.store.release(number)
        if not task.cancelled():
            task.exception()  # all who waited for it may have left

    def _stop_loading(self) -> None:
        for task in self._loading.values():
            task.cancel()

    async def _read_sitting(self, key: str) -> tuple[StoredSitting, Presence]:
        """The sitting and its people."""
        sitting = await asyncio.to_thread(self._services.store.find_sitting, key)
        if sitting is None:
            raise refuse("no_game")
        invite_hash = sitting.settings.get("invite_hash", "")
        people = (read_seats(sitting), read_holders(sitting), invite_hash, read_resigned(sitting))
        return sitting, self.make_presence(*people)

    def _read_table(self, sitting: StoredSitting) -> tuple[GameSettings, Table]:
        seats = read_seats(sitting)
        check_offered(seats)
        settings = make_settings(read_request(sitting), seats)
        table = self._services.store.read_table(sitting.game, seat_agents(seats))
        if table.state.round_number < sitting.round:
            table.next_round()
        return settings, table

    # Room

    @contextmanager
    def reserve(self, key: str, user: str) -> Iterator[None]:
        """Holds a place for a new game, which keeps it if it is adopted.

        Raises:
            RequestError: with status 429, if the user or the server has too many that are in use.
        """
        self._take_place(key, user)
        try:
            yield
        finally:
            self._end_coming(key)

    def _take_place(self, key: str, user: str, *, returns: bool = False) -> bool:
        """Takes a place for a game; idle games make room.

        For players who return to a running game there is a reserve, and then games in use make room. They are never
        refused: False means that all of those games are busy at the moment.
        """
        self._unload_for(user, _LEAST_IDLE_SECONDS)
        if returns:
            self._unload_for(user)
            if not self.places.has_room(user, returns=True):
                can_help = self.places.find_rivals(user, returns=True)
                if any(map(can_help, self._users.values())):
                    return False
        self.places.take(user, returns=returns)
        self._users[key] = user
        self._coming.add(key)
        return True

    def _end_coming(self, key: str) -> None:
        self._coming.discard(key)
        if key not in self._games:
            self._give_back(key)

    def _give_back(self, key: str) -> None:
        user = self._users.pop(key, None)
        if user is not None:
            self.places.give_back(user)

    def _unload_for(self, user: str, least_idle_seconds: float | None = None) -> None:
        """Unloads games until the user has room: idle ones, or any for a player who returns.

        Those without sockets go first, then those of the networks that have the most, then those used longest ago.
        """
        returns = least_idle_seconds is None
        while not self.places.has_room(user, returns=returns):
            can_help = self.places.find_rivals(user, returns=returns)
            found = [
                (game.presence.has_listeners, -self.places.count(self._users[key]), game.used, key)
                for key, game in self._games.items()
                if can_help(self._users[key]) and self._can_unload(key, least_idle_seconds)
            ]
            if not found:
                return
            self._unload(min(found)[-1])

    def _can_unload(self, key: str, least_idle_seconds: float | None = None) -> bool:
        """True unless the game is busy or, if a time is given, has been in use since then."""
        game = self._games[key]
        # A locked game is storing an action; released now, it would be loaded without that action.
        if game.referee.lock.locked() or key in self._coming:
            return False
        if least_idle_seconds is None:
            return True
        return not game.presence.has_listeners and self._services.clock() - game.used >= least_idle_seconds

    def _unload(self, key: str) -> None:
        """Releases a game; its clients have to connect again."""
        self._games[key].let_go()
        self.forget(key)

    async def sweep_forever(self) -> None:
        """Releases games that have not been in use for a while, now and then."""
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            for key in self.list_keys():
                if self._can_unload(key, self._services.limits.idle_seconds):
                    self._unload(key)

    def forget(self, key: str) -> None:
        """Releases a game, which stays in the store."""
        game = self._games.pop(key)
        game.close()
        self._give_back(key)
        self._services.store.release(game.journal.number)
