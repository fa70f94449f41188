"""Referee of one game: checks actions, applies them, and asks the agents."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from lastcard.actions import PASS, Action
from lastcard.agents import Agent
from lastcard.observation import observe
from lastcard.phase import Phase, can_come_up
from lastcard.state import State
from lastcard.table import Table
from lastcard.web.games.batching import batch_actions, check_reply
from lastcard.web.games.broadcast import Broadcast
from lastcard.web.games.clock import GameClock
from lastcard.web.games.journal import Journal
from lastcard.web.games.presence import Audience, Presence
from lastcard.web.games.settings import DecisionRunner, GameSettings, Players
from lastcard.web.logs import log_failure
from lastcard.web.refusals import refuse
from lastcard.web.searches.workers import is_quick

_WINDOWS: Final = (Phase.CATCH, Phase.JUMP_IN)
_LOG: Final = logging.getLogger(__name__)


class Referee:
    """The table of one game. Hold `lock` to change it."""

    def __init__(
        self,
        table: Table,
        settings: GameSettings,
        players: Players,
        workers: DecisionRunner,
        presence: Presence,
        clock: GameClock,
        journal: Journal,
        broadcast: Broadcast,
        *,
        is_gathering: bool = False,
    ) -> None:
        self.table = table
        self.players = players
        self.lock = asyncio.Lock()
        self.is_gathering = is_gathering
        """True while the first round waits for people to join."""
        self._settings = settings
        self._workers = workers
        self._presence = presence
        self._clock = clock
        self._journal = journal
        self._broadcast = broadcast
        self._can_jump_in = can_come_up(Phase.JUMP_IN, table.rules)

    @property
    def state(self) -> State:
        """The truth."""
        return self.table.state

    @property
    def is_over(self) -> bool:
        """True if nothing is left to play."""
        if self._journal.is_finished:
            return True  # the last player may have resigned
        return self.state.is_over and (self._settings.length == "round" or self.table.game_outcome is not None)

    @property
    def is_waiting(self) -> bool:
        """True if no seat can act: the game has failed, its round is over, or people gather."""
        is_stopped = self._broadcast.failure is not None or self._journal.is_finished
        return is_stopped or self.state.is_over or self.is_gathering

    def is_window(self) -> bool:
        """True if a person is asked something that may be passed."""
        state = self.state
        return state.phase in _WINDOWS and self._presence.is_for_person(state.seat) and PASS in state.legal_actions

    def is_hidden(self) -> bool:
        """True if a window is open for an agent, or for a person who is away."""
        state = self.state
        if state.phase not in _WINDOWS or state.seat is None:
            return False
        return not self._presence.is_for_person(state.seat) or self._presence.is_played_for(state.seat)

    # Actions; the caller holds the lock

    def check_action(self, seat: Audience, ply: int, action: Action) -> None:
        """Refuses an action that the seat cannot do now.

        Raises:
            RequestError: with status 409 or 422, naming the reason; 403 for a spectator.
        """
        self._broadcast.check_failure()
        observation, sent = self._broadcast.observation(seat), self._broadcast.last_sent(seat)
        if ply != sent.ply:
            raise refuse("old_view", now=sent.ply, ply=ply)
        if ply in sent.done:
            raise refuse("acted_already", ply=ply)
        if self.is_gathering:
            raise refuse("not_started")
        if observation.outcome:
            raise refuse("round_over")
        if observation.seat != seat:
            raise refuse("not_your_turn")
        if action not in observation.legal_actions:
            legal = " ".join(map(str, observation.legal_actions))
            raise refuse("illegal_action", action=str(action), legal=legal)

    async def play(self, action: Action, acknowledge: Callable[[], None] | None = None) -> None:
        """Applies a legal action and shows the result; calls `acknowledge` once the store has the action."""
        await self._apply(action)
        if acknowledge:
            acknowledge()
        await self.settle()

    async def play_if_away(self, seat: int, action: Action, num_actions: int) -> None:
        """Plays for a seat, unless a person decides for it now or the table has changed since the agent was asked."""
        if self.table.num_actions == num_actions and not self._presence.is_here(seat):
            await self.play(action)

    async def begin(self) -> None:
        """Begins the first round; agents play in the seats that are still open."""
        await self._journal.note_round(1)
        self.is_gathering = False
        await self.settle()

    async def deal(self) -> None:
        """Deals the next round."""
        await self._journal.note_round(self.state.round_number + 1)
        self.table.next_round()
        await self.settle()

    async def settle(self) -> None:
        """Answers windows of seats without a person, stores the end of the game, and shows the table."""
        try:
            await self._answer_hidden_windows()
            if self.is_over and not self._journal.is_finished:
                await self._journal.finish(self.table.record)
        except Exception as error:
            self.fail(error)
            raise
        self._clock.note_change()
        self.set_deadline()
        # A window is shown only to the seat that is asked, everything else to all.
        self._broadcast.show(self.state, [self.state.seat] if self.state.phase in _WINDOWS else None)

    def fail(self, error: Exception) -> None:
        """Stops the game here; the store has all that was acknowledged, and the next request loads it from there."""
        log_failure(_LOG, f"game {self._journal.number} stopped", error)
        self._broadcast.fail("game_stopped")

    def set_deadline(self) -> None:
        """Starts the time of the person to act, where it is limited."""
        self._clock.deadline = None
        seat = self.state.seat
        if seat is None or not self._presence.is_for_person(seat) or self.is_gathering:
            return
        if self.is_window():
            self._clock.open_window(is_jump_in=self.state.phase is Phase.JUMP_IN)
        elif self._presence.num_here > 1 and self._presence.is_here(seat):
            self._clock.start_turn()

    async def _apply(self, action: Action) -> None:
        """Stores a legal action with the instant replies of agents, and applies them."""
        actions = batch_actions(self.state, action, self._find_instant)
        await self._journal.append(self.table, actions)  # if this fails, the table is as it was
        for seat, each in actions:
            self._broadcast.note_action(self.state, seat, each)
            self._clock.note_action(self.state.phase, each)
            self.table.apply(each)
        self._clock.deadline = None

    async def _answer_hidden_windows(self) -> None:
        """Lets agents answer windows; with jump-in, takes as long whether or not there was one (Rule 10.7)."""
        while self.is_hidden():
            assert self.state.seat is not None
            await self._apply(await self.ask_agent(self.state.seat, is_window=True))
        if self._can_jump_in and not self.state.is_over and not self.is_gathering:
            await self._clock.cover_window(is_window=self.is_window(), num_watching=self._presence.num_watching)

    # Agents

    def needs_search(self, seat: int) -> bool:
        """True if the agent of that seat takes its time for a turn."""
        return not is_quick(self.players.turns[seat])

    async def ask_agent(self, seat: int, *, is_window: bool = False) -> Action:
        """The reply of the agent of that seat to its decision.

        Raises:
            RequestError: with status 503, if it is not legal.
        """
        observation, turn, window = observe(self.state, seat), self.players.turns[seat], self.players.windows[seat]
        choosing = self._workers.choose(window if is_window else turn, observation, None if is_window else window)
        return check_reply(await choosing, observation)

    def _find_instant(self, state: State) -> Agent | None:
        """The agent to act, if it replies instantly and no other client has to see the table before it acts.

        Other clients might miss the sight in between: they are shown nothing while a window is open.
        """
        if self._can_jump_in or state.seat is None or self._presence.is_for_person(state.seat):
            return None  # with jump-in, time has to go by after every action (Rule 10.7)
        is_window = state.phase in _WINDOWS
        is_seen = len(self._presence.seats) > 1 or self._presence.is_connected(None)
        if not is_window and (is_seen or self._settings.pace_seconds > 0):
            return None
        agent = (self.players.windows if is_window else self.players.turns)[state.seat]
        return agent if is_quick(agent) else None
