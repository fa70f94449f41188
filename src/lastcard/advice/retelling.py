"""A history retold to the core, from a deal on that leads to where it begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NoReturn

from lastcard.actions import Action
from lastcard.advice.public_table import MAX_CARDS, PublicTable, take_back
from lastcard.cards import Card, Color, Rank, parse_card
from lastcard.errors import StateError
from lastcard.events import Event, EventKind, format_event

YOU: Final = 0
_TURNS_BACK: Final = parse_card("rR")


def refuse(why: str, event: Event | None = None) -> NoReturn:
    """Says what is wrong with a history, and with which event."""
    raise StateError(f"`history`: {f'{format_event(event)!r} cannot be: ' if event else ''}{why}")


def seat_of(event: Event) -> int:
    """The seat, which events of most kinds always have."""
    assert event.seat is not None
    return event.seat


class Retelling:
    """Events that say the same to the core, with a beginning that it can learn from.

    A draw means nothing without the card it was drawn on, so they begin where that is known: with a play of seat 0, of
    whose choices nothing is learned.
    """

    def __init__(self, table: PublicTable) -> None:
        """Begins at the table as it stands."""
        self.told: list[Event] = []
        self._opening: tuple[Action, bool] | None = None
        self._sizes, self._direction = table.sizes, table.direction

    def open(self, table: PublicTable, top: Card, color: Color | None, pending: Sequence[Event]) -> None:
        """Forgets what was told; from here on events tell something. What is pending has yet to be told."""
        self.told.clear()
        sizes = list(table.sizes)
        draws = [event for event in pending if event.kind is EventKind.DREW]
        for event in draws:
            sizes[event.seat or 0] -= event.count or 0
        after = table.copy()
        after.pass_window()
        self._sizes, self._direction = tuple(sizes), after.direction
        if color is not None:
            owes = table.owed > 0 or bool(draws)
            self._opening = (Action.play(top, naming=color if top.is_wild else None), owes)

    def events(self, hand: Sequence[Card], top: Card) -> list[Event]:
        """The whole history.

        Raises:
            StateError: if seat 0 cannot have drawn what it says.
        """
        told, own = self._assign_own_cards(hand)
        if self._opening is None:
            return [*self._deal(own), Event(EventKind.TURNED_UP, card=top), *told]
        action, owes = self._opening
        assert action.card is not None
        before = -self._direction if action.card.rank is Rank.REVERSE else self._direction
        opening = [Event(EventKind.TURNED_UP, card=_TURNS_BACK)] if before < 0 else []
        opening.append(Event(EventKind.PLAYED, seat=YOU, action=action))
        if action.draw_penalty and not owes:
            opening.append(Event(EventKind.SKIPPED, seat=YOU))
        return [*self._deal([*own, action.card]), *opening, *told]

    def _deal(self, own: Sequence[Card]) -> list[Event]:
        others = [Event(EventKind.DEALT, seat, count=self._sizes[seat]) for seat in range(1, len(self._sizes))]
        return [Event(EventKind.DEALT, YOU, count=len(own), hands=((YOU, tuple(sorted(own))),)), *others]

    def _assign_own_cards(self, hand: Sequence[Card]) -> tuple[list[Event], list[Card]]:
        """The events, seat 0's draws with cards that they can have been, and what it held before all of them."""
        own = Counter(hand)
        named = Counter(card for event in self.told if event.kind is EventKind.DREW for card in event.cards or ())
        told: list[Event] = []
        for event in reversed(self.told):
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
                refuse("you neither hold those cards nor have you played them since", event)
            told.append(replace(event, hands=((YOU, cards),)))
        return told[::-1], list(own.elements())


def count_back(history: Sequence[Event], sizes: Sequence[int], direction: int) -> tuple[tuple[int, ...], int]:
    """Hand sizes and direction before everything."""
    counts = tuple(sizes)
    for event in reversed(history):
        for seat in (event.seat, event.target):
            if seat is not None and seat >= len(sizes):
                refuse(f"there are only the seats 0 to {len(sizes) - 1}", event)
        if (event.count or 0) > MAX_CARDS:
            refuse("there are not that many cards", event)
        counts, direction = take_back(event, counts, direction)
        seat = event.seat or YOU
        if event.kind is EventKind.DREW and counts[seat] < 1:
            whose = "you hold" if seat == YOU else f"seat {seat} holds"
            refuse(f"{whose} only {sizes[seat]} now, so that none would have been left before", event)
    return counts, direction
