"""The service behind routes and sockets: games that are begun, found, rematched, branched and deleted."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from lastcard.errors import RequestError
from lastcard.record import Record
from lastcard.rules import Rules, format_rules
from lastcard.seeds import SEED_BITS
from lastcard.store.pairing_rows import Found
from lastcard.store.store import Store
from lastcard.table import Table
from lastcard.web.contract.finished import BranchBody
from lastcard.web.contract.games import NewGame
from lastcard.web.contract.people import PairingBody
from lastcard.web.finished.finished_game import FinishedGame, branch_off
from lastcard.web.finished.finished_games import FinishedGames
from lastcard.web.games.live_game import LiveGame
from lastcard.web.games.loaded import LoadedGames
from lastcard.web.games.presence import Audience, Holder
from lastcard.web.games.seating import SeatInfo, find_name, seat_opponents
from lastcard.web.games.settings import GameServices
from lastcard.web.games.setup import make_settings, read_request, read_rules, seat_agents, to_stored
from lastcard.web.hashes import hash_token
from lastcard.web.lease import Lease
from lastcard.web.limits import Limits, Rate, Share, SharedLimit
from lastcard.web.ownership import Ownership
from lastcard.web.peers import Peers
from lastcard.web.people.pairing import Pairing
from lastcard.web.people.people_service import People
from lastcard.web.readiness import Readiness
from lastcard.web.refusals import refuse
from lastcard.web.retention import Retention
from lastcard.web.searches.workers import Workers

SEAT: Final = 0
"""Seat of the player who creates a game."""


@dataclass(frozen=True, slots=True)
class Place:
    """A seat at a game, the token that proves who holds it, and the invitation for others."""

    game: LiveGame
    seat: int
    token: str
    invite: str


@dataclass(frozen=True, slots=True)
class _Opening:
    """A game about to begin: its seats, the person who begins it, and the secrets made for it."""

    wanted: NewGame
    seats: tuple[SeatInfo, ...]
    seat: int
    holder: Holder
    key: str
    token: str
    invite: str


class Service:
    """The games of a server and its limits. Use it in the event loop it was made in."""

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
            limits: Limits of the server.
            clock: Seconds, from any start.
            make_secret: Unguessable text from that many random bytes.
            make_seed: Unguessable number of that many random bits, which a game is dealt from.
        """
        self.limits = limits or Limits()
        self.store = store
        self.clock = clock
        self.workers = Workers(self.limits, clock)
        self.lease = Lease()
        self.games = LoadedGames(GameServices(store, self.workers, self.limits, clock, self.lease))
        self.finished = FinishedGames(store, self.limits)
        self.pairing = Pairing(store, self.limits, make_secret, make_seed)
        self.readiness = Readiness(store, self.limits, clock)
        self.sockets = Share("connections", self.limits.max_sockets, self.limits.max_sockets_per_user)
        requests, new_games = self.limits.requests_per_second, self.limits.new_games_per_minute
        # A client may save up four seconds of requests: a page that opens or reconnects sends several together.
        self.requests = Rate("requests", requests, 4 * requests, clock)
        self._refusals = Share("refusals", self.limits.max_refusals, self.limits.max_refusals_per_user)
        self._new_games = Rate("new games", new_games / 60, new_games, clock)
        per_day = self.limits.upload_mb_per_day
        self._records = Rate("records today", per_day / 86_400, per_day, clock)
        self.peers = Peers()
        shared: dict[str, SharedLimit] = {"requests": self.requests, "sockets": self.sockets}
        shared |= {"games": self.games.places, "new games": self._new_games, "uploads": self._records}
        self.ownership = Ownership(store, self.games, self.peers, self.lease, shared)
        self.people = People(store, self.games, self.finished, self.ownership, self.peers, make_secret, clock)
        self.retention = Retention(store, self.limits, clock, self.games.list_keys)
        self._make_secret = make_secret
        self._make_seed = make_seed
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begins to release games that are not in use, and to watch the store."""
        self._tasks = [
            asyncio.create_task(self.games.sweep_forever(), name="sweeper"),
            asyncio.create_task(self.readiness.watch_forever(), name="readiness"),
            asyncio.create_task(self.retention.prune_forever(), name="retention"),
        ]
        if self.store.owner:
            self._tasks.append(asyncio.create_task(self.ownership.beat_forever(), name="ownership"))

    async def close(self) -> None:
        """Stops every game where it is."""
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        self.games.close()
        self.finished.close()
        self.workers.close()

    async def throttle(self, user: str) -> None:
        """Waits before a user who asks too often gets a 429: only the client that floods the server waits."""
        try:
            self._refusals.take(user)
        except RequestError:
            return  # enough of them wait already: holding more connections open would cost more than answering
        try:
            await asyncio.sleep(self.limits.refusal_seconds)
        finally:
            self._refusals.give_back(user)

    # Games

    async def begin(self, wanted: NewGame, user: str, seat: int = SEAT) -> Place:
        """Begins a game and returns the seat of the player who asked for it.

        Raises:
            RequestError: if there is no such game to play, or over a limit.
        """
        rules = read_rules(wanted)
        opening = self._open(wanted, seat_opponents(wanted.opponents, rules, seat, self.limits, wanted.friends), seat)
        self._new_games.take(user)
        await self.retention.check_room()
        with self.games.reserve(opening.key, user):
            return await self._deal(opening, rules, user)

    def _open(self, wanted: NewGame, seats: tuple[SeatInfo, ...], seat: int) -> _Opening:
        called, token = find_name(wanted.name, [info.name for info in seats]), self._make_secret(32)
        # The key is no secret: it only has to be unique. The invitation and the token are.
        key, invite = self._make_secret(9), self._make_secret(16)
        return _Opening(wanted, seats, seat, Holder(called, hash_token(token)), key, token, invite)

    async def _deal(self, opening: _Opening, rules: Rules, user: str) -> Place:
        wanted, seats, seed = opening.wanted, opening.seats, self._make_seed(SEED_BITS)
        presence = self.games.make_presence(seats, {opening.seat: opening.holder}, hash_token(opening.invite))
        table = Table(rules, seat_agents(seats), seed, presence.seats)
        beginning = self.store.begin_sitting(
            rules,
            table.names,
            seed,
            seat=opening.seat,
            key=opening.key,
            token_hash=opening.holder.token_hash,
            settings=to_stored(wanted, seats, opening.holder, opening.invite),
            people=presence.seats,
            round_number=0 if wanted.friends else 1,
        )
        number, settings = await asyncio.wrap_future(beginning), make_settings(wanted, seats)
        is_gathering = wanted.friends > 0
        game = self.games.adopt(opening.key, number, table, settings, presence, user, is_gathering=is_gathering)
        await game.start()
        return Place(game, opening.seat, opening.token, opening.invite)

    async def take_seat(self, game: LiveGame, invite: str, name: str, wanted: int | None = None) -> Place:
        """Gives a person a seat.

        Raises:
            RequestError: with status 409 if none is left, 422 if the name cannot be used.
        """
        token = self._make_secret(32)
        return Place(game, await game.take_seat(name, token, wanted), token, invite)

    async def pair(self, wanted: PairingBody, user: str) -> tuple[str, Found]:
        """Looks for others who want the same game; returns the token that will hold the seat.

        Raises:
            RequestError: if there is no such game to play, or over a limit.
        """
        self._new_games.take(user)
        await self.retention.check_room()
        return await self.pairing.begin(wanted)

    async def find(self, key: str, token: str | None, user: str) -> tuple[LiveGame, Audience]:
        """The game of that key and the seat that the token holds, or None for an invitation.

        Raises:
            RequestError: with status 401 without a token, 403 with another, 404 without such a game.
        """
        return await self.games.find(key, require_token(token), user)

    async def rematch(self, game: LiveGame, seat: Audience, user: str) -> Place:
        """Begins a game with the same settings, or takes a seat in the one that another player has begun.

        Raises:
            RequestError: with status 409 unless nothing is left to play, or as `begin`.
        """
        if seat is None:
            raise refuse("players_only")
        if not game.is_over:
            raise refuse("rematch_too_early")
        name = game.presence.name(seat)
        # The lock makes players who ask at the same moment meet in one new game.
        async with game.referee.lock:
            if game.rematch is not None:
                key, invite = game.rematch
                following, _ = await self.games.find(key, invite, user)  # it may have left memory
                if following.presence.open_seats:
                    return await self.take_seat(following, invite, name, seat)
            sitting = await asyncio.to_thread(self.store.find_sitting, game.key)
            if sitting is None:
                raise refuse("no_game")
            place = await self.begin(read_request(sitting).model_copy(update={"name": name}), user, seat)
            if place.game.presence.open_seats:
                game.rematch = (place.game.key, place.invite)
                game.broadcast.notify()
            return place

    # Finished games

    async def upload(self, text: str, user: str) -> tuple[str, str]:
        """Stores an uploaded record; returns its key and the token that deletes it.

        Raises:
            RequestError: if it cannot be read, or over a limit.
        """
        self._new_games.take(user)
        await self.retention.check_room()
        self._records.take(user, len(text.encode()) / 1e6)
        key, token = self._make_secret(9), self._make_secret(32)
        await self.finished.upload(text, key, token, user)
        return key, token

    async def branch(self, finished: FinishedGame, body: BranchBody, user: str) -> Place:
        """Begins a game that continues from a ply of a finished one; returns the seat of the player who asked for it.

        Raises:
            RequestError: if it cannot be continued there, or over a limit.
        """
        rules, seat = finished.record.rules, body.seat
        index = finished.find_round(body.round)
        finished.check_seat(seat)
        seats = seat_opponents(body.opponents, rules, seat, self.limits)
        names = [info.agent for info in seats]
        self._new_games.take(user)
        await self.retention.check_room()

        def cut() -> tuple[Record, float]:
            start = branch_off(finished, index, body.ply, seat, names)
            return start, len(start.to_text().encode()) / 1e6

        start, size_mb = await self.finished.work(user, cut)
        self._records.take(user, size_mb)
        wanted = NewGame(
            players=rules.players,
            opponents=body.opponents,
            rules=format_rules(rules),
            length="round",
            pace=body.pace,
            window=body.window,
        )
        opening = self._open(wanted, seats, seat)
        presence = self.games.make_presence(seats, {seat: opening.holder}, hash_token(opening.invite))
        settings = to_stored(wanted, seats, opening.holder, opening.invite)
        token_hash = opening.holder.token_hash
        with self.games.reserve(opening.key, user):
            beginning = self.store.begin_branch(
                start, seat=seat, key=opening.key, token_hash=token_hash, settings=settings
            )
            number = await asyncio.wrap_future(beginning)
            table = Table.resume(start, seat_agents(seats), presence.seats)
            game = self.games.adopt(opening.key, number, table, make_settings(wanted, seats), presence, user)
            await game.start()
        return Place(game, seat, opening.token, opening.invite)

    async def delete(self, key: str, token: str | None, user: str) -> None:
        """Deletes a finished game for a client that holds one of its tokens.

        Raises:
            RequestError: as `FinishedGames.delete`, with status 401 without a token.
        """
        await self.finished.delete(key, require_token(token), user)
        if key in self.games:
            self.games.forget(key)


def require_token(token: str | None) -> str:
    """The token of a request.

    Raises:
        RequestError: with status 401, if there is none.
    """
    if token is None:
        raise refuse("no_token")
    return token
