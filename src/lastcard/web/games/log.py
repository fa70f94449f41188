"""Events as data: what happened, with the cards that the receiver saw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from lastcard.cards import Card
from lastcard.events import Event, EventKind
from lastcard.observation import PublicObservation

_NOT_DONE: Final = (
    EventKind.DEALT,
    EventKind.TURNED_UP,
    EventKind.RESHUFFLED,
    EventKind.HANDS_PASSED,
    EventKind.PASSED,
)
"""Events that are not a seat's own doing; a pass is left out because others must not notice it."""


def describe_event(event: Event, hands: Mapping[int, Sequence[Card]]) -> dict[str, Any]:
    """An event as JSON values, without the fields that do not apply.

    Args:
        event: The event.
        hands: Cards that the receiver saw in it, by seat; those of `event` may be more.

    >>> from lastcard.events import parse_event
    >>> describe_event(parse_event("1 plays w:g"), {})
    {'kind': 'played', 'seat': 1, 'action': 'w:g'}
    """
    fields = {
        "action": event.action and event.action.text,
        "card": event.card and event.card.text,
        "color": event.color and event.color.letter,
        "count": event.count,
        "target": event.target,
        "guilty": event.guilty,
        "hands": {str(seat): [card.text for card in cards] for seat, cards in hands.items()} or None,
    }
    used = {name: value for name, value in fields.items() if value is not None}
    return {"kind": event.kind.name.lower(), "seat": event.seat, **used}


def list_log(observation: PublicObservation, observer: int | None, earlier: int, since: int) -> list[dict[str, Any]]:
    """The events after the number `since`, oldest first; numbers count from the `earlier` events of other rounds."""
    first = max(since - earlier, 0)
    recent = list(islice(observation.recall(), max(observation.num_events - first, 0)))
    return [
        {**describe_event(event, own_hand(event, observer)), "n": number}
        for number, event in enumerate(reversed(recent), earlier + first + 1)
    ]


def last_deeds(backwards: Iterable[Event], observer: int | None, num_seats: int) -> list[dict[str, Any] | None]:
    """The last event of each seat's own doing; None if there is none yet."""
    deeds: list[dict[str, Any] | None] = [None] * num_seats
    left = set(range(num_seats))
    for event in backwards:
        if event.seat in left and event.kind not in _NOT_DONE:
            deeds[event.seat] = describe_event(event, own_hand(event, observer))
            left.remove(event.seat)
            if not left:
                break
    return deeds


def own_hand(event: Event, observer: int | None) -> dict[int, Sequence[Card]]:
    """The cards of an event that the observer saw; none for a spectator."""
    return {seat: cards for seat, cards in event.hands if seat == observer}
