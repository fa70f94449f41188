"""The full state of a round: every card in its place, the seat to act, and everything that has happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from lastcard import _core
from lastcard.actions import ACTIONS, Action
from lastcard.cards import CARDS, Card, Color, card_of, color_of, number_cards, number_reshuffles
from lastcard.errors import IllegalActionError, StateError, ask_core, require_int, shorten
from lastcard.events import Event, unpack_events
from lastcard.phase import ENDINGS, PHASES, Ending, Phase
from lastcard.rules import Rules
from lastcard.seeds import STREAMS, fresh_seed, seed_bytes


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a round.

    >>> Outcome(winner=0, reason=Ending.WENT_OUT, points=(14, 0)).to_dict()
    {'winner': 0, 'reason': 'went_out', 'points': [14, 0]}
    """

    winner: int | None
    """The seat that won; None after a tie (Rule 5.3)."""
    reason: Ending
    points: tuple[int, ...]
    """Points that each seat adds to its score."""

    def to_dict(self) -> dict[str, object]:
        """Returns JSON values."""
        return {"winner": self.winner, "reason": self.reason.value, "points": list(self.points)}


@dataclass(frozen=True, slots=True)
class Player:
    """Hand, score and bot flag of one seat.

    >>> deal(Rules.preset("official"), seed=7).players[0].score
    0
    """

    hand: tuple[Card, ...]
    score: int
    bot: bool


class State:
    """One round in progress, with all cards face up. Immutable, except through `apply_in_place`.

    >>> state = deal(Rules.preset("official"), seed=7)
    >>> state.seat, str(state.top_card), [str(action) for action in state.legal_actions]
    (0, 'b5', ['b8', 'bS', 'w:r', 'w:y', 'w:g', 'w:b', 'draw'])
    """

    __slots__ = ("_bots", "_history", "_round", "_rules")

    def __init__(self, core: Any, rules: Rules, bots: tuple[bool, ...]) -> None:
        """Wraps a round of the core; use `deal`, `parse_state` or `State.from_dict` to make one."""
        self._round: _core.Round = core
        self._history: tuple[int, tuple[Event, ...]] = (0, ())  # packed numbers read, and the events they make
        self._rules = rules
        self._bots = bots

    def _with(self, core: _core.Round) -> State:
        state = State(core, self._rules, self._bots)
        state._history = self._history
        return state

    @property
    def rules(self) -> Rules:
        """The rules of the round."""
        return self._rules

    @property
    def seed(self) -> int:
        """Seed of the deal and of every reshuffle."""
        return int.from_bytes(self._round.key, "little")

    @property
    def dealer(self) -> int:
        """Seat of the dealer."""
        return self._round.dealer

    @property
    def round_number(self) -> int:
        """Number of the round in the game."""
        return self._round.number

    @property
    def bots(self) -> tuple[bool, ...]:
        """Bot flag of each seat."""
        return self._bots

    # What is asked of whom

    @property
    def seat(self) -> int | None:
        """The seat to act or being asked; None when the round is over."""
        return self._round.seat

    @property
    def phase(self) -> Phase:
        """The decision that the seat has to make."""
        return PHASES[self._round.turn.phase]

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """Legal actions of the seat to act, in ascending order; empty when the round is over."""
        legal = self._round.legal()
        if len(legal) > 1:
            found: tuple[Action, ...] = itemgetter(*legal)(ACTIONS)  # faster than a comprehension
            return found
        return tuple([ACTIONS[i] for i in legal])

    def after(self, action: Action) -> State:
        """Returns the state after a legal action.

        Raises:
            IllegalActionError: if the action is not legal here, with the reason and the legal actions.
        """
        core = self._round.after(action.index) if isinstance(action, Action) else None
        if core is None:
            raise self._refusal(action)
        return self._with(core)

    def apply_in_place(self, action: Action) -> None:
        """Changes this state into the one after a legal action.

        Raises:
            IllegalActionError: if the action is not legal here, with the reason and the legal actions.
            StateError: if the state is a table's; use `Table.apply`, which also records the action.
        """
        if not isinstance(action, Action) or not self._round.apply_in_place(action.index):
            raise self._refusal(action)

    def copy(self) -> State:
        """Returns an equal state that does not change with this one."""
        return self._with(self._round.copy())

    def frozen(self) -> State:
        """Returns an equal state that refuses `apply_in_place`; its `copy` does not.

        >>> deal(Rules.preset("mini"), seed=1).frozen().apply_in_place(Action("draw"))
        Traceback (most recent call last):
        lastcard.errors.StateError: the state of a table cannot be changed: ...
        """
        state = _FrozenState(self._round.copy(), self.rules, self.bots)
        state._history = self._history
        return state

    def _refusal(self, action: object) -> IllegalActionError:
        if not isinstance(action, Action):
            return IllegalActionError(f"expected an Action, not {shorten(action)}; read text with parse_action")
        return IllegalActionError(_core.explain_refusal(self._round, action.index))

    # Where the cards are

    def hand(self, seat: int) -> tuple[Card, ...]:
        """The cards of a seat, sorted."""
        require_int("seat", seat, 0, self.rules.players - 1, StateError)
        return tuple(CARDS[i] for i in self._round.hand(seat))

    @property
    def players(self) -> tuple[Player, ...]:
        """Each seat's hand, score and bot flag."""
        return tuple(Player(self.hand(seat), score, self.bots[seat]) for seat, score in enumerate(self.scores))

    @property
    def draw_pile(self) -> tuple[Card, ...]:
        """Cards in order, the top card last."""
        return tuple(CARDS[i] for i in self._round.draw_pile)

    @property
    def discard_pile(self) -> tuple[Card, ...]:
        """Cards in order, the top card last."""
        return tuple(CARDS[i] for i in self._round.discard_pile)

    @property
    def top_card(self) -> Card:
        """The card to play on."""
        return CARDS[self._round.discard_pile[-1]]

    # The turn

    @property
    def direction(self) -> int:
        """1 for ascending seats, -1 for descending."""
        return self._round.turn.direction

    @property
    def active_color(self) -> Color | None:
        """The color to match; None while a turned-up Wild waits for one."""
        return color_of(self._round.turn.active_color)

    @property
    def last_color(self) -> Color | None:
        """The color that was active before the top card was played; None before the first play."""
        return color_of(self._round.turn.last_color)

    @property
    def command_pending(self) -> bool:
        """True if the top card still needs a decision."""
        return self._round.command_pending

    @property
    def draw_sum(self) -> int:
        """Number of cards still to be drawn for draw cards, added up while stacking."""
        return self._round.turn.draw_sum

    @property
    def drawn_card(self) -> Card | None:
        """Card that may be played now, in phase `drawn`."""
        return card_of(self._round.turn.drawn)

    @property
    def last_actor(self) -> int | None:
        """The seat of the last public action."""
        return self._round.turn.last_actor

    @property
    def declared_uno(self) -> tuple[int, ...]:
        """The seats that have declared UNO."""
        return tuple(self._round.declared)

    @property
    def stuck_passes(self) -> int:
        """Number of seats in a row that had nothing to draw (Rule 5.3)."""
        return self._round.turn.stuck_passes

    @property
    def ply(self) -> int:
        """Number of applied actions without passes (Rule 5.4)."""
        return self._round.turn.ply

    @property
    def reshuffles(self) -> int:
        """Number of reshuffles."""
        return self._round.reshuffles

    @property
    def reshuffle_orders(self) -> tuple[tuple[Card, ...], ...]:
        """The order, top last, that each reshuffle since the deal gave to the draw pile."""
        return tuple(tuple(CARDS[i] for i in order) for order in self._round.reshuffle_orders)

    @property
    def follows_script(self) -> bool:
        """True if every reshuffle given to `deal` held exactly the cards to be shuffled."""
        return not self._round.script_failed

    # The end

    @property
    def is_over(self) -> bool:
        """True if the round has ended."""
        return self._round.is_over

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the round, or None while it is played."""
        if not self._round.is_over:
            return None
        turn = self._round.turn
        ending = ENDINGS[turn.ending]
        assert ending is not None
        return Outcome(turn.winner, ending, tuple(self._round.points))

    @property
    def scores(self) -> tuple[int, ...]:
        """Each seat's score, this round included once it is over."""
        return tuple(score + points for score, points in zip(self._round.scores, self._round.points, strict=True))

    @property
    def history(self) -> tuple[Event, ...]:
        """All events since the deal, including private cards."""
        read, events = self._history
        # Only what was not read before: a loop that reads the history at every ply unpacks each event once.
        news = self._round.events(read)
        if news:
            events += unpack_events(news)
            self._history = (read + len(news), events)
        return events

    def perft(self, depth: int) -> int:
        """Number of sequences of that many actions; a round that ends early counts once.

        >>> deal(Rules.preset("mini"), seed=1).perft(1) == len(deal(Rules.preset("mini"), seed=1).legal_actions)
        True
        """
        require_int("depth", depth, 0, 20, StateError)
        return self._round.count_leaves(depth) if depth else 1

    # As data

    def to_dict(self) -> dict[str, object]:
        """Returns everything as JSON values."""
        return _core.describe_state(self._round, self.bots)

    @classmethod
    def from_dict(cls, fields: Mapping[str, object]) -> State:
        """Reads what `to_dict` wrote.

        Raises:
            StateError: naming the field, if the position is impossible.

        >>> state = deal(Rules.preset("house"), seed=3)
        >>> State.from_dict(state.to_dict()) == state
        True
        """
        return cls._of(_core.read_state(fields))

    @classmethod
    def _of(cls, read: tuple[_core.Round, list[bool]]) -> State:
        """The state that the core has read."""
        core, bots = read
        return cls(core, Rules._of(core.rules), tuple(bots))

    def _key(self) -> tuple[object, ...]:
        return (self.rules, self.bots, *_list_parts(self._round))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        return _core.format_state(self._round, self.bots)

    def __repr__(self) -> str:
        return f"<State ply {self.ply}, seat {self.seat} to act, top {self.top_card}>"

    def __reduce__(self) -> tuple[object, tuple[dict[str, object]]]:
        # A frozen state comes back as an ordinary one: the copy belongs to no table.
        return State.from_dict, (self.to_dict(),)


def _list_parts(core: _core.Round) -> tuple[object, ...]:
    """Everything that a round is, without its rules."""
    return (
        core.key,
        core.dealer,
        core.number,
        tuple(core.scores),
        tuple(tuple(core.hand(seat)) for seat in range(len(core.scores))),
        tuple(core.draw_pile),
        tuple(core.discard_pile),
        tuple(core.shown),
        core.turn,
        core.reshuffles,
        tuple(core.events()),
        None if core.before is None else _list_parts(core.before),
    )


class _FrozenState(State):
    """A state that a table gives out."""

    __slots__ = ()

    def apply_in_place(self, action: Action) -> None:
        raise StateError("the state of a table cannot be changed: use table.apply(action), or change state.copy()")


def _check_scores(rules: Rules, scores: Sequence[int] | None) -> tuple[int, ...]:
    """One whole number for each seat, 0 where none are given."""
    if scores is None:
        return (0,) * rules.players
    if not isinstance(scores, Sequence) or len(scores) != rules.players:
        raise StateError(f"scores must have one number for each of {rules.players} seats, not {shorten(scores)}")
    return tuple(require_int("scores", score, -10_000_000, 10_000_000, StateError) for score in scores)


def _check_bots(rules: Rules, bots: Sequence[bool] | None) -> tuple[bool, ...]:
    """One flag for each seat, True where none are given."""
    if bots is None:
        return (True,) * rules.players
    if not isinstance(bots, Sequence) or len(bots) != rules.players or not all(isinstance(bot, bool) for bot in bots):
        raise StateError(f"bots must be True or False for each of {rules.players} seats, not {shorten(bots)}")
    return tuple(bots)


def deal(
    rules: Rules,
    seed: int | None = None,
    *,
    deck: Sequence[Card] | None = None,
    reshuffles: Sequence[Sequence[Card]] = (),
    dealer: int | None = None,
    round_number: int = 1,
    scores: Sequence[int] | None = None,
    bots: Sequence[bool] | None = None,
) -> State:
    """Shuffles, deals and turns up the first card (section 2).

    Args:
        rules: Rules of the round.
        seed: Fixes the order of the deck and of every reshuffle. Without a seed and a deck, a random seed is drawn;
            `State.seed` holds it.
        deck: The order of the deck instead, top last: its last card is dealt first. The seed, 0 by default, then fixes
            only the reshuffles.
        reshuffles: Orders for the first reshuffles instead, top last, as in a record.
        dealer: Seat of the dealer; by default the last seat in round 1, then one seat further each round.
        round_number: Number of the round in the game.
        scores: Scores of the seats from earlier rounds.
        bots: Bot flag of each seat; the rules do not depend on it.

    Raises:
        StateError: naming the argument, if it does not fit the rules.

    >>> deal(Rules.preset("mini"), seed=1) == deal(Rules.preset("mini"), seed=1)
    True
    """
    if not isinstance(rules, Rules):
        raise StateError(f"rules must be Rules, not {shorten(rules)}; make them with Rules.preset(...)")
    players = rules.players
    require_int("round_number", round_number, 1, 1_000_000, StateError)
    if dealer is None:
        # Rule 2.1: the last seat in round 1, then one seat further each round.
        dealer = (players - 2 + round_number) % players
    require_int("dealer", dealer, 0, players - 1, StateError)
    all_scores = _check_scores(rules, scores)
    all_bots = _check_bots(rules, bots)
    if seed is None:
        seed = fresh_seed() if deck is None else 0
    core = ask_core(
        StateError,
        _core.deal,
        rules=rules._compiled,
        seed=seed_bytes(seed),
        deck=None if deck is None else number_cards("deck", deck),
        reshuffles=number_reshuffles(reshuffles),
        dealer=dealer,
        number=round_number,
        scores=list(all_scores),
    )
    return State(core, rules, all_bots)


def deck_order(rules: Rules, seed: int) -> tuple[Card, ...]:
    """The order, top last, in which `deal` stacks the deck for a seed.

    >>> deck_order(Rules.preset("mini"), seed=1)[-1] in deal(Rules.preset("mini"), seed=1).hand(0)
    True
    """
    if not isinstance(rules, Rules):
        raise StateError(f"rules must be Rules, not {shorten(rules)}; make them with Rules.preset(...)")
    return tuple(CARDS[i] for i in _core.deck_order(rules._compiled, seed_bytes(seed)))


def reshuffled(cards: Sequence[Card], seed: int, ordinal: int) -> tuple[Card, ...]:
    """The order, top last, that reshuffle number `ordinal` (from 1) gives to these cards (Rule 5.1).

    >>> cards = deck_order(Rules.preset("mini"), seed=1)
    >>> sorted(reshuffled(cards, seed=1, ordinal=1)) == sorted(cards)
    True
    """
    if not isinstance(cards, Sequence) or not all(isinstance(card, Card) for card in cards):
        raise StateError(f"expected a list of cards to shuffle, not {shorten(cards)}")
    require_int("ordinal", ordinal, 0, 2**32 - 1, StateError)
    order = _core.shuffle(sorted(card.index for card in cards), seed_bytes(seed), STREAMS["reshuffle"], ordinal)
    return tuple(CARDS[i] for i in order)


def parse_state(text: str) -> State:
    """Reads a state from one line; parts left out take their value at the start of a round.

    Raises:
        NotationError: if it cannot be read.
        StateError: if it is impossible.

    >>> state = parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR")
    >>> [str(action) for action in state.legal_actions]
    ['r7', 'w:r', 'w:y', 'w:g', 'w:b', 'draw']
    """
    return State._of(_core.parse_state(text))


def format_state(state: State) -> str:
    """Writes a state in one line so that `parse_state` reads it back.

    >>> state = parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR")
    >>> parse_state(format_state(state)) == state
    True
    """
    if not isinstance(state, State):
        raise StateError(f"expected a State, not {shorten(state)}")
    return str(state)
