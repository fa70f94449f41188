"""A history as a person tells it: followed by the rules, completed, and given a beginning that the core can learn from.

Messages name what was given as `history`, in backticks; whoever asked for it may write the name as its own option.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NoReturn

from lastcard.actions import Action
from lastcard.cards import WILD_DRAW_FOUR, Card, Color, Rank, parse_card
from lastcard.errors import StateError
from lastcard.events import Event, EventKind, format_event
from lastcard.rules import Rules

YOU: Final = 0
_PLAYS: Final = (EventKind.PLAYED, EventKind.JUMPED_IN)
_TURNS_BACK: Final = parse_card("rR")


def is_asked(rules: Rules, top: Card) -> bool:
    """Whether a seat that has to draw for the top card may answer (Rules 6.3 and 10.1)."""
    return rules.stacking != "none" or (rules.wild_draw_four == "bluff" and top is WILD_DRAW_FOUR)


class Story:
    """What a history of seat 0 comes to: how the table stands after it, and the events that say so to the core.

    What follows from the rules may be left unsaid: that a seat keeps what it drew, accepts, or is skipped.
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
        self.color: Color | None = None
        self.last_color: Color | None = None
        """The color that was active before the top card, where the history tells."""
        self.player: int | None = None
        """Who played the top card."""
        self.seat: int | None = None
        """Whose turn it is, where the history tells."""
        self.actor: int | None = None
        self.drawer: int | None = None
        """Who has drawn and may play that card."""
        self.last_drawn: tuple[Card, ...] = ()
        """What seat 0 drew last, where it is told."""
        self.swapper: int | None = None
        """Who has played a 7 and must swap hands."""
        self.owed = 0
        self.owes_more = False
        """Whether what was stacked before the history, and so the sum, is not known."""
        self.declared: set[int] = set()
        self.discards: list[Card] = []
        """Cards known to lie in the discard pile from the history, in order."""
        self.forgot_discards = False
        """Whether the discards from before the history went back into the draw pile."""
        self.plies = 0
        self._due: tuple[int, int] | None = None
        self._passes_hands = False
        self._skipped: int | None = None
        self._has_answered = False
        self._held = 0
        self._event: Event | None = None
        self._told: list[Event] = []
        self._opening: tuple[Card, Color, bool] | None = None
        self.sizes, self.direction = self._count_back(history, sizes, direction)
        self._start_sizes, self._start_direction = tuple(self.sizes), self.direction
        self._begin(history, top, color)
        for index, event in enumerate(history):
            self._event = event
            self._hear(event, history[index - 1] if index else None)
        self._event = None
        self._finish()

    def events(self, hand: Sequence[Card]) -> list[Event]:
        """The history for the core, from a deal on that leads there.

        A draw means nothing without the card it was drawn on, so the events begin where that is known: with a play of
        seat 0, of whose choices nothing is learned.
        """
        told, own = self._assign_own_cards(hand)
        if self._opening is None:
            return [*self._deal(own), Event(EventKind.TURNED_UP, card=self.top), *told]
        card, color, owes = self._opening
        action = Action.play(card, naming=color if card.is_wild else None)
        before = -self._start_direction if card.rank is Rank.REVERSE else self._start_direction
        opening = [Event(EventKind.TURNED_UP, card=_TURNS_BACK)] if before < 0 else []
        opening.append(Event(EventKind.PLAYED, seat=YOU, action=action))
        if action.draw_penalty and not owes:
            opening.append(Event(EventKind.SKIPPED, seat=YOU))
        return [*self._deal([*own, card]), *opening, *told]

    def _deal(self, own: Sequence[Card]) -> list[Event]:
        others = [Event(EventKind.DEALT, seat, count=self._start_sizes[seat]) for seat in range(1, len(self.sizes))]
        return [Event(EventKind.DEALT, YOU, count=len(own), hands=((YOU, tuple(sorted(own))),)), *others]

    def _assign_own_cards(self, hand: Sequence[Card]) -> tuple[list[Event], list[Card]]:
        """The events, seat 0's draws with cards that they can have been, and what it held before all of them."""
        own = Counter(hand)
        named = Counter(card for event in self._told if event.kind is EventKind.DREW for card in event.cards or ())
        told: list[Event] = []
        for event in reversed(self._told):
            cards = event.cards
            if event.seat == YOU and event.action is not None and event.action.card is not None:
                own[event.action.card] += 1
            if event.seat != YOU or event.kind is not EventKind.DREW:
                told.append(event)
                continue
            if cards is None:
                cards = tuple((own - named).elements())[: event.count]
            else:
                named.subtract(cards)
            own.subtract(cards)
            if len(cards) != event.count or min(own.values(), default=0) < 0:
                self._refuse("you neither hold those cards nor have you played them since", event)
            told.append(replace(event, hands=((YOU, cards),)))
        return told[::-1], list(own.elements())

    # Before the history

    def _count_back(self, history: Sequence[Event], sizes: Sequence[int], direction: int) -> tuple[list[int], int]:
        """Hand sizes and direction before everything."""
        counts, players = list(sizes), len(sizes)
        for event in reversed(history):
            for seat in (event.seat, event.target):
                if seat is not None and seat >= players:
                    self._refuse(f"there are only the seats 0 to {players - 1}", event)
            seat = event.seat or 0
            if event.action is not None and event.action.card is not None:
                counts[seat] += 1
                direction *= -1 if event.action.card.rank is Rank.REVERSE else 1
            elif event.kind is EventKind.DREW:
                counts[seat] -= event.count or 0
                if counts[seat] < 1:
                    whose = "you hold" if seat == YOU else f"seat {seat} holds"
                    self._refuse(f"{whose} only {sizes[seat]} now, so that none would have been left before", event)
            elif event.kind is EventKind.SWAPPED and event.target is not None:
                counts[seat], counts[event.target] = counts[event.target], counts[seat]
            elif event.kind is EventKind.HANDS_PASSED:
                counts = [counts[(seat + direction) % players] for seat in range(players)]
        return counts, direction

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
        self.top, self.color = card, color
        self.discards.append(card)
        first, second = (*history, None, None)[:2]
        penalty = {Rank.DRAW_TWO: 2, Rank.WILD_DRAW_FOUR: 4}.get(card.rank, 0)
        if penalty and first is not None:
            goes_on = second is not None and second.seat == first.seat and second.kind in (*_PLAYS, EventKind.KEPT)
            if first.kind is EventKind.ACCEPTED:
                self.owed = first.count or 0
            elif first.kind is EventKind.CHALLENGED or (
                first.kind is EventKind.DREW and first.count == penalty and not goes_on
            ):
                self.owed = penalty
                self.owes_more = self.rules.stacking != "none"
        self._open()

    def _open(self) -> None:
        """From here on events tell something."""
        self._told.clear()
        self._start_sizes, self._start_direction = tuple(self.sizes), self.direction
        if self.top is not None and self.color is not None:
            self._opening = (self.top, self.color, self.owed > 0)

    # Event by event

    def _hear(self, event: Event, previous: Event | None) -> None:
        kind, seat = event.kind, event.seat
        if kind is EventKind.DEALT:
            self._refuse("leave it out; what was dealt follows from the hands of now")
        if kind is EventKind.TURNED_UP:
            if previous is not None:
                self._refuse("it can only come first, as the card on top before everything")
            return
        if event.kind in (EventKind.DREW, EventKind.CHALLENGED) and seat != YOU and event.hands:
            self._refuse("you cannot have seen those cards")
        if kind is EventKind.PASSED:
            return
        if kind is EventKind.RESHUFFLED:
            self.discards = self.discards[-1:]
            self.forgot_discards = True
            return
        if self.top is None and kind not in _PLAYS:
            self._change_sizes(event)
            return
        self._require_what_is_due(event)
        if self.drawer is not None and not self._goes_on(event):
            self._keep(self.drawer)
        if kind in _PLAYS:
            self._play(event)
        elif kind is EventKind.DREW:
            self._draw(event, previous)
        elif kind is EventKind.KEPT:
            if self.seat is None and seat is not None:
                self.seat = self._after(seat)
            elif self.drawer != seat or seat is None:
                self._refuse(f"seat {seat} has not just drawn a card in its turn")
            else:
                self._keep(seat)
        elif kind is EventKind.SKIPPED:
            self._skip(event)
        elif kind in (EventKind.SWAPPED, EventKind.HANDS_PASSED):
            self._move_hands(event)
        else:
            self._say(event)
        if kind not in (EventKind.DREW, EventKind.SKIPPED, EventKind.HANDS_PASSED):
            self.actor = seat

    def _require_what_is_due(self, event: Event) -> None:
        if self.top is not None and self.color is None and event.kind is not EventKind.NAMED_COLOR:
            self._refuse("it must be told first who named which color, such as '1 names g'")
        if self._due and (event.kind is not EventKind.DREW or event.seat != self._due[0]):
            self._refuse(f"seat {self._due[0]} has to draw {self._due[1]} first")
        is_window = event.kind is EventKind.CAUGHT or (event.kind is EventKind.CALLED_UNO and event.seat == self.player)
        if self._due or is_window:  # Rule 7.3: both come before the effect
            return
        if self.swapper is not None and (event.kind is not EventKind.SWAPPED or event.seat != self.swapper):
            self._refuse(f"seat {self.swapper} has to swap hands first")
        if self._passes_hands and event.kind is not EventKind.HANDS_PASSED:
            self._refuse("after a 0 'hands pass' comes first")

    def _goes_on(self, event: Event) -> bool:
        """Whether the seat that drew is still busy with that card."""
        kinds = (EventKind.PLAYED, EventKind.KEPT, EventKind.CALLED_UNO, EventKind.DREW)
        return event.seat == self.drawer and event.kind in kinds

    def _play(self, event: Event) -> None:
        seat, action = event.seat, event.action
        assert seat is not None
        assert action is not None
        assert action.card is not None
        card, is_first = action.card, self.top is None
        if event.kind is EventKind.JUMPED_IN:
            can = self.rules.jump_in and not self.owed and seat != self.player and not card.is_wild
            if not can or (card is not self.top and not is_first):
                self._refuse("only another seat can jump in, with the identical card and where the rules allow it")
        else:
            self._require_turn(seat)
            self._require_fit(card)
        self.plies += 1
        self.sizes[seat] -= 1
        self.discards.append(card)
        self.last_color, self.top, self.color, self.player = self.color, card, action.color, seat
        self.drawer = self._skipped = None
        self._has_answered = False
        self._held = self.sizes[seat]
        self.owed += action.draw_penalty
        self.direction *= -1 if card.rank is Rank.REVERSE else 1
        self.seat = self._after(seat)
        if card.rank is Rank.SKIP or (card.rank is Rank.REVERSE and self.rules.players == 2):
            self._skipped, self.seat = self.seat, self._after(self.seat)
        self.swapper = seat if self.rules.seven_zero and card.rank is Rank.SEVEN else None
        self._passes_hands = self.rules.seven_zero and card.rank is Rank.ZERO
        if is_first:
            self.owes_more = self.owed > 0 and self.rules.stacking != "none"
            self._open()
        else:
            self.owes_more = self.owes_more and self.owed > 0
            self._told.append(event)

    def _draw(self, event: Event, previous: Event | None) -> None:
        seat, count = event.seat, event.count or 0
        assert seat is not None
        resumes = self.drawer == seat and previous is not None and previous.kind is EventKind.RESHUFFLED
        if self._due:
            if count > self._due[1] and not self.owes_more:
                self._refuse(f"seat {seat} has to draw {self._due[1]}")
            left = self._due[1] - count
            self._due = (seat, left) if left > 0 else None
        elif self.owed:
            self._require_turn(seat)
            if count > self.owed and not self.owes_more:
                self._refuse(f"seat {seat} has to draw {self.owed}")
            # Rule 2.2: nobody is asked about a card that was turned up.
            if self._is_asked() and not self._has_answered and self.player is not None:
                self._told.append(Event(EventKind.ACCEPTED, seat, count=self.owed))
            self._has_answered = True
            self.owed = max(self.owed - count, 0)
            if not self.owed:
                self._skipped, self.seat = seat, self._after(seat)
        else:
            if not resumes:
                if self.drawer == seat:
                    self._refuse(f"seat {seat} has already drawn in this turn")
                self._require_turn(seat)
                self.plies += 1
            if count > 1 and not self.rules.draw_until_playable:
                self._refuse("one card is drawn in a turn")
            ends = self.rules.drawn_card == "end_turn" or count == 0
            self.drawer = None if ends else seat
            self.actor = seat
            self.seat = self._after(seat) if ends else seat
        self.last_drawn = event.cards or ()
        self.declared.discard(seat)
        self.sizes[seat] += count
        self._told.append(event)

    def _keep(self, seat: int) -> None:
        self.plies += 1
        self.drawer = None
        self.declared.discard(seat)
        self.seat = self._after(seat)
        self._told.append(Event(EventKind.KEPT, seat))

    def _skip(self, event: Event) -> None:
        if self.owed and event.seat == self.seat:
            self.owed = 0  # Rule 5.2: there was nothing more to draw
            self._skipped, self.seat = self.seat, self._after(self.seat or 0)
        elif self.seat is None and event.seat is not None:
            self._skipped, self.seat = event.seat, self._after(event.seat)
        elif event.seat != self._skipped:
            self._refuse("nothing costs that seat its turn")
        self._told.append(event)

    def _say(self, event: Event) -> None:
        kind, seat, target = event.kind, event.seat, event.target
        assert seat is not None
        keeps = True
        if kind is EventKind.CALLED_UNO:
            self.declared.add(seat)
        elif kind is EventKind.NAMED_COLOR:
            if self.top is None or not self.top.is_wild or self.player is not None:
                self._refuse("only the color of a Wild that was turned up is named so")
            self.color, self.seat = event.color, seat
            self._open()
            keeps = False
        elif kind is EventKind.ACCEPTED:
            self._require_turn(seat)
            count = event.count or 0
            if not self._is_asked() or count < self.owed or (count > self.owed and not self.owes_more):
                self._refuse(f"seat {seat} is not asked about {count} cards")
            self.owed, self.owes_more, self._has_answered = count, False, True
        elif kind is EventKind.CAUGHT:
            can = self.rules.uno_penalty and self.player in (None, target)
            if not can or target is None or self.sizes[target] != 1:
                self._refuse("only who has just played down to one card is caught, and where the rules have a penalty")
            self._due = (target, self.rules.uno_penalty)
        elif kind is EventKind.CHALLENGED:
            self._challenge(event)
            return
        if keeps:
            self._told.append(event)

    def _challenge(self, event: Event) -> None:
        seat, target = event.seat, event.target
        assert seat is not None
        assert target is not None
        self._require_turn(seat)
        is_bluff = self.rules.wild_draw_four == "bluff" and self.top is WILD_DRAW_FOUR and self.owed > 0
        if not is_bluff or self.player not in (None, target):
            self._refuse("only who has just played a Wild Draw Four is challenged, and under wild_draw_four=bluff")
        held = self.sizes[target] if self.player is None else self._held
        for card, count in Counter(event.cards or ()).items():
            if count + self.discards.count(card) > self.rules.deck.get(card, 0):
                self._refuse(f"there are not that many {card}")
        if event.cards is not None and len(event.cards) != held:
            self._refuse(f"seat {target} held {held} cards then, not the {len(event.cards)} shown")
        if event.guilty:
            self._due, self.owed = (target, self.owed), 0
        else:
            self.owed += 2
        self._has_answered = True
        if self.last_color is None:
            return  # Without the color that was active before, the verdict says nothing.
        # Told as a challenge of somebody else's where seat 0 saw a hand, but does not say which.
        self._told.append(event if event.cards is not None else replace(event, seat=target))

    def _move_hands(self, event: Event) -> None:
        # Who played the card on top is not known before the first play.
        rank = self.top.rank if self.rules.seven_zero and self.seat is None and self.top is not None else None
        if event.kind is EventKind.SWAPPED and event.seat != self.swapper:
            if rank is not Rank.SEVEN:
                self._refuse(f"seat {event.seat} has not just played a 7")
            self.seat = self._after(event.seat or 0)
        if event.kind is EventKind.HANDS_PASSED and not self._passes_hands and rank is not Rank.ZERO:
            self._refuse("nobody has just played a 0")
        self.swapper, self._passes_hands = None, False
        self._change_sizes(event)
        # What seat 0 gave away or held before is not told: only what comes after counts.
        if event.kind is EventKind.HANDS_PASSED or YOU in (event.seat, event.target):
            self._open()
        else:
            self._told.append(event)

    def _change_sizes(self, event: Event) -> None:
        seat, target, players = event.seat, event.target, len(self.sizes)
        if event.kind is EventKind.DREW and seat is not None:
            self.sizes[seat] += event.count or 0
        elif event.kind is EventKind.SWAPPED and seat is not None and target is not None:
            self.sizes[seat], self.sizes[target] = self.sizes[target], self.sizes[seat]
            self.declared -= {seat, target}
        elif event.kind is EventKind.HANDS_PASSED:
            self.sizes = [self.sizes[(seat - self.direction) % players] for seat in range(players)]
            self.declared.clear()

    def _finish(self) -> None:
        if self.drawer is not None and self.drawer != YOU:
            self._keep(self.drawer)
        if self._due:
            self._refuse(f"at its end seat {self._due[0]} has to draw {self._due[1]} first")
        if self._passes_hands:
            self._refuse("after a 0 'hands pass' must be told")
        if self.swapper not in (None, YOU):
            self._refuse(f"at its end seat {self.swapper} has to swap hands first")
        if self.seat not in (None, YOU) and self.swapper is None:
            self._refuse(f"at its end it is the turn of seat {self.seat}, not yours (seat 0)")
        if self.owed and not self._is_asked():
            self._refuse(f"at its end you have to draw {self.owed}, without a choice; add '0 draws {self.owed}'")

    # The rules

    def _after(self, seat: int) -> int:
        return (seat + self.direction) % self.rules.players

    def _is_asked(self) -> bool:
        return self.top is not None and is_asked(self.rules, self.top)

    def _require_turn(self, seat: int) -> None:
        if self.seat is not None and seat != self.seat:
            self._refuse(f"it is the turn of seat {self.seat}")
        self.seat = seat

    def _require_fit(self, card: Card) -> None:
        if self.top is None:
            return
        if self.owed:
            is_four = card is WILD_DRAW_FOUR
            on_four = self.top is WILD_DRAW_FOUR
            stacks = is_four and (on_four or self.rules.stacking == "any_up")
            stacks = stacks or (card.rank is Rank.DRAW_TWO and not on_four)
            if self.rules.stacking == "none" or not stacks:
                self._refuse(f"seat {self.seat} has to draw {self.owed} first")
        elif not card.is_wild and card.color is not self.color and card.rank is not self.top.rank:
            color = f" ({self.color.word} is active)" if self.color and self.top.is_wild else ""
            self._refuse(f"{card} does not match {self.top}{color}")

    def _refuse(self, why: str, event: Event | None = None) -> NoReturn:
        event = event or self._event
        raise StateError(f"`history`: {f'{format_event(event)!r} cannot be: ' if event else ''}{why}")
