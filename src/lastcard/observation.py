"""Observations: what one seat may know. Only `observe` makes one from a state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Self, TypeVar

from lastcard import _core
from lastcard.actions import ACTIONS, Action
from lastcard.cards import CARDS, Card, Color, card_of, color_of, format_cards
from lastcard.errors import AgentError, StateError, require_int, shorten
from lastcard.events import Event, unpack_events
from lastcard.phase import ENDINGS, PHASES, Phase
from lastcard.rules import Rules
from lastcard.state import Outcome, State

_SPECTATOR: Final = -1
_NO_FACTS: Final = ("history", "ply", "next_seat", "stuck_passes")
_Seen = TypeVar("_Seen", bound="PublicObservation")


class PublicObservation:
    """Public information of a round: no hand, and nothing that only one seat has seen.

    >>> from lastcard.state import deal
    >>> seen = spectate(deal(Rules.preset("official"), seed=7))
    >>> seen.hand_sizes, hasattr(seen, "hand")
    ((7, 7), False)
    """

    __slots__ = ("_core", "_history", "_rules")

    def __init__(self, core: Any, rules: Rules) -> None:
        """Wraps an observation of the core; use `spectate` to make one."""
        self._core: _core.Observation = core
        self._rules = rules
        self._history: tuple[Event, ...] | None = None

    @property
    def rules(self) -> Rules:
        """The rules of the round."""
        return self._rules

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """Number of cards of each seat."""
        return tuple(self._core.hand_sizes)

    @property
    def top_card(self) -> Card:
        """The card to play on."""
        return CARDS[self._core.discards[-1]]

    @property
    def discards(self) -> tuple[Card, ...]:
        """The discard pile in order, top last."""
        return tuple(CARDS[i] for i in self._core.discards)

    @property
    def draw_pile_size(self) -> int:
        """Number of cards left to draw before a reshuffle."""
        return self._core.draw_pile_size

    @property
    def seat(self) -> int | None:
        """The seat to act; None when the round is over."""
        return self._core.turn.seat

    @property
    def phase(self) -> Phase:
        """The decision that the seat has to make."""
        return PHASES[self._core.turn.phase]

    @property
    def direction(self) -> int:
        """1 for ascending seats, -1 for descending."""
        return self._core.turn.direction

    @property
    def active_color(self) -> Color | None:
        """The color to match; None while a turned-up Wild waits for one."""
        return color_of(self._core.turn.active_color)

    @property
    def last_color(self) -> Color | None:
        """The color that was active before the top card was played."""
        return color_of(self._core.turn.last_color)

    @property
    def last_actor(self) -> int | None:
        """The seat of the last public action."""
        return self._core.turn.last_actor

    @property
    def top_player(self) -> int | None:
        """The seat that played the top card; None if it was turned up."""
        return self._core.turn.player

    @property
    def draw_sum(self) -> int:
        """Number of cards still to be drawn for draw cards, added up while stacking."""
        return self._core.turn.draw_sum

    @property
    def declared_uno(self) -> tuple[int, ...]:
        """The seats that have declared UNO."""
        return self._core.turn.declared

    @property
    def command_pending(self) -> bool:
        """True if the top card still needs a decision."""
        return self._core.command_pending

    @property
    def skip_pending(self) -> bool:
        """True if the top card is about to skip a seat."""
        return self._core.skip_pending

    @property
    def scores(self) -> tuple[int, ...]:
        """Each seat's score, this round included once it is over."""
        return tuple(score + points for score, points in zip(self._core.scores, self._core.points, strict=True))

    @property
    def dealer(self) -> int:
        """Seat of the dealer."""
        return self._core.dealer

    @property
    def round_number(self) -> int:
        """Number of the round in the game."""
        return self._core.number

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the round, or None while it is played."""
        turn = self._core.turn
        ending = ENDINGS[turn.ending]
        return None if ending is None else Outcome(turn.winner, ending, tuple(self._core.points))

    @property
    def history(self) -> tuple[Event, ...]:
        """All events that the observer has seen since the deal, in order."""
        if self._history is None:
            self._history = unpack_events(self._core.events(), self._core.observer)
        return self._history

    @property
    def num_events(self) -> int:
        """Number of events in the history; does not build the history.

        >>> from lastcard.state import deal
        >>> observe(deal(Rules.preset("official"), seed=7), seat=1).num_events
        3
        """
        return self._core.num_events

    def __reduce__(self) -> tuple[object, ...]:
        core = self._core
        same = ("observer", "hand", "hand_sizes", "discards", "turn", "scores", "points", "dealer", "number")
        seen = {"events": core.events(), **{name: getattr(core, name) for name in same}}
        return _imagine, (type(self), self._rules, seen)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self  # it never changes

    def __repr__(self) -> str:
        sizes = " ".join(f"{seat}:{size}" for seat, size in enumerate(self.hand_sizes))
        return f"<PublicObservation of top {self.top_card}; hands {sizes}>"


class Observation(PublicObservation):
    """Everything a seat may know, and nothing else. It is a copy: nothing in it leads back to the state.

    >>> from lastcard.state import deal
    >>> obs = observe(deal(Rules.preset("official"), seed=7), seat=1)
    >>> len(obs.hand), obs.hand_sizes, obs.legal_actions
    (7, (7, 7), ())
    """

    __slots__ = ()

    @property
    def observer(self) -> int:
        """The seat whose knowledge this is."""
        return self._core.observer

    @property
    def hand(self) -> tuple[Card, ...]:
        """The observer's own cards, sorted."""
        return tuple(CARDS[i] for i in self._core.hand)

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """Legal actions of the observer; empty unless it is to act (in a window: as it last saw)."""
        return tuple(ACTIONS[i] for i in self._core.legal())

    @property
    def drawn_card(self) -> Card | None:
        """The card the observer has just drawn and may play now."""
        return card_of(self._core.turn.drawn)

    def to_dict(self) -> dict[str, object]:
        """Returns everything as JSON values."""
        return _core.describe_observation(self._core)

    def describe(self, first: int = 0) -> dict[str, object]:
        """Returns everything but the rules as JSON values, with the history from the event of that number on."""
        require_int("first", first, 0, 2**31, StateError)
        return _core.describe_position(self._core, first)

    @classmethod
    def from_dict(cls, fields: Mapping[str, object]) -> Observation:
        """Reads what `to_dict` wrote.

        Raises:
            RulesError: if the rules are impossible.
            StateError: naming the field that is missing, impossible, or contradicted by the others.

        >>> from lastcard.state import deal
        >>> seen = observe(deal(Rules.preset("house"), seed=7), seat=1)
        >>> Observation.from_dict(seen.to_dict()) == seen
        True
        """
        core = _core.read_observation(fields)
        return cls(core, Rules._of(core.rules))

    def facts(self) -> dict[str, object]:
        """Returns everything but the history as JSON values."""
        described = self.describe(self.num_events)
        return {name: described[name] for name in described if name not in _NO_FACTS}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Observation) and self.rules == other.rules and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        # Enough to tell almost all apart; equality compares everything.
        return hash((self.observer, tuple(self._core.events())))

    def __str__(self) -> str:
        sizes = " ".join(f"{seat}:{size}" for seat, size in enumerate(self.hand_sizes))
        color = f" ({self.active_color.word})" if self.top_card.is_wild and self.active_color else ""
        return f"seat {self.observer} holds {format_cards(self.hand)}; top {self.top_card}{color}; hands {sizes}"

    def __repr__(self) -> str:
        return f"<Observation of {self}>"


def observe(state: State, seat: int | None = None) -> Observation:
    """Returns what the seat may know of the state, also while a window is open (Rule 10.7); by default the seat to act.

    Raises:
        StateError: if there is no such seat, or none is named and the round is over.

    >>> from lastcard.state import parse_state
    >>> str(observe(parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR"), seat=0))
    'seat 0 holds r7 b2 w; top r5; hands 0:3 1:3'
    """
    if not isinstance(state, State):
        raise StateError(f"state must be a State, not {shorten(state)}")
    observer = state.seat if seat is None else seat
    if observer is None:
        raise StateError("the round is over, so no seat is to act; name the seat that observes: observe(state, seat=0)")
    require_int("seat", observer, 0, state.rules.players - 1, StateError)
    return Observation(_core.observe(state._round, observer), state.rules)


def spectate(state: State) -> PublicObservation:
    """Returns what a spectator may know of the state.

    >>> from lastcard.state import parse_state
    >>> spectate(parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR")).top_card.text
    'r5'
    """
    if not isinstance(state, State):
        raise StateError(f"state must be a State, not {shorten(state)}")
    return PublicObservation(_core.observe(state._round, _SPECTATOR), state.rules)


def check_decision(observation: object) -> Observation:
    """Returns the observation if its observer has something to decide; agents ask this before anything else.

    Raises:
        AgentError: if it is no observation, or another seat is to act.

    >>> from lastcard.state import deal
    >>> check_decision(observe(deal(Rules.preset("official"), seed=7), seat=1))
    Traceback (most recent call last):
    lastcard.errors.AgentError: seat 1 has nothing to decide here: seat 0 is to act
    """
    if not isinstance(observation, Observation):
        raise AgentError(f"expected an Observation, not {shorten(observation)}; use observe(state, seat)")
    if not observation.legal_actions:
        why = "the round is over" if observation.seat is None else f"seat {observation.seat} is to act"
        raise AgentError(f"seat {observation.observer} has nothing to decide here: {why}")
    return observation


def _imagine(kind: type[_Seen], rules: Rules, seen: dict[str, Any]) -> _Seen:
    """The observation that was pickled."""
    return kind(_core.imagine(rules=rules._compiled, **seen), rules)
