"""The switches of the game as one frozen record, and the presets."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import Any, Final, Literal, get_args

from lastcard import _core
from lastcard.cards import (
    CARDS,
    MINI,
    MINI_BLUFF,
    NUMBERS,
    OFFICIAL,
    WILD_DRAW_FOUR,
    Deck,
    format_cards,
    parse_cards,
)
from lastcard.errors import NotationError, RulesError, require_int, shorten, suggest

Scoring = Literal["winner", "lowest"]
WildDrawFour = Literal["strict", "bluff", "free", "last_resort"]
Stacking = Literal["none", "same", "any_up"]
DrawnCard = Literal["may_play", "must_play", "end_turn"]

MAX_PLAYERS: Final = 10
MAX_BEFORE: Final = 2 * (MAX_PLAYERS + 1)
"""Maximum number of windows inside each other in a written position."""

_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "scoring": get_args(Scoring),
    "wild_draw_four": get_args(WildDrawFour),
    "stacking": get_args(Stacking),
    "drawn_card": get_args(DrawnCard),
}
_BOUNDS: Final[Mapping[str, tuple[int, int]]] = {
    "players": (2, MAX_PLAYERS),
    "hand_size": (1, 50),
    "target_score": (1, 1_000_000),
    "max_plies": (1, 1_000_000),
    "uno_penalty": (0, 10),
}


@dataclasses.dataclass(frozen=True, repr=False)
class Rules:
    """The rules of a game: players, deck and house rules. Immutable; `replace` returns changed rules.

    >>> Rules.preset("official", players=4).replace(stacking="same", deck="numbers")
    Rules.preset('official', players=4, deck='numbers', stacking='same')
    """

    players: int = 2
    """Number of seats, 2 to 10 (Rule 2.1)."""
    deck: Deck = OFFICIAL
    """Copies of each face (Rule 1.2); also given as `official`, `numbers`, `mini`, `mini-bluff` or its cards."""
    hand_size: int = 7
    """Cards dealt to each seat (Rule 2.1)."""
    target_score: int = 500
    """Score that ends a game (Rule 9.2)."""
    scoring: Scoring = "winner"
    """The winner scores the others' cards, or each seat keeps its own points and the lowest wins (Rule 9.3)."""
    max_plies: int = 10_000
    """Plies after which an unfinished round is ended (Rule 5.4)."""
    wild_draw_four: WildDrawFour = "strict"
    """Condition for playing a Wild Draw Four (Rule 6.2)."""
    uno_penalty: int = 0
    """Cards to draw when caught without calling UNO; with 0, UNO is called automatically (section 7)."""
    stacking: Stacking = "none"
    """Draw cards that can be passed on with another (Rule 10.1)."""
    draw_until_playable: bool = False
    """Draw until a card can be played (Rule 10.2)."""
    must_play: bool = False
    """A seat that can play may not draw (Rule 10.3)."""
    drawn_card: DrawnCard = "may_play"
    """Options for the card just drawn (Rule 10.4)."""
    seven_zero: bool = False
    """A 7 swaps hands and a 0 passes them on (Rule 10.5)."""
    jump_in: bool = False
    """The identical card may be played out of turn (Rule 10.6)."""

    def __post_init__(self) -> None:
        if isinstance(self.deck, str):
            object.__setattr__(self, "deck", _parse_deck(self.deck))
        for name, (low, high) in _BOUNDS.items():
            require_int(name, getattr(self, name), low, high, RulesError)
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                read = shorten(getattr(self, name))
                raise RulesError(f"{name} must be one of {', '.join(map(repr, choices))}, not {read}")
        for name in _SWITCHES:
            if not isinstance(getattr(self, name), bool):
                raise RulesError(f"{name} must be True or False, not {shorten(getattr(self, name))}")
        if not isinstance(self.deck, Deck):
            raise RulesError(f"deck must be a Deck, not {shorten(self.deck)}")
        self._check_seats()
        if self.draw_until_playable and self.drawn_card == "end_turn":
            raise RulesError(
                "drawn_card='end_turn' contradicts draw_until_playable=True: one forbids playing the card the other"
                " draws for; choose 'may_play' or 'must_play'"
            )

    def _check_seats(self) -> None:
        """Rule 2.3."""
        usable = self.deck.num_cards - self.deck.get(WILD_DRAW_FOUR, 0)
        needed = self.players * self.hand_size
        if usable <= needed:
            raise RulesError(
                f"hand_size={self.hand_size} with players={self.players} deals {needed} cards, but the deck has only"
                f" {usable} besides Wild Draw Fours, and one must be left to turn up; lower hand_size or players"
            )

    @classmethod
    def preset(cls, name: str, **changes: object) -> Rules:
        """The preset of that name (Rule 11.2), with fields changed as given.

        Raises:
            RulesError: if there is no such preset or field, or a value is impossible.
        """
        fields = PRESETS.get(name.lower()) if isinstance(name, str) else None
        if fields is None:
            known = ", ".join(PRESETS)
            raise RulesError(f"no rules preset {shorten(name)}; there are {known}{suggest(name, PRESETS)}")
        return cls()._with({**fields, **changes})

    def replace(self, **changes: object) -> Rules:
        """Returns the same rules with some fields changed."""
        return self._with(changes)

    def _with(self, changes: Mapping[str, object]) -> Rules:
        names = [field.name for field in dataclasses.fields(self)]
        for name in changes:
            if name not in names:
                known = ", ".join(names)
                raise RulesError(f"rules have no field {shorten(name)}; there are {known}{suggest(name, names)}")
        return dataclasses.replace(self, **changes)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, object]:
        """Returns the fields as JSON values; the deck as its name or its cards."""
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        fields["deck"] = next(
            (name for name, deck in DECKS.items() if deck == self.deck), format_cards(self.deck.cards())
        )
        return fields

    @classmethod
    def from_dict(cls, fields: Mapping[str, object]) -> Rules:
        """Reads what `to_dict` wrote.

        >>> Rules.from_dict(Rules.preset("mini").to_dict()) == Rules.preset("mini")
        True
        """
        if not isinstance(fields, Mapping):
            raise RulesError(f"rules must be a mapping of fields, not {shorten(fields)}")
        return cls()._with(fields)

    def __str__(self) -> str:
        return format_rules(self)

    def __repr__(self) -> str:
        preset, changes = _find_preset(self)
        return f"Rules.preset({', '.join([repr(preset), *(f'{name}={value!r}' for name, value in changes.items())])})"

    @cached_property
    def _compiled(self) -> _core.Rules:
        """The same switches as the core reads them."""
        return _core.make_rules(**self._core_fields)

    @property
    def _core_fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        indices = {name: choices.index(fields[name]) for name, choices in _CHOICES.items()}
        return {**fields, **indices, "deck": [self.deck.get(card, 0) for card in CARDS]}

    def __getstate__(self) -> dict[str, object]:
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}


_SWITCHES: Final = tuple(field.name for field in dataclasses.fields(Rules) if isinstance(field.default, bool))
DECKS: Final[Mapping[str, Deck]] = {"official": OFFICIAL, "numbers": NUMBERS, "mini": MINI, "mini-bluff": MINI_BLUFF}
"""Decks that have a name."""

PRESETS: Final[Mapping[str, Mapping[str, object]]] = {
    "official": {},
    "family": {"must_play": True},
    "tournament": {"players": 4, "wild_draw_four": "bluff", "uno_penalty": 2},
    "house": {
        "players": 4,
        "stacking": "any_up",
        "draw_until_playable": True,
        "seven_zero": True,
        "jump_in": True,
        "uno_penalty": 2,
    },
    "study": {"must_play": True, "wild_draw_four": "last_resort", "drawn_card": "end_turn"},
    "numbers": {"deck": NUMBERS, "must_play": True, "drawn_card": "end_turn"},
    "mini": {"deck": MINI, "hand_size": 2, "must_play": True, "drawn_card": "end_turn", "max_plies": 16},
}
"""Rule 11.2: what each preset changes."""

PRESET_SUMMARIES: Final[Mapping[str, str]] = {
    "official": "the printed game; no bluffs with Wild Draw Fours, and UNO is called for you",
    "family": "as in most living rooms: a seat that can play must play, and a drawn card may be played",
    "tournament": "the printed game to the letter: bluffs, challenges and calling UNO yourself",
    "house": "stacking, draw until playable, seven-zero, jump-in and calling UNO yourself",
    "study": "as in the POMCP papers: must play, Wild Draw Four as a last resort, drawing ends the turn",
    "numbers": "number cards only, must play, drawing ends the turn",
    "mini": "ten cards, two colors: small enough to solve exactly",
}


EXPLANATIONS: Final[Mapping[str, str]] = {
    "players": "number of seats, 2 to 10",
    "deck": "official, numbers, mini, mini-bluff, or the cards one by one",
    "hand_size": "cards dealt to each seat",
    "target_score": "the score that ends a game",
    "scoring": "winner: takes the points of the others' cards; lowest: each takes its own",
    "max_plies": "plies after which an unfinished round is ended",
    "wild_draw_four": "strict: only without the active color; bluff: always, can be challenged; free: always;"
    " last_resort: only when nothing else fits",
    "uno_penalty": "cards for being caught without calling UNO; 0: it is called for you",
    "stacking": "pass draw cards on with another: none, same, any_up (also w+4 on +2)",
    "draw_until_playable": "drawing continues until a card can be played",
    "must_play": "a seat that can play may not draw",
    "drawn_card": "the card just drawn: may_play, must_play, or end_turn",
    "seven_zero": "a 7 swaps hands, a 0 passes them all on",
    "jump_in": "the identical card may be played out of turn",
}
"""One line per field."""


def leading_seat(rules: Rules, scores: Sequence[int]) -> int:
    """The seat with the best score (Rules 9.2 and 9.3); of several, the first.

    >>> leading_seat(Rules(), [20, 45]), leading_seat(Rules(scoring="lowest"), [20, 45])
    (1, 0)
    """
    return _core.leading_seat(rules._compiled, list(scores))


def describe_fields() -> list[dict[str, object]]:
    """Describes every field as JSON values: its type, its values and its meaning.

    >>> describe_fields()[0]["name"], describe_fields()[0]["kind"]
    ('players', 'int')
    """
    described: list[dict[str, object]] = []
    for name, default in Rules().to_dict().items():
        choices = tuple(DECKS) if name == "deck" else _CHOICES.get(name)
        kind = "choice" if choices else "int" if name in _BOUNDS else "bool"
        field: dict[str, object] = {"name": name, "kind": kind, "default": default, "explanation": EXPLANATIONS[name]}
        if choices:
            field["choices"] = list(choices)
        if name in _BOUNDS:
            field["low"], field["high"] = _BOUNDS[name]
        described.append(field)
    return described


def list_choices(**numbers: Sequence[object]) -> dict[str, Sequence[object]]:
    """The values of every switch, and those given for fields that are numbers, in the order of `Rules`.

    >>> list_choices(uno_penalty=(0, 2))["uno_penalty"], list_choices()["jump_in"]
    ((0, 2), (False, True))
    """
    choices = {**dict.fromkeys(_SWITCHES, (False, True)), **_CHOICES, **numbers}
    return {field.name: choices[field.name] for field in dataclasses.fields(Rules) if field.name in choices}


def format_rules(rules: Rules) -> str:
    """Writes rules as the preset with the fewest changes, so that `parse_rules` reads them back.

    >>> format_rules(Rules.preset("house", players=3))
    'house players=3'
    """
    if not isinstance(rules, Rules):
        raise RulesError(f"expected Rules, not {shorten(rules)}")
    preset, changes = _find_preset(rules)
    return " ".join([preset, *(f"{name}={_format_value(value)}" for name, value in changes.items())])


def _find_preset(rules: Rules) -> tuple[str, dict[str, object]]:
    """The preset with the fewest changes, and the changes."""
    fields = rules.to_dict()

    def changes(preset: str) -> dict[str, object]:
        base = _preset_fields(preset)
        return {name: value for name, value in fields.items() if value != base[name]}

    best = min(PRESETS, key=lambda preset: len(changes(preset)))
    return best, changes(best)


@cache
def _preset_fields(preset: str) -> Mapping[str, object]:
    return Rules.preset(preset).to_dict()


def parse_rules(text: str) -> Rules:
    """Reads a preset name and changes to it.

    Raises:
        RulesError: if a preset, field or value is unknown.

    >>> parse_rules("official players=4 stacking=same").players
    4
    """
    words = text.split() if isinstance(text, str) else []
    if not words:
        raise RulesError(f"expected a preset and changes such as 'official players=4', not {shorten(text)}")
    changes: dict[str, object] = {}
    for word in words[1:]:
        name, separator, value = word.partition("=")
        name = name.lower()
        if not separator:
            raise RulesError(f"{shorten(word)} is not a change of rules; expected field=value such as players=4")
        if name in changes:
            raise RulesError(f"{name} is given twice")
        changes[name] = _parse_value(name, value)
    return Rules.preset(words[0], **changes)


def _format_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value).replace(" ", ",")


def _parse_deck(text: str) -> Deck:
    try:
        return DECKS.get(text.strip().lower()) or Deck.of(parse_cards(text))
    except NotationError as error:
        raise RulesError(f"deck must be {', '.join(DECKS)} or its cards: {error}") from None


def _parse_value(name: str, text: str) -> object:
    if name in _SWITCHES and text.lower() in ("true", "false", "on", "off", "yes", "no"):
        return text.lower() in ("true", "on", "yes")
    if name in _BOUNDS:
        digits = text.replace("_", "")
        return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else text
    return text.lower() if name in _CHOICES else text
