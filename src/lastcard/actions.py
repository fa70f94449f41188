"""Actions: what a seat can do when it is asked, and how that is written."""

from __future__ import annotations

from enum import Enum
from typing import Final

from lastcard import _core
from lastcard.cards import CARDS, Card, Color, Rank
from lastcard.errors import NotationError, shorten


class ActionKind(Enum):
    """The kind of an action.

    >>> parse_action("w:g").kind
    <ActionKind.PLAY: 'play'>
    """

    PLAY = "play"
    DRAW = "draw"
    KEEP = "keep"
    ACCEPT = "accept"
    CHALLENGE = "challenge"
    UNO = "uno"
    CATCH = "catch"
    PASS = "pass"
    SWAP = "swap"
    COLOR = "color"


class Action:
    """One decision. There are 81, each a single object, in the order in which legal actions are listed.

    >>> from lastcard.cards import WILD
    >>> action = Action.play(WILD, naming=Color.GREEN)
    >>> str(action), action.kind, action.draw_penalty
    ('w:g', <ActionKind.PLAY: 'play'>, 0)
    """

    __slots__ = ("card", "color", "draw_penalty", "index", "kind", "seat", "text")

    index: int
    kind: ActionKind
    card: Card | None
    """The card that is played."""
    color: Color | None
    """The color that is active afterwards, for a play; the color that is named, for `color`."""
    seat: int | None
    """The seat to swap hands with."""
    draw_penalty: int
    """Number of cards that the next seat must draw."""
    text: str

    def __new__(cls, text: str) -> Action:
        """Reads an action; the same as `parse_action`."""
        return parse_action(text)

    @staticmethod
    def play(card: Card, naming: Color | None = None) -> Action:
        """Playing a card; a Wild or Wild Draw Four names a color.

        Raises:
            NotationError: if a Wild names no color, or another card does.
        """
        if not isinstance(card, Card):
            raise NotationError(f"expected a Card to play, not {shorten(card)}; read one with parse_card")
        if naming is not None and not isinstance(naming, Color):
            raise NotationError(f"expected a Color to name, not {shorten(naming)}")
        action = _PLAY_OF.get((card, naming))
        if action is None:
            rule = "a Wild must name a color" if card.is_wild else "only Wilds name a color"
            raise NotationError(f"cannot play {card} naming {naming and naming.word}: {rule}")
        return action

    @staticmethod
    def swap(seat: int) -> Action:
        """Swapping hands with a seat (Rule 10.5)."""
        return parse_action(f"swap:{seat}")

    @staticmethod
    def name_color(color: Color) -> Action:
        """Naming the color of a turned-up Wild (Rule 2.2)."""
        if not isinstance(color, Color):
            raise NotationError(f"expected a Color to name, not {shorten(color)}")
        return parse_action(f"color:{color.letter}")

    @property
    def is_play(self) -> bool:
        """True if it plays a card."""
        return self.kind is ActionKind.PLAY

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return parse_action, (self.text,)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"actions never change: {name} of {self} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"actions never change: {name} of {self} cannot be deleted")

    def __copy__(self) -> Action:
        return self

    def __deepcopy__(self, memo: object) -> Action:
        return self

    def __lt__(self, other: Action) -> bool:
        return self.index < other.index if isinstance(other, Action) else NotImplemented

    def __le__(self, other: Action) -> bool:
        return self.index <= other.index if isinstance(other, Action) else NotImplemented

    def __gt__(self, other: Action) -> bool:
        return self.index > other.index if isinstance(other, Action) else NotImplemented

    def __ge__(self, other: Action) -> bool:
        return self.index >= other.index if isinstance(other, Action) else NotImplemented

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"parse_action({self.text!r})"


_NAMES: Final = _core.list_action_names()


def _make_action(
    index: int, kind: ActionKind, card: Card | None = None, color: Color | None = None, seat: int | None = None
) -> Action:
    action = object.__new__(Action)
    rank = card.rank if card else None
    penalty = 4 if rank is Rank.WILD_DRAW_FOUR else 2 if rank is Rank.DRAW_TWO else 0
    for name, value in (
        ("index", index),
        ("kind", kind),
        ("card", card),
        ("color", color),
        ("seat", seat),
        ("draw_penalty", penalty),
        ("text", _NAMES[index]),
    ):
        object.__setattr__(action, name, value)
    return action


def _make_actions() -> tuple[Action, ...]:
    actions: list[Action] = []

    def add(kind: ActionKind, card: Card | None = None, color: Color | None = None, seat: int | None = None) -> None:
        actions.append(_make_action(len(actions), kind, card, color, seat))

    for card in CARDS:
        for color in Color if card.is_wild else (card.color,):
            add(ActionKind.PLAY, card, color)
    for kind in list(ActionKind)[1:8]:
        add(kind)
    for seat in range(10):
        add(ActionKind.SWAP, seat=seat)
    for color in Color:
        add(ActionKind.COLOR, color=color)
    return tuple(actions)


ACTIONS: Final[tuple[Action, ...]] = _make_actions()
DRAW, KEEP, ACCEPT, CHALLENGE, UNO, CATCH, PASS = ACTIONS[60:67]

_PLAY_OF: Final = {
    (action.card, action.color if action.card and action.card.is_wild else None): action for action in ACTIONS[:60]
}
_ACTION_BY_TEXT: Final = {action.text.lower(): action for action in ACTIONS}

ACTION_HELP: Final = _core.ACTION_HELP


def parse_action(text: str) -> Action:
    """Reads an action.

    Raises:
        NotationError: if the text is not an action.

    >>> parse_action("W+4:B").draw_penalty
    4
    """
    if not isinstance(text, str):
        raise NotationError(f"expected an action as text such as 'r5', not {shorten(text)}")
    action = _ACTION_BY_TEXT.get(text.strip().lower())
    if action is not None:
        return action
    if text.strip().lower() in ("w", "w+4"):
        raise NotationError(f"{shorten(text)} names no color; expected {text.strip()}:r, :y, :g or :b")
    raise NotationError(f"{shorten(text)} is not an action; expected {ACTION_HELP}")


def format_action(action: Action) -> str:
    """Writes an action so that `parse_action` reads it back.

    >>> format_action(Action("W:G"))
    'w:g'
    """
    if not isinstance(action, Action):
        raise NotationError(f"expected an Action, not {shorten(action)}")
    return action.text
