"""What happened, an event at a time, as the page says it to one seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from lastcard.cards import Card, Rank
from lastcard.events import Event, EventKind

_RANK_WORDS: Final = {
    Rank.SKIP: "Skip",
    Rank.REVERSE: "Reverse",
    Rank.DRAW_TWO: "Draw Two",
    Rank.WILD: "Wild",
    Rank.WILD_DRAW_FOUR: "Wild Draw Four",
}


def card_words(card: Card) -> str:
    """The card in plain English.

    >>> from lastcard.cards import parse_card
    >>> card_words(parse_card("y+2")), card_words(parse_card("w"))
    ('yellow Draw Two', 'Wild')
    """
    rank = _RANK_WORDS.get(card.rank, card.rank.value)
    return f"{card.color.word} {rank}" if card.color else rank


class Words:
    """Says events to the observer, who is "you", or to whoever looks on."""

    def __init__(self, names: Sequence[str], observer: int | None) -> None:
        self._names = names
        self._observer = observer

    def sentence(self, event: Event) -> str:
        """The event as a sentence.

        >>> from lastcard.events import parse_event
        >>> Words(["You", "Ada"], observer=0).sentence(parse_event("1 plays w:g"))
        'Ada plays Wild and names green.'
        """
        if event.kind is EventKind.DREW and event.count == 0:
            return f"{self._who(event.seat)} {self._verb(event, 'finds', 'find')} nothing to draw."
        text = _SENTENCES[event.kind](self, event)
        return f"{self._who(event.seat)} {text}." if event.seat is not None else f"{text}."

    def last_deeds(self, backwards: Iterable[Event], num_seats: int) -> list[str]:
        """What each seat did last, without saying who; empty if nothing yet.

        >>> from lastcard.events import parse_event
        >>> Words(["You", "Ada"], observer=0).last_deeds([parse_event("1 plays w:g")], num_seats=2)
        ['', 'plays Wild and names green']
        """
        deeds = [""] * num_seats
        left = set(range(num_seats))
        for event in backwards:
            if event.seat in left and event.kind in _DEEDS:
                deeds[event.seat] = self.sentence(event).partition(" ")[2].rstrip(".")
                left.remove(event.seat)
                if not left:
                    break
        return deeds

    def _who(self, seat: int | None) -> str:
        return self._names[seat or 0]

    def _whom(self, seat: int | None) -> str:
        return "you" if seat is not None and seat == self._observer else self._names[seat or 0]

    def _verb(self, event: Event, theirs: str, yours: str) -> str:
        return yours if event.seat is not None and event.seat == self._observer else theirs

    def _own_cards(self, event: Event) -> str:
        """Those that the observer saw, in parentheses."""
        cards = () if self._observer is None else dict(event.hands).get(self._observer, ())
        return f" ({', '.join(map(card_words, cards))})" if cards else ""

    def _dealt(self, event: Event) -> str:
        return f"{self._verb(event, 'is', 'are')} dealt {_cards(event.count)}{self._own_cards(event)}"

    def _turned_up(self, event: Event) -> str:
        return f"{_upper(card_words(event.card))} is turned up" if event.card else "A card is turned up"

    def _reshuffled(self, _: Event) -> str:
        return "The discards are shuffled into a new draw pile"

    def _played(self, event: Event) -> str:
        return f"{self._verb(event, 'plays', 'play')} {self._play(event)}"

    def _jumped_in(self, event: Event) -> str:
        return f"{self._verb(event, 'jumps', 'jump')} in with {self._play(event)}"

    def _play(self, event: Event) -> str:
        if event.action is None or event.action.card is None:
            return "a card"
        card, color = event.action.card, event.action.color
        naming = f" and {self._verb(event, 'names', 'name')} {color.word}" if card.is_wild and color else ""
        return card_words(card) + naming

    def _drew(self, event: Event) -> str:
        return f"{self._verb(event, 'draws', 'draw')} {_cards(event.count)}{self._own_cards(event)}"

    def _kept(self, event: Event) -> str:
        return f"{self._verb(event, 'keeps', 'keep')} what {self._verb(event, 'was', 'you have')} drawn"

    def _named_color(self, event: Event) -> str:
        return f"{self._verb(event, 'names', 'name')} {event.color.word if event.color else ''}"

    def _accepted(self, event: Event) -> str:
        return f"{self._verb(event, 'accepts', 'accept')} to draw {event.count}"

    def _called_uno(self, event: Event) -> str:
        return self._verb(event, "calls UNO", "call UNO")

    def _caught(self, event: Event) -> str:
        return f"{self._verb(event, 'catches', 'catch')} {self._whom(event.target)} without UNO"

    def _challenged(self, event: Event) -> str:
        verdict = "guilty" if event.guilty else "innocent"
        verb = self._verb(event, "challenges", "challenge")
        return f"{verb} {self._whom(event.target)}: {verdict}{self._own_cards(event)}"

    def _passed(self, event: Event) -> str:
        return self._verb(event, "lets it pass", "let it pass")

    def _swapped(self, event: Event) -> str:
        return f"{self._verb(event, 'swaps', 'swap')} hands with {self._whom(event.target)}{self._own_cards(event)}"

    def _hands_passed(self, event: Event) -> str:
        return f"All hands move on{self._own_cards(event)}"

    def _skipped(self, event: Event) -> str:
        return self._verb(event, "is skipped", "are skipped")


def _cards(count: int | None) -> str:
    return "a card" if count == 1 else f"{count} cards"


def _upper(text: str) -> str:
    return text[0].upper() + text[1:]


_SENTENCES: Final[Mapping[EventKind, Callable[[Words, Event], str]]] = {
    kind: getattr(Words, f"_{kind.name.lower()}") for kind in EventKind
}
_DEEDS: Final = frozenset(EventKind) - {
    EventKind.DEALT,
    EventKind.TURNED_UP,
    EventKind.RESHUFFLED,
    EventKind.HANDS_PASSED,
    EventKind.PASSED,
}
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
