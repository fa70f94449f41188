"""What each seat, and whoever looks on, has been shown of a game."""

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
    """What a seat, or whoever looks on, has been shown; nothing newer may be told."""

    seen: PublicObservation
    earlier: int = 0
    """How many events it saw in earlier rounds."""
    done: dict[int, str] = field(default_factory=dict)
    """What was done for the seat, by ply."""

    @property
    def ply(self) -> int:
        """How much it has seen; what an action has to name."""
        return self.earlier + self.seen.num_events

    @property
    def has_acted(self) -> bool:
        """Whether it has answered what it is asked, and has not been shown what that led to."""
        return self.ply in self.done

    def show(self, seen: PublicObservation) -> None:
        """Shows something newer, perhaps of the next round."""
        if seen.round_number != self.seen.round_number:
            self.earlier = self.ply
        self.seen = seen

    def note_done(self, state: State, seat: int, action: Action) -> None:
        """Remembers what is done for the seat where it is asked, even if it was not shown that it is."""
        self.done[self.earlier + observe(state, seat).num_events] = action.text


def observe_for(state: State, audience: Audience) -> PublicObservation:
    """What a seat, or whoever looks on, may know of the state."""
    return spectate(state) if audience is None else observe(state, audience)


def restore_sent(record: Record, audiences: Iterable[Audience]) -> dict[Audience, LastSent]:
    """What each audience has seen of a game so far, and what was done for it at which ply.

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
            # Between decisions nobody is shown anything that counts: whoever decides, and the end for all.
            for audience in audiences if action is None else [state.seat] if state.seat in audiences else ():
                seen = observe_for(state, audience)
                last = sent.setdefault(audience, LastSent(seen))
                last.show(seen)
                if action is not None:
                    last.done[last.ply] = action.text
    assert sent, "a game on a server is dealt"
    return sent
