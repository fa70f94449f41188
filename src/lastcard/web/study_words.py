"""What happened, as somebody is told who studies the game and sat in no seat of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lastcard.cards import Card
from lastcard.events import Event
from lastcard.web.words import Words, card_words

_NOBODY: Final = -1
"""No seat is "you"."""


class StudyWords(Words):
    """Says events with all the cards that they tell of: of a seat's history what it saw, of the truth everything.

    >>> from lastcard.events import parse_event
    >>> StudyWords(["Ada", "Ben"]).sentence(parse_event("1 draws 2 (r5 w)"))
    'Ben draws 2 cards (red 5, Wild).'
    """

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(names, _NOBODY)

    def told(self, event: Event) -> dict[str, object]:
        """The event in a sentence, and whose it is, as JSON values."""
        return {"seat": event.seat, "kind": event.kind.name.lower(), "text": self.sentence(event)}

    def _own_cards(self, event: Event) -> str:
        seen = dict(event.hands)
        if len(seen) > 1:
            return f" ({'; '.join(f'to {self._names[seat]}: {_list_cards(seen[seat])}' for seat in seen)})"
        return "".join(f" ({_list_cards(cards)})" for cards in seen.values() if cards)


def _list_cards(cards: Sequence[Card]) -> str:
    return ", ".join(map(card_words, cards)) or "nothing"
