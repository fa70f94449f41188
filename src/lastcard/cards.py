"""Cards, colors and decks, and how they are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Final

from lastcard import _core
from lastcard.errors import NotationError, RulesError, StateError, shorten


class Color(Enum):
    """The four colors, in sort order; written by their first letter.

    >>> Color.GREEN.letter
    'g'
    """

    RED = 0
    YELLOW = 1
    GREEN = 2
    BLUE = 3

    @property
    def letter(self) -> str:
        """The letter of the color in notation."""
        return self.name[0].lower()

    @property
    def word(self) -> str:
        """The color in plain English."""
        return self.name.lower()


class Rank(Enum):
    """The fifteen ranks, in sort order; the value is how notation writes it.

    >>> Rank.SKIP.value
    'S'
    """

    ZERO = "0"
    ONE = "1"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    SKIP = "S"
    REVERSE = "R"
    DRAW_TWO = "+2"
    WILD = "w"
    WILD_DRAW_FOUR = "w+4"


_NAMES: Final = _core.list_card_names()
_RANKS: Final = tuple(Rank)
_COLORED_RANKS: Final = _RANKS[:13]


class Card:
    """A face: a color and a rank, or a Wild without a color. There are 54, each a single object.

    Copies of a face are counted, never distinguished, and cards never change: the color named with a Wild belongs to
    the state (Rule 3.4).

    >>> parse_card("r5").color, str(WILD), parse_card("b+2").points
    (<Color.RED: 0>, 'w', 20)
    """

    __slots__ = ("color", "index", "points", "rank", "text")

    index: int
    color: Color | None
    rank: Rank
    text: str
    points: int

    def __new__(cls, color: Color | None, rank: Rank) -> Card:
        """Returns the one object for this face.

        Raises:
            NotationError: if a Wild is given a color, or another card none.
        """
        known = isinstance(color, Color | None) and isinstance(rank, Rank)
        card = _CARD_OF.get((color, rank)) if known else None
        if card is None:
            raise NotationError(f"no card has color {shorten(color)} and rank {shorten(rank)}")
        return card

    @property
    def is_wild(self) -> bool:
        """True for a Wild or Wild Draw Four."""
        return self.color is None

    def __reduce__(self) -> tuple[type[Card], tuple[Color | None, Rank]]:
        return Card, (self.color, self.rank)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"cards never change: {name} of {self} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"cards never change: {name} of {self} cannot be deleted")

    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, memo: object) -> Card:
        return self

    def __lt__(self, other: Card) -> bool:
        return self.index < other.index if isinstance(other, Card) else NotImplemented

    def __le__(self, other: Card) -> bool:
        return self.index <= other.index if isinstance(other, Card) else NotImplemented

    def __gt__(self, other: Card) -> bool:
        return self.index > other.index if isinstance(other, Card) else NotImplemented

    def __ge__(self, other: Card) -> bool:
        return self.index >= other.index if isinstance(other, Card) else NotImplemented

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"parse_card({self.text!r})"


def _points(rank: Rank) -> int:
    """Rule 9.1."""
    if rank in (Rank.WILD, Rank.WILD_DRAW_FOUR):
        return 50
    return int(rank.value) if rank.value.isdigit() else 20


def _make_card(index: int, color: Color | None, rank: Rank) -> Card:
    # There is one object for each face: `Card(...)` only looks it up, so it is made without the constructor.
    card = object.__new__(Card)
    for name, value in (
        ("index", index),
        ("color", color),
        ("rank", rank),
        ("text", _NAMES[index]),
        ("points", _points(rank)),
    ):
        object.__setattr__(card, name, value)
    return card


CARDS: Final[tuple[Card, ...]] = (
    *(_make_card(13 * color.value + i, color, rank) for color in Color for i, rank in enumerate(_COLORED_RANKS)),
    _make_card(52, None, Rank.WILD),
    _make_card(53, None, Rank.WILD_DRAW_FOUR),
)
WILD: Final[Card] = CARDS[52]
WILD_DRAW_FOUR: Final[Card] = CARDS[53]

_CARD_OF: Final = {(card.color, card.rank): card for card in CARDS}
_CARD_BY_TEXT: Final = {card.text.lower(): card for card in CARDS}
_COLOR_BY_NAME: Final = {name: color for color in Color for name in (color.letter, color.word)}

CARD_HELP: Final = _core.CARD_HELP


def card_of(number: int | None) -> Card | None:
    """Returns the card with the core's number; None stays None."""
    return None if number is None else CARDS[number]


def color_of(number: int | None) -> Color | None:
    """Returns the color with the core's number; None stays None."""
    return None if number is None else Color(number)


def parse_card(text: str) -> Card:
    """Reads a card.

    Raises:
        NotationError: if the text is not a card.

    >>> parse_card(" RR ") is parse_card("rR")
    True
    """
    card = _CARD_BY_TEXT.get(text.strip().lower()) if isinstance(text, str) else None
    if card is None:
        raise NotationError(f"{shorten(text)} is not a card; expected {CARD_HELP}")
    return card


def format_card(card: Card) -> str:
    """Writes a card so that `parse_card` reads it back.

    >>> format_card(WILD_DRAW_FOUR)
    'w+4'
    """
    if not isinstance(card, Card):
        raise NotationError(f"expected a Card, not {shorten(card)}")
    return card.text


def parse_cards(text: str) -> tuple[Card, ...]:
    """Reads cards separated by spaces or commas.

    >>> [str(card) for card in parse_cards("r5 w+4, yR")]
    ['r5', 'w+4', 'yR']
    """
    if not isinstance(text, str):
        raise NotationError(f"expected cards as text such as 'r5 gS w', not {shorten(text)}")
    return tuple(parse_card(word) for word in text.replace(",", " ").split())


def format_cards(cards: Iterable[Card]) -> str:
    """Writes cards so that `parse_cards` reads them back.

    >>> format_cards(parse_cards("r5,W"))
    'r5 w'
    """
    if isinstance(cards, str) or not isinstance(cards, Iterable):
        raise NotationError(f"expected cards, not {shorten(cards)}")
    return " ".join(map(format_card, cards))


def parse_color(text: str) -> Color:
    """Reads a color by its letter or its name.

    >>> parse_color("g"), parse_color("Green")
    (<Color.GREEN: 2>, <Color.GREEN: 2>)
    """
    color = _COLOR_BY_NAME.get(text.strip().lower()) if isinstance(text, str) else None
    if color is None:
        raise NotationError(f"{shorten(text)} is not a color; expected r, y, g, b or red, yellow, green, blue")
    return color


def format_color(color: Color) -> str:
    """Writes a color so that `parse_color` reads it back.

    >>> format_color(Color.BLUE)
    'b'
    """
    if not isinstance(color, Color):
        raise NotationError(f"expected a Color, not {shorten(color)}")
    return color.letter


class Deck(Mapping[Card, int]):
    """The number of copies of each face (Rule 1.2).

    >>> len(list(OFFICIAL.cards())), OFFICIAL[parse_card("r0")], OFFICIAL[WILD]
    (108, 1, 4)
    """

    __slots__ = ("_counts",)

    def __init__(self, counts: Mapping[Card, int]) -> None:
        if not isinstance(counts, Mapping):
            raise RulesError(f"deck: expected a mapping of cards to counts, not {shorten(counts)}")
        for card, count in counts.items():
            if not isinstance(card, Card):
                raise RulesError(f"deck: {shorten(card)} is not a Card")
            most = 4 if card.is_wild else 2
            if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= most:
                raise RulesError(f"deck: {card} must have 0 to {most} copies, not {shorten(count)}")
        self._counts = {card: counts[card] for card in CARDS if counts.get(card, 0)}

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Deck:
        """The deck of just these cards."""
        if not isinstance(cards, Iterable):
            raise RulesError(f"deck: expected cards, not {shorten(cards)}")
        try:
            return cls(Counter(cards))
        except TypeError:
            raise RulesError(f"deck: expected cards, not {shorten(cards)}") from None

    def cards(self) -> Iterator[Card]:
        """Every card, copies included, in sort order."""
        for card, count in self._counts.items():
            for _ in range(count):
                yield card

    @property
    def num_cards(self) -> int:
        """Number of cards, including copies."""
        return sum(self._counts.values())

    def __getitem__(self, card: Card) -> int:
        return self._counts[card]

    def __iter__(self) -> Iterator[Card]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deck) and self._counts == other._counts

    def __hash__(self) -> int:
        return hash(tuple(self._counts.items()))

    def __repr__(self) -> str:
        return f"Deck.of(parse_cards({format_cards(self.cards())!r}))"


DECKS: Final[Mapping[str, Deck]] = {name: Deck.of(parse_cards(cards)) for name, cards in _core.describe_decks().items()}
"""Decks that have a name."""
OFFICIAL: Final[Deck] = DECKS["official"]
NUMBERS: Final[Deck] = DECKS["numbers"]
MINI: Final[Deck] = DECKS["mini"]
MINI_BLUFF: Final[Deck] = DECKS["mini-bluff"]


def number_cards(what: str, cards: Iterable[Card]) -> list[int]:
    """The core's number of each card."""
    if not isinstance(cards, Sequence):
        raise StateError(f"{what} must be a list of cards, top last, not {shorten(cards)}")
    for card in cards:
        if not isinstance(card, Card):
            raise StateError(f"{what} must hold cards, not {shorten(card)}; read them with parse_cards")
    return [card.index for card in cards]


def number_reshuffles(reshuffles: Sequence[Sequence[Card]]) -> list[list[int]]:
    """The core's number of each card of each order."""
    if not isinstance(reshuffles, Sequence) or not all(isinstance(order, Sequence) for order in reshuffles):
        raise StateError(f"reshuffles must be lists of cards, top last, not {shorten(reshuffles)}")
    return [number_cards("reshuffles", order) for order in reshuffles]
