"""One of our agents in a game that another program runs: it is told what happens and asked for actions.

The host tells `Seat` what all can see: what was dealt, played, drawn and reshuffled. Cards that the seat drew itself
need not be told; they follow from the hand that `choose` is given. Where these contradict each other the seat forgets
what happened before and plays on: other programs have rules of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from lastcard import _core
from lastcard.actions import ACCEPT, ACTIONS, CHALLENGE, KEEP, Action, ActionKind, parse_action
from lastcard.agents import Agent, make_agent
from lastcard.cards import Card, Color, Rank, parse_card, parse_cards, parse_color
from lastcard.envs.rounds import read_agent, read_rules
from lastcard.errors import IllegalActionError, StateError, require_int, shorten
from lastcard.events import EventKind, pack_card, pack_event
from lastcard.observation import Observation
from lastcard.position import NO_COLOR, NONE, PHASES, Phase
from lastcard.rules import Rules

_PHASES: Final = {
    **{KEEP: Phase.DRAWN, ACCEPT: Phase.ANSWER, CHALLENGE: Phase.ANSWER},
    **{action: Phase.SWAP for action in ACTIONS if action.kind is ActionKind.SWAP},
    **{action: Phase.NAME_COLOR for action in ACTIONS if action.kind is ActionKind.COLOR},
}
"""What a seat is being asked that may do so; anything else is its turn."""
_TURNS_BACK: Final = parse_card("rR")


class Seat:
    """A seat at somebody else's table, with an agent of ours that answers for it.

    >>> seat = Seat("official", "heuristic", seat=1)
    >>> seat.deal(top="g7")
    >>> seat.played(0, "g3")
    >>> seat.choose(hand="r5 g2 y3 y8 b0 b9 w", legal=["g2", "y3", "w:r", "w:y", "w:g", "w:b", "draw"])
    parse_action('g2')
    >>> seat.played(1, "g2")
    >>> seat.drew(0)
    """

    def __init__(self, rules: Rules | str, agent: str | Agent, seat: int = 0, seed: int = 0) -> None:
        """Seats an agent, by name or as an object; the rules are those of ours that come closest.

        Raises:
            AgentError: if there is no such agent, or it does not play by these rules.
            StateError: naming another argument that is impossible.
        """
        self.rules = read_rules(rules)
        self.agent = read_agent(agent, seed, self.rules)
        self.seat = require_int("seat", seat, 0, self.rules.players - 1, StateError)
        self._backup = make_agent("heuristic")
        self._sizes: list[int] = []
        self._discards: list[Card] = []
        self._events: list[int] = []
        self._own: Counter[Card] = Counter()
        self._unknown: list[list[int]] = []
        """Where among the events own cards came that were not told, and how many."""
        self._color: Color | None = None
        self._last_color: Color | None = None
        self._player: int | None = None
        self._actor: int | None = None
        self._owed = self._plies = 0
        self._direction = 1

    # What the host tells

    def deal(self, top: Card | str, color: Color | str | None = None, sizes: Sequence[int] | None = None) -> None:
        """A round begins with this card turned up; all hold `hand_size` cards unless `sizes` says otherwise.

        Raises:
            StateError: if the hands are not as many as the seats.
        """
        card = _read_card(top)
        self._begin(sizes or [self.rules.hand_size] * self.rules.players, 1)
        self._tell(EventKind.TURNED_UP, value=card.index)
        self._discards = [card]
        self._color = card.color or _read_color(color)
        self._owed = 2 if card.rank is Rank.DRAW_TWO else 0
        self._direction = -1 if card.rank is Rank.REVERSE else 1
        if card.is_wild and self._color is not None:
            self._tell(EventKind.NAMED_COLOR, self.seat, value=self._color.value)

    def resume(
        self,
        top: Card | str,
        sizes: Sequence[int],
        color: Color | str | None = None,
        discards: Sequence[Card] | str = (),
        direction: int = 1,
    ) -> None:
        """Forgets what happened and begins in the middle of a round, with cards known to lie below the top card.

        Raises:
            StateError: if the hands are not as many as the seats.
        """
        card = _read_card(top)
        self._begin(sizes, direction, holds=1)
        self._color = card.color or _read_color(color)
        self._discards = [*_read_cards(discards), card]
        # A draw means something only on a known card: the events begin with a play of this seat, of which nothing is
        # learned.
        before = -direction if card.rank is Rank.REVERSE else direction
        if before < 0:
            self._tell(EventKind.TURNED_UP, value=_TURNS_BACK.index)
        action = Action.play(card, naming=(self._color or Color.RED) if card.is_wild else None)
        self._give(card)
        self._tell(EventKind.PLAYED, self.seat, value=action.index)
        if action.draw_penalty:
            self._tell(EventKind.SKIPPED, self.seat)

    def played(self, seat: int, action: Action | str) -> None:
        """A seat plays a card, or names the color of a Wild that was turned up.

        Raises:
            StateError: if there is no such seat, it has no card left, or the action is something else.
        """
        self._check_seat(seat)
        made = _read_action(action)
        if made.kind is ActionKind.COLOR and made.color is not None:
            self._color = made.color
            return self._tell(EventKind.NAMED_COLOR, seat, value=made.color.value)
        if made.card is None:
            raise StateError(f"action must play a card or name a color, not {made}; what is drawn is told to drew()")
        if self._sizes[seat] < 1:
            raise StateError(f"seat {seat} has no card left to play; resume() tells how many it holds")
        if self._owed and (self.rules.stacking == "none" or not made.draw_penalty):
            self._forgive(seat)
        if seat == self.seat:
            self._give(made.card)
        self._tell(EventKind.PLAYED, seat, value=made.index)
        self._sizes[seat] -= 1
        self._discards.append(made.card)
        self._last_color, self._color, self._player, self._actor = self._color, made.color, seat, seat
        self._direction *= -1 if made.card.rank is Rank.REVERSE else 1
        self._owed += made.draw_penalty
        self._plies += 1

    def drew(self, seat: int, count: int = 1, cards: Sequence[Card] | str | None = None) -> None:
        """A seat draws cards: in its turn, or as many as it owes. Which they are is told of this seat's only.

        Raises:
            StateError: if there is no such seat, or the cards are not as many.
        """
        self._check_seat(seat)
        require_int("count", count, 1, self.rules.deck.num_cards, StateError)
        known = None if cards is None or seat != self.seat else _read_cards(cards)
        if known is not None and len(known) != count:
            raise StateError(f"cards must be the {count} that were drawn, not {len(known)}")
        if self._owed not in (0, count):
            self._forgive(seat)
        if not self._owed:
            self._actor, self._plies = seat, self._plies + 1
        self._owed = 0
        self._sizes[seat] += count
        self._tell(EventKind.DREW, seat, count)
        if seat == self.seat:
            self._unknown.append([len(self._events), count])
            if known is not None and not self._unknown[:-1]:
                self._get(known)

    def reshuffled(self) -> None:
        """All discards but the top card go back into the draw pile."""
        self._tell(EventKind.RESHUFFLED, other=len(self._discards) - 1)
        del self._discards[:-1]

    # What the host asks

    def choose(self, hand: Sequence[Card] | str, legal: Sequence[Action | str]) -> Action:
        """The agent's action, always one of those that the host says are legal.

        Raises:
            IllegalActionError: if none is.
            StateError: if no round was dealt, or the seat holds nothing.
        """
        allowed = [_read_action(action) for action in legal]
        if not allowed:
            raise IllegalActionError("legal must name at least one action")
        if len(allowed) == 1:
            return allowed[0]
        seen = self._observe(_read_cards(hand), allowed)
        if seen is None:
            return allowed[0]
        answer = self.agent.choose(seen)
        if answer in allowed:
            return answer
        # By our rules, or those that the agent was given, other actions are legal.
        known = (self._backup.choose(seen), *seen.legal_actions) if seen.legal_actions else ()
        return next((action for action in known if action in allowed), allowed[0])

    def observe(self, hand: Sequence[Card] | str, legal: Sequence[Action] = ()) -> Observation:
        """What the seat knows before it decides.

        Raises:
            StateError: if no round was dealt, or the seat holds nothing.
        """
        seen = self._observe(_read_cards(hand), legal)
        if seen is None:
            raise StateError(f"hand {shorten(hand)} holds only cards of which all others lie on the table")
        return seen

    def _observe(self, cards: list[Card], legal: Sequence[Action]) -> Observation | None:
        """The observation, or None if no such hand can be held by our rules."""
        if not self._discards:
            raise StateError("deal() or resume() comes first: there is no round yet")
        if not cards:
            raise StateError("hand is empty: a seat that holds no card has won")
        color = self._find_color(cards, legal)
        if len(cards) != self._sizes[self.seat] or not self._settle(cards):
            sizes = [len(cards) if at == self.seat else size for at, size in enumerate(self._sizes)]
            self.resume(self._discards[-1], sizes, color, self._discards[:-1], self._direction)
            self._settle(cards)
        discards = self._make_room(cards)
        if not cards:
            return None
        sizes = list(self._sizes)
        sizes[self.seat] = len(cards)
        core = _core.imagine(
            self.rules._compiled,
            self.seat,
            [card.index for card in cards],
            sizes,
            [card.index for card in discards],
            self._events,
            self._number_turn(sizes, color, cards, legal),
        )
        return Observation(core, self.rules)

    # The seat's own cards

    def _give(self, card: Card) -> None:
        """The seat parts with a card: one that it is known to hold, or one of those that came unseen."""
        if self._own[card] or not self._unknown:
            self._own[card] -= 1
        else:
            self._get([card])
            self._own[card] -= 1

    def _get(self, cards: list[Card]) -> None:
        """Says which the next cards were that came unseen."""
        for card in cards:
            place = self._unknown[0]
            self._events.insert(place[0], pack_card(self.seat, card))
            self._own[card] += 1
            for later in self._unknown:
                later[0] += 1
            place[1] -= 1
            if not place[1]:
                del self._unknown[0]

    def _settle(self, hand: Sequence[Card]) -> bool:
        """Takes what is new in the hand for what came unseen, if it fits."""
        new = Counter(hand)
        new.subtract(self._own)
        if min(new.values()) < 0 or new.total() != sum(count for _, count in self._unknown):
            return False
        self._get(list(new.elements()))
        return True

    # How things stand

    def _begin(self, sizes: Sequence[int], direction: int, holds: int = 0) -> None:
        if len(sizes) != self.rules.players:
            raise StateError(f"sizes must be {self.rules.players} numbers, one for each seat, not {shorten(sizes)}")
        self._sizes = [require_int("sizes", size, 1, self.rules.deck.num_cards, StateError) for size in sizes]
        self._events, self._unknown = [], []
        self._own.clear()
        for seat, size in enumerate(self._sizes):
            count = size + holds if seat == self.seat else size
            self._tell(EventKind.DEALT, seat, count)
            if seat == self.seat:
                self._unknown.append([len(self._events), count])
        self._color = self._last_color = self._player = self._actor = None
        self._direction, self._owed, self._plies = direction, 0, 0

    def _tell(self, kind: EventKind, seat: int = 0, other: int = 0, value: int = 0) -> None:
        self._events.append(pack_event(kind, seat, other, value))

    def _forgive(self, seat: int) -> None:
        """What is owed will not be drawn: the host has another rule there."""
        self._tell(EventKind.SKIPPED, seat)
        self._owed = 0

    def _check_seat(self, seat: int) -> None:
        require_int("seat", seat, 0, self.rules.players - 1, StateError)
        if not self._sizes:
            raise StateError("deal() or resume() comes first: there is no round yet")

    def _find_color(self, hand: Sequence[Card], legal: Sequence[Action]) -> Color | None:
        """The active color; where the host tells none that fits what is legal, one that does."""
        if not self._discards[-1].is_wild or any(action.kind is ActionKind.COLOR for action in legal):
            return self._color
        if self._color is not None and any(action in _PHASES for action in legal):
            return self._color
        matching = [action.card.color for action in legal if action.card and not action.card.is_wild]
        held = {card.color for card in hand} if legal else set()
        likely = matching or [color for color in (self._color, *Color) if color and color not in held]
        return likely[0] if likely else self._color or Color.RED

    def _make_room(self, hand: list[Card]) -> list[Card]:
        """The discards; takes out of them and the hand cards of which there would be more than the deck has."""
        deck = self.rules.deck
        *below, top = self._discards
        for card, count in Counter((*hand, *below, top)).items():
            for _ in range(count - deck.get(card, 0)):
                place = below if card in below else hand
                if card in place:
                    place.remove(card)
        most = deck.num_cards - sum(self._sizes) - 1
        return [*below[max(len(below) - most, 0) :], top]

    def _number_turn(
        self, sizes: Sequence[int], color: Color | None, hand: Sequence[Card], legal: Sequence[Action]
    ) -> list[int]:
        """The numbers of the turn in the core's order."""
        phase = next((_PHASES[action] for action in legal if action in _PHASES), Phase.TURN)
        drawn = next((action.card for action in legal if action.card in hand), None) if phase is Phase.DRAWN else None
        return [
            min(self._plies, self.rules.max_plies - 1),
            sum(1 << seat for seat, size in enumerate(sizes) if size == 1),
            PHASES.index(phase),
            self.seat,
            NO_COLOR if color is None else color.value,
            NO_COLOR if self._last_color is None else self._last_color.value,
            NONE if self._player is None else self._player,
            NONE,
            NONE if drawn is None else drawn.index,
            self._owed if phase is Phase.ANSWER else 0,
            0,
            NONE if self._actor is None else self._actor,
            NONE,
            0,
            self._direction,
        ]


def _read_card(card: Card | str) -> Card:
    return card if isinstance(card, Card) else parse_card(card)


def _read_cards(cards: Sequence[Card] | str) -> list[Card]:
    return list(parse_cards(cards)) if isinstance(cards, str) else [_read_card(card) for card in cards]


def _read_color(color: Color | str | None) -> Color | None:
    return parse_color(color) if isinstance(color, str) else color


def _read_action(action: Action | str) -> Action:
    return action if isinstance(action, Action) else parse_action(action)
