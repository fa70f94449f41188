"""One of our agents in a game that another program runs: it gets events and is asked for actions.

The host reports every public event to `Seat`: deals, plays, draws and reshuffles. Cards that the seat itself drew are
optional; they follow from the hand passed to `choose`. If events and hand contradict each other, the seat forgets the
history and keeps playing: other programs have their own rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Final

from lastcard import _core
from lastcard.actions import ACCEPT, ACTIONS, CHALLENGE, KEEP, Action, ActionKind
from lastcard.agents import AgentLike, make_agent
from lastcard.cards import WILD, WILD_DRAW_FOUR, Card, Color, Rank, parse_card
from lastcard.envs.parsing import read_action, read_card, read_cards, read_color
from lastcard.envs.rounds import read_agent, read_rules
from lastcard.errors import IllegalActionError, StateError, require_int, shorten
from lastcard.events import EventKind, pack_card, pack_event
from lastcard.observation import Observation
from lastcard.phase import Phase, can_challenge, can_come_up, can_stack, make_turn
from lastcard.rules import Rules

_PHASES: Final = {
    **{KEEP: Phase.DRAWN, ACCEPT: Phase.ANSWER, CHALLENGE: Phase.ANSWER},
    **{action: Phase.SWAP for action in ACTIONS if action.kind is ActionKind.SWAP},
    **{action: Phase.NAME_COLOR for action in ACTIONS if action.kind is ActionKind.COLOR},
}
"""Decision of a seat that may take these actions; anything else is its turn."""
_MOST_LISTED: Final = 24
"""The largest deck of which beliefs list all hands."""
_TURNS_BACK: Final = parse_card("rR")


class Seat:
    """A seat at another program's table, played by one of our agents.

    >>> seat = Seat("official", "heuristic", seat=1)
    >>> seat.deal(top="g7")
    >>> seat.played(0, "g3")
    >>> seat.choose(hand="r5 g2 y3 y8 b0 b9 w", legal=["g2", "y3", "w:r", "w:y", "w:g", "w:b", "draw"])
    parse_action('g2')
    >>> seat.played(1, "g2")
    >>> seat.drew(0)
    """

    def __init__(self, rules: Rules | str, agent: AgentLike, seat: int = 0, seed: int = 0) -> None:
        """Seats an agent: a name, or an object, class or function of your own.

        The rules are those of ours that come closest.

        Raises:
            AgentError: if there is no such agent, or it does not play by these rules.
            StateError: naming another argument that is impossible.
        """
        self.rules = read_rules(rules)
        self.agent = read_agent(agent, seed, self.rules)
        self.seat = require_int("seat", seat, 0, self.rules.players - 1, StateError)
        self._backup = make_agent("heuristic")
        self._deck, self._num_cards = dict(self.rules.deck), self.rules.deck.num_cards
        self._sizes: list[int] = []
        self._discards: list[Card] = []
        self._events: list[int] = []
        self._own: Counter[Card] = Counter()
        self._unknown: list[list[int]] = []
        """Events at which own cards came without their faces, and how many."""
        self._color: Color | None = None
        self._last_color: Color | None = None
        self._player: int | None = None
        self._actor: int | None = None
        self._owed = self._plies = 0
        self._direction = 1
        self._is_doubtful = False
        """True if the reported events contradict our rules; they are forgotten before the next decision."""

    # What the host tells

    def deal(self, top: Card | str, color: Color | str | None = None, sizes: Sequence[int] | None = None) -> None:
        """Starts a round with this card turned up; all hold `hand_size` cards unless `sizes` is given.

        Raises:
            StateError: if the hands are not as many as the seats.
        """
        card, dealt = read_card(top), sizes or [self.rules.hand_size] * self.rules.players
        if card is WILD_DRAW_FOUR:  # Rule 2.2: by our rules it would be put back
            return self.resume(card, dealt, color)
        self._begin(dealt, -1 if card.rank is Rank.REVERSE else 1)
        self._tell(EventKind.TURNED_UP, value=card.index)
        self._discards = [card]
        self._color = card.color
        self._owed = 2 if card.rank is Rank.DRAW_TWO else 0
        if card.is_wild and color is not None:
            self._name(self.seat, read_color(color))

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
        self._restart(read_card(top), sizes, read_color(color), read_cards(discards), direction)

    def played(self, seat: int, action: Action | str) -> None:
        """A seat plays a card, or names the color of a Wild that was turned up.

        Raises:
            StateError: if there is no such seat, it has no card left, or the action is something else.
        """
        self._check_seat(seat)
        made = read_action(action)
        if made.kind is ActionKind.COLOR and self._color is None:
            return self._name(seat, made.color)
        if made.card is None:
            raise StateError(f"action must play a card or name a missing color, not {made}; report draws with drew()")
        if self._sizes[seat] < 1:
            raise StateError(f"seat {seat} has no card left to play; set its hand size with resume()")
        if self._color is None:
            self._name(seat, made.color)
        if self._owed and not can_stack(made.card, self.rules, self._discards[-1]):
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
        copies = sum(1 for card in self._discards if card is made.card) + self._own[made.card]
        if copies > self._deck.get(made.card, 0):
            self._is_doubtful = True

    def drew(self, seat: int, count: int = 1, cards: Sequence[Card] | str | None = None) -> None:
        """Reports that a seat draws cards, in its turn or as a penalty; pass the cards only for this seat.

        Raises:
            StateError: if there is no such seat, or the cards are not as many.
        """
        self._check_seat(seat)
        require_int("count", count, 1, self._num_cards, StateError)
        known = None if cards is None or seat != self.seat else read_cards(cards)
        if known is not None and len(known) != count:
            raise StateError(f"cards must be the {count} that were drawn, not {len(known)}")
        if self._color is None:
            self._name(seat, Color.RED)
        runs_out = count == self._pile_size()  # the rest of a penalty follows a reshuffle
        if self._owed and count != self._owed and not (runs_out and count < self._owed):
            self._forgive(seat)
        if not self._owed:
            self._actor, self._plies = seat, self._plies + 1
        self._owed = max(self._owed - count, 0)
        self._sizes[seat] += count
        self._tell(EventKind.DREW, seat, count)
        if seat == self.seat:
            self._unknown.append([len(self._events), count])
            if known is not None and not self._unknown[:-1]:
                self._get(known)

    def reshuffled(self) -> None:
        """Reports a reshuffle: all discards except the top card go back into the draw pile.

        The history is remembered if the pile was empty and `drew` got the cards that this seat drew since its last
        choice; otherwise it is forgotten.

        Raises:
            StateError: if no round was dealt.
        """
        self._check_seat(self.seat)
        if self._pile_size() or self._unknown:
            self._is_doubtful = True
        self._tell(EventKind.RESHUFFLED, other=len(self._discards) - 1)
        del self._discards[:-1]

    # What the host asks

    def choose(self, hand: Sequence[Card] | str, legal: Sequence[Action | str]) -> Action:
        """Returns the agent's action, always one of the legal actions that the host lists.

        Raises:
            IllegalActionError: if none is.
            StateError: if no round was dealt, or the seat holds nothing.
        """
        allowed = [read_action(action) for action in legal]
        if not allowed:
            raise IllegalActionError("legal must name at least one action")
        if len(allowed) == 1:
            return allowed[0]
        seen = self._observe(read_cards(hand), allowed)
        if seen is None:
            return allowed[0]
        answer = self.agent.choose(seen)
        if answer in allowed:
            return answer
        # By our rules, or those that the agent was given, other actions are legal.
        known = (self._backup.choose(seen), *seen.legal_actions) if seen.legal_actions else ()
        return next((action for action in known if action in allowed), allowed[0])

    def observe(self, hand: Sequence[Card] | str, legal: Sequence[Action] = ()) -> Observation:
        """Returns the seat's observation before it decides.

        Raises:
            StateError: if no round was dealt, or the seat holds nothing.
        """
        seen = self._observe(read_cards(hand), legal)
        if seen is None:
            raise StateError(f"hand {shorten(hand)} holds only cards of which all others lie on the table")
        return seen

    def _observe(self, cards: list[Card], legal: Sequence[Action]) -> Observation | None:
        """The observation, or None if no such hand can be held by our rules."""
        if not self._discards:
            raise StateError("call deal() or resume() first: there is no round yet")
        if not cards:
            raise StateError("hand is empty: a seat that holds no card has won")
        fitting = self._fit(cards)
        if fitting is None:
            return None
        held, below = fitting
        phase = self._find_phase(held, legal)
        color = None if phase is Phase.NAME_COLOR else self._find_color(held, legal)
        is_whole = len(held) == len(cards) == self._sizes[self.seat] and len(below) + 1 == len(self._discards)
        if self._is_doubtful or not is_whole or not self._settle(held):
            self._forget(held, below, color)
        core = _core.imagine(
            rules=self.rules._compiled,
            observer=self.seat,
            hand=[card.index for card in held],
            hand_sizes=self._sizes,
            discards=[card.index for card in self._discards],
            events=self._events,
            turn=self._make_turn(phase, color, self._find_drawn(phase, color, held, legal)),
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
        """Sets the faces of the next unseen cards."""
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
        if direction not in (1, -1):
            raise StateError(f"direction must be 1 or -1, not {shorten(direction)}")
        self._sizes = [require_int("sizes", size, 1, self._num_cards, StateError) for size in sizes]
        self._events, self._unknown = [], []
        self._own.clear()
        for seat, size in enumerate(self._sizes):
            count = size + holds if seat == self.seat else size
            self._tell(EventKind.DEALT, seat, count)
            if seat == self.seat:
                self._unknown.append([len(self._events), count])
        self._color = self._last_color = self._player = self._actor = None
        self._direction, self._owed, self._plies, self._is_doubtful = direction, 0, 0, False

    def _restart(
        self, top: Card, sizes: Sequence[int], color: Color | None, below: list[Card], direction: int, owed: int = 0
    ) -> None:
        """Begins with a play of this seat, of which nothing is learned: a draw means something only on a known card."""
        self._begin(sizes, direction, holds=1)
        self._color = top.color or color
        # In small decks beliefs list all hands, by the events alone: there, older discards count as cards in the pile.
        self._discards = [*(below if self._num_cards > _MOST_LISTED else ()), top]
        before = -direction if top.rank is Rank.REVERSE else direction
        if before < 0 and self.rules.players > 2 and _TURNS_BACK in self._deck:  # of two, each is next either way
            self._tell(EventKind.TURNED_UP, value=_TURNS_BACK.index)
        action = Action.play(top, naming=(self._color or Color.RED) if top.is_wild else None)
        self._give(top)
        self._tell(EventKind.PLAYED, self.seat, value=action.index)
        self._owed = owed
        if action.draw_penalty and not owed:
            self._tell(EventKind.SKIPPED, self.seat)

    def _forget(self, hand: list[Card], below: list[Card], color: Color | None) -> None:
        """Begins again from how things stand, without what happened."""
        sizes = [len(hand) if seat == self.seat else size for seat, size in enumerate(self._sizes)]
        before = self._last_color, self._player, self._actor, self._plies
        self._restart(self._discards[-1], sizes, color, below, self._direction, self._owed)
        self._last_color, self._player, self._actor, self._plies = before
        self._settle(hand)

    def _pile_size(self) -> int:
        return self._num_cards - sum(self._sizes) - len(self._discards)

    def _name(self, seat: int, color: Color | None) -> None:
        """A seat names the color of a Wild that was turned up."""
        self._color = color or Color.RED
        self._tell(EventKind.NAMED_COLOR, seat, value=self._color.value)

    def _tell(self, kind: EventKind, seat: int = 0, other: int = 0, value: int = 0) -> None:
        self._events.append(pack_event(kind, seat, other, value))

    def _forgive(self, seat: int) -> None:
        """Cancels a debt that will not be drawn: the host has another rule there."""
        self._tell(EventKind.SKIPPED, seat)
        self._owed = 0

    def _check_seat(self, seat: int) -> None:
        require_int("seat", seat, 0, self.rules.players - 1, StateError)
        if not self._sizes:
            raise StateError("call deal() or resume() first: there is no round yet")

    def _find_phase(self, hand: Sequence[Card], legal: Sequence[Action]) -> Phase:
        """The decision of the seat, as far as our rules know it."""
        phase = next((_PHASES[action] for action in legal if action in _PHASES), None)
        if phase is None:
            return Phase.TURN
        rules, top = self.rules, self._discards[-1]
        is_told = self._last_color is not None or not can_challenge(rules, top)
        fits = {
            Phase.DRAWN: all(not action.card or action.card in hand for action in legal),
            Phase.ANSWER: self._owed > 0 and self._player not in (None, self.seat) and is_told,
            Phase.NAME_COLOR: self._color is None and top is WILD,
            Phase.SWAP: self._player == self.seat,
        }
        return phase if fits[phase] and can_come_up(phase, rules, top) else Phase.TURN

    def _find_color(self, hand: Sequence[Card], legal: Sequence[Action]) -> Color | None:
        """The active color; if the host's color does not fit the legal actions, one that does."""
        if not self._discards[-1].is_wild or (self._color is not None and any(action in _PHASES for action in legal)):
            return self._color
        matching = [action.card.color for action in legal if action.card and not action.card.is_wild]
        held = {card.color for card in hand} if legal else set()
        likely = matching or [color for color in (self._color, *Color) if color and color not in held]
        return likely[0] if likely else self._color or Color.RED

    def _fit(self, hand: Sequence[Card]) -> tuple[list[Card], list[Card]] | None:
        """The hand and the discards, without copies that the deck does not have; None if none fits."""
        deck, held = self._deck, list(hand)
        *below, top = self._discards
        for card, count in Counter((*held, *below, top)).items():
            for _ in range(count - deck.get(card, 0)):
                place = below if card in below else held
                if card in place:
                    place.remove(card)
        others = sum(self._sizes) - self._sizes[self.seat]
        excess = max(len(held) + len(below) + 1 + others - self._num_cards, 0)
        is_possible = held and excess <= len(below) and deck.get(top, 0) and min(self._sizes) > 0
        return (held, below[excess:]) if is_possible else None

    def _find_drawn(
        self, phase: Phase, color: Color | None, cards: Sequence[Card], legal: Sequence[Action]
    ) -> Card | None:
        """The card just drawn: the one that may be played, or else one that may not."""
        if phase is not Phase.DRAWN:
            return None
        top = self._discards[-1]
        playable = (action.card for action in legal if action.card)
        others = (card for card in cards if card.color is not color and card.rank is not top.rank and not card.is_wild)
        return next(chain(playable, others, cards))

    def _make_turn(self, phase: Phase, color: Color | None, drawn: Card | None) -> _core.Turn:
        return make_turn(
            phase,
            self.seat,
            active_color=color,
            last_color=self._last_color,
            drawn=drawn,
            ply=min(self._plies, self.rules.max_plies - 1),
            declared=[seat for seat, size in enumerate(self._sizes) if size == 1],
            player=self._player,
            draw_sum=self._owed if phase is Phase.ANSWER else 0,
            last_actor=self._actor,
            direction=self._direction,
        )
