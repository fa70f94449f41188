"""A live game: people among agents, driven by a task, every action on the disk before anybody is told of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

from lastcard.actions import DRAW, KEEP, PASS, UNO, Action, parse_action
from lastcard.agents import Agent
from lastcard.cards import Card
from lastcard.errors import NotationError, RequestError, StoreError
from lastcard.observation import Observation, observe
from lastcard.phase import Phase
from lastcard.record import Record
from lastcard.state import State
from lastcard.table import Table
from lastcard.web.moves import check_answer, follow
from lastcard.web.people import Audience, Holder, People, hash_token
from lastcard.web.sight import Sight, look, recall
from lastcard.web.terms import Players, Surroundings, Terms, hash_seed
from lastcard.web.view import PublicTable, make_view
from lastcard.web.workers import is_quick

_WINDOWS: Final = (Phase.CATCH, Phase.JUMP_IN)
_LOG: Final = logging.getLogger(__name__)
T = TypeVar("T")


class LiveGame:
    """One game in memory. Whoever changes the table holds `lock`; what was shown can be read at any time."""

    def __init__(
        self,
        key: str,
        number: int,
        table: Table,
        players: Players,
        terms: Terms,
        people: People,
        around: Surroundings,
    ) -> None:
        self.key = key
        self.terms = terms
        self.people = people
        self.lock = asyncio.Lock()
        self.used = around.clock()
        """When somebody last looked."""
        self.failure: str | None = None
        """Why the game had to stop."""
        self.is_gathering = False
        """Whether the first round waits until people are there."""
        self.is_stored = False
        """Whether the store knows that nothing is left to play."""
        self.rematch: tuple[LiveGame, str] | None = None
        """The game that people go on with, and its invitation."""
        self._number = number
        self._table = table
        self._players = players
        self._around = around
        self._deal_hash = hash_seed(table.seed)
        self._changed = self._covered_since = around.clock()
        self._may_be_jumped_on = False
        self._curious: list[tuple[Audience, int, int, asyncio.Future[dict[str, Any]]]] = []
        self._deadline: float | None = None
        self._shown_hands: tuple[tuple[Card, ...], ...] | None = None
        self._news = asyncio.Event()
        self._driver: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._leaving: dict[Audience, asyncio.TimerHandle] = {}
        assert table.state.round_number, "asking for the state deals the first round"
        self._sights = recall(table.record, (*people.seats, None))

    # Asking

    def sight(self, audience: Audience) -> Sight:
        """What the audience has been shown."""
        return self._sights[audience]

    def observation(self, seat: Audience) -> Observation:
        """What the seat has been shown, to think about.

        Raises:
            RequestError: with status 403, if it is no seat.
        """
        seen = self._sights[seat].seen
        if not isinstance(seen, Observation):
            raise RequestError("only those who sit at the table can ask for that", status=403)
        return seen

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play."""
        return self._table.state.is_over and (self.terms.length == "round" or self._table.game_outcome is not None)

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to play, and the store knows."""
        return self.is_over and self.is_stored

    def view(self, audience: Audience, since: int = 0) -> dict[str, Any]:
        """What a seat, or whoever looks on, may know.

        Raises:
            RequestError: with status 503, if the game had to stop.
        """
        if self.failure:
            raise RequestError(self.failure, status=503)
        sight = self._sights[audience]
        is_asked = self._deadline is not None and self._table.state.seat == audience
        left = self._deadline - self._around.clock() if is_asked and self._deadline is not None else None
        return make_view(sight.seen, self._public(audience), earlier=sight.earlier, since=since, deadline_seconds=left)

    def record(self) -> Record:
        """The record, seed included.

        Raises:
            RequestError: with status 409, unless nothing is left to play.
        """
        if not self.is_finished:
            raise RequestError("the record is given out when the game is over", status=409)
        return self._table.record

    def _public(self, audience: Audience) -> PublicTable:
        is_over, people = self._shown_hands is not None and self.is_finished, self.people
        outcome = self._table.game_outcome if self.terms.length == "game" else self._table.state.outcome
        return PublicTable(
            game=self.key,
            length=self.terms.length,
            seats=self.terms.seats,
            names=people.names(audience),
            held=tuple(people.is_held(seat) for seat in range(len(self.terms.seats))),
            here=tuple(people.is_here(seat) for seat in range(len(self.terms.seats))),
            connected=tuple(
                not info.is_person or people.is_connected(seat) for seat, info in enumerate(self.terms.seats)
            ),
            is_gathering=self.is_gathering,
            has_acted=self._sights[audience].has_acted,
            has_rematch=self.rematch is not None,
            deal_hash=self._deal_hash,
            is_over=is_over,
            winner=outcome.winner if is_over and outcome else None,
            seed=self._table.record.seed if is_over else None,
            hands=self._shown_hands,
        )

    # Coming and going

    async def take_seat(self, name: str, token: str, wanted: int | None = None) -> int:
        """Gives somebody a seat, and the agent who played there a rest.

        Raises:
            RequestError: with status 409 if all are taken, 422 if that is no name.
        """
        return await self._finish_whatever_happens(self._take_seat(name, token, wanted))

    async def _take_seat(self, name: str, token: str, wanted: int | None) -> int:
        async with self.lock:
            if self.is_over:
                raise RequestError("the game is over", status=409)
            called, seat = self.people.find_name(name), self.people.choose_seat(wanted)
            hashed = hash_token(token)
            await self._kept(self._around.store.take_seat(self._number, seat, token_hash=hashed, name=called))
            self.people.take(seat, Holder(called, hashed))
            if self.is_gathering and not self.people.open_seats:
                await self._begin()
            self._watch_leaving(seat)
        self.tell()
        self._stir()
        return seat

    def join(self, audience: Audience, listener: Callable[[], None]) -> None:
        """Lets a socket know from now on whenever there is something new to see."""
        is_back = self.people.note_back(audience)
        self.people.add_listener(audience, listener)
        self._stop_leaving(audience)
        self.tell(but=(audience,))
        if is_back:
            self._give_back(audience)

    def leave(self, audience: Audience, listener: Callable[[], None]) -> None:
        """Undoes `join`."""
        self.people.remove_listener(audience, listener)
        self.used = self._around.clock()
        if not self.people.is_connected(audience):
            self.tell(but=(audience,))
            self._stir()
        if audience is not None:
            self._watch_leaving(audience)

    def _watch_leaving(self, seat: int) -> None:
        """Tells the others when the time to come back is over, whoever's turn it is; a sign of life prolongs it."""
        self._stop_leaving(seat)
        gone_at = self.people.gone_at(seat)
        if gone_at is None:
            return
        left = gone_at - self._around.clock()
        if left > 0:
            self._leaving[seat] = asyncio.get_running_loop().call_later(left, self._watch_leaving, seat)
        else:
            self.tell()

    def _stop_leaving(self, audience: Audience) -> None:
        leaving = self._leaving.pop(audience, None)
        if leaving is not None:
            leaving.cancel()

    def welcome(self, audience: Audience) -> None:
        """Gives the seat back to a person who was away."""
        if self.people.note_back(audience):
            self.tell()
            self._give_back(audience)

    def _give_back(self, audience: Audience) -> None:
        if self._table.state.seat == audience and self._deadline is None:
            self._set_deadline()
        self._stir()

    # Acting

    async def act(self, seat: Audience, ply: int, text: str, acknowledge: Callable[[], None] | None = None) -> None:
        """Applies a person's action; once it is on the disk, acknowledges it.

        The same action for the same ply is acknowledged as often as it is sent, and applied once.

        Raises:
            RequestError: with status 409 if that is not what is being asked now, 422 if it is not legal.
        """
        self.observation(seat)
        self.welcome(seat)
        await self._finish_whatever_happens(self._act(seat, ply, text, acknowledge))

    async def act_and_look(self, seat: Audience, ply: int, text: str, since: int = 0) -> dict[str, Any]:
        """As `act`; returns what the action led to as soon as that is shown, and not sooner than to anybody else."""
        looking = asyncio.get_running_loop().create_future()
        self._curious.append((seat, ply, since, looking))
        try:
            await self.act(seat, ply, text)
            self._satisfy_curious()
            return await looking  # type: ignore[no-any-return]
        finally:
            self._curious.remove((seat, ply, since, looking))

    def _satisfy_curious(self) -> None:
        """Gives those who have acted and wait the view that they are shown first."""
        for seat, ply, since, looking in self._curious:
            if not looking.done() and self.failure:
                looking.set_exception(RequestError(self.failure, status=503))
            elif not looking.done() and self._sights[seat].ply > ply and ply in self._sights[seat].done:
                looking.set_result(self.view(seat, since))

    async def next_round(self) -> None:
        """Deals the next round of a game, or begins the first one while people gather.

        Raises:
            RequestError: with status 409 if the round is not over, or the game is.
        """
        await self._finish_whatever_happens(self._next_round())

    async def start(self) -> None:
        """Lets the agents go on."""
        await self._finish_whatever_happens(self._start())

    def close(self) -> None:
        """Stops the agents; what was acknowledged is on the disk."""
        for task in (*self._tasks, *self._leaving.values(), self._driver):
            if task is not None:
                task.cancel()

    async def _start(self) -> None:
        async with self.lock:
            await self._settle()
        for seat in self.people.held_seats:
            self._watch_leaving(seat)
        self._stir()

    async def _act(self, seat: Audience, ply: int, text: str, acknowledge: Callable[[], None] | None) -> None:
        acknowledge = acknowledge or _nothing
        done = self._sights[seat].done
        try:
            action = parse_action(text)
        except NotationError as error:
            raise RequestError(str(error), status=422, field="action") from None
        async with self.lock:
            if done.get(ply) == action.text:
                acknowledge()
                return
            self._check_action(seat, ply, action)
            await self._apply(action)
            acknowledge()
            await self._settle()
        self._stir()

    def _check_action(self, seat: Audience, ply: int, action: Action) -> None:
        if self.failure:
            raise RequestError(self.failure, status=503)
        observation, sight = self.observation(seat), self._sights[seat]
        if ply != sight.ply:
            raise RequestError(f"ply is {sight.ply} now, not {ply}; look at the table again", status=409, field="ply")
        if ply in sight.done:
            raise RequestError(f"you have acted at ply {ply} already", status=409, field="ply")
        if self.is_gathering:
            raise RequestError("the game has not begun: people gather", status=409)
        if observation.outcome:
            raise RequestError("the round is over", status=409)
        if observation.seat != seat:
            raise RequestError("it is not your turn", status=409)
        if action not in observation.legal_actions:
            legal = " ".join(map(str, observation.legal_actions))
            raise RequestError(f"{action} is not legal; legal are: {legal}", status=422, field="action")

    async def _next_round(self) -> None:
        async with self.lock:
            if self.is_gathering:
                await self._begin()
            elif not self._table.state.is_over:
                raise RequestError("the round is not over", status=409)
            elif self.is_over:
                raise RequestError("the game is over; ask for a rematch", status=409)
            else:
                await self._deal()
        self._stir()

    async def _begin(self) -> None:
        """Begins the first round; agents play where nobody has come. The caller holds the lock."""
        await self._kept(self._around.store.note_round(self._number, 1))
        self.is_gathering = False
        await self._settle()

    async def _deal(self) -> None:
        await self._kept(self._around.store.note_round(self._number, self._table.state.round_number + 1))
        self._table.next_round()
        await self._settle()

    async def _apply(self, action: Action) -> None:
        """Writes an action down, with what agents answer without taking any time, and applies it.

        The caller holds the lock and knows it to be legal.
        """
        table = self._table
        moves = follow(table.state, action, self._find_prompt)
        place = {"round_number": table.state.round_number, "number": len(table.actions) + 1}
        await self._kept(self._around.store.append_actions(self._number, moves, **place))
        for seat, move in moves:
            if seat in self._sights:
                self._sights[seat].note_done(table.state, seat, move)
            self._note_cover(table.state.phase, move)
            table.apply(move)
        self._deadline = None

    def _find_prompt(self, state: State) -> Agent | None:
        """The agent to act, if it takes no time and nobody else need see the table before it has acted.

        Others than the one person might have to wait for that sight: nothing is shown to them while a window is open.
        """
        if self._table.rules.jump_in or state.seat is None or state.seat in self._sights:
            return None  # with jump-in, time has to go by after every action (Rule 10.7)
        is_window, is_seen = state.phase in _WINDOWS, len(self.people.seats) > 1 or self.people.is_connected(None)
        if not is_window and (is_seen or self.terms.pace_seconds > 0):
            return None
        agent = (self._players.windows if is_window else self._players.turns)[state.seat]
        return agent if is_quick(agent) else None

    def _note_cover(self, phase: Phase, action: Action) -> None:
        """Remembers since when, and after what, it must not show whether anybody is asked to jump in (Rule 10.7)."""
        if action != PASS:
            is_early_call = action == UNO and phase is not Phase.CATCH  # after a late one the card takes effect
            self._may_be_jumped_on = action not in (DRAW, KEEP) and not is_early_call
        elif phase is Phase.JUMP_IN:
            return
        self._covered_since = self._around.clock()

    # Showing

    async def _settle(self) -> None:
        """Answers windows of seats without a person, and shows what there is to see; the caller holds the lock."""
        try:
            await self._answer_hidden_windows()
            if self.is_over and not self.is_stored:
                store, record = self._around.store, self._table.record
                await self._kept(await asyncio.to_thread(store.finish_game, self._number, record))
                self.is_stored = True
        except Exception as error:
            self._fail(error)
            raise
        self._changed = self._around.clock()
        self._set_deadline()
        self._show()

    async def _answer_hidden_windows(self) -> None:
        """With jump-in, nobody can tell by the time it takes whether anybody was asked (Rule 10.7)."""
        while self._is_hidden():
            state = self._table.state
            assert state.seat is not None
            await self._apply(await self._choose(self._players.windows[state.seat], observe(state, state.seat)))
        if self._table.rules.jump_in and not self._table.state.is_over and not self.is_gathering:
            await self._sleep_until(self._covered_since + self._cover_seconds(self._is_window()))

    def _cover_seconds(self, is_window: bool) -> float:
        """How long after an action its result is shown, and to whom it may concern, the window that it opened."""
        cover = self._around.limits.cover_seconds
        others_wait = not is_window and self._may_be_jumped_on and self.people.num_watching > 1
        return cover + self.terms.window_seconds if others_wait else cover

    def _set_deadline(self) -> None:
        self._deadline = None
        seat = self._table.state.seat
        if seat is None or seat not in self._sights or self.is_gathering:
            return
        if self._is_window():
            # Whoever is asked to jump in has the time that the others wait in any case.
            begun = self._covered_since + self._around.limits.cover_seconds if self._is_jump_in() else self._changed
            self._deadline = begun + self.terms.window_seconds
        elif self.terms.turn_seconds and self.people.num_here > 1 and self.people.is_here(seat):
            self._deadline = self._around.clock() + self.terms.turn_seconds

    def _show(self) -> None:
        """Shows a window to the seat that is asked, and everything else to all."""
        state = self._table.state
        told = [state.seat] if state.phase in _WINDOWS else list(self._sights)
        for audience in told:
            self._sights[audience].show(look(state, audience))
        self._shown_hands = tuple(map(state.hand, range(state.rules.players))) if state.is_over else None
        self._satisfy_curious()
        self.tell(of=told)

    def tell(self, *, of: Sequence[Audience] | None = None, but: Sequence[Audience] = ()) -> None:
        """Lets sockets know that there is something new."""
        for listener in self.people.listeners(of=of, but=but):
            listener()

    def _is_hidden(self) -> bool:
        """Whether a window is open for a seat whose person, if it has one, is away."""
        state = self._table.state
        if state.phase not in _WINDOWS or state.seat is None:
            return False
        is_away = not self.people.is_here(state.seat) and self.people.num_here > 0
        return state.seat not in self._sights or is_away

    def _is_window(self) -> bool:
        """Whether a person is asked something that may pass."""
        state = self._table.state
        return state.phase in _WINDOWS and state.seat in self._sights and PASS in state.legal_actions

    def _is_jump_in(self) -> bool:
        return self._table.state.phase is Phase.JUMP_IN

    # The task that lets agents play and time run out

    def _stir(self) -> None:
        """Something has changed that the task may be waiting for."""
        self._news.set()
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive(), name=f"game {self._number}")

    async def _drive(self) -> None:
        try:
            while not self.failure and not self._table.state.is_over and not self.is_gathering:
                self._news.clear()
                seat = self._table.state.seat
                assert seat is not None
                if seat not in self._sights:
                    await self._let_agent_play(seat)
                elif self._is_window() or self.people.is_here(seat):
                    if not await self._wait_for_person(seat):
                        return
                elif self.people.num_here:
                    await self._let_agent_play(seat)
                else:
                    return
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        """Stops here; the store has everything that was acknowledged, and whoever asks again gets the game from it."""
        # Without details: what an agent holds is nobody's business.
        _LOG.error("game %d stopped: %s", self._number, type(error).__name__)
        self.failure = "the game cannot go on: something went wrong on the server; try again"
        self._satisfy_curious()
        self.tell()

    async def _let_agent_play(self, seat: int) -> None:
        """Plays for an agent, or for a person who is away unless that person comes back meanwhile."""
        state, num_actions = self._table.state, len(self._table.actions)
        action = await self._choose(self._players.turns[seat], observe(state, seat))
        await self._sleep_until(self._changed + self.terms.pace_seconds)

        async def play() -> None:
            async with self.lock:
                if len(self._table.actions) == num_actions and not self.people.is_here(seat):
                    await self._apply(action)
                    await self._settle()

        await self._finish_whatever_happens(play())

    async def _wait_for_person(self, seat: int) -> bool:
        """Waits until the person acts, leaves, or has no time left; False if only the first can happen."""
        deadline = self._deadline
        ends = [] if deadline is None else [deadline]
        gone = self.people.gone_at(seat)
        if gone is not None and self.people.num_here > 1 and not self._is_window():
            ends.append(gone)
        if not ends:
            return False
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), max(min(ends) - self._around.clock(), 0.0))
            return True
        if deadline is not None and self._around.clock() >= deadline:
            await self._finish_whatever_happens(self._run_out(seat, deadline))
        return True

    async def _run_out(self, seat: int, deadline: float) -> None:
        """A window passes; at a turn, an agent plays until the person is back."""
        async with self.lock:
            if self._deadline != deadline:
                return
            if self._is_window():
                await self._apply(PASS)
                await self._settle()
            else:
                self._deadline = None
                self.people.note_idle(seat)
                self.tell()

    async def _choose(self, agent: Agent, observation: Observation) -> Action:
        return check_answer(await self._around.workers.choose(agent, observation), observation)

    # Odds and ends

    async def _kept(self, future: Any) -> None:
        """Waits until it is on the disk."""
        try:
            await asyncio.wrap_future(future)
        except StoreError as error:
            # A refusal names the action, which may be nobody's business; what the disk says is not.
            _LOG.error("game %d could not be stored: %s", self._number, error if error.__cause__ else "refused")
            raise RequestError("the store cannot be written; try again later", status=503) from None

    async def _sleep_until(self, time: float) -> None:
        await asyncio.sleep(max(time - self._around.clock(), 0.0))

    async def _finish_whatever_happens(self, work: Coroutine[Any, Any, T]) -> T:
        """Does the work to its end even if whoever asked for it goes away: store and table must not part."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)


def _nothing() -> None:
    """Nobody waits."""
