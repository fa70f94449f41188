"""State of clients: the observation that each seat, and the spectators, were sent last."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from lastcard.actions import Action
from lastcard.observation import PublicObservation, observe, spectate
from lastcard.record import Record
from lastcard.state import State
from lastcard.web.games.presence import Audience


@dataclass(slots=True)
class LastSent:
    """The observation that a seat, or the spectators, were sent last; they may learn of nothing newer."""

    seen: PublicObservation
    earlier: int = 0
    """Events of earlier rounds."""
    done: dict[int, str] = field(default_factory=dict)
    """Actions of the seat by ply, which make repeated requests harmless."""

    @property
    def ply(self) -> int:
        """Number of events seen, which an action has to name."""
        return self.earlier + self.seen.num_events

    @property
    def has_acted(self) -> bool:
        """True if the seat has acted, and has not been sent the result."""
        return self.ply in self.done

    def show(self, seen: PublicObservation) -> None:
        """Replaces the observation by a newer one, perhaps of the next round."""
        if seen.round_number != self.seen.round_number:
            self.earlier = self.ply
        self.seen = seen

    def note_done(self, state: State, seat: int, action: Action) -> None:
        """Remembers an action of the seat, even if the seat was never sent the question."""
        self.done[self.earlier + observe(state, seat).num_events] = action.text


def observe_for(state: State, audience: Audience) -> PublicObservation:
    """The observation of a seat, or of a spectator."""
    return spectate(state) if audience is None else observe(state, audience)


def restore_sent(record: Record, audiences: Iterable[Audience]) -> dict[Audience, LastSent]:
    """Restores from the record what each audience was sent, and its actions by ply.

    >>> from lastcard.rules import Rules
    >>> from lastcard.table import Table
    >>> record = Table(Rules.preset("official"), ["heuristic", "random"], seed=7).play_round()
    >>> len(restore_sent(record, [0, None])[0].done) == sum(state.seat == 0 for state in record.states())
    True
    """
    sent: dict[Audience, LastSent] = {}
    audiences = list(audiences)
    for index, played in enumerate(record.rounds):
        for state, action in zip(record.replay(index), (*played.actions, None), strict=True):
            # Only these matter for counting plies: the seat to decide, and at the end of a round all.
            for audience in audiences if action is None else [state.seat] if state.seat in audiences else ():
                seen = observe_for(state, audience)
                last = sent.setdefault(audience, LastSent(seen))
                last.show(seen)
                if action is not None:
                    last.done[last.ply] = action.text
    assert sent, "a game on a server is dealt"
    return sent
