"""A round as a tree in which every card comes by chance, for any rules.

What was dealt and drawn is fixed card by card; what is not drawn yet lies in an order that means nothing. When an
action draws, the cards are laid one after another as chance says, and the round is played again up to there.

In which order a hand was dealt means nothing either. So each is dealt in ascending order, one seat after the other:
every deal comes about in one way, and is as likely as by shuffling.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb
from typing import Any

from lastcard.actions import Action
from lastcard.cards import WILD_DRAW_FOUR, Card, format_cards
from lastcard.envs.encoding import index_of_action
from lastcard.errors import IllegalActionError
from lastcard.exact.chances import Line, lay, on_top
from lastcard.observation import observe
from lastcard.rules import Rules
from lastcard.state import State

_MOST_MOMENTS = 1 << 17
"""Number of positions kept for algorithms that walk the same paths again: for example all of `mini`."""
_SMALL_DECK = 32
"""Largest deck for which positions are kept: with more cards, no algorithm walks all paths."""

Chances = tuple[tuple[Card, float], ...]
"""Cards in ascending order, and how likely each is."""


@dataclass(frozen=True, eq=False)
class Moment:
    """A decision, an end, or a pending card; `chances` lists the possible cards."""

    rules: Rules
    line: Line | None = None
    truth: State | None = None
    """The state before the next chance cards; None before the deal."""
    action: Action | None = None
    """Purpose of the drawn cards; None for the deal."""
    chosen: tuple[Card, ...] = ()
    """Those that have come already; in a deal, the hands one after another."""
    chances: Chances = ()

    def __deepcopy__(self, memo: dict[int, Any]) -> Moment:
        """Itself, as it never changes: OpenSpiel copies a state for every child."""
        return self

    @cached_property
    def seat(self) -> int | None:
        """The seat to act; None while a card is pending, and after the end."""
        return None if self.chances or self.truth is None else self.truth.seat

    @cached_property
    def actions(self) -> dict[int, Action]:
        """Legal actions of the seat, by their index in masks and policies, in ascending order."""
        if self.truth is None or self.seat is None:
            return {}
        seen = observe(self.truth, self.seat)
        return dict(sorted((index_of_action(seen, action), action) for action in seen.legal_actions))


@lru_cache(maxsize=16)
def begin(rules: Rules) -> Moment:
    """Returns the moment before the deal."""
    return _deal(rules, ())


def after(now: Moment, what: Card | Action) -> Moment:
    """The moment after that card has come, or after the seat to act has done that.

    Raises:
        IllegalActionError: if it cannot be, saying what can.
    """
    is_small = sum(now.rules.deck.values()) <= _SMALL_DECK
    return _keep_after(now, what) if is_small else _after(now, what)


def forget() -> None:
    """Discards every stored position."""
    _keep_after.cache_clear()


@lru_cache(maxsize=_MOST_MOMENTS)
def _keep_after(now: Moment, what: Card | Action) -> Moment:
    return _after(now, what)


def _after(now: Moment, what: Card | Action) -> Moment:
    if isinstance(what, Action):
        if now.seat is None:
            raise IllegalActionError(f"{what}: no seat is to act; a card is pending, or the round is over")
        return _act(now, what, ())
    able = [card for card, _ in now.chances]
    if what not in able:
        raise IllegalActionError(f"{what} cannot come next; possible: {format_cards(able) or 'nothing'}")
    chosen = (*now.chosen, what)
    return _deal(now.rules, chosen) if now.truth is None else _act(now, now.action, chosen)


def chances_in_hand(hand: tuple[Card, ...], rest: Counter[Card], size: int) -> Chances:
    """The next card of a hand that is dealt in ascending order, from what is left of the deck.

    A card's chance is the share of hands that continue with it, among all hands of that size that begin like this one;
    copies count as different cards.

    >>> from lastcard.cards import parse_cards
    >>> chances_in_hand((), Counter(parse_cards("r1 r1 r2")), 2)
    ((parse_card('r1'), 1.0),)
    >>> r1, r2 = parse_cards("r1 r2")
    >>> [round(chance, 3) for _, chance in chances_in_hand((r1,), Counter([r1, r2]), 2)]
    [0.333, 0.667]
    """
    held, missing = Counter(hand), size - len(hand)
    lowest = hand[-1] if hand else min(rest)
    above = sum(count for card, count in rest.items() if not card < lowest)
    settled = comb(held[lowest] + rest[lowest], held[lowest])  # once a higher card comes, no more of it will
    ways: dict[Card, int] = {}
    for card in sorted(card for card in rest if not card < lowest):
        above -= rest[card]
        found = sum(
            comb(held[card] + rest[card], held[card] + more) * comb(above, missing - more)
            for more in range(1, min(missing, rest[card]) + 1)
        )
        if found:
            ways[card] = found if card is lowest else found * settled
    total = sum(ways.values())
    return tuple((card, way / total) for card, way in ways.items())


def _chances_in_pile(pile: Counter[Card]) -> Chances:
    total = pile.total()
    return tuple((card, pile[card] / total) for card in sorted(pile))


def _deal(rules: Rules, chosen: tuple[Card, ...]) -> Moment:
    rest = Counter(rules.deck.cards()) - Counter(chosen)
    size, in_hands = rules.hand_size, rules.players * rules.hand_size
    if len(chosen) < in_hands:
        hand = chosen[len(chosen) // size * size :]
        return Moment(rules, chosen=chosen, chances=chances_in_hand(hand, rest, size))
    # Seats are dealt to in turn (Rule 2.1).
    dealt = (chosen[place + seat * size] for place in range(size) for seat in range(rules.players))
    drawn = (*dealt, *chosen[in_hands:])
    # Sorted so, a Wild Draw Four is never on top: it would not stay (Rule 2.2).
    line = Line(rules, (*sorted(rest.elements(), reverse=True), *reversed(drawn)))
    state = line.replay()
    if rules.deck.num_cards - len(state.draw_pile) <= len(chosen):
        return Moment(rules, line, state)
    if len(chosen) == in_hands:
        # It would go back and another card be turned up (Rule 2.2), so each other card is as likely as without it.
        del rest[WILD_DRAW_FOUR]
    return Moment(rules, chosen=chosen, chances=_chances_in_pile(rest))


def _act(now: Moment, action: Action | None, chosen: tuple[Card, ...]) -> Moment:
    """Returns the moment after the action, or the one that waits for the next card that it draws."""
    before, line = now.truth, now.line
    assert before is not None
    assert line is not None
    assert action is not None
    left = before.draw_pile
    fresh: tuple[Card, ...] = ()
    laid = lay(line, left, chosen[: len(left)]) if chosen else line
    done = Line(laid.rules, laid.deck, laid.reshuffles, (*laid.actions, action))
    then = done.replay() if chosen else before.after(action)
    if then.reshuffles > before.reshuffles:
        fresh = on_top(then.reshuffle_orders[-1], chosen[len(left) :])
        done = Line(done.rules, done.deck, (*done.reshuffles, fresh), done.actions)
        then = done.replay()
    if len(left) + len(fresh) - len(then.draw_pile) <= len(chosen):
        return Moment(now.rules, done, then)
    pile = left if len(chosen) < len(left) else fresh
    seen = chosen if len(chosen) < len(left) else chosen[len(left) :]
    chances = _chances_in_pile(Counter(pile) - Counter(seen))
    return Moment(now.rules, now.line, before, action, chosen, chances)
