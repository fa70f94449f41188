"""A round as a tree in which every card comes by chance, for any rules.

What was dealt and drawn is fixed card by card; what is not drawn yet lies in an order that means nothing. When an
action draws, the cards are laid one after another as chance says, and the round is played again up to there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lastcard.actions import Action
from lastcard.cards import WILD_DRAW_FOUR, Card
from lastcard.exact.chances import Line
from lastcard.rules import Rules
from lastcard.state import State

_MOST_MOMENTS = 1 << 16
"""How many moments are kept for algorithms that walk the same ways again."""


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """A decision, an end, or a card that is still to come: then `pile` holds what it may be."""

    rules: Rules
    line: Line | None = None
    truth: State | None = None
    """Before the cards that are to come; None before the deal."""
    action: Action | None = None
    """What the cards are drawn for; None for the deal."""
    chosen: tuple[Card, ...] = ()
    """Those that have come already."""
    pile: tuple[Card, ...] = ()

    def __deepcopy__(self, memo: dict[int, Any]) -> Moment:
        """Itself, as it never changes: OpenSpiel copies a state for every child."""
        return self

    def chances(self) -> list[tuple[Card, float]]:
        """Which card may come next, and how likely each is."""
        return [(card, count / len(self.pile)) for card, count in sorted(Counter(self.pile).items())]


@lru_cache(maxsize=16)
def begin(rules: Rules) -> Moment:
    """Before the deal."""
    return _deal(rules, ())


@lru_cache(maxsize=_MOST_MOMENTS)
def after_card(now: Moment, card: Card) -> Moment:
    """The moment after that card has come."""
    if now.truth is None:
        return _deal(now.rules, (*now.chosen, card))
    return _act(now, now.action, (*now.chosen, card))


@lru_cache(maxsize=_MOST_MOMENTS)
def after_action(now: Moment, action: Action) -> Moment:
    """The moment after the seat to act has done that."""
    return _act(now, action, ())


def _deal(rules: Rules, chosen: tuple[Card, ...]) -> Moment:
    rest = tuple(sorted((Counter(rules.deck.cards()) - Counter(chosen)).elements(), reverse=True))
    # Sorted so, a Wild Draw Four is never on top: it would not stay (Rule 2.2).
    line = Line(rules, (*rest, *reversed(chosen)))
    state = line.replay()
    if rules.deck.num_cards - len(state.draw_pile) <= len(chosen):
        return Moment(rules, line, state)
    if len(chosen) == rules.players * rules.hand_size:
        rest = tuple(card for card in rest if card is not WILD_DRAW_FOUR)
    return Moment(rules, chosen=chosen, pile=rest)


def _act(now: Moment, action: Action | None, chosen: tuple[Card, ...]) -> Moment:
    """With the action done, or waiting for the next card that it draws."""
    before, line = now.truth, now.line
    assert before is not None
    assert line is not None
    assert action is not None
    left = before.draw_pile
    fresh: tuple[Card, ...] = ()
    laid = _lay(line, left, chosen[: len(left)]) if chosen else line
    done = Line(laid.rules, laid.deck, laid.reshuffles, (*laid.actions, action))
    after = done.replay() if chosen else before.after(action)
    if after.reshuffles > before.reshuffles:
        fresh = _on_top(after.reshuffle_orders[-1], chosen[len(left) :])
        done = Line(done.rules, done.deck, (*done.reshuffles, fresh), done.actions)
        after = done.replay()
    if len(left) + len(fresh) - len(after.draw_pile) <= len(chosen):
        return Moment(now.rules, done, after)
    pile = left if len(chosen) < len(left) else fresh
    seen = chosen if len(chosen) < len(left) else chosen[len(left) :]
    rest = tuple((Counter(pile) - Counter(seen)).elements())
    return Moment(now.rules, now.line, before, action, chosen, rest)


def _lay(line: Line, left: tuple[Card, ...], chosen: tuple[Card, ...]) -> Line:
    """The line with those cards drawn next, from what is left of the draw pile."""
    order = _on_top(left, chosen)
    if line.reshuffles:
        *earlier, last = line.reshuffles
        return Line(line.rules, line.deck, (*earlier, order + last[len(order) :]), line.actions)
    return Line(line.rules, order + line.deck[len(order) :], line.reshuffles, line.actions)


def _on_top(cards: tuple[Card, ...], chosen: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards with some of them on top, the first to be drawn last."""
    return (*sorted((Counter(cards) - Counter(chosen)).elements()), *reversed(chosen))
