"""The switches of the game as one frozen record, and the presets."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final, Literal

from lastcard import _core
from lastcard.cards import DECKS, OFFICIAL, Deck, format_cards, parse_cards
from lastcard.errors import RulesError, shorten

Scoring = Literal["winner", "lowest"]
WildDrawFour = Literal["strict", "bluff", "free", "last_resort"]
Stacking = Literal["none", "same", "any_up"]
DrawnCard = Literal["may_play", "must_play", "end_turn"]

MAX_PLAYERS: Final = 10


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
        compiled = _core.read_rules(_write_deck(self.__getstate__()))
        if not isinstance(self.deck, Deck):
            object.__setattr__(self, "deck", _read_deck(_core.describe_rules(compiled)["deck"]))
        self.__dict__["_compiled"] = compiled

    @classmethod
    def preset(cls, name: str, **changes: object) -> Rules:
        """The preset of that name (Rule 11.2), with fields changed as given.

        Raises:
            RulesError: if there is no such preset or field, or a value is impossible.
        """
        return Rules._of(_core.choose_rules({"preset": name, **_write_deck(changes)}))

    def replace(self, **changes: object) -> Rules:
        """Returns the same rules with some fields changed."""
        return Rules._of(_core.read_rules({**self.to_dict(), **_write_deck(changes)}))

    def to_dict(self) -> dict[str, object]:
        """Returns the fields as JSON values; the deck as its name or its cards."""
        return _core.describe_rules(self._compiled)

    @classmethod
    def from_dict(cls, fields: Mapping[str, object]) -> Rules:
        """Reads what `to_dict` wrote.

        >>> Rules.from_dict(Rules.preset("mini").to_dict()) == Rules.preset("mini")
        True
        """
        return Rules._of(_core.read_rules(_write_deck(fields)))

    @staticmethod
    @lru_cache(maxsize=256)
    def _of(core: _core.Rules) -> Rules:
        """The rules that the core has read."""
        fields: dict[str, Any] = _core.describe_rules(core)
        return Rules(**fields)

    def __str__(self) -> str:
        return format_rules(self)

    def __repr__(self) -> str:
        changes = _core.list_rule_changes(self._compiled)
        preset = changes.pop("preset")
        return f"Rules.preset({', '.join([repr(preset), *(f'{name}={value!r}' for name, value in changes.items())])})"

    @cached_property
    def _compiled(self) -> _core.Rules:
        """The same switches as the core reads them."""
        return _core.read_rules(_write_deck(self.__getstate__()))

    def __getstate__(self) -> dict[str, object]:
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}


def _write_deck(fields: Mapping[str, object]) -> Mapping[str, object]:
    """The fields with the deck as its cards."""
    deck = fields.get("deck") if isinstance(fields, Mapping) else None
    return {**fields, "deck": format_cards(deck.cards())} if isinstance(deck, Deck) else fields


def _read_deck(text: Any) -> Deck:
    """The deck of that name, or of those cards."""
    return DECKS.get(text) or Deck.of(parse_cards(text))


_OFFICIAL: Final = _core.describe_presets()["official"]
PRESETS: Final[Mapping[str, Mapping[str, object]]] = {
    preset: {name: value for name, value in fields.items() if value != _OFFICIAL[name]}
    for preset, fields in _core.describe_presets().items()
}
"""Rule 11.2: what each preset changes."""

PRESET_SUMMARIES: Final[Mapping[str, str]] = _core.summarize_presets()

EXPLANATIONS: Final[Mapping[str, str]] = {field["name"]: field["explanation"] for field in _core.describe_rule_fields()}
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
    return _core.describe_rule_fields()


def list_choices(**numbers: Sequence[object]) -> dict[str, Sequence[object]]:
    """The values of every switch, and those given for fields that are numbers, in the order of `Rules`.

    >>> list_choices(uno_penalty=(0, 2))["uno_penalty"], list_choices()["jump_in"]
    ((0, 2), (False, True))
    """
    choices: dict[str, Sequence[object]] = {}
    for field in _core.describe_rule_fields():
        name, kind = field["name"], field["kind"]
        if kind == "bool" or name in numbers:
            choices[name] = numbers.get(name, (False, True))
        elif kind == "choice" and name != "deck":
            choices[name] = tuple(field["choices"])
    return choices


def format_rules(rules: Rules) -> str:
    """Writes rules as the preset with the fewest changes, so that `parse_rules` reads them back.

    >>> format_rules(Rules.preset("house", players=3))
    'house players=3'
    """
    if not isinstance(rules, Rules):
        raise RulesError(f"expected Rules, not {shorten(rules)}")
    return _core.format_rules(rules._compiled)


def parse_rules(text: str) -> Rules:
    """Reads a preset name and changes to it.

    Raises:
        RulesError: if a preset, field or value is unknown.

    >>> parse_rules("official players=4 stacking=same").players
    4
    """
    return Rules._of(_core.parse_rules(text))
