"""States of RLCard's own `uno` environment as observations.

Its game differs from the printed one. The deck and what may be played are the rules `RLCARD_RULES` here: a seat that
can play must, and a Wild Draw Four only where nothing else fits. What no switch can say (RLCard 1.2.0):

* A card just drawn is played at once if it has the active color or is a Wild, whose color is then random; it stays in
  the hand if it only has the same symbol. A Wild Draw Four so played makes nobody draw.
* With two players a Reverse costs nobody a turn.
* A Draw Two turned up first makes the first seat draw two, but costs it no turn.
* A reshuffle takes the top card along, so that it lies on top and can be drawn as well.
* `raw_obs["target"]` names a Wild's color as it was printed when the deck was made; the color that counts is found in
  `played_cards` or in the record of actions.

What happened is told from the record of actions and the played cards, since the last event that cannot be told by our
rules; the cards below the top card are known back to the last reshuffle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lastcard.actions import DRAW, Action
from lastcard.advice.situation import Situation
from lastcard.cards import WILD, WILD_DRAW_FOUR, Card, Color, Rank, parse_card, parse_color
from lastcard.errors import LastcardError, StateError, shorten
from lastcard.events import Event, EventKind
from lastcard.observation import Observation
from lastcard.rules import Rules

RLCARD_RULES: Final = Rules.preset("official", must_play=True, wild_draw_four="last_resort")
"""The switches that come closest to RLCard's `uno`."""

_RANKS: Final = {"skip": "S", "reverse": "R", "draw_2": "+2"}
_TRAITS: Final = {rank: trait for trait, rank in _RANKS.items()}
_WILDS: Final = {"wild": WILD, "wild_draw_4": WILD_DRAW_FOUR}
_COLOR_ORDER: Final = "rgby"
_TRAIT_ORDER: Final = (*map(str, range(10)), *_RANKS, *_WILDS)
_DRAW_ID: Final = 60
_PLAYERS: Final = 2
_COSTS_A_TURN: Final = (Rank.SKIP, Rank.DRAW_TWO)


@dataclass(frozen=True, slots=True)
class _Laid:
    """A card as RLCard writes one that was played: with the color that it made active."""

    card: Card
    color: Color

    @property
    def action(self) -> Action:
        return Action.play(self.card, naming=self.color if self.card.is_wild else None)


def find_uno_id(action: Action) -> int:
    """The number of an action in RLCard's `uno`.

    >>> from lastcard.actions import parse_action
    >>> find_uno_id(parse_action("g0")), find_uno_id(parse_action("y+2")), find_uno_id(DRAW)
    (15, 57, 60)
    """
    if action is DRAW:
        return _DRAW_ID
    if action.card is None or action.color is None:
        raise StateError(f"{action} is not possible in RLCard's uno")
    rank = action.card.rank
    trait = next((name for name, card in _WILDS.items() if card is action.card), _TRAITS.get(rank.value, rank.value))
    return 15 * _COLOR_ORDER.index(action.color.letter) + _TRAIT_ORDER.index(trait)


def read_uno_state(state: Mapping[str, Any]) -> Observation:
    """What the seat to act knows in RLCard's `uno`, as our seat 0 under `RLCARD_RULES`.

    Raises:
        StateError: naming the field that is missing or cannot be read.
    """
    raw, record = _field(state, "raw_obs", Mapping), _field(state, "action_record", Sequence)
    sizes = _field(raw, "num_cards", Sequence)
    if len(sizes) != _PLAYERS:
        raise StateError(f"num_cards must be two numbers, since RLCard's uno is for two players, not {shorten(sizes)}")
    seat = _field(raw, "current_player", int)
    hand = [_read_card("hand", text).card for text in _field(raw, "hand", Sequence)]
    played = [_read_card("played_cards", text) for text in _field(raw, "played_cards", Sequence)]
    target = _read_card("target", _field(raw, "target", str))
    top, is_shuffled_in = _find_top(target, played, record)
    opponents = (sizes[1 - seat],)
    called = top.color if top.card.is_wild else None
    below = [laid.card for laid in (played if is_shuffled_in else played[:-1])]
    if is_shuffled_in:
        _make_room(top.card, hand, below)
    else:
        told = _tell(record, played, sizes, seat)
        try:
            before = tuple(below[: told.begin])
            made = Situation(tuple(hand), top.card, opponents, RLCARD_RULES, called, before, told.events)
            return made.observation
        except StateError:
            pass  # two copies of a card can leave open which of two draws was played; then none is told
    return Situation(tuple(hand), top.card, opponents, RLCARD_RULES, called, tuple(below)).observation


def _field(fields: object, name: str, kind: type) -> Any:
    value = fields.get(name) if isinstance(fields, Mapping) else None
    if not isinstance(value, kind) or (kind is Sequence and isinstance(value, str)):
        raise StateError(f"{name} must be as in a state of RLCard's uno, not {shorten(value)}")
    return value


def _read_card(name: str, text: object) -> _Laid:
    color, _, trait = text.partition("-") if isinstance(text, str) else ("", "", "")
    try:
        active = parse_color(color)
        card = _WILDS.get(trait) or parse_card(color + _RANKS.get(trait, trait))
    except LastcardError:
        raise StateError(f"{name}: {shorten(text)} is not a card of RLCard's uno, such as 'r-5'") from None
    return _Laid(card, active)


def _find_top(target: _Laid, played: Sequence[_Laid], record: Sequence[Any]) -> tuple[_Laid, bool]:
    """The top card with its true color, and whether it was shuffled into the draw pile all the same."""
    if played and played[-1].card is target.card:
        return played[-1], False
    if not target.card.is_wild:
        return target, True
    for _, action in reversed(record):
        if action != "draw" and (laid := _read_card("action_record", action)).card is target.card:
            return laid, True
    return target, True


def _make_room(top: Card, hand: list[Card], below: list[Card]) -> None:
    """Forgets a copy of a top card that lies elsewhere too, where there would be more than the deck has."""
    if [*hand, *below, top].count(top) > RLCARD_RULES.deck[top]:
        (below if top in below else hand).remove(top)


# What happened


@dataclass(frozen=True, slots=True)
class _Told:
    events: tuple[Event, ...]
    begin: int
    """Where among the played cards the first of the events stands."""


def _tell(record: Sequence[Any], played: Sequence[_Laid], sizes: Sequence[int], seat: int) -> _Told:
    """The events since the last one that our rules cannot tell, with our seats: 0 for `seat`."""
    way = _align(record, played, sizes)
    if way is None:
        return _Told((), len(played) - 1)
    at = way.first
    events: list[Event] = []
    begin = len(played) - 1
    if at == 1:
        begin, events = 0, _turn_up(played[0], record[0][0] != seat if record else False)
    for index in range(way.start, len(record)):
        who, action = record[index]
        actor = int(who != seat)
        if action == "draw":
            events.append(Event(EventKind.DREW, actor, count=1))
            if index not in way.draws:
                continue
        laid = played[at]
        has_cards = any(event.kind is not EventKind.DREW for event in events)
        if laid.card.rank is Rank.REVERSE:
            begin, events = at, [Event(EventKind.TURNED_UP, card=laid.card)]
        elif laid.card is WILD_DRAW_FOUR and action == "draw":
            begin, events = len(played) - 1, []
        else:
            begin = begin if has_cards else at
            events.append(Event(EventKind.PLAYED, actor, action=laid.action))
            if laid.action.draw_penalty:
                events.append(Event(EventKind.DREW, 1 - actor, count=laid.action.draw_penalty))
        at += 1
    return _Told(tuple(events), begin)


def _turn_up(laid: _Laid, starter: int) -> list[Event]:
    events = [Event(EventKind.TURNED_UP, card=laid.card)]
    if laid.card.is_wild:
        events.append(Event(EventKind.NAMED_COLOR, int(starter), color=laid.color))
    return events


@dataclass(frozen=True, slots=True)
class _Way:
    """One way in which the played cards can belong to actions."""

    start: int
    """The first action that it explains."""
    first: int
    """The played card to begin with: 1 where card 0 was turned up, 0 after a reshuffle."""
    draws: tuple[int, ...] = ()
    """The actions that drew a card and played it at once."""


_Ways = dict[tuple[int, int, int], _Way]
"""By the number of played cards explained and how many cards either seat holds."""


def _align(record: Sequence[Any], played: Sequence[_Laid], sizes: Sequence[int]) -> _Way | None:
    """Which actions the played cards belong to: since the deal, or since a reshuffle that cannot be seen."""
    first = 7 + 2 * (bool(played) and played[0].card.rank is Rank.DRAW_TWO)
    ways: _Ways = {(1, first, 7): _Way(0, 1)}
    for index in range(len(record)):
        ways = {key: way for key, way in _follow(ways, record, index, played).items() if min(key) > 0}
    found = ways.get((len(played), sizes[0], sizes[1]))
    if found is not None:
        return found
    ways = {}
    for index in range(len(record)):
        ways.setdefault((0, 0, 0), _Way(index, 0))
        ways = _follow(ways, record, index, played)
    return next((way for (at, _, _), way in ways.items() if at == len(played)), None)


def _follow(ways: _Ways, record: Sequence[Any], index: int, played: Sequence[_Laid]) -> _Ways:
    """The ways on, with one more action explained."""
    who, action = record[index]
    is_last = index == len(record) - 1
    repeats = not is_last and record[index + 1][0] == who
    card = None if action == "draw" else _read_card("action_record", action)
    following: _Ways = {}
    for (at, *held), way in ways.items():
        if card is None and not repeats:
            following.setdefault((at, *_changed(held, who, 1, 0)), way)
        if at == len(played):
            continue
        laid = played[at]
        if card == laid:
            following.setdefault((at + 1, *_changed(held, who, -1, laid.action.draw_penalty)), way)
        elif card is None and _fits(played, at) and (is_last or repeats == (laid.card.rank in _COSTS_A_TURN)):
            penalty = 0 if laid.card is WILD_DRAW_FOUR else laid.action.draw_penalty
            drawn = _Way(way.start, way.first, (*way.draws, index))
            following.setdefault((at + 1, *_changed(held, who, 0, penalty)), drawn)
    return following


def _changed(held: Sequence[int], who: int, own: int, other: int) -> tuple[int, int]:
    return (held[0] + own, held[1] + other) if who == 0 else (held[0] + other, held[1] + own)


def _fits(played: Sequence[_Laid], at: int) -> bool:
    """Whether RLCard would play that card at once if it was drawn on the one below."""
    return played[at].card.is_wild or at == 0 or played[at].color is played[at - 1].color
