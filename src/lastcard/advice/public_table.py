"""A table of which only the public part is known, played by the core with made-up cards where they are hidden."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lastcard import _core
from lastcard.actions import DRAW, Action
from lastcard.cards import Card, Color, color_of
from lastcard.events import Event, EventKind, pack_events, unpack_events
from lastcard.phase import PHASES, Phase
from lastcard.rules import Rules

MAX_CARDS: Final = 112
"""Cards of the largest possible deck (Rule 1.2)."""


class PublicTable:
    """Public state of a round.

    Methods that let something happen return what follows from it by the rules, as events.

    >>> from lastcard.actions import parse_action
    >>> from lastcard.cards import parse_card
    >>> table = PublicTable(Rules(), (7, 7), direction=1)
    >>> table.lay(parse_card("r5"), Color.RED)
    >>> table.give_turn(0)
    >>> [str(event) for event in table.act(0, parse_action("r+2"))]
    ['1 draws 2', '1 is skipped']
    """

    def __init__(self, rules: Rules, sizes: Sequence[int], direction: int) -> None:
        """Begins with these hand sizes, before anything is known of the top card or whose turn it is."""
        self._core = _core.begin_public_round(rules._compiled, list(sizes), direction)

    def copy(self) -> PublicTable:
        """A table to try something on."""
        copied = object.__new__(PublicTable)
        copied._core = self._core.copy()
        return copied

    # How it stands

    @property
    def phase(self) -> Phase:
        """Kind of decision of the seat to act."""
        return PHASES[self._core.turn.phase]

    @property
    def seat(self) -> int | None:
        """The seat to act; None when the round is over."""
        return self._core.turn.seat

    @property
    def player(self) -> int | None:
        """Seat that played the top card, or is assumed to have."""
        return self._core.turn.player

    @property
    def color(self) -> Color | None:
        """The active color; None before it is named."""
        return color_of(self._core.turn.active_color)

    @property
    def owed(self) -> int:
        """Cards that the seat to act has to draw unless it stacks or challenges."""
        return self._core.turn.draw_sum

    @property
    def sizes(self) -> tuple[int, ...]:
        """Hand sizes of all seats."""
        return tuple(self._core.sizes)

    @property
    def direction(self) -> int:
        """1 if seats go upwards, -1 if downwards."""
        return self._core.turn.direction

    @property
    def declared(self) -> tuple[int, ...]:
        """The seats whose call of UNO stands."""
        return self._core.turn.declared

    @property
    def last_actor(self) -> int | None:
        """Seat that acted last."""
        return self._core.turn.last_actor

    @property
    def ply(self) -> int:
        """Number of actions so far."""
        return self._core.turn.ply

    # What happens

    def act(self, seat: int, action: Action, *, drawn: int = 0, is_guilty: bool = False) -> list[Event] | None:
        """Lets a seat act; None where the rules forbid it whatever the seat holds."""
        happened = self._core.act(seat, action.index, drawn, is_guilty)
        if happened is None:
            return None
        events = unpack_events(happened)
        return list(events if action == DRAW else events[1:])  # an action is an event itself, but not a draw

    def play_out_of_turn(self, seat: int, action: Action) -> list[Event] | None:
        """Lets a seat play out of turn; None where the rules forbid it."""
        return self.act(seat, action) if self._core.ask_to_jump_in(seat) else None

    def pass_window(self, until: int | None = None) -> list[Event]:
        """Lets all seats pass that are asked about a forgotten UNO before one seat, or all."""
        return list(unpack_events(self._core.pass_window(until)))

    def resolve(self, player: int) -> list[Event]:
        """Lets the top card take effect as if the player had just played it."""
        return list(unpack_events(self._core.resolve(player)))

    def call_uno(self, seat: int) -> None:
        """Lets a seat call UNO before its play."""
        self._core.call_uno(seat)

    # What is told of what is not known

    def lay(self, card: Card, color: Color | None) -> None:
        """Puts a card on top that nobody is known to have played; without a color it is to be named."""
        self._core.lay(card.index, None if color is None else color.value)

    def give_turn(self, seat: int) -> None:
        """Makes it a seat's turn."""
        self._core.give_turn(seat)

    def end_turn(self, seat: int) -> None:
        """Ends a seat's turn, however it went."""
        self._core.end_turn(seat)

    def owe(self, cards: int) -> None:
        """Sets what the seat to act has to draw."""
        self._core.owe(cards)

    def forget_uno(self, player: int) -> None:
        """Opens the window after a play without a call (Rule 7.3), where the rules have one."""
        self._core.forget_uno(player)

    def resize(self, seat: int, more: int) -> None:
        """Gives a seat more cards, or fewer."""
        self._core.resize(seat, self._core.sizes[seat] + more)

    def move_cards(self, event: Event) -> None:
        """Takes in what an event does to hand sizes, where no card on top is known yet."""
        if event.kind is EventKind.DREW and event.seat is not None:
            self.resize(event.seat, event.count or 0)
        elif event.kind is EventKind.SWAPPED and event.seat is not None and event.target is not None:
            self._core.swap_hands(event.seat, event.target)
        elif event.kind is EventKind.HANDS_PASSED:
            self._core.pass_hands()

    def require_draw(self, victim: int, cards: int, player: int | None) -> list[Event]:
        """Makes a seat draw for the top card; who played it is tried out where it is not known."""
        tries = range(len(self.sizes)) if player is None else (player,)
        for suspect in tries:
            table = self.copy()
            table.owe(cards)
            events = table.resolve(suspect)
            if (events[0].seat if events else table.seat) == victim:
                self._core = table._core
                return events
        return []

    def can_be_stacked(self, action: Action) -> bool:
        """Returns True if a draw card can be played on others that no seat has drawn for yet (Rule 10.1)."""
        assert action.card is not None
        table = self.copy()
        table.lay(action.card, action.color)
        table.owe(action.draw_penalty)
        table.resolve(0)
        return table.phase is Phase.ANSWER and table.seat is not None and table.act(table.seat, action) is not None


def take_back(event: Event, sizes: Sequence[int], direction: int) -> tuple[tuple[int, ...], int]:
    """Hand sizes and direction before an event, from those after it."""
    before = _core.take_back_event(pack_events([event]), list(sizes), direction)
    return tuple(before.sizes), before.direction
