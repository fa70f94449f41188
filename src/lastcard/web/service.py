"""The games of a server: begun, found again in memory or store, and let go when nobody looks."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from typing import Final

from lastcard.agents import Agent
from lastcard.errors import RequestError, RulesError
from lastcard.rules import Rules, format_rules, parse_rules
from lastcard.seeds import SEED_BITS, split_seed
from lastcard.store.reading import StoredSitting
from lastcard.store.store import Store
from lastcard.table import Table
from lastcard.web.game import LiveGame, Person, Surroundings, Terms, hash_token
from lastcard.web.limits import Limits, Rate, Share, too_many
from lastcard.web.models import NewGame
from lastcard.web.seating import SeatInfo, make_window_agent, seat_opponents
from lastcard.web.studies import Studies
from lastcard.web.study import Study, branch_off
from lastcard.web.study_models import BranchBody
from lastcard.web.workers import Workers

SEAT: Final = 0
"""The person's."""
_SWEEP_SECONDS: Final = 20.0
_LEAST_IDLE_SECONDS: Final = 5.0
"""Before a game leaves memory for another; longer than any request takes."""


class Service:
    """Everything behind the routes and sockets. Use it in the event loop it was made in."""

    def __init__(
        self,
        store: Store,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
        make_secret: Callable[[int], str] = secrets.token_urlsafe,
    ) -> None:
        """Serves the games of a store.

        Args:
            store: Opened for writing.
            limits: What to allow.
            clock: Seconds, from any start.
            make_secret: Unguessable text from that many random bytes.
        """
        self.limits = limits or Limits()
        self.store = store
        self.clock = clock
        self.workers = Workers(self.limits)
        self.studies = Studies(store, self.limits, clock)
        self.sockets = Share("connections", self.limits.max_sockets, self.limits.max_sockets_per_user)
        requests = self.limits.requests_per_second
        self.requests = Rate("requests", requests, 4 * requests, clock)
        self._new_games = Rate(
            "new games", self.limits.new_games_per_minute / 60, self.limits.new_games_per_minute, clock
        )
        self._make_secret = make_secret
        self._around = Surroundings(store, self.workers, self.limits, clock)
        self._games: dict[str, LiveGame] = {}
        self._users: dict[str, str] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._sweeper: asyncio.Task[None] | None = None

    # Life

    def start(self) -> None:
        """Begins to let go of games that nobody looks at."""
        self._sweeper = asyncio.create_task(self._sweep_now_and_then(), name="sweeper")

    async def close(self) -> None:
        """Stops every game where it is."""
        if self._sweeper:
            self._sweeper.cancel()
            with suppress(asyncio.CancelledError):
                await self._sweeper
        for game in self._games.values():
            game.close()
        self._games.clear()
        await self.studies.close()
        self.workers.close()

    @property
    def num_games(self) -> int:
        """In memory."""
        return len(self._games)

    # Games

    async def begin(self, wanted: NewGame, user: str) -> tuple[LiveGame, str]:
        """Begins a game and returns it with the token of its person.

        Raises:
            RequestError: if it cannot be had, or over a limit.
        """
        rules = _read_rules(wanted)
        seats = seat_opponents(wanted.opponents, rules, SEAT, self.limits)
        self._new_games.take(user)
        self._make_room(user)
        terms = Terms(seats, SEAT, wanted.length, wanted.pace, wanted.window)
        key, token, seed = self._make_secret(9), self._make_secret(32), secrets.randbits(SEED_BITS)
        table = Table(rules, _agents(terms), seed, [SEAT])
        beginning = self.store.begin_sitting(
            rules,
            table.names,
            seed,
            seat=SEAT,
            key=key,
            token_hash=hash_token(token),
            settings={**wanted.model_dump(), "seats": [asdict(info) for info in seats]},
        )
        game = self.adopt(key, await asyncio.wrap_future(beginning), table, terms, hash_token(token), user)
        await game.start()
        return game, token

    async def find(self, key: str, token: str | None, user: str) -> LiveGame:
        """The game of that key, for whoever holds its token; brought back from the store if need be.

        Raises:
            RequestError: with status 401 without a token, 403 with another, 404 without such a game.
        """
        if token is None:
            raise RequestError("Authorization must be Bearer and the token of the game", status=401)
        game = self._games.get(key)
        if game is None or game.failure:
            # One at a time for each game, however many ask for it at once.
            async with self._loading.setdefault(key, asyncio.Lock()):
                try:
                    game = self._games.get(key)
                    if game is None or game.failure:
                        game = await self._load(key, token, user)
                finally:
                    self._loading.pop(key, None)
        game.check_token(token)
        game.used = self.clock()
        return game

    async def rematch(self, game: LiveGame, user: str) -> tuple[LiveGame, str]:
        """Begins a game on the same terms.

        Raises:
            RequestError: with status 409 unless nothing is left to play, or as `begin`.
        """
        if not game.is_over:
            raise RequestError("a rematch is for when the game is over", status=409)
        sitting = await asyncio.to_thread(self.store.find_sitting, game.key)
        if sitting is None:
            raise RequestError("there is no such game", status=404)
        fields = {name: value for name, value in sitting.settings.items() if name in NewGame.model_fields}
        return await self.begin(NewGame.model_validate(fields), user)

    async def bring(self, text: str, user: str) -> tuple[str, str]:
        """Stores a record to study; returns its key and the token of whoever brought it.

        Raises:
            RequestError: if it cannot be read, or over a limit.
        """
        self._new_games.take(user)
        key, token = self._make_secret(9), self._make_secret(32)
        await self.studies.bring(text, key, token, user)
        return key, token

    async def branch(self, study: Study, wanted: BranchBody, user: str) -> tuple[LiveGame, str]:
        """Begins a game that goes on from a point of a finished one; returns it with the token of its person.

        Raises:
            RequestError: if it cannot be had, or over a limit.
        """
        rules = study.record.rules
        index = study.find_round(wanted.round)
        study.check_seat(wanted.seat)
        seats = seat_opponents(wanted.opponents, rules, wanted.seat, self.limits)
        terms = Terms(seats, wanted.seat, "round", wanted.pace, wanted.window)
        names = [info.agent for info in seats]
        self._new_games.take(user)
        start = await self.studies.work(user, lambda: branch_off(study, index, wanted.ply, wanted.seat, names))
        self._make_room(user)
        key, token = self._make_secret(9), self._make_secret(32)
        table = Table.resume(start, _agents(terms), [wanted.seat])
        told = NewGame(
            players=rules.players,
            opponents=wanted.opponents,
            rules=format_rules(rules),
            length="round",
            pace=wanted.pace,
            window=wanted.window,
        )
        beginning = self.store.begin_branch(
            start,
            seat=wanted.seat,
            key=key,
            token_hash=hash_token(token),
            settings={**told.model_dump(), "seats": [asdict(info) for info in seats]},
        )
        game = self.adopt(key, await asyncio.wrap_future(beginning), table, terms, hash_token(token), user)
        await game.start()
        return game, token

    async def delete(self, key: str, token: str | None, user: str) -> None:
        """Deletes a game that is over, for whoever holds its token.

        Raises:
            RequestError: as `Studies.delete`.
        """
        await self.studies.delete(key, token, user)
        if key in self._games:
            self.forget(key)

    def adopt(self, key: str, number: int, table: Table, terms: Terms, token_hash: str, user: str) -> LiveGame:
        """Takes a table into memory as a live game, which `start` sets going."""
        agents = [
            table.agents[seat]
            if info.is_person
            else make_window_agent(info.agent, split_seed(table.seed, "agent", seat), self.limits)
            for seat, info in enumerate(terms.seats)
        ]
        game = LiveGame(key, number, table, tuple(agents), terms, token_hash, self._around)
        self._games[key] = game
        self._users[key] = user
        return game

    async def _load(self, key: str, token: str, user: str) -> LiveGame:
        if key in self._games:
            self.forget(key)
        sitting = await asyncio.to_thread(self.store.find_sitting, key)
        if sitting is None:
            raise RequestError("there is no such game", status=404)
        if not secrets.compare_digest(hash_token(token), sitting.token_hash):
            raise RequestError("the token is not of this game", status=403)
        self._make_room(user)
        terms, table = await asyncio.to_thread(self._bring_back, sitting)
        game = self.adopt(key, sitting.game, table, terms, sitting.token_hash, user)
        game.is_stored = sitting.is_finished
        await game.start()
        return game

    def _bring_back(self, sitting: StoredSitting) -> tuple[Terms, Table]:
        wanted = NewGame.model_validate(
            {name: value for name, value in sitting.settings.items() if name in NewGame.model_fields}
        )
        seats = tuple(SeatInfo(**info) for info in sitting.settings["seats"])
        terms = Terms(seats, sitting.seat, wanted.length, wanted.pace, wanted.window)
        record = self.store.read_record(sitting.game)
        table = Table.resume(record, _agents(terms), [terms.seat])
        if table.state.round_number < sitting.round:
            table.next_round()
        return terms, table

    # Room

    def _make_room(self, user: str) -> None:
        held = [key for key, owner in self._users.items() if owner == user]
        if len(held) >= self.limits.max_games_per_user or len(self._games) >= self.limits.max_games:
            self._sweep(_LEAST_IDLE_SECONDS)
        if len([key for key in held if key in self._games]) >= self.limits.max_games_per_user:
            raise too_many("games of yours at a time", 30)
        if len(self._games) >= self.limits.max_games:
            raise too_many("games on this server at a time", 30)

    async def _sweep_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            self._sweep(self.limits.idle_seconds)

    def _sweep(self, idle_seconds: float) -> None:
        """Lets go of games that nobody has looked at for that long."""
        now = self.clock()
        for key, game in tuple(self._games.items()):
            if not game.sockets and now - game.used >= idle_seconds and not game.lock.locked():
                self.forget(key)

    def forget(self, key: str) -> None:
        """Lets go of a game, which stays in the store."""
        self._games.pop(key).close()
        del self._users[key]


def _agents(terms: Terms) -> list[str | Agent]:
    return [Person() if info.is_person else info.agent for info in terms.seats]


def _read_rules(wanted: NewGame) -> Rules:
    try:
        rules = parse_rules(wanted.rules)
        if "players=" in wanted.rules and rules.players != wanted.players:
            message = f"rules say players={rules.players}, but players is {wanted.players}; leave one of them out"
            raise RequestError(message, status=422, field="players")
        return rules.replace(players=wanted.players)
    except RulesError as error:
        raise RequestError(str(error), status=422, field="rules") from None
