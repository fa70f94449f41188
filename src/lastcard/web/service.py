"""The games of a server: begun, found again in memory or store, and let go when nobody looks."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, Final

from lastcard.agents import Agent, make_agent
from lastcard.errors import RequestError, RulesError
from lastcard.rules import Rules, format_rules, parse_rules
from lastcard.seeds import SEED_BITS, split_seed
from lastcard.store.reading import StoredSitting
from lastcard.store.store import Store
from lastcard.table import Table
from lastcard.web.contract.finished import BranchBody
from lastcard.web.contract.games import NewGame
from lastcard.web.finished.game import FinishedGame, branch_off
from lastcard.web.finished.service import FinishedGames
from lastcard.web.games.game import LiveGame
from lastcard.web.games.presence import Audience, Holder, Presence
from lastcard.web.games.seating import SeatInfo, check_offered, find_name, seat_opponents
from lastcard.web.games.settings import GameServices, GameSettings, Person, Players
from lastcard.web.hashes import hash_token
from lastcard.web.limits import Limits, Rate, Share, make_window_agent, too_many
from lastcard.web.searches.workers import Workers

SEAT: Final = 0
"""Of who begins a game."""
_SWEEP_SECONDS: Final = 20.0
_LEAST_IDLE_SECONDS: Final = 5.0
"""Before a game leaves memory for another; longer than any request takes."""


@dataclass(frozen=True, slots=True)
class Place:
    """A seat at a game, what proves that one holds it, and what lets others in."""

    game: LiveGame
    seat: int
    token: str
    invite: str


class Service:
    """Everything behind the routes and sockets. Use it in the event loop it was made in."""

    def __init__(
        self,
        store: Store,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
        make_secret: Callable[[int], str] = secrets.token_urlsafe,
        make_seed: Callable[[int], int] = secrets.randbits,
    ) -> None:
        """Serves the games of a store.

        Args:
            store: Opened for writing.
            limits: What to allow.
            clock: Seconds, from any start.
            make_secret: Unguessable text from that many random bytes.
            make_seed: Unguessable number of that many random bits, which a game is dealt from.
        """
        self.limits = limits or Limits()
        self.store = store
        self.clock = clock
        self.workers = Workers(self.limits)
        self.studies = FinishedGames(store, self.limits, clock)
        self.sockets = Share("connections", self.limits.max_sockets, self.limits.max_sockets_per_user)
        requests = self.limits.requests_per_second
        self.requests = Rate("requests", requests, 4 * requests, clock)
        self._refusals = Share("refusals", self.limits.max_refusals, self.limits.max_refusals_per_user)
        self._new_games = Rate(
            "new games", self.limits.new_games_per_minute / 60, self.limits.new_games_per_minute, clock
        )
        self._make_secret = make_secret
        self._make_seed = make_seed
        self._around = GameServices(store, self.workers, self.limits, clock)
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

    async def hold_back(self, user: str) -> None:
        """Waits before a user who asks too often is told so: whoever floods the server waits, and nobody else."""
        try:
            self._refusals.take(user)
        except RequestError:
            return
        try:
            await asyncio.sleep(self.limits.refusal_seconds)
        finally:
            self._refusals.give_back(user)

    # Games

    async def begin(self, wanted: NewGame, user: str, seat: int = SEAT) -> Place:
        """Begins a game and returns the seat of who asked for it.

        Raises:
            RequestError: if it cannot be had, or over a limit.
        """
        rules = _read_rules(wanted)
        seats = seat_opponents(wanted.opponents, rules, seat, self.limits, wanted.friends)
        called, token = find_name(wanted.name, [info.name for info in seats]), self._make_secret(32)
        holder = Holder(called, hash_token(token))
        self._new_games.take(user)
        self._make_room(user)
        terms = _terms(wanted, seats)
        key, invite, seed = self._make_secret(9), self._make_secret(16), self._make_seed(SEED_BITS)
        people = self._people(seats, {seat: holder}, hash_token(invite))
        table = Table(rules, _agents(seats), seed, people.seats)
        beginning = self.store.begin_sitting(
            rules,
            table.names,
            seed,
            seat=seat,
            key=key,
            token_hash=holder.token_hash,
            settings=_settings(wanted, seats, holder, invite),
            people=people.seats,
            round_number=0 if wanted.friends else 1,
        )
        game = self.adopt(key, await asyncio.wrap_future(beginning), table, terms, people, user)
        game.is_gathering = wanted.friends > 0
        await game.start()
        return Place(game, seat, token, invite)

    async def take_seat(self, game: LiveGame, invite: str, name: str, wanted: int | None = None) -> Place:
        """Gives somebody a seat.

        Raises:
            RequestError: with status 409 if none is left, 422 if that is no name.
        """
        token = self._make_secret(32)
        return Place(game, await game.take_seat(name, token, wanted), token, invite)

    async def find(self, key: str, token: str | None, user: str) -> tuple[LiveGame, Audience]:
        """The game of that key and the seat that the token holds, or None for an invitation.

        A game that is not in memory is brought back from the store.

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
        audience = game.people.identify(token)
        game.people.note(audience)
        game.used = self.clock()
        return game, audience

    async def rematch(self, game: LiveGame, seat: Audience, user: str) -> Place:
        """Begins a game on the same terms, or takes one's seat in it where somebody else has begun it.

        Raises:
            RequestError: with status 409 unless nothing is left to play, or as `begin`.
        """
        if seat is None:
            raise RequestError("only those who sit at the table can ask for that", status=403)
        if not game.is_over:
            raise RequestError("a rematch is for when the game is over", status=409)
        name = game.people.name(seat)
        async with game.lock:
            if game.rematch is not None and game.rematch[0].people.open_seats:
                following, invite = game.rematch
                return await self.take_seat(following, invite, name, seat)
            sitting = await asyncio.to_thread(self.store.find_sitting, game.key)
            if sitting is None:
                raise RequestError("there is no such game", status=404)
            place = await self.begin(_wanted(sitting).model_copy(update={"name": name}), user, seat)
            if place.game.people.open_seats:
                game.rematch = (place.game, place.invite)
                game.tell()
            return place

    async def bring(self, text: str, user: str) -> tuple[str, str]:
        """Stores a record to study; returns its key and the token of whoever brought it.

        Raises:
            RequestError: if it cannot be read, or over a limit.
        """
        self._new_games.take(user)
        key, token = self._make_secret(9), self._make_secret(32)
        await self.studies.bring(text, key, token, user)
        return key, token

    async def branch(self, study: FinishedGame, wanted: BranchBody, user: str) -> Place:
        """Begins a game that goes on from a point of a finished one; returns the seat of who asked for it.

        Raises:
            RequestError: if it cannot be had, or over a limit.
        """
        rules, seat = study.record.rules, wanted.seat
        index = study.find_round(wanted.round)
        study.check_seat(seat)
        seats = seat_opponents(wanted.opponents, rules, seat, self.limits)
        names = [info.agent for info in seats]
        self._new_games.take(user)
        start = await self.studies.work(user, lambda: branch_off(study, index, wanted.ply, seat, names))
        self._make_room(user)
        told = NewGame(
            players=rules.players,
            opponents=wanted.opponents,
            rules=format_rules(rules),
            length="round",
            pace=wanted.pace,
            window=wanted.window,
        )
        token, invite = self._make_secret(32), self._make_secret(16)
        holder = Holder(find_name(told.name, [info.name for info in seats]), hash_token(token))
        people = self._people(seats, {seat: holder}, hash_token(invite))
        key = self._make_secret(9)
        beginning = self.store.begin_branch(
            start,
            seat=seat,
            key=key,
            token_hash=holder.token_hash,
            settings=_settings(told, seats, holder, invite),
        )
        table = Table.resume(start, _agents(seats), people.seats)
        game = self.adopt(key, await asyncio.wrap_future(beginning), table, _terms(told, seats), people, user)
        await game.start()
        return Place(game, seat, token, invite)

    async def delete(self, key: str, token: str | None, user: str) -> None:
        """Deletes a game that is over, for whoever holds its token.

        Raises:
            RequestError: as `FinishedGames.delete`.
        """
        await self.studies.delete(key, token, user)
        if key in self._games:
            self.forget(key)

    def adopt(self, key: str, number: int, table: Table, terms: GameSettings, people: Presence, user: str) -> LiveGame:
        """Takes a table into memory as a live game, which `start` sets going."""
        seeds = [split_seed(table.seed, "agent", seat) for seat in range(len(terms.seats))]
        players = Players(
            tuple(
                make_agent(info.stand_in, seed) if info.is_person else agent
                for info, seed, agent in zip(terms.seats, seeds, table.agents, strict=True)
            ),
            tuple(
                make_window_agent(info.stand_in if info.is_person else info.agent, seed, self.limits)
                for info, seed in zip(terms.seats, seeds, strict=True)
            ),
        )
        game = LiveGame(key, number, table, players, terms, people, self._around)
        self._games[key] = game
        self._users[key] = user
        return game

    async def _load(self, key: str, token: str, user: str) -> LiveGame:
        if key in self._games:
            self.forget(key)
        sitting = await asyncio.to_thread(self.store.find_sitting, key)
        if sitting is None:
            raise RequestError("there is no such game", status=404)
        people = self._people_of(sitting)
        people.identify(token)
        self._make_room(user)
        terms, table = await asyncio.to_thread(self._bring_back, sitting)
        game = self.adopt(key, sitting.game, table, terms, people, user)
        game.is_stored = sitting.is_finished
        game.is_gathering = sitting.round == 0
        await game.start()
        return game

    def _bring_back(self, sitting: StoredSitting) -> tuple[GameSettings, Table]:
        seats = _seats(sitting)
        check_offered(seats)
        terms = _terms(_wanted(sitting), seats)
        table = self.store.read_table(sitting.game, _agents(seats))
        if table.state.round_number < sitting.round:
            table.next_round()
        return terms, table

    def _people_of(self, sitting: StoredSitting) -> Presence:
        called = sitting.settings.get("called", NewGame().name)
        holders = {sitting.seat: Holder(called, sitting.token_hash)}
        holders |= {holder.seat: Holder(holder.name, holder.token_hash) for holder in sitting.holders}
        return self._people(_seats(sitting), holders, sitting.settings.get("invite_hash", ""))

    def _people(self, seats: Sequence[SeatInfo], holders: Mapping[int, Holder], invite_hash: str) -> Presence:
        return Presence(seats, holders, invite_hash, self.clock, self.limits.away_seconds)

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
            if not game.people.has_listeners and now - game.used >= idle_seconds and not game.lock.locked():
                self.forget(key)

    def forget(self, key: str) -> None:
        """Lets go of a game, which stays in the store."""
        self._games.pop(key).close()
        del self._users[key]


def _agents(seats: Sequence[SeatInfo]) -> list[str | Agent]:
    return [Person() if info.is_person else info.agent for info in seats]


def _terms(wanted: NewGame, seats: tuple[SeatInfo, ...]) -> GameSettings:
    return GameSettings(seats, wanted.length, wanted.pace, wanted.window, wanted.turn)


def _settings(wanted: NewGame, seats: Sequence[SeatInfo], holder: Holder, invite: str) -> dict[str, Any]:
    """What the store keeps beside the game, to bring it back."""
    return {
        **wanted.model_dump(),
        "seats": [asdict(info) for info in seats],
        "called": holder.name,
        "invite_hash": hash_token(invite),
    }


def _wanted(sitting: StoredSitting) -> NewGame:
    fields = {name: value for name, value in sitting.settings.items() if name in NewGame.model_fields}
    return NewGame.model_validate(fields)


def _seats(sitting: StoredSitting) -> tuple[SeatInfo, ...]:
    return tuple(SeatInfo(**info) for info in sitting.settings["seats"])


def _read_rules(wanted: NewGame) -> Rules:
    try:
        rules = parse_rules(wanted.rules)
        if "players=" in wanted.rules and rules.players != wanted.players:
            message = f"rules say players={rules.players}, but players is {wanted.players}; leave one of them out"
            raise RequestError(message, status=422, field="players")
        return rules.replace(players=wanted.players)
    except RulesError as error:
        raise RequestError(str(error), status=422, field="rules") from None
