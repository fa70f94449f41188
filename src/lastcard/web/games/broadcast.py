"""Broadcast of one game: what each client was sent last, and who waits for more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lastcard.actions import Action
from lastcard.cards import Card
from lastcard.observation import Observation
from lastcard.state import State
from lastcard.web.games.client_state import LastSent, observe_for
from lastcard.web.games.presence import Audience, Presence
from lastcard.web.refusals import refuse

View = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """A request that waits for the result of its action."""

    seat: Audience
    ply: int
    since: int
    view: asyncio.Future[View]


class Broadcast:
    """Shows the table to seats and spectators, and notifies their sockets."""

    def __init__(
        self,
        sent: Mapping[Audience, LastSent],
        presence: Presence,
        make_view: Callable[[Audience, int], View],
    ) -> None:
        self._sent = sent
        self._presence = presence
        self._make_view = make_view
        self._waiting: list[_Waiting] = []
        self.failure: str | None = None
        """The reason why the game had to stop."""
        self.hands: tuple[tuple[Card, ...], ...] | None = None
        """All hands, once the end of the round is shown."""

    def last_sent(self, audience: Audience) -> LastSent:
        """The state of that audience's clients."""
        return self._sent[audience]

    def observation(self, seat: Audience) -> Observation:
        """The observation that the seat has been shown.

        Raises:
            RequestError: with status 403 for a spectator.
        """
        seen = self._sent[seat].seen
        if not isinstance(seen, Observation):
            raise refuse("players_only")
        return seen

    def check_failure(self) -> None:
        """Refuses if the game had to stop.

        Raises:
            RequestError: with status 503, or 409 if all have resigned.
        """
        if self.failure:
            raise refuse(self.failure)

    def note_action(self, state: State, seat: int, action: Action) -> None:
        """Remembers what is done for a person's seat, so that a repeated request is acknowledged again."""
        if seat in self._sent:
            self._sent[seat].note_done(state, seat, action)

    def show(self, state: State, audiences: Sequence[Audience] | None = None) -> None:
        """Shows the state to some audiences, or to all."""
        shown = list(self._sent) if audiences is None else audiences
        for audience in shown:
            self._sent[audience].show(observe_for(state, audience))
        self.hands = tuple(map(state.hand, range(state.rules.players))) if state.is_over else None
        self._resolve()
        self.notify(of=shown)

    def fail(self, code: str) -> None:
        """Lets everyone know that the game had to stop, with the code of the refusal from now on."""
        self.failure = code
        self._resolve()
        self.notify()

    def dismiss(self, seat: int) -> None:
        """Refuses what a person still waits for at a seat that is no longer the person's."""
        for waiting in self._waiting:
            if waiting.seat == seat and not waiting.view.done():
                waiting.view.set_exception(refuse("left_seat"))
        self.notify(of=[seat])

    def notify(self, *, of: Sequence[Audience] | None = None, but: Sequence[Audience] = ()) -> None:
        """Lets sockets know that there is something new to send."""
        for listener in self._presence.listeners(of=of, but=but):
            listener()

    async def view_after(self, acting: Awaitable[None], seat: Audience, ply: int, since: int) -> View:
        """The view that an action leads to, as soon as the seat is shown it, and no sooner than anyone else.

        Args:
            acting: Applies the action.
            seat: The seat that acts.
            ply: The ply at which it acts.
            since: The log of the view starts after the event of that number.
        """
        waiting = _Waiting(seat, ply, since, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        try:
            await acting
            self._resolve()  # an action that was acknowledged before may be shown already
            return await waiting.view
        finally:
            self._waiting.remove(waiting)

    def _resolve(self) -> None:
        """Gives waiting requests the view that they are shown first."""
        for waiting in self._waiting:
            sent = self._sent[waiting.seat]
            if waiting.view.done():
                continue
            if self.failure:
                waiting.view.set_exception(refuse(self.failure))
            elif sent.ply > waiting.ply and waiting.ply in sent.done:
                waiting.view.set_result(self._make_view(waiting.seat, waiting.since))
