"""A live game: one person among agents, driven by a task, every action on the disk before anybody is told of it."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NoReturn, Protocol, TypeVar

from lastcard.actions import PASS, Action, parse_action
from lastcard.agents import Agent
from lastcard.errors import NotationError, RequestError, StoreError
from lastcard.observation import Observation, observe
from lastcard.position import Phase
from lastcard.record import Record
from lastcard.store.store import Store
from lastcard.table import Table
from lastcard.web.limits import Limits
from lastcard.web.seating import PERSON, SeatInfo
from lastcard.web.view import Length, PublicTable, make_view

_WINDOWS: Final = (Phase.CATCH, Phase.JUMP_IN)
_LOG: Final = logging.getLogger(__name__)
T = TypeVar("T")


class Person:
    """Holds the person's place at the table."""

    name = PERSON

    def choose(self, observation: Observation) -> NoReturn:
        """Nobody can ask it: it answers by itself."""
        raise RequestError(f"seat {observation.observer} is a person's", status=409)


class Decides(Protocol):
    """What runs an agent's decision, as `Workers` does in a thread."""

    async def choose(self, agent: Agent, observation: Observation) -> Action:
        """What the agent answers."""
        ...


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed on when the game was begun."""

    seats: tuple[SeatInfo, ...]
    seat: int
    """The person's."""
    length: Length
    pace_seconds: float
    """The least time between what an agent does and what happened before."""
    window_seconds: float
    """How long a window waits for the person."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a game needs of the server it is played on."""

    store: Store
    workers: Decides
    limits: Limits
    clock: Callable[[], float]


def hash_token(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def hash_seed(seed: int) -> str:
    """What a seed is committed to by: SHA-256 of its decimal digits.

    >>> hash_seed(7)[:8]
    '7902699b'
    """
    return hashlib.sha256(str(seed).encode()).hexdigest()


class LiveGame:
    """One game in memory. Whoever holds `lock` finds the table where the person may see it."""

    def __init__(
        self,
        key: str,
        number: int,
        table: Table,
        window_agents: tuple[Agent, ...],
        terms: Terms,
        token_hash: str,
        around: Surroundings,
    ) -> None:
        self.key = key
        self.terms = terms
        self.lock = asyncio.Lock()
        self.sockets: set[Callable[[], None]] = set()
        """Called whenever there is something new to see."""
        self.used = around.clock()
        """When somebody last looked."""
        self.failure: str | None = None
        """Why the game had to stop."""
        self.is_stored = False
        """Whether the store knows that nothing is left to play."""
        self._number = number
        self._table = table
        self._window_agents = window_agents
        self._token_hash = token_hash
        self._around = around
        self._deal_hash = hash_seed(table.seed)
        self._changed = around.clock()
        self._deadline: float | None = None
        self._acted = asyncio.Event()
        self._driver: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._observed: tuple[tuple[int, int], Observation] | None = None
        self._earlier, self._acknowledged = _recall(table.record, terms.seat)

    # Asking

    def check_token(self, token: str) -> None:
        """Refuses whoever does not hold the seat.

        Raises:
            RequestError: with status 403.
        """
        if not hmac.compare_digest(hash_token(token), self._token_hash):
            raise RequestError("the token is not of this game", status=403)

    @property
    def observation(self) -> Observation:
        """The person's."""
        where = (self._table.state.round_number, len(self._table.actions))
        if self._observed is None or self._observed[0] != where:
            self._observed = (where, observe(self._table.state, self.terms.seat))
        return self._observed[1]

    @property
    def ply(self) -> int:
        """How much the person has seen; what an action has to name."""
        return self._earlier + len(self.observation.history)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play."""
        return self._table.state.is_over and (self.terms.length == "round" or self._table.game_outcome is not None)

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to play, and the store knows."""
        return self.is_over and self.is_stored

    def view(self, since: int = 0) -> dict[str, Any]:
        """What the person may know.

        Raises:
            RequestError: with status 503, if the game had to stop.
        """
        if self.failure:
            raise RequestError(self.failure, status=503)
        left = None if self._deadline is None else self._deadline - self._around.clock()
        return make_view(self.observation, self._public(), earlier=self._earlier, since=since, deadline_seconds=left)

    def record(self) -> Record:
        """The record, seed included.

        Raises:
            RequestError: with status 409, unless nothing is left to play.
        """
        if not self.is_finished:
            raise RequestError("the record is given out when the game is over", status=409)
        return self._table.record

    def _public(self) -> PublicTable:
        state, is_over = self._table.state, self.is_finished
        outcome = self._table.game_outcome if self.terms.length == "game" else state.outcome
        return PublicTable(
            game=self.key,
            length=self.terms.length,
            seats=self.terms.seats,
            connected=tuple(not info.is_person or bool(self.sockets) for info in self.terms.seats),
            deal_hash=self._deal_hash,
            is_over=is_over,
            winner=outcome.winner if is_over and outcome else None,
            seed=self._table.record.seed if is_over else None,
            hands=tuple(state.hand(seat) for seat in range(state.rules.players)) if state.is_over else None,
        )

    # Acting

    async def act(self, ply: int, text: str, acknowledge: Callable[[], None] | None = None) -> None:
        """Applies the person's action; once it is on the disk, acknowledges it.

        The same action for the same ply is acknowledged as often as it is sent, and applied once.

        Raises:
            RequestError: with status 409 if that is not what is being asked now, 422 if it is not legal.
        """
        await self._finish_whatever_happens(self._act(ply, text, acknowledge or _nothing))

    async def act_and_look(self, ply: int, text: str, since: int = 0) -> dict[str, Any]:
        """As `act`; returns the view as it was right after, before anybody else acted."""
        seen: list[dict[str, Any]] = []
        await self._finish_whatever_happens(self._act(ply, text, _nothing, lambda: seen.append(self.view(since))))
        return seen[0]

    async def next_round(self) -> None:
        """Deals the next round of a game.

        Raises:
            RequestError: with status 409 if the round is not over, or the game is.
        """
        await self._finish_whatever_happens(self._next_round())

    async def start(self) -> None:
        """Lets the agents go on."""
        await self._finish_whatever_happens(self._start())

    def close(self) -> None:
        """Stops the agents; what was acknowledged is on the disk."""
        for task in (*self._tasks, self._driver):
            if task is not None:
                task.cancel()

    async def _start(self) -> None:
        async with self.lock:
            await self._settle()
        self._wake()

    async def _act(
        self, ply: int, text: str, acknowledge: Callable[[], None], look: Callable[[], None] | None = None
    ) -> None:
        look = look or _nothing
        try:
            action = parse_action(text)
        except NotationError as error:
            raise RequestError(str(error), status=422, field="action") from None
        async with self.lock:
            if self._acknowledged.get(ply) == action.text:
                acknowledge()
                look()
                return
            self._check_action(ply, action)
            await self._apply(action)
            self._acknowledged[ply] = action.text
            acknowledge()
            await self._settle()
            look()
        self._acted.set()
        self._wake()

    def _check_action(self, ply: int, action: Action) -> None:
        if self.failure:
            raise RequestError(self.failure, status=503)
        observation, current = self.observation, self.ply
        if ply != current:
            raise RequestError(f"ply is {current} now, not {ply}; look at the table again", status=409, field="ply")
        if self._table.state.is_over:
            raise RequestError("the round is over", status=409)
        if observation.seat != self.terms.seat:
            raise RequestError("it is not your turn", status=409)
        if action not in observation.legal_actions:
            legal = " ".join(map(str, observation.legal_actions))
            raise RequestError(f"{action} is not legal; legal are: {legal}", status=422, field="action")

    async def _next_round(self) -> None:
        async with self.lock:
            if not self._table.state.is_over:
                raise RequestError("the round is not over", status=409)
            if self.is_over:
                raise RequestError("the game is over; ask for a rematch", status=409)
            await self._kept(self._around.store.note_round(self._number, self._table.state.round_number + 1))
            self._earlier += len(self.observation.history)
            self._table.next_round()
            await self._settle()
        self._wake()

    async def _apply(self, action: Action) -> None:
        """Writes an action down and applies it; the caller holds the lock and knows it to be legal."""
        state = self._table.state
        assert state.seat is not None
        await self._kept(
            self._around.store.append_action(
                self._number,
                action,
                round_number=state.round_number,
                number=len(self._table.actions) + 1,
                seat=state.seat,
            )
        )
        self._table.apply(action)
        self._deadline = None

    async def _settle(self) -> None:
        """Answers windows that the person may not know of, and tells what there is to see; the caller holds the lock.

        With jump-in, nobody can tell by the time it takes whether anybody was asked (Rule 10.7).
        """
        try:
            await self._answer_hidden_windows()
            if self.is_over and not self.is_stored:
                store, record = self._around.store, self._table.record
                await self._kept(await asyncio.to_thread(store.finish_game, self._number, record))
                self.is_stored = True
        except Exception as error:
            self._fail(error)
            raise
        if self._is_window():
            self._deadline = self._around.clock() + self.terms.window_seconds
        self._changed = self._around.clock()
        self.tell()

    async def _answer_hidden_windows(self) -> None:
        begun = self._around.clock()
        while self._is_hidden():
            state = self._table.state
            assert state.seat is not None
            await self._apply(await self._choose(self._window_agents[state.seat], observe(state, state.seat)))
        if self._table.rules.jump_in and not self._table.state.is_over:
            await self._sleep_until(begun + self._around.limits.cover_seconds)

    def tell(self) -> None:
        """Lets every socket know that there is something new."""
        for listener in tuple(self.sockets):
            listener()

    def _is_hidden(self) -> bool:
        state = self._table.state
        return state.phase in _WINDOWS and state.seat != self.terms.seat

    def _is_window(self) -> bool:
        """Whether the person is asked something that may pass."""
        state = self._table.state
        return state.phase in _WINDOWS and state.seat == self.terms.seat and PASS in state.legal_actions()

    # The task that lets agents play and windows close

    def _wake(self) -> None:
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive(), name=f"game {self._number}")

    async def _drive(self) -> None:
        try:
            while not self.failure and not self._table.state.is_over:
                if self._table.state.seat != self.terms.seat:
                    await self._let_agent_play()
                elif self._deadline is not None:
                    await self._let_window_close(self._deadline)
                else:
                    return
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        """Stops here; the store has everything that was acknowledged, and whoever asks again gets the game from it."""
        # Without details: what an agent holds is nobody's business.
        _LOG.error("game %d stopped: %s", self._number, type(error).__name__)
        self.failure = "the game cannot go on: something went wrong on the server; try again"
        self.tell()

    async def _let_agent_play(self) -> None:
        state = self._table.state
        seat = state.seat
        assert seat is not None
        action = await self._choose(self._table.agents[seat], observe(state, seat))
        await self._sleep_until(self._changed + self.terms.pace_seconds)
        await self._finish_whatever_happens(self._apply_and_settle(action))

    async def _let_window_close(self, deadline: float) -> None:
        self._acted.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._acted.wait(), max(deadline - self._around.clock(), 0.0))
            return
        await self._finish_whatever_happens(self._pass_at(deadline))

    async def _pass_at(self, deadline: float) -> None:
        async with self.lock:
            if self._deadline == deadline:
                self._acknowledged[self.ply] = PASS.text
                await self._apply(PASS)
                await self._settle()

    async def _apply_and_settle(self, action: Action) -> None:
        async with self.lock:
            await self._apply(action)
            await self._settle()

    async def _choose(self, agent: Agent, observation: Observation) -> Action:
        action = await self._around.workers.choose(agent, observation)
        if action not in observation.legal_actions:
            raise RequestError(f"the agent of seat {observation.observer} gave an illegal answer", status=503)
        return action

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


def _recall(record: Record, seat: int) -> tuple[int, dict[int, str]]:
    """How many events the seat saw in earlier rounds, and what it did at which ply."""
    earlier, acknowledged, seen = 0, {}, 0
    for index, played in enumerate(record.rounds):
        earlier += seen
        for state, action in zip(record.states(index), (*played.actions, None), strict=True):
            seen = len(observe(state, seat).history) if state.seat == seat or action is None else seen
            if state.seat == seat and action is not None:
                acknowledged[earlier + seen] = action.text
    return earlier, acknowledged


def _nothing() -> None:
    """Nobody waits."""
