"""Events: public facts of a round, as sent to the seats that may know them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final

from lastcard import _core
from lastcard.actions import ACTIONS, Action
from lastcard.cards import CARDS, Card, Color
from lastcard.errors import NotationError, shorten
from lastcard.rules import Rules


class EventKind(Enum):
    """The kind of an event.

    >>> parse_event("1 draws 2").kind
    <EventKind.DREW: 'draws'>
    """

    DEALT = "is dealt"
    TURNED_UP = "turned up"
    RESHUFFLED = "reshuffled"
    PLAYED = "plays"
    JUMPED_IN = "jumps in"
    DREW = "draws"
    KEPT = "keeps"
    NAMED_COLOR = "names"
    ACCEPTED = "accepts"
    CALLED_UNO = "calls uno"
    CAUGHT = "catches"
    CHALLENGED = "challenges"
    PASSED = "passes"
    SWAPPED = "swaps with"
    HANDS_PASSED = "hands pass"
    SKIPPED = "is skipped"


@dataclass(frozen=True, slots=True)
class Event:
    """One event, with the private cards that its reader may know.

    >>> parse_event("1 draws 2").count, parse_event("1 draws 2").cards
    (2, None)
    """

    kind: EventKind
    seat: int | None = None
    """The seat that acted, or that was affected."""
    target: int | None = None
    """The other seat of a catch, challenge or swap."""
    action: Action | None = None
    """The play that was made."""
    card: Card | None = None
    """The card that was turned up."""
    color: Color | None = None
    """The color that was named."""
    count: int | None = None
    """Number of cards."""
    guilty: bool | None = None
    """Verdict of a challenge."""
    hands: tuple[tuple[int, tuple[Card, ...]], ...] = ()
    """Private cards, by the seat that saw them: drawn or dealt cards, the hand shown, or the hand received."""

    @property
    def cards(self) -> tuple[Card, ...] | None:
        """The private cards, where just one seat's are known; None where none are."""
        return self.hands[0][1] if len(self.hands) == 1 else None

    def __str__(self) -> str:
        return format_event(self)


# The core's numbering: 1 (a card got) and 13 (a card shown) follow the event they belong to.
_KINDS: Final[dict[int, EventKind]] = dict(
    zip((0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17), EventKind, strict=True)
)
_CODES: Final = {kind: code for code, kind in _KINDS.items()}
_GOT, _SHOWN = 1, 13
_NOBODY: Final = -1
_PLAYS: Final = (EventKind.PLAYED, EventKind.JUMPED_IN)
_COUNTED: Final = (EventKind.DEALT, EventKind.RESHUFFLED, EventKind.DREW, EventKind.ACCEPTED)
_TARGETED: Final = (EventKind.CAUGHT, EventKind.CHALLENGED, EventKind.SWAPPED)
_SEATLESS: Final = (EventKind.TURNED_UP, EventKind.RESHUFFLED, EventKind.HANDS_PASSED)


def unpack_events(packed: Sequence[int], observer: int | None = None) -> tuple[Event, ...]:
    """Turns the core's numbers into events; an observer is known to have received even an empty hand."""
    events: list[Event] = []
    i = 0
    while i < len(packed):
        start, i = i, i + 1
        while i < len(packed) and packed[i] & 255 in (_GOT, _SHOWN):
            i += 1
        events.append(_unpack_event(tuple(packed[start:i]), observer))
    return tuple(events)


@lru_cache(maxsize=1 << 12)  # the same happens again and again, and events never change
def _unpack_event(packed: tuple[int, ...], observer: int | None) -> Event:
    code = packed[0]
    kind, seat, other, card = _KINDS[code & 255], code >> 8 & 255, code >> 16 & 255, code >> 24
    private: dict[int, list[Card]] = {}
    for got in packed[1:]:
        private.setdefault(got >> 8 & 255, []).append(CARDS[got >> 24])
    if kind is EventKind.CHALLENGED and observer in (None, seat):
        private.setdefault(seat, [])
    return Event(
        kind,
        seat=None if kind in _SEATLESS else seat,
        target=other if kind in _TARGETED else None,
        action=ACTIONS[card] if kind in _PLAYS else None,
        card=CARDS[card] if kind is EventKind.TURNED_UP else None,
        color=Color(card) if kind is EventKind.NAMED_COLOR else None,
        count=other if kind in _COUNTED else None,
        guilty=bool(card) if kind is EventKind.CHALLENGED else None,
        hands=tuple((owner, tuple(cards)) for owner, cards in private.items()),
    )


def pack_events(events: Iterable[Event]) -> list[int]:
    """The inverse of `unpack_events`."""
    packed: list[int] = []
    for event in events:
        packed.append(_pack(event))
        private = _SHOWN if event.kind is EventKind.CHALLENGED else _GOT
        packed += [private | owner << 8 | c.index << 24 for owner, cards in event.hands for c in cards]
    return packed


def _pack_hands(event: Event) -> list[tuple[int, list[int]]]:
    return [(seat, [card.index for card in cards]) for seat, cards in event.hands]


def _pack(event: Event) -> int:
    """The event without its private cards."""
    other = event.target if event.target is not None else event.count or 0
    value = event.color.value if event.color else int(bool(event.guilty))
    subject = event.action or event.card
    return pack_event(event.kind, event.seat or 0, other, subject.index if subject else value)


def pack_event(kind: EventKind, seat: int = 0, other: int = 0, value: int = 0) -> int:
    """One event as the core's number: `other` counts cards or is the other seat, `value` an action, card or color.

    >>> unpack_events([pack_event(EventKind.DREW, seat=1, other=2)])[0].count
    2
    """
    return _CODES[kind] | seat << 8 | other << 16 | value << 24


def pack_card(seat: int, card: Card) -> int:
    """A card that only the seat saw, to follow the event in which it came.

    >>> unpack_events([pack_event(EventKind.DREW, seat=1, other=1), pack_card(1, CARDS[5])])[0].cards
    (parse_card('r5'),)
    """
    return _GOT | seat << 8 | card.index << 24


@dataclass(frozen=True, slots=True)
class Aftermath:
    """Consequences that an event does not state itself."""

    hand_sizes: tuple[int, ...]
    """Hand sizes of all seats after the event."""
    is_forced: bool
    """True if the event is a draw that the seat did not choose."""


class EventFollower:
    """Follows the events of a round by the rules, from the deal on.

    >>> follower = EventFollower(Rules())
    >>> texts = ("0 is dealt 7", "1 is dealt 7", "turned up r5", "0 plays r+2", "1 draws 2")
    >>> [follower.hear(parse_event(text)) for text in texts][-1]
    Aftermath(hand_sizes=(6, 9), is_forced=True)
    """

    def __init__(self, rules: Rules) -> None:
        """Begins before the deal."""
        self._core = _core.EventFollower(rules._compiled)

    def hear(self, event: Event) -> Aftermath:
        """Takes in the next event."""
        self._core.hear(pack_events([event]))
        return Aftermath(tuple(self._core.sizes), self._core.is_forced)


def format_event(event: Event) -> str:
    """Writes an event so that `parse_event` reads it back.

    >>> from lastcard.cards import parse_cards
    >>> format_event(Event(EventKind.DREW, seat=1, count=2, hands=((1, parse_cards("r5 w")),)))
    '1 draws 2 (r5 w)'
    """
    if not isinstance(event, Event):
        raise NotationError(f"expected an Event, not {shorten(event)}")
    return _core.format_event(_pack(event), _pack_hands(event))


def describe_event(event: Event) -> dict[str, object]:
    """Returns an event as JSON values, without the fields that do not apply.

    >>> describe_event(parse_event("1 plays w:g"))
    {'kind': 'played', 'seat': 1, 'action': 'w:g'}
    """
    return _core.describe_event(_pack(event), _pack_hands(event))


def parse_event(text: str) -> Event:
    """Reads an event of the truth's history.

    Raises:
        NotationError: if the text is not an event.

    >>> parse_event("1 draws 2 (r5 w)").count
    2
    """
    packed, hands = _core.parse_event(text)
    event = _unpack_event((packed,), _NOBODY)
    return dataclasses.replace(event, hands=tuple((seat, tuple(CARDS[i] for i in faces)) for seat, faces in hands))
