"""A situation: a real table as a player describes it, made into an observation.

Messages name the fields as `hand`, `top` and so on, in backticks; a command may write them as options.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeVar

from lastcard import _core
from lastcard.advice.replay_events import Replay
from lastcard.advice.retelling import YOU
from lastcard.cards import (
    CARDS,
    Card,
    Color,
    Rank,
    parse_card,
    parse_cards,
    parse_color,
)
from lastcard.errors import LastcardError, NotationError, StateError, require_int, shorten
from lastcard.events import Event, EventKind, format_event, pack_events, parse_event
from lastcard.observation import Observation
from lastcard.phase import Phase, can_be_owed, can_challenge, can_come_up, is_uno_called, make_turn
from lastcard.rules import MAX_PLAYERS, Rules, format_rules, parse_rules

DIRECTIONS: Final = {"forward": 1, "reversed": -1}
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Situation:
    """A decision of seat 0, as a person at a real table can describe it.

    Every field can be given in notation as well, as `parse` takes it: `hand="r5 bR w"`.

    Raises:
        NotationError: if something cannot be read, naming it.
        StateError: if it is impossible, naming what contradicts what.

    >>> situation = Situation.parse(hand="r5 g2 w", top="g7", opponents="7,5,3", history="2 plays g7; 3 draws 1")
    >>> situation.observation.legal_actions
    (parse_action('g2'), parse_action('w:r'), parse_action('w:y'), parse_action('w:g'), parse_action('w:b'), ...
    """

    hand: tuple[Card, ...]
    """Your cards now."""
    top: Card
    """The card to play on."""
    opponents: tuple[int, ...]
    """Hand sizes of seats 1, 2 and so on."""
    rules: Rules = field(default_factory=Rules)
    """Rules of the game; the number of players follows from the opponents."""
    called: Color | None = None
    """The color named with a Wild on top."""
    discards: tuple[Card, ...] = ()
    """Cards known to lie below the top card from before the history."""
    history: tuple[Event, ...] = ()
    """Latest events, oldest first; their plays are discards too."""
    drawn: Card | None = None
    """The card you have just drawn and may play now; it is in your hand."""
    direction: int = 1
    """1 if seat 1 is next, -1 if the last seat is."""
    owed: int = 0
    """Cards you have to draw unless you stack or challenge."""
    observation: Observation = field(init=False, repr=False, compare=False)
    """Observation of seat 0."""

    def __post_init__(self) -> None:
        for name, kind in _FIELDS.items():
            object.__setattr__(self, name, kind.read(name, getattr(self, name)))
        self._check_table()
        object.__setattr__(self, "rules", self.rules.replace(players=len(self.opponents) + 1))
        object.__setattr__(self, "observation", self._observe())

    @classmethod
    def parse(
        cls,
        hand: str,
        top: str,
        opponents: str,
        *,
        rules: str = "official",
        called: str = "",
        discards: str = "",
        history: str = "",
        drawn: str = "",
        direction: str = "forward",
        owed: int = 0,
    ) -> Situation:
        """Reads a situation in notation; events of the history are separated by semicolons.

        Raises:
            NotationError: if something cannot be read, naming it.
            StateError: if it is impossible.
        """
        sizes = _read("opponents", _parse_sizes, opponents)
        made = _read("rules", parse_rules, rules)
        if "players=" in rules and made.players != len(sizes) + 1:
            raise StateError(f"`rules` say players={made.players}, but `opponents` gives {len(sizes)} hands")
        fields: dict[str, Any] = {
            "hand": hand,
            "top": top,
            "called": called or None,
            "discards": discards,
            "history": history,
            "drawn": drawn or None,
            "direction": direction,
        }
        return cls(opponents=sizes, rules=made, owed=owed, **fields)

    def to_dict(self) -> dict[str, object]:
        """Returns JSON values."""
        return {
            "hand": [card.text for card in self.hand],
            "top": self.top.text,
            "opponents": list(self.opponents),
            "rules": format_rules(self.rules),
            "called": self.called and self.called.letter,
            "discards": [card.text for card in self.discards],
            "history": [format_event(event) for event in self.history],
            "drawn": self.drawn and self.drawn.text,
            "direction": self.direction,
            "owed": self.owed,
            "phase": self.observation.phase.value,
            "legal_actions": [action.text for action in self.observation.legal_actions],
        }

    # What cannot be

    def _check_table(self) -> None:
        if not self.hand:
            raise StateError("`hand` is empty: a seat without cards has won")
        if not 1 <= len(self.opponents) < MAX_PLAYERS:
            raise StateError(f"`opponents` must be 1 to {MAX_PLAYERS - 1} hands, not {len(self.opponents)}")
        for seat, size in enumerate(self.opponents, 1):
            if size == 0:
                raise StateError(f"`opponents`: seat {seat} holds 0 cards, so it has won and nothing is to be decided")
            require_int("`opponents`", size, 1, 108, StateError)
        if self.called and not self.top.is_wild:
            raise StateError(f"`called` {self.called.letter} needs a Wild on top, not `top` {self.top} with its color")
        if self.drawn and self.drawn not in self.hand:
            raise StateError(f"`drawn` {self.drawn} must be one of the cards in `hand`")
        if self.drawn and not can_come_up(Phase.DRAWN, self.rules):
            raise StateError(f"`drawn`: under the rules {self.rules} drawing ends the turn")
        if self.drawn and self.owed:
            raise StateError("`drawn` and `owed` exclude each other: cards that are owed cannot be played immediately")
        if self.direction not in DIRECTIONS.values():
            raise StateError(f"`direction` must be 1 or -1, not {self.direction}")
        require_int("`owed`", self.owed, 0, 100, StateError)

    def _check_cards(self, replay: Replay) -> None:
        """Rule 1.3."""
        before = () if replay.forgot_discards else self.discards
        told = Counter(replay.discards[:-1])
        places = {"hand": Counter(self.hand), "top": Counter([self.top]), "discards": Counter(before), "history": told}
        for card in CARDS:
            used = {place: cards[card] for place, cards in places.items() if cards[card]}
            have = self.rules.deck.get(card, 0)
            if sum(used.values()) > have:
                verb = "have" if len(used) > 1 else "has"
                raise StateError(f"the deck has {have} {card}, but {_list_names(used)} {verb} {sum(used.values())}")
        total = sum(sum(cards.values()) for cards in places.values()) + sum(self.opponents)
        if total > self.rules.deck.num_cards:
            names = _list_names([*(place for place, cards in places.items() if cards), "opponents"])
            raise StateError(f"the deck has {self.rules.deck.num_cards} cards, but {names} have {total}")

    def _check_owed(self, owed: int, replay: Replay) -> None:
        """Rules 6.3 and 10.1."""
        if self.top.rank not in (Rank.DRAW_TWO, Rank.WILD_DRAW_FOUR):
            raise StateError(f"`owed` {owed} needs a Draw Two or Wild Draw Four on top, not `top` {self.top}")
        if not can_come_up(Phase.ANSWER, self.rules, self.top):
            raise StateError(
                f"`owed`: under the rules {self.rules} nobody is asked after {self.top}, the cards are drawn"
                " immediately; `rules` with stacking=same or wild_draw_four=bluff ask"
            )
        if not can_be_owed(owed, self.rules, self.top):
            raise StateError(f"`owed` {owed} cannot come of {self.top} on top under the rules {self.rules}")
        if can_challenge(self.rules, self.top) and replay.last_color is None:
            raise StateError(
                "`history` must tell on which color the w+4 was played, since a challenge is judged by it, such as"
                f" 'turned up b5; {self._seat_before()} plays w+4:{(self.called or Color.GREEN).letter}'"
            )

    def _seat_before(self) -> int:
        return -self.direction % self.rules.players

    # Made into an observation

    def _observe(self) -> Observation:
        sizes = (len(self.hand), *self.opponents)
        if sum(sizes) > self.rules.deck.num_cards:
            raise StateError(
                f"the deck has {self.rules.deck.num_cards} cards, but `hand` and `opponents` have {sum(sizes)}"
            )
        history = self._complete_history()
        color = self.top.color or self.called
        names_color = any(event.kind in _NAMES_COLOR for event in history)
        if color is None and not names_color:
            raise StateError(f"`called` is missing: with `top` {self.top}, give the color that was named")
        replay = Replay(self.rules, sizes, self.direction, history, self.top, color)
        if replay.top is not self.top:
            raise StateError(f"`top` is {self.top}, but `history` leaves {replay.top} on top")
        if self.called and replay.color and replay.color is not self.called:
            raise StateError(f"`called` is {self.called.letter}, but `history` names {replay.color.letter}")
        self._check_cards(replay)
        phase = self._find_phase(replay)
        drawn = self._find_drawn(replay) if phase is Phase.DRAWN else None
        discards = [*(() if replay.forgot_discards else self.discards), *replay.discards]
        events = replay.events(self.hand)
        core = _core.imagine(
            rules=self.rules._compiled,
            observer=YOU,
            hand=[card.index for card in self.hand],
            hand_sizes=list(sizes),
            discards=[card.index for card in discards],
            events=pack_events(events),
            turn=self._make_turn(replay, phase, drawn),
        )
        return Observation(core, self.rules)

    def _complete_history(self) -> tuple[Event, ...]:
        """The history with the draw that `drawn` speaks of."""
        if self.drawn is None:
            return self.history
        draw = Event(EventKind.DREW, YOU, count=1, hands=((YOU, (self.drawn,)),))
        at = len(self.history) - 1
        # UNO may be called after the draw, for the card just drawn (Rule 7.1).
        if at >= 0 and self.history[at] == Event(EventKind.CALLED_UNO, YOU):
            at -= 1
        last = self.history[at] if at >= 0 else None
        if last is None or last.kind is not EventKind.DREW or last.seat != YOU:
            return (*self.history, draw)
        if last.count == 1 and not last.hands:
            return (*self.history[:at], draw, *self.history[at + 1 :])
        return self.history

    def _find_phase(self, replay: Replay) -> Phase:
        owed = self.owed or replay.table.owed
        differs = self.owed < replay.table.owed if replay.owes_more else self.owed != replay.table.owed
        if self.owed and replay.table.owed and differs:
            raise StateError(f"`owed` is {self.owed}, but by `history` it is {replay.table.owed}")
        if self.owed and not replay.table.owed and self.history and replay.player is not None:
            raise StateError(f"`owed` is {self.owed}, but by `history` nothing is left to draw")
        if owed and replay.table.phase in (Phase.TURN, Phase.ANSWER):
            self._check_owed(owed, replay)
            return Phase.ANSWER
        return replay.table.phase

    def _find_drawn(self, replay: Replay) -> Card:
        cards = replay.last_drawn
        if self.drawn is None and not cards:
            raise StateError("`drawn` is missing: which card have you just drawn?")
        if self.drawn and cards and self.drawn is not cards[-1]:
            raise StateError(f"`drawn` is {self.drawn}, but by `history` it is {cards[-1]}")
        drawn = self.drawn or cards[-1]
        if drawn not in self.hand:
            raise StateError(f"`history` ends with drawing {drawn}, which is not in `hand`")
        return drawn

    def _make_turn(self, replay: Replay, phase: Phase, drawn: Card | None) -> _core.Turn:
        sizes = (len(self.hand), *self.opponents)
        is_called = is_uno_called(self.rules)
        return make_turn(
            phase,
            YOU,
            active_color=replay.color,
            last_color=replay.last_color,
            drawn=drawn,
            # There is something to decide, so the round is not over, however many plies were told (Rule 5.4).
            ply=min(replay.table.ply, self.rules.max_plies - 1),
            declared=[seat for seat, n in enumerate(sizes) if n == 1] if is_called else replay.table.declared,
            player=self._seat_before() if phase is Phase.ANSWER else replay.player,
            draw_sum=self.owed or replay.table.owed,
            last_actor=replay.table.last_actor,
            direction=self.direction,
        )


_NAMES_COLOR: Final = (EventKind.TURNED_UP, EventKind.PLAYED, EventKind.JUMPED_IN, EventKind.NAMED_COLOR)


def _read(name: str, parse: Callable[[str], _T], text: str) -> _T:
    try:
        return parse(text)
    except LastcardError as error:
        raise type(error)(f"`{name}`: {error}") from None


def _parse_sizes(text: str) -> tuple[int, ...]:
    words = text.replace(",", " ").split()
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) < 4):
            raise NotationError(f"{shorten(word)} is not a number of cards; expected one for each seat such as 7,5,3")
    return tuple(map(int, words))


def _parse_history(text: str) -> tuple[Event, ...]:
    return tuple(parse_event(part) for part in text.split(";") if part.strip())


def _list_names(names: Iterable[str]) -> str:
    *first, last = [f"`{name}`" for name in names]
    return f"{', '.join(first)} and {last}" if first else last


def _parse_direction(text: str) -> int:
    if text not in DIRECTIONS:
        raise NotationError(f"expected {' or '.join(DIRECTIONS)}, not {shorten(text)}")
    return DIRECTIONS[text]


class _Field(NamedTuple):
    """Description of a field of a situation."""

    parse: Callable[[str], object]
    kind: type
    example: str
    is_list: bool = False
    may_be_none: bool = False

    def read(self, name: str, value: object) -> object:
        """The value; read, if it is text.

        Raises:
            NotationError: if the text cannot be read.
            StateError: if it is of another kind.
        """
        if isinstance(value, str):
            return _read(name, self.parse, value)
        if value is None and self.may_be_none:
            return None
        parts = tuple(value) if self.is_list and isinstance(value, Iterable) else (value,)
        for part in parts:
            if not isinstance(part, self.kind) or isinstance(part, bool):
                wanted = f"text such as {self.example!r} or {self.kind.__name__}{' values' if self.is_list else ''}"
                raise StateError(f"`{name}` must be {wanted}, not {shorten(part)}")
        return parts if self.is_list else value


_FIELDS: Final = {
    "hand": _Field(parse_cards, Card, "r5 bR w", is_list=True),
    "top": _Field(parse_card, Card, "g7"),
    "opponents": _Field(_parse_sizes, int, "7,5,3", is_list=True),
    "rules": _Field(parse_rules, Rules, "official"),
    "called": _Field(parse_color, Color, "g", may_be_none=True),
    "discards": _Field(parse_cards, Card, "r5 bR w", is_list=True),
    "history": _Field(_parse_history, Event, "2 plays g7; 3 draws 1", is_list=True),
    "drawn": _Field(parse_card, Card, "g7", may_be_none=True),
    "direction": _Field(_parse_direction, int, "forward"),
}
