"""Clock of one game: deadlines, the pace of agents, and the time that hides windows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from lastcard.actions import DRAW, KEEP, PASS, UNO, Action
from lastcard.phase import Phase
from lastcard.web.games.settings import GameSettings


class GameClock:
    """Deadlines of people and waiting times of one game."""

    def __init__(self, settings: GameSettings, cover_seconds: float, now: Callable[[], float]) -> None:
        self.now = now
        """Seconds, from any start."""
        self.deadline: float | None = None
        """Time at which the person to act runs out of time."""
        self._settings = settings
        self._cover_seconds = cover_seconds
        self._changed = self._covered_since = now()
        self._may_be_jumped_on = False

    async def sleep_until(self, time: float) -> None:
        """Waits until the clock shows that time."""
        await asyncio.sleep(max(time - self.now(), 0.0))

    # Deadlines

    def open_window(self, *, is_jump_in: bool) -> None:
        """Starts the time of a person who is asked in a window."""
        # A person who is asked to jump in has the time that the others wait in any case.
        begun = self._covered_since + self._cover_seconds if is_jump_in else self._changed
        self.deadline = begun + self._settings.window_seconds

    def start_turn(self) -> None:
        """Starts the time for a turn, if turns are timed."""
        if self._settings.turn_seconds:
            self.deadline = self.now() + self._settings.turn_seconds

    def seconds_left(self) -> float | None:
        """Seconds before the deadline; None without one."""
        return None if self.deadline is None else self.deadline - self.now()

    # Waiting

    def note_action(self, phase: Phase, action: Action) -> None:
        """Remembers when the last action happened that a window may have followed (Rule 10.7)."""
        if action != PASS:
            is_early_call = action == UNO and phase is not Phase.CATCH  # after a late one the card takes effect
            self._may_be_jumped_on = action not in (DRAW, KEEP) and not is_early_call
        elif phase is Phase.JUMP_IN:
            return  # a pass in a hidden window must not prolong the wait
        self._covered_since = self.now()

    def note_change(self) -> None:
        """Remembers when the table last changed; agents keep their pace from there."""
        self._changed = self.now()

    async def keep_pace(self) -> None:
        """Waits until the next action of an agent may be shown."""
        await self.sleep_until(self._changed + self._settings.pace_seconds)

    async def cover_window(self, *, is_window: bool, num_watching: int) -> None:
        """Waits as long after every action, so that the time does not tell whether a seat was asked (Rule 10.7).

        Args:
            is_window: Whether a person is asked now, to whom the window is shown first.
            num_watching: Clients that can measure the time.
        """
        others_wait = not is_window and self._may_be_jumped_on and num_watching > 1
        cover = self._cover_seconds + (self._settings.window_seconds if others_wait else 0.0)
        await self.sleep_until(self._covered_since + cover)
