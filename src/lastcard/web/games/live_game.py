"""A live game: people among agents at one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lastcard.actions import parse_action
from lastcard.errors import NotationError, RequestError
from lastcard.observation import Observation
from lastcard.record import Record
from lastcard.table import Table
from lastcard.web.contract.base import Reaction
from lastcard.web.games.broadcast import Broadcast
from lastcard.web.games.client_state import LastSent, restore_sent
from lastcard.web.games.clock import GameClock
from lastcard.web.games.driver import Driver
from lastcard.web.games.journal import Journal
from lastcard.web.games.presence import Audience, Holder, Presence
from lastcard.web.games.reactions import Reactions
from lastcard.web.games.referee import Referee
from lastcard.web.games.settings import GameServices, GameSettings, Players
from lastcard.web.games.view import TableFacts, make_view
from lastcard.web.hashes import hash_seed, hash_token
from lastcard.web.refusals import refuse


class LiveGame:
    """One game in memory, as requests and sockets use it.

    The referee has the table, the journal the store, the broadcast what clients were sent, the clock the deadlines, and
    the driver the task in which agents play.
    """

    def __init__(
        self,
        key: str,
        table: Table,
        players: Players,
        settings: GameSettings,
        presence: Presence,
        journal: Journal,
        services: GameServices,
        user: str,
        *,
        is_gathering: bool = False,
    ) -> None:
        assert table.state.round_number, "asking for the state deals the first round"
        self.key = key
        self.settings = settings
        self.presence = presence
        self.used = services.clock()
        """Time of a client's last request."""
        self.rematch: tuple[str, str] | None = None
        """Key of the game in which people continue, and its invitation."""
        self.is_moved = False
        """True once another process has the game: clients find it there when they connect again."""
        self.reactions = Reactions(services.clock)
        self.journal = journal
        journal.on_lost = self.let_go
        self._lease = services.lease
        self.clock = GameClock(settings, services.limits.cover_seconds, services.clock)
        sent = restore_sent(table.record, (*presence.seats, None))
        self.broadcast = Broadcast(sent, presence, self._view)
        self.referee = Referee(
            table,
            settings,
            players,
            services.workers.serve(user),
            presence,
            self.clock,
            journal,
            self.broadcast,
            is_gathering=is_gathering,
        )
        self._driver = Driver(f"game {journal.number}", self.referee, presence, self.clock, self.broadcast)
        self._deal_hash = hash_seed(table.seed)

    # Reading

    @property
    def failure(self) -> str | None:
        """The reason why the game had to stop."""
        return self.broadcast.failure

    @property
    def is_over(self) -> bool:
        """True if nothing is left to play."""
        return self.referee.is_over

    @property
    def is_finished(self) -> bool:
        """True if nothing is left to play, and the store knows."""
        return self.is_over and self.journal.is_finished

    def last_sent(self, audience: Audience) -> LastSent:
        """The state of that audience's clients."""
        return self.broadcast.last_sent(audience)

    def observation(self, seat: Audience) -> Observation:
        """The observation that the seat has been shown.

        Raises:
            RequestError: with status 403 for a spectator.
        """
        return self.broadcast.observation(seat)

    def view(self, audience: Audience, since: int = 0) -> dict[str, Any]:
        """The view of a seat or a spectator; the log starts after the event of the number `since`.

        Raises:
            RequestError: with status 503, if the game had to stop, or may be at another process.
        """
        self.broadcast.check_failure()
        self._lease.check()
        return self._view(audience, since)

    def _view(self, audience: Audience, since: int) -> dict[str, Any]:
        sent = self.last_sent(audience)
        left = self.clock.seconds_left() if self.referee.state.seat == audience else None
        return make_view(sent.seen, self._public(audience), earlier=sent.earlier, since=since, deadline_seconds=left)

    def record(self) -> Record:
        """The record, seed included.

        Raises:
            RequestError: with status 409, unless nothing is left to play.
        """
        if not self.is_finished:
            raise refuse("record_too_early")
        return self.referee.table.record

    def _public(self, audience: Audience) -> TableFacts:
        """Public facts that the observation does not have."""
        table, presence, infos = self.referee.table, self.presence, self.settings.seats
        is_over = self.broadcast.hands is not None and self.is_finished
        outcome = table.game_outcome if self.settings.length == "game" else table.state.outcome
        return TableFacts(
            game=self.key,
            length=self.settings.length,
            seats=infos,
            names=[presence.name(seat) for seat in range(len(infos))],
            held=tuple(presence.is_held(seat) for seat in range(len(infos))),
            open=tuple(seat in presence.open_seats for seat in range(len(infos))),
            here=tuple(presence.is_here(seat) for seat in range(len(infos))),
            connected=tuple(not info.is_person or presence.is_connected(seat) for seat, info in enumerate(infos)),
            is_gathering=self.referee.is_gathering,
            has_acted=self.last_sent(audience).has_acted,
            has_rematch=self.rematch is not None,
            deal_hash=self._deal_hash,
            is_over=is_over,
            winner=outcome.winner if is_over and outcome else None,
            seed=table.record.seed if is_over else None,
            hands=self.broadcast.hands,
        )

    # People who come and go

    async def take_seat(self, name: str, token: str, wanted: int | None = None) -> int:
        """Gives a person a seat, in which an agent may have played so far.

        Raises:
            RequestError: with status 409 if all are taken, 422 if the name cannot be used.
        """
        return await self._driver.finish(self._take_seat(name, token, wanted))

    async def _take_seat(self, name: str, token: str, wanted: int | None) -> int:
        async with self.referee.lock:
            if self.is_over:
                raise refuse("game_over")
            holder = Holder(self.presence.find_name(name), hash_token(token))
            seat = self.presence.choose_seat(wanted)
            await self.journal.take_seat(seat, holder)
            self.presence.take(seat, holder)
            if self.referee.is_gathering and not self.presence.open_seats:
                await self.referee.begin()
            self.presence.watch_leaving(seat, self.broadcast.notify)
        self.broadcast.notify()
        self._driver.wake()
        return seat

    async def give_up_seat(self, seat: Audience, *, resign: bool) -> None:
        """Takes the seat from its person: an agent plays there, for good if the person resigns.

        A game whose last player resigns is over.

        Raises:
            RequestError: with status 403 for a spectator.
        """
        seat = _require_player(seat)
        await self._driver.finish(self._give_up_seat(seat, resign=resign))

    async def _give_up_seat(self, seat: int, *, resign: bool) -> None:
        async with self.referee.lock:
            if not self.presence.is_held(seat):
                return  # two requests at the same moment
            await self.journal.give_up_seat(seat, self.presence.holder(seat), "resigned" if resign else "left")
            self.presence.release(seat, is_resigned=resign)
            self.broadcast.dismiss(seat)
            if resign and not self.presence.held_seats and not self.journal.is_finished:
                await self.journal.finish(self.referee.table.record)
                self.broadcast.fail("all_resigned")
                self._driver.pause()
                return
            await self._answer_for(seat)
        self._driver.wake()
        if not self.presence.is_attended:
            self._driver.pause()

    def react(self, seat: Audience, reaction: Reaction) -> None:
        """Sends the reaction of a person to everyone at the table.

        Raises:
            RequestError: with status 403 for a spectator, 429 if there are too many.
        """
        seat = _require_player(seat)
        self.reactions.react(seat, reaction)

    async def delegate(self, seat: Audience) -> None:
        """Lets an agent play for a person who stays and watches, until the person is back.

        Raises:
            RequestError: with status 403 for a spectator, 409 before the game starts.
        """
        seat = _require_player(seat)
        if self.referee.is_gathering:
            raise refuse("not_started")
        await self._driver.finish(self._delegate(seat))

    async def _delegate(self, seat: int) -> None:
        async with self.referee.lock:
            self.presence.delegate(seat)
            await self._answer_for(seat)
        self._driver.wake()

    async def _answer_for(self, seat: int) -> None:
        """Tells everyone that an agent plays there, which answers a window that was open for the person."""
        # Before the answer, which takes its time: the moment of the news must not depend on whether a window was open.
        self.broadcast.notify()
        if self.referee.state.seat == seat and self.referee.is_hidden():
            await self.referee.settle()

    def join(self, audience: Audience, listener: Callable[[], None]) -> None:
        """Notifies a socket from now on whenever there is something new to send."""
        is_back = self.presence.note_back(audience)
        self.presence.add_listener(audience, listener)
        self.presence.stop_watching(audience)
        self.broadcast.notify(but=(audience,))
        self.resume()
        if is_back:
            self._give_back(audience)

    def resume(self) -> None:
        """Lets agents search again that stopped when everybody had left."""
        self._driver.resume()

    def leave(self, audience: Audience, listener: Callable[[], None]) -> None:
        """Undoes `join`."""
        self.presence.remove_listener(audience, listener)
        self.used = self.clock.now()
        if not self.presence.is_connected(audience):
            self.broadcast.notify(but=(audience,))
            self._driver.wake()
        if not self.presence.has_listeners:
            self._driver.pause()
        if audience is not None:
            self.presence.watch_leaving(audience, self.broadcast.notify)

    def welcome(self, audience: Audience) -> None:
        """Gives the seat back to a person who was away."""
        was_away = self.presence.note_back(audience)
        self.presence.reclaim(audience)
        if was_away:
            self.broadcast.notify()
            self._give_back(audience)

    def _give_back(self, audience: Audience) -> None:
        if self.referee.state.seat == audience and self.clock.deadline is None:
            self.referee.set_deadline()
        self._driver.wake()

    # Playing

    async def start(self) -> None:
        """Lets the agents play."""
        await self._driver.finish(self._start())

    async def _start(self) -> None:
        async with self.referee.lock:
            await self.referee.settle()
        for seat in self.presence.held_seats:
            self.presence.watch_leaving(seat, self.broadcast.notify)
        self._driver.wake()

    async def act(self, seat: Audience, ply: int, text: str, acknowledge: Callable[[], None] | None = None) -> None:
        """Applies an action of a person.

        The same action for the same ply is acknowledged as often as it is sent, and applied once.

        Args:
            seat: The person's.
            ply: The ply of the view that the person answers.
            text: The action in notation.
            acknowledge: Called once the store has the action, before anyone is shown the result.

        Raises:
            RequestError: with status 409 if the seat is not asked that now, 422 if the action is not legal, 403 for a
                spectator.
        """
        self.observation(seat)
        self.welcome(seat)
        await self._driver.finish(self._act(seat, ply, text, acknowledge))

    async def _act(self, seat: Audience, ply: int, text: str, acknowledge: Callable[[], None] | None) -> None:
        try:
            action = parse_action(text)
        except NotationError as error:
            raise RequestError(str(error), status=422, field="action") from None
        async with self.referee.lock:
            if self.last_sent(seat).done.get(ply) == action.text:
                if acknowledge:
                    acknowledge()
                return
            self.referee.check_action(seat, ply, action)
            await self.referee.play(action, acknowledge)
        self._driver.wake()

    async def act_and_view(self, seat: Audience, ply: int, text: str, since: int = 0) -> dict[str, Any]:
        """Acts, and returns the view that the action leads to as soon as it is shown; raises as `act`."""
        view = await self.broadcast.view_after(self.act(seat, ply, text), seat, ply, since)
        self._lease.check()
        return view

    async def next_round(self) -> None:
        """Deals the next round of a game, or begins the first one while people gather.

        Raises:
            RequestError: with status 409 if the round is not over, or the game is.
        """
        await self._driver.finish(self._next_round())

    async def _next_round(self) -> None:
        async with self.referee.lock:
            if self.referee.is_gathering:
                await self.referee.begin()
            elif not self.referee.state.is_over:
                raise refuse("round_not_over")
            elif self.is_over:
                raise refuse("ask_rematch")
            else:
                await self.referee.deal()
        self._driver.wake()

    def let_go(self) -> None:
        """Stops the game here, because another process has it or will have it."""
        self.is_moved = True
        self.broadcast.fail("moving")
        self.close()

    def close(self) -> None:
        """Stops the game where it is; the store has everything that was acknowledged."""
        self.presence.close()
        self._driver.close()


def _require_player(seat: Audience) -> int:
    """The seat of a player.

    Raises:
        RequestError: with status 403 for a spectator.
    """
    if seat is None:
        raise refuse("players_only")
    return seat
