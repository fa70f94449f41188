"""A history as a person tells it: replayed by the core, completed, and given a beginning that the core can learn from.

Messages name what was given as `history`, in backticks; the caller may write the name as its own option.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NoReturn

from lastcard.actions import ACCEPT, CATCH, CHALLENGE, DRAW, KEEP, UNO, Action
from lastcard.advice.dues import Dues
from lastcard.advice.public_table import PublicTable
from lastcard.advice.retelling import YOU, Retelling, count_back, refuse, seat_of
from lastcard.cards import WILD_DRAW_FOUR, Card, Color
from lastcard.events import Event, EventKind
from lastcard.phase import Phase
from lastcard.rules import Rules

_PLAYS: Final = (EventKind.PLAYED, EventKind.JUMPED_IN)


class Replay:
    """A history of seat 0, replayed: how the table stands after it, and the events that say so to the core.

    What follows from the rules may be left unsaid: that a seat keeps what it drew, accepts, or is skipped. The rules
    themselves are the core's: it plays the round with made-up cards where they are hidden.
    """

    def __init__(
        self,
        rules: Rules,
        sizes: Sequence[int],
        direction: int,
        history: Sequence[Event],
        top: Card,
        color: Color | None,
    ) -> None:
        """Follows the history to the sizes, the direction, the top card and the active color of now.

        Raises:
            StateError: if it cannot have happened, naming the event.
        """
        self.rules = rules
        self.top: Card | None = None
        self.last_color: Color | None = None
        """The color that was active before the top card, where the history tells."""
        self.player: int | None = None
        """Seat that played the top card."""
        self.last_drawn: tuple[Card, ...] = ()
        """Cards that seat 0 drew last, where they are told."""
        self.owes_more = False
        """True if cards were stacked before the history, so that the sum is unknown."""
        self.discards: list[Card] = []
        """Cards known to lie in the discard pile from the history, in order."""
        self.forgot_discards = False
        """True if the discards from before the history went back into the draw pile."""
        self._knows_seat = False
        self._held = 0
        self._event: Event | None = None
        self.table = PublicTable(rules, *count_back(history, sizes, direction))
        """The table after the history."""
        self._dues = Dues(self.table)
        self._retelling = Retelling(self.table)
        self._begin(history, top, color)
        for index, event in enumerate(history):
            self._event = event
            self._hear(event, history[index - 1] if index else None)
        self._event = None
        self._finish()

    @property
    def color(self) -> Color | None:
        """The active color, where a card lies on top."""
        return None if self.top is None else self.table.color

    def events(self, hand: Sequence[Card]) -> list[Event]:
        """The history for the core, from a deal on that leads there."""
        assert self.top is not None
        return self._retelling.events(hand, self.top)

    # Before the history

    def _begin(self, history: Sequence[Event], top: Card, color: Color | None) -> None:
        """The card on top before the history: told, or the one of now if none was played since."""
        first = history[0] if history else None
        if first is not None and first.kind is EventKind.TURNED_UP:
            self._event = first
            if first.card is WILD_DRAW_FOUR:
                self._refuse("begin with its play instead, such as '2 plays w+4:g'")
            assert first.card is not None
            self._lay(first.card, first.card.color, history[1:])
        elif not any(event.kind in _PLAYS for event in history):
            self._lay(top, color, history)

    def _lay(self, card: Card, color: Color | None, history: Sequence[Event]) -> None:
        self.table.lay(card, color)
        self.top = card
        self.discards.append(card)
        first, second = (*history, None, None)[:2]
        action = Action.play(card, naming=color or Color.RED if card.is_wild else None)
        penalty = action.draw_penalty
        if penalty and first is not None:
            goes_on = second is not None and second.seat == first.seat and second.kind in (*_PLAYS, EventKind.KEPT)
            draws = first.kind is EventKind.DREW and first.count == penalty and not goes_on
            if first.kind is EventKind.ACCEPTED:
                self._require_draw(first, first.count or 0)
            elif first.kind is EventKind.CHALLENGED or draws:
                self.owes_more = self.table.can_be_stacked(action)
                self._require_draw(first, penalty)
        self._open()

    def _require_draw(self, first: Event, cards: int) -> None:
        """The top card, played before the history, makes a seat draw."""
        self._dues.replace(self.table.require_draw(seat_of(first), cards, first.target))
        self._knows_seat = True

    def _open(self) -> None:
        """Starts to take events as information."""
        assert self.top is not None
        self._retelling.open(self.table, self.top, self.color, self._dues.events)

    # Event by event

    def _hear(self, event: Event, previous: Event | None) -> None:
        kind = event.kind
        if kind is EventKind.DEALT:
            self._refuse("leave it out; what was dealt follows from the hands of now")
        if kind is EventKind.TURNED_UP:
            if previous is not None:
                self._refuse("it can only come first, as the card on top before everything")
            return
        if kind in (EventKind.DREW, EventKind.CHALLENGED) and event.seat != YOU and event.hands:
            self._refuse("you cannot have seen those cards")
        # A pass is no public event (Rule 10.7): told or not, it changes nothing.
        if kind is EventKind.PASSED:
            return
        if kind is EventKind.RESHUFFLED:
            # Rule 5.1: all but the top card go back into the draw pile.
            self.discards = self.discards[-1:]
            self.forgot_discards = True
            return
        # Without a card on top the rules cannot be followed yet, only the hand sizes.
        if self.top is None and kind not in _PLAYS:
            self.table.move_cards(event)
            return
        if self.table.phase is Phase.NAME_COLOR and kind is not EventKind.NAMED_COLOR:
            self._refuse("first add who named which color, such as '1 names g'")
        if self._is_due(event):
            return
        if self.table.phase is Phase.CATCH and not self._is_reaction(event):
            self._dues.replace(self.table.pass_window())
            if self._is_due(event):
                return
        # The seat drew and something else follows: it kept the card, which a history may leave out.
        if self.table.phase is Phase.DRAWN and not self._goes_on(event):
            self._keep()
        self._hear_action(event, previous)

    def _hear_action(self, event: Event, previous: Event | None) -> None:
        if self.table.phase is Phase.SWAP and event.kind is not EventKind.SWAPPED:
            self._refuse(f"seat {self.table.seat} has to swap hands first")
        if event.kind is EventKind.DREW:
            self._draw(event, previous)
        else:
            _HEARD[event.kind](self, event)

    def _act(self, seat: int, action: Action, *, drawn: int = 0, is_guilty: bool = False) -> bool:
        """Lets a seat act; False where the rules forbid it whatever the seat holds."""
        return self._follow(self.table.act(seat, action, drawn=drawn, is_guilty=is_guilty))

    def _follow(self, events: list[Event] | None) -> bool:
        if events is not None:
            self._dues.replace(events)
            self._knows_seat = True
        return events is not None

    def _is_due(self, event: Event) -> bool:
        """Returns True if an event tells what follows from the last action anyway."""
        is_due = self._dues.tell(event, may_be_more=self.owes_more)
        if is_due:
            self._note(event)
        return is_due

    def _note(self, event: Event) -> None:
        """Tells an event to the core, unless nothing before it counts any more."""
        if event.kind is EventKind.DREW:
            self.last_drawn = event.cards or ()
        # What seat 0 gave away or held before is not told: only what comes after counts.
        is_moved = event.kind is EventKind.SWAPPED and YOU in (event.seat, event.target)
        if is_moved or event.kind in (EventKind.HANDS_PASSED, EventKind.NAMED_COLOR):
            self._open()
        else:
            self._retelling.told.append(event)

    def _is_reaction(self, event: Event) -> bool:
        """Returns True if it happens in the window after a forgotten UNO (Rule 7.3)."""
        is_late = event.kind is EventKind.CALLED_UNO and event.seat == self.table.player
        return is_late or event.kind is EventKind.CAUGHT

    def _goes_on(self, event: Event) -> bool:
        """Returns True if the seat that drew still decides about that card."""
        kinds = (EventKind.PLAYED, EventKind.KEPT, EventKind.CALLED_UNO, EventKind.DREW)
        return event.seat == self.table.seat and event.kind in kinds

    def _play(self, event: Event) -> None:
        seat, action, color = seat_of(event), event.action, self.color
        assert action is not None
        assert action.card is not None
        card, is_first = action.card, self.top is None
        if is_first:
            # The card below is unknown; on itself every card can be played.
            self.table.lay(card, action.color)
            self.owes_more = action.draw_penalty > 0 and self.table.can_be_stacked(action)
        if event.kind is EventKind.JUMPED_IN:
            if not self._follow(self.table.play_out_of_turn(seat, action)):
                self._refuse("only another seat can jump in, with the identical card and where the rules allow it")
        else:
            self._require_turn(seat)
            if not self._act(seat, action):
                self._refuse(self._why_not(card))
        self.discards.append(card)
        self.last_color, self.top, self.player = color, card, seat
        self._held = self.table.sizes[seat]
        self._dues.skipped = None
        if is_first:
            self._open()
        else:
            self.owes_more = self.owes_more and self.table.owed > 0
            self._retelling.told.append(event)

    def _why_not(self, card: Card) -> str:
        if self.table.phase is Phase.OVER:
            return "the round is over"
        if self.table.phase is Phase.ANSWER:
            return f"seat {self.table.seat} has to draw {self.table.owed} first"
        active = f" ({self.color.word} is active)" if self.color and self.top and self.top.is_wild else ""
        return f"{card} does not match {self.top}{active}"

    def _draw(self, event: Event, previous: Event | None) -> None:
        seat, count = seat_of(event), event.count or 0
        self._require_turn(seat)
        if self.table.phase is Phase.DRAWN:
            # A reshuffle in the middle of a draw splits it into two events.
            if previous is None or previous.kind is not EventKind.RESHUFFLED:
                self._refuse(f"seat {seat} has already drawn in this turn")
            self.table.resize(seat, count)
        elif self.table.phase is Phase.ANSWER:
            self._take_sum(seat, count)
            self._is_due(event)
            return
        elif not self._act(seat, DRAW, drawn=count) or self._dues.events[0].count != count:
            self._refuse("one card is drawn in a turn")
        self._dues.events.clear()
        self._note(event)

    def _take_sum(self, seat: int, count: int) -> None:
        """The seat accepts without a word."""
        if count > self.table.owed and self.owes_more:
            self.table.owe(count)
        if count > self.table.owed:
            self._refuse(f"seat {seat} has to draw {self.table.owed}")
        # Rule 2.2: nobody is asked about a card that was turned up.
        if self.player is not None:
            self._retelling.told.append(Event(EventKind.ACCEPTED, seat, count=self.table.owed))
        self._act(seat, ACCEPT)

    def _keep(self) -> None:
        kept = Event(EventKind.KEPT, self.table.seat)
        self._act(seat_of(kept), KEEP)
        self._retelling.told.append(kept)
        self._dues.events.clear()

    def _hear_kept(self, event: Event) -> None:
        if not self._knows_seat:
            self._end_turn(seat_of(event))
        elif self.table.phase is not Phase.DRAWN or event.seat != self.table.seat:
            self._refuse(f"seat {event.seat} has not just drawn a card in its turn")
        else:
            self._keep()

    def _end_turn(self, seat: int) -> None:
        self.table.end_turn(seat)
        self._knows_seat = True

    def _skip(self, event: Event) -> None:
        seat = seat_of(event)
        if self.table.phase is Phase.ANSWER and seat == self.table.seat:
            self._take_sum(seat, 0)
            self._is_due(event)
            return
        if not self._knows_seat:
            self._end_turn(seat)
            self._dues.skipped = seat
        elif seat != self._dues.skipped:
            self._refuse("nothing costs that seat its turn")
        self._retelling.told.append(event)

    def _call(self, event: Event) -> None:
        if self.table.phase is not Phase.CATCH or not self._act(seat_of(event), UNO):
            self.table.call_uno(seat_of(event))
        self._retelling.told.append(event)

    def _name_color(self, event: Event) -> None:
        assert event.color is not None
        if self.table.phase is Phase.NAME_COLOR:
            self.table.give_turn(seat_of(event))
        if not self._act(seat_of(event), Action.name_color(event.color)):
            self._refuse("only the color of a Wild that was turned up is named so")
        self._note(event)

    def _accept(self, event: Event) -> None:
        seat, count = seat_of(event), event.count or 0
        self._require_turn(seat)
        is_sum = count == self.table.owed or (count > self.table.owed and self.owes_more)
        if self.table.phase is not Phase.ANSWER or not is_sum:
            self._refuse(f"seat {seat} is not asked about {count} cards")
        self.table.owe(count)
        self.owes_more = False
        self._act(seat, ACCEPT)
        self._retelling.told.append(event)

    def _catch(self, event: Event) -> None:
        seat, target = seat_of(event), event.target
        assert target is not None
        if self.player is None and self.table.sizes[target] == 1:
            self.table.forget_uno(target)  # who played the card on top was not told
        if self.table.phase is Phase.CATCH and target == self.table.player:
            self.table.pass_window(seat)
        if not self._act(seat, CATCH):
            self._refuse("only who has just played down to one card is caught, and where the rules have a penalty")
        self._retelling.told.append(event)

    def _challenge(self, event: Event) -> None:
        seat, target = seat_of(event), event.target
        assert target is not None
        self._require_turn(seat)
        held = self.table.sizes[target] if self.player is None else self._held
        is_player = self.table.phase is Phase.ANSWER and target == self.table.player
        if not is_player or not self._act(seat, CHALLENGE, is_guilty=bool(event.guilty)):
            self._refuse("only who has just played a Wild Draw Four is challenged, and under wild_draw_four=bluff")
        for card, count in Counter(event.cards or ()).items():
            if count + self.discards.count(card) > self.rules.deck.get(card, 0):
                self._refuse(f"there are not that many {card}")
        if event.cards is not None and len(event.cards) != held:
            self._refuse(f"seat {target} held {held} cards then, not the {len(event.cards)} shown")
        if self.last_color is None:
            return  # Without the color that was active before, the verdict says nothing.
        # Told as a challenge of another seat where seat 0 saw a hand, but does not say which.
        self._retelling.told.append(event if event.cards is not None else replace(event, seat=target))

    def _move_hands(self, event: Event) -> None:
        seat = event.seat
        # Where it is not known whose turn it is, it is not known who played the top card.
        follows = [] if self._knows_seat else self.table.resolve(seat or YOU)
        if event.kind is EventKind.HANDS_PASSED:
            self._dues.replace([due for due in follows if due.kind is EventKind.HANDS_PASSED])
            if not self._is_due(event):
                self._refuse("nobody has just played a 0")
            return
        assert seat is not None
        assert event.target is not None
        if not self._act(seat, Action.swap(event.target)):
            self._refuse(f"seat {seat} has not just played a 7")
        self._note(event)

    def _require_turn(self, seat: int) -> None:
        if not self._knows_seat:
            self.table.give_turn(seat)
        elif seat != self.table.seat:
            over = self.table.phase is Phase.OVER
            self._refuse("the round is over" if over else f"it is the turn of seat {self.table.seat}")

    def _finish(self) -> None:
        if self.table.phase is Phase.DRAWN and self.table.seat != YOU:
            self._keep()
        if self.table.phase is Phase.CATCH:
            self._dues.replace(self.table.pass_window())
        self._dues.finish()
        if self.table.phase is Phase.OVER:
            self._refuse("at its end the round is over")
        seat = self.table.seat
        if self._knows_seat and seat != YOU and self.table.phase is Phase.SWAP:
            self._refuse(f"at its end seat {seat} has to swap hands first")
        if self._knows_seat and seat != YOU:
            self._refuse(f"at its end it is the turn of seat {seat}, not yours (seat 0)")

    def _refuse(self, why: str) -> NoReturn:
        refuse(why, self._event)


_HEARD: Final[Mapping[EventKind, Callable[[Replay, Event], None]]] = {
    EventKind.PLAYED: Replay._play,
    EventKind.JUMPED_IN: Replay._play,
    EventKind.KEPT: Replay._hear_kept,
    EventKind.SKIPPED: Replay._skip,
    EventKind.SWAPPED: Replay._move_hands,
    EventKind.HANDS_PASSED: Replay._move_hands,
    EventKind.CALLED_UNO: Replay._call,
    EventKind.NAMED_COLOR: Replay._name_color,
    EventKind.ACCEPTED: Replay._accept,
    EventKind.CAUGHT: Replay._catch,
    EventKind.CHALLENGED: Replay._challenge,
}
