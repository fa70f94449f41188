"""Seats in RLCard's own `uno`: translates its states for a `Seat`, and our actions to its numbers.

Its game differs from the printed one. The deck and what may be played are the rules `RLCARD_RULES` here: a seat that
can play must, and a Wild Draw Four only where nothing else fits. What no switch can say (RLCard 1.2.0):

* A drawn card is played immediately if it has the active color or is a Wild, whose color is then random; it stays in
  the hand if it only has the same symbol. A Wild Draw Four so played makes nobody draw.
* With two players a Reverse costs nobody a turn.
* A Draw Two turned up first makes the first seat draw two, but costs it no turn.
* A reshuffle takes the top card along, so that it lies on top and can be drawn as well.
* `raw_obs["target"]` names a Wild's color as it was printed when the deck was made; the color that counts is found in
  `played_cards`, and after a reshuffle only in `raw_obs["legal_actions"]`.

What happened follows from the record of actions, the played cards and the sizes of the hands; a reshuffle cannot be
seen, and what was before it is forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lastcard.actions import ACTIONS, DRAW, Action
from lastcard.agents import AgentLike
from lastcard.cards import WILD_DRAW_FOUR, Card, Rank
from lastcard.envs.seat import Seat
from lastcard.errors import StateError, shorten
from lastcard.rules import Rules

RLCARD_RULES: Final = Rules.preset("official", must_play=True, wild_draw_four="last_resort")
"""The switches that come closest to RLCard's `uno`."""

_PLAYERS: Final = 2
_LISTS: Final = (list, tuple)
_COSTS_A_TURN: Final = (Rank.SKIP, Rank.DRAW_TWO)
_COLOR_ORDER: Final = "rgby"
_TRAITS: Final = {
    **{Rank(str(number)): str(number) for number in range(10)},
    **{Rank.SKIP: "skip", Rank.REVERSE: "reverse", Rank.DRAW_TWO: "draw_2"},
    **{Rank.WILD: "wild", Rank.WILD_DRAW_FOUR: "wild_draw_4"},
}


def _write_uno(action: Action) -> str:
    """An action as RLCard writes it; cards that were played too, with the color that they made active."""
    assert action.card is not None
    assert action.color is not None
    return f"{action.color.letter}-{_TRAITS[action.card.rank]}"


_PLAYS: Final = {_write_uno(action): action for action in ACTIONS if action.is_play}
_LEGAL: Final = {**_PLAYS, "draw": DRAW}
_IDS: Final = {
    **{
        action: 15 * _COLOR_ORDER.index(text[0]) + list(_TRAITS.values()).index(text[2:])
        for text, action in _PLAYS.items()
    },
    DRAW: 60,
}


def find_uno_id(action: Action) -> int:
    """The number of an action in RLCard's `uno`.

    >>> from lastcard.actions import parse_action
    >>> find_uno_id(parse_action("g0")), find_uno_id(parse_action("y+2")), find_uno_id(DRAW)
    (15, 57, 60)
    """
    if action not in _IDS:
        raise StateError(f"{action} is not possible in RLCard's uno")
    return _IDS[action]


@dataclass(frozen=True, slots=True)
class UnoView:
    """Information that RLCard gives the seat to act."""

    seat: int
    hand: list[Card]
    target: Action
    """The card on top; the color of a Wild is not reliable."""
    played: list[Action]
    sizes: tuple[int, int]
    legal: list[Action]
    record: Sequence[tuple[int, str]]

    @classmethod
    def read(cls, state: object) -> UnoView:
        """Reads a state of RLCard's.

        Raises:
            StateError: naming the field that is missing or cannot be read.
        """
        raw, record = _field(state, "raw_obs", dict), _field(state, "action_record", _LISTS)
        sizes = _field(raw, "num_cards", _LISTS)
        if len(sizes) != _PLAYERS:
            raise StateError(
                f"num_cards must be two numbers, since RLCard's uno is for two players, not {shorten(sizes)}"
            )
        return cls(
            seat=_field(raw, "current_player", int),
            hand=[_card_of(action) for action in _read_all(raw, "hand", _PLAYS)],
            target=_read_all({"target": [raw.get("target")]}, "target", _PLAYS)[0],
            played=_read_all(raw, "played_cards", _PLAYS),
            sizes=(sizes[0], sizes[1]),
            legal=_read_all(raw, "legal_actions", _LEGAL),
            record=record,
        )


class UnoSeat:
    """One of our agents at a seat of RLCard's `uno`; it gets only the new events of each state."""

    def __init__(self, rules: Rules, agent: AgentLike, seat: int) -> None:
        self.seat = Seat(rules, agent, seat)
        self._record: list[tuple[int, str]] = []
        self._played: list[Action] = []
        self._sizes = (0, 0)

    def choose(self, view: UnoView) -> int:
        """Returns the number of the chosen action, one of those that RLCard calls legal."""
        self.follow(view)
        return find_uno_id(self.seat.choose(view.hand, view.legal))

    def follow(self, view: UnoView) -> None:
        """Reports the events since the last state to the seat, or since the deal in a new round."""
        known, played = len(self._record), view.played
        goes_on = known > 0 and view.record[:known] == self._record
        if not goes_on:
            known = 0
            self._deal(played)
        is_shuffled = played[: len(self._played)] != self._played or not self._played
        way = None if is_shuffled else self._find_way(view, known)
        if way is None:
            self._resume(view)
        else:
            self._tell(view, known, way)
        self._record, self._played, self._sizes = list(view.record), played, view.sizes

    def _deal(self, played: Sequence[Action]) -> None:
        """Starts from scratch; the first card played was turned up, unless there was a reshuffle."""
        self._played = list(played[:1])
        if not played:
            return
        first = played[0]
        self._sizes = (9, 7) if first.draw_penalty else (7, 7)
        self.seat.deal(_card_of(first), first.color)
        if first.draw_penalty:
            self.seat.drew(0, 2)

    def _find_way(self, view: UnoView, known: int) -> tuple[int, ...] | None:
        """New actions that drew a card and played it immediately; None if the cards cannot be explained."""
        ways: _Ways = {(len(self._played), *self._sizes): ()}
        for index in range(known, len(view.record)):
            ways = _explain(ways, view, index)
        return ways.get((len(view.played), *view.sizes))

    def _tell(self, view: UnoView, known: int, way: Sequence[int]) -> None:
        at = len(self._played)
        for index in range(known, len(view.record)):
            who, text = view.record[index]
            if text == "draw":
                self.seat.drew(who)
                if index not in way:
                    continue
            laid = view.played[at]
            at += 1
            self.seat.played(who, laid)
            if penalty := _penalty_of(laid, is_drawn=text == "draw"):
                self.seat.drew(1 - who, penalty)

    def _resume(self, view: UnoView) -> None:
        """The seat begins again with what can be seen now."""
        cards, top = [_card_of(laid) for laid in view.played], _card_of(view.target)
        color = top.color
        if cards and cards[-1] is top:
            color = view.played[-1].color
            cards.pop()
        self.seat.resume(top, view.sizes, color, cards)


_Ways = dict[tuple[int, int, int], tuple[int, ...]]
"""Keys: the number of played cards that are explained, and the size of each hand."""


def _explain(ways: _Ways, view: UnoView, index: int) -> _Ways:
    """The ways on, with one more action explained."""
    who, text = view.record[index]
    following = view.record[index + 1][0] if index + 1 < len(view.record) else view.seat
    repeats = following == who
    is_draw = text == "draw"
    found: _Ways = {}
    for (at, *held), draws in ways.items():
        if is_draw and not repeats:
            found.setdefault((at, *_changed(held, who, 1, 0)), draws)
        if at == len(view.played):
            continue
        laid = view.played[at]
        penalty = _penalty_of(laid, is_drawn=is_draw)
        if not is_draw and laid is _PLAYS.get(text):
            found.setdefault((at + 1, *_changed(held, who, -1, penalty)), draws)
        elif is_draw and _fits(view.played, at) and repeats == (_card_of(laid).rank in _COSTS_A_TURN):
            found.setdefault((at + 1, *_changed(held, who, 0, penalty)), (*draws, index))
    return found


def _penalty_of(laid: Action, *, is_drawn: bool) -> int:
    return 0 if is_drawn and laid.card is WILD_DRAW_FOUR else laid.draw_penalty


def _changed(held: Sequence[int], who: int, own: int, other: int) -> tuple[int, int]:
    return (held[0] + own, held[1] + other) if who == 0 else (held[0] + other, held[1] + own)


def _fits(played: Sequence[Action], at: int) -> bool:
    """Returns whether RLCard would play that card immediately if it was drawn on the one below."""
    return _card_of(played[at]).is_wild or at == 0 or played[at].color is played[at - 1].color


# Reading


def _card_of(action: Action) -> Card:
    assert action.card is not None
    return action.card


def _field(fields: object, name: str, kind: type | tuple[type, ...]) -> Any:
    value = fields.get(name) if isinstance(fields, dict) else None
    if not isinstance(value, kind):
        raise StateError(f"{name} must be as in a state of RLCard's uno, not {shorten(value)}")
    return value


def _read_all(raw: object, name: str, known: Mapping[str, Action]) -> list[Action]:
    texts = _field(raw, name, _LISTS)
    try:
        return [known[text] for text in texts]
    except (KeyError, TypeError):
        wrong = next(text for text in texts if not isinstance(text, str) or text not in known)
        raise StateError(f"{name}: {shorten(wrong)} is not written as in RLCard's uno, such as 'r-5'") from None
