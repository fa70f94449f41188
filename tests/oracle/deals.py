"""Possible hands of the other seats, by counting every shuffle that fits a seat's history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple, TypeVar

from lastcard import WILD, WILD_DRAW_FOUR, Card, Color, Event, EventKind, Observation, Phase, Rank, Rules

MAX_WORLDS = 200_000

Hand = tuple[Card, ...]
T = TypeVar("T")


def enumerate_deals(observation: Observation) -> dict[tuple[Hand, ...], Fraction]:
    """The chance of every way the other seats' hands may be, by those seats in ascending order.

    Every order of the deck and of each reshuffle counts alike, as long as all seats could legally have done what
    the observer saw them do, and then the observer would have seen just that. What they chose tells nothing more.

    Raises:
        ValueError: if more than 200,000 ways have to be told apart, or no deal fits the history.
        NotImplementedError: if the history does not begin with the deal, or if it ends the round with a call of UNO
            that may or may not have been made in a jump-in window.

    >>> import lastcard as lc
    >>> deck = lc.parse_cards("r2 y1 y2 r1")
    >>> state = lc.deal(lc.Rules.preset("mini", deck=lc.Deck.of(deck), hand_size=1), deck=deck)
    >>> [str(event) for event in lc.observe(state, seat=0).history]
    ['0 is dealt 1 (r1)', '1 is dealt 1', 'turned up y1']
    >>> {lc.format_cards(hand): str(chance) for (hand,), chance in enumerate_deals(lc.observe(state, seat=0)).items()}
    {'r2': '1/2', 'y2': '1/2'}
    """
    history, observer = observation.history, observation.observer
    if not history or history[0].kind is not EventKind.DEALT:
        raise NotImplementedError("only a history that begins with the deal tells where the cards may be")
    is_call_of_other = history[-1].kind is EventKind.CALLED_UNO and history[-1].seat != observer
    if is_call_of_other and observation.rules.jump_in and observation.phase is Phase.OVER:
        raise NotImplementedError(f"'{history[-1]}' may or may not have been said in a jump-in window")
    deals = Deals(observation.rules)
    for event, following in zip(history, (*history[1:], None), strict=True):
        deals.tell(event, following)
    deals.keep(lambda world: world.hands[observer] == observation.hand)
    deals.keep(lambda world: tuple(map(len, world.hands)) == observation.hand_sizes)

    counts: Counter[tuple[Hand, ...]] = Counter()
    for world, count in deals.worlds.items():
        counts[tuple(hand for seat, hand in enumerate(world.hands) if seat != observer)] += count
    return {hands: Fraction(count, counts.total()) for hands, count in counts.items()}


class World(NamedTuple):
    """One way the hidden cards may lie; every order of the draw pile remains possible."""

    hands: tuple[Hand, ...]
    """Hands of all seats, each sorted."""
    drawn: Card | None = None
    """The card just drawn, which alone may be played now (Rule 3.3)."""
    hand_at_play: Hand = ()
    """The hand that was left when the top card was played, by which a challenge is judged (Rule 6.4)."""


class Deals:
    """All worlds that fit the events told so far, each with the number of shuffles that lead to it.

    The numbers are known up to a common factor: how many cards the draw pile holds is public, so dividing by it
    would change all of them alike.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.worlds = {World(hands=((),) * rules.players): 1}
        self.discard_pile: list[Card] = []
        self.active_color: Color | None = None
        self.last_color: Color | None = None
        self.direction = 1
        self.top_player: int | None = None
        self.draw_sum = 0  # sum of the draw cards on top, until a seat starts to draw it
        self.debtor: int | None = None  # who is drawing a penalty
        self.debt = 0  # how much of it is left

    # ---- Worlds ----

    def keep(self, is_possible: Callable[[World], bool]) -> None:
        """Drops the worlds that contradict a fact."""
        self._replace((world, count) for world, count in self.worlds.items() if is_possible(world))

    def _change(self, change: Callable[[World], World]) -> None:
        """Turns every world into another."""
        self._replace((change(world), count) for world, count in self.worlds.items())

    def _replace(self, counted: Iterable[tuple[World, int]]) -> None:
        """Takes new worlds, adding up those that have become equal."""
        worlds: dict[World, int] = {}
        for world, count in counted:
            worlds[world] = worlds.get(world, 0) + count
            if len(worlds) > MAX_WORLDS:
                raise ValueError(f"more than {MAX_WORLDS:,} ways the hands may be; use a smaller deck")
        if not worlds:
            raise ValueError("no deal fits the history")
        self.worlds = worlds

    def _with_draw_piles(self) -> Iterator[tuple[World, int, dict[Card, int]]]:
        """Each world, its count, and the cards that are neither in a hand nor discarded (Rule 1.3)."""
        off_discard_pile = Counter(self.rules.deck.cards())
        off_discard_pile.subtract(self.discard_pile)
        for world, count in self.worlds.items():
            pile = dict(off_discard_pile)
            for hand in world.hands:
                for card in hand:
                    pile[card] -= 1
            yield world, count, pile

    def _take(self, event: Event, place: int, *, in_turn: bool = False) -> None:
        """Moves the next card of the draw pile to a hand: any that is there, unless the observer has seen which."""
        seat, seen = _known(event.seat), event.cards[place] if event.cards else None

        def take(world: World, card: Card) -> World:
            hand = tuple(sorted((*world.hands[seat], card)))
            return world._replace(hands=_with_hand(world.hands, seat, hand), drawn=card if in_turn else None)

        self._replace(
            (take(world, card), count * copies)
            for world, count, pile in self._with_draw_piles()
            for card, copies in pile.items()
            if copies > 0 and seen in (None, card)
        )

    def _is_anything_left(self) -> bool:
        """Returns True if there is a draw pile, or a discard under the top card (Rule 5.2)."""
        num_held = sum(map(len, next(iter(self.worlds)).hands))
        return num_held + 1 < self.rules.deck.num_cards

    # ---- What may be played ----

    def _matches(self, card: Card) -> bool:
        """Returns True if a card other than a Wild Draw Four may be played (Rule 3.1)."""
        return card is WILD or card.color is self.active_color or card.rank is self.discard_pile[-1].rank

    def _stacks(self, card: Card) -> bool:
        """Returns True if a card other than a Wild Draw Four may answer the top card (Rule 10.1)."""
        return card.rank is Rank.DRAW_TWO and self.discard_pile[-1].rank is Rank.DRAW_TWO

    def _has_active_color(self, hand: Hand) -> bool:
        return any(card.color is self.active_color for card in hand)

    def _wild_draw_four_allowed(self, hand: Hand, fits: Callable[[Card], bool]) -> bool:
        """Returns True if the switch lets this hand play one; `fits` judges the other cards (Rules 6.1 and 6.2)."""
        if self.rules.wild_draw_four == "strict":
            return not self._has_active_color(hand)
        if self.rules.wild_draw_four == "last_resort":
            return not any(fits(card) for card in hand if card is not WILD_DRAW_FOUR)
        return True

    def _playable(self, card: Card, hand: Hand) -> bool:
        """Returns True if a card of a hand may be played in a turn."""
        if card is WILD_DRAW_FOUR:
            return self._wild_draw_four_allowed(hand, self._matches)
        return self._matches(card)

    def _stackable(self, card: Card, hand: Hand) -> bool:
        """Returns True if a card of a hand may answer a draw card, where the rules allow an answer (Rule 10.1)."""
        if card is WILD_DRAW_FOUR:
            fits = self.discard_pile[-1] is WILD_DRAW_FOUR or self.rules.stacking == "any_up"
            return fits and self._wild_draw_four_allowed(hand, self._stacks)
        return self._stacks(card)

    def _is_answering(self, seat: int) -> bool:
        """Returns True if the seat acts because of the draw cards on top: it stacks another, challenges, or draws."""
        return self.draw_sum > 0 and seat != self.top_player

    def _legal_in(self, world: World, seat: int, card: Card) -> bool:
        """Returns True if the seat holds a card and may play it, when it is not jumping in."""
        hand = world.hands[seat]
        if card not in hand or world.drawn not in (None, card):  # Rule 3.3
            return False
        return self._stackable(card, hand) if self._is_answering(seat) else self._playable(card, hand)

    # ---- Events ----

    def tell(self, event: Event, following: Event | None) -> None:
        """Takes an event into account; the one that follows tells whether a draw goes on after a reshuffle."""
        if event.kind not in (EventKind.DREW, EventKind.RESHUFFLED):
            self.debtor = None  # Rule 5.2: it has drawn what there was
        match event.kind:
            case EventKind.DEALT:
                self._tell_dealt(event)
            case EventKind.DREW:
                self._tell_drew(event, following)
            case EventKind.RESHUFFLED:
                self._tell_reshuffled()
            case EventKind.TURNED_UP:
                self._tell_turned_up(event)
            case EventKind.PLAYED | EventKind.JUMPED_IN:
                self._tell_played(event)
            case EventKind.KEPT:
                self._tell_kept(event)
            case EventKind.NAMED_COLOR:
                self.active_color = event.color
            case EventKind.CALLED_UNO:
                self._tell_called_uno(event)
            case EventKind.CAUGHT:
                self.debtor, self.debt = event.target, self.rules.uno_penalty  # Rule 7.3
            case EventKind.CHALLENGED:
                self._tell_challenged(event)
            case EventKind.SWAPPED | EventKind.HANDS_PASSED:
                self._tell_hands_moved(event)
            case EventKind.ACCEPTED | EventKind.PASSED | EventKind.SKIPPED:
                pass  # the draw that is accepted is an event of its own
            case _:
                raise NotImplementedError(f"no way to count deals after '{event}'")

    def _owe(self, seat: int | None, count: int) -> None:
        """Lets a seat draw what the draw cards add up to, or more."""
        self.debtor, self.debt, self.draw_sum = seat, count, 0
        self._change(lambda world: world._replace(hand_at_play=()))

    def _tell_dealt(self, event: Event) -> None:
        """Cards go from the draw pile to a hand, whatever they are."""
        for place in range(_known(event.count)):
            self._take(event, place)

    def _tell_drew(self, event: Event, following: Event | None) -> None:
        """A seat draws a penalty, continues one after a reshuffle, or draws in its turn."""
        seat = _known(event.seat)
        if self._is_answering(seat):
            self._owe(seat, self.draw_sum)  # Rules 2.2, 4.3, 4.4 and 10.1
        if self.debtor == seat and self.debt > 0:
            self._tell_dealt(event)
            self.debt -= _known(event.count)
        else:
            self.debtor = None
            self._tell_drew_in_turn(event, following)

    def _tell_drew_in_turn(self, event: Event, following: Event | None) -> None:
        """A seat draws instead of playing, which may be allowed only if it cannot play."""
        seat, count = _known(event.seat), _known(event.count)
        if self.rules.must_play or count == 0:  # Rules 10.3 and 5.2; no less true when the draw goes on
            self.keep(lambda world: not any(self._playable(card, world.hands[seat]) for card in world.hands[seat]))
        goes_on = following is not None and following.kind is EventKind.RESHUFFLED
        for place in range(count):
            self._take(event, place, in_turn=True)
            if self.rules.draw_until_playable:
                self._tell_drawn_until_playable(seat, is_last=place == count - 1 and not goes_on)
        if self.rules.drawn_card == "end_turn":  # Rule 10.4
            self._forget_drawn()

    def _tell_drawn_until_playable(self, seat: int, *, is_last: bool) -> None:
        """Just the last card drawn is playable, or none is and nothing is left (Rule 10.2)."""
        if not is_last or self._is_anything_left():
            self.keep(lambda world: self._playable(_known(world.drawn), world.hands[seat]) == is_last)

    def _tell_reshuffled(self) -> None:
        """The discards go back to the draw pile, except the top card unless it was turned up in vain."""
        in_vain = self.discard_pile == [WILD_DRAW_FOUR]
        self.discard_pile = [] if in_vain else self.discard_pile[-1:]  # Rules 2.2 and 5.1

    def _tell_turned_up(self, event: Event) -> None:
        """The draw pile had this card on top (Rule 2.2)."""
        card = _known(event.card)
        self._replace((world, count * pile[card]) for world, count, pile in self._with_draw_piles() if pile[card] > 0)
        self.discard_pile.append(card)
        self.active_color = card.color
        self.draw_sum = 2 if card.rank is Rank.DRAW_TWO else 0
        self.direction = -1 if card.rank is Rank.REVERSE else 1

    def _tell_played(self, event: Event) -> None:
        """A seat held a card and was allowed to play it."""
        seat, action = _known(event.seat), _known(event.action)
        card = _known(action.card)
        if event.kind is EventKind.JUMPED_IN:
            self.keep(lambda world: card in world.hands[seat])  # Rule 10.6
        else:
            self.keep(lambda world: self._legal_in(world, seat, card))

        def play(world: World) -> World:
            hand = list(world.hands[seat])
            hand.remove(card)
            can_be_challenged = card is WILD_DRAW_FOUR and self.rules.wild_draw_four == "bluff"
            at_play = tuple(hand) if can_be_challenged else ()  # Rule 6.3
            return World(_with_hand(world.hands, seat, tuple(hand)), hand_at_play=at_play)

        self._change(play)
        self.discard_pile.append(card)
        self.last_color, self.active_color = self.active_color, action.color
        self.draw_sum += action.draw_penalty
        self.top_player = seat
        if card.rank is Rank.REVERSE:
            self.direction = -self.direction  # Rule 4.2

    def _tell_kept(self, event: Event) -> None:
        """A drawn card stays in the hand, which may be allowed only if it could not be played."""
        seat = _known(event.seat)

        def may_keep(world: World) -> bool:
            card, hand = _known(world.drawn), world.hands[seat]
            # Rules 10.4 and 6.5
            is_forbidden = card is WILD_DRAW_FOUR and self._has_active_color(hand)
            return is_forbidden or not self._playable(card, hand)

        if self.rules.drawn_card == "must_play":
            self.keep(may_keep)
        self._forget_drawn()

    def _forget_drawn(self) -> None:
        self._change(lambda world: world._replace(drawn=None))

    def _tell_called_uno(self, event: Event) -> None:
        """A seat that declares has a legal play (Rule 7.1); a card to jump in with could be played in a turn as well.

        A seat that declares late has made its play and says nothing of the card that is left (Rule 7.3).
        """
        seat = _known(event.seat)
        self.keep(
            lambda world: (
                len(world.hands[seat]) == 1 or any(self._legal_in(world, seat, card) for card in world.hands[seat])
            )
        )

    def _tell_challenged(self, event: Event) -> None:
        """The hand is judged as it was at the play, and shown to the challenger (Rules 6.3 and 6.4)."""
        shown, challenger = event.cards, _known(event.seat)
        self.keep(lambda world: any(card.color is self.last_color for card in world.hand_at_play) is event.guilty)
        if shown is not None:
            self.keep(lambda world: world.hand_at_play == tuple(sorted(shown)))
        if event.guilty:
            self._owe(event.target, self.draw_sum)
        else:
            self._owe(challenger, self.draw_sum + 2)

    def _tell_hands_moved(self, event: Event) -> None:
        """Hands change seats, and the observer sees the one it gets (Rule 10.5)."""
        players = range(self.rules.players)
        if event.kind is EventKind.SWAPPED:
            giver_of = {_known(event.seat): _known(event.target), _known(event.target): _known(event.seat)}
        else:
            giver_of = {(seat + self.direction) % len(players): seat for seat in players}
        received = {seat: tuple(sorted(cards)) for seat, cards in event.hands}
        self._change(lambda world: World(tuple(world.hands[giver_of.get(seat, seat)] for seat in players)))
        self.keep(lambda world: all(world.hands[seat] == hand for seat, hand in received.items()))


def _with_hand(hands: tuple[Hand, ...], seat: int, hand: Hand) -> tuple[Hand, ...]:
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _known(value: T | None) -> T:
    """The value, which events of this kind always have."""
    assert value is not None
    return value
