"""Driver of one game: the task in which agents play and time runs out."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from lastcard.actions import PASS, Action
from lastcard.web.games.broadcast import Broadcast
from lastcard.web.games.clock import GameClock
from lastcard.web.games.presence import Presence
from lastcard.web.games.referee import Referee
from lastcard.web.peers import MovedError

T = TypeVar("T")


class Driver:
    """Runs while there is something to do without a request."""

    def __init__(self, name: str, referee: Referee, presence: Presence, clock: GameClock, broadcast: Broadcast) -> None:
        self._name = name
        self._referee = referee
        self._presence = presence
        self._clock = clock
        self._broadcast = broadcast
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._decision: asyncio.Task[Action] | None = None
        self._is_paused = False
        self._unfinished: set[asyncio.Task[Any]] = set()

    def wake(self) -> None:
        """Lets the task look at the game again, or starts it."""
        self._is_paused = False
        self._news.set()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name=self._name)

    def pause(self) -> None:
        """Stops the search, and starts none until someone comes back."""
        self._is_paused = True
        if self._decision is not None:
            self._decision.cancel()

    def resume(self) -> None:
        """Searches again."""
        if self._is_paused:
            self.wake()

    def close(self) -> None:
        """Stops the task and all unfinished work; the store has what was acknowledged."""
        for task in (*self._unfinished, self._task):
            if task is not None:
                task.cancel()

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Does the work to its end even if the request behind it is cancelled: store and table must agree.

        Raises:
            MovedError: if the game is closed meanwhile.
        """
        task = asyncio.create_task(work)
        self._unfinished.add(task)
        task.add_done_callback(self._unfinished.discard)
        return await wait_for(task)

    async def _run(self) -> None:
        referee = self._referee
        try:
            while not referee.is_waiting:
                self._news.clear()
                seat = referee.state.seat
                assert seat is not None
                if referee.is_window() or self._presence.is_here(seat):
                    if not await self._wait_for_person(seat):
                        return
                elif self._is_left_alone(seat) or not await self._let_agent_play(seat):
                    return
        except MovedError:
            pass  # the game is closed, or another process has it
        except Exception as error:
            referee.fail(error)

    def _is_left_alone(self, seat: int) -> bool:
        """True if the seat waits for its person, who is away, and no agent plays there."""
        return self._presence.is_for_person(seat) and not self._presence.is_played_for(seat)

    async def _let_agent_play(self, seat: int) -> bool:
        """Plays for an agent, or for a person who is away and does not come back meanwhile.

        Returns False if the agent would have to search while nobody is there.
        """
        referee = self._referee
        num_actions = referee.table.num_actions
        # Without the lock: a search takes seconds, in which people may come, leave, or take the seat back.
        if not referee.needs_search(seat):
            action = await referee.ask_agent(seat)
        elif self._is_paused or not self._presence.is_attended:
            self._is_paused = True
            return False
        elif (found := await self._search(seat)) is not None:
            action = found
        else:
            return True  # look again: someone may have come back already
        await self._clock.keep_pace()

        async def play() -> None:
            async with referee.lock:
                await referee.play_if_away(seat, action, num_actions)

        await self.finish(play())
        return True

    async def _search(self, seat: int) -> Action | None:
        """The reply of an agent; None if the search was stopped because everybody had left."""
        decision = self._decision = asyncio.create_task(self._referee.ask_agent(seat))
        try:
            await asyncio.wait((decision,))
        finally:
            decision.cancel()
        return None if decision.cancelled() else decision.result()

    async def _wait_for_person(self, seat: int) -> bool:
        """Waits until the person acts, leaves, or has no time left; False if only the first can happen."""
        deadline = self._clock.deadline
        ends = [] if deadline is None else [deadline]
        gone = self._presence.gone_at(seat)
        if gone is not None and self._presence.num_here > 1 and not self._referee.is_window():
            ends.append(gone)
        if not ends:
            return False
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), max(min(ends) - self._clock.now(), 0.0))
            return True
        if deadline is not None and self._clock.now() >= deadline:
            await self.finish(self._run_out(seat, deadline))
        return True

    async def _run_out(self, seat: int, deadline: float) -> None:
        """Passes in a window; at a turn, lets an agent play until the person is back."""
        async with self._referee.lock:
            if self._clock.deadline != deadline:
                return  # the person acted just in time
            if self._referee.is_window():
                await self._referee.play(PASS)
            else:
                self._clock.deadline = None
                self._presence.note_idle(seat)
                self._broadcast.notify()


async def wait_for(task: asyncio.Task[T]) -> T:
    """The result of a task, which continues if the request that waits for it is cancelled.

    Raises:
        MovedError: if the task itself is cancelled.
    """
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        if task.cancelled():
            raise MovedError from None
        raise
