"""Chances: every deal, and every card that a draw may bring, each with its probability."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from lastcard.actions import DRAW, Action
from lastcard.cards import Card, Rank
from lastcard.errors import RulesError, shorten
from lastcard.rules import Rules
from lastcard.state import State, deal

_DRAW_CARDS: Final = (Rank.DRAW_TWO, Rank.WILD_DRAW_FOUR)


@dataclass(frozen=True, slots=True)
class Line:
    """One history of a round: the cards as far as they are fixed, and the actions.

    What has not been drawn yet lies in an order that means nothing; `follow` lays it as a draw requires.
    """

    rules: Rules
    deck: tuple[Card, ...]
    """The order of the deal, top last."""
    reshuffles: tuple[tuple[Card, ...], ...] = ()
    """The order of each reshuffle, top last."""
    actions: tuple[Action, ...] = ()

    def replay(self) -> State:
        """The state it leads to."""
        state = deal(self.rules, deck=self.deck, reshuffles=self.reshuffles)
        for action in self.actions:
            state.apply_in_place(action)
        return state


def check_rules(rules: Rules) -> None:
    """Makes sure that a round of these rules can be written out as a tree in which every draw takes one card.

    Raises:
        RulesError: naming the field that stands against it.
    """
    if not isinstance(rules, Rules):
        raise RulesError(f"rules must be Rules, not {shorten(rules)}; make them with Rules.preset(...)")
    if rules.players != 2:
        raise RulesError(f"players={rules.players}: exact answers are for two players")
    for name in ("draw_until_playable", "jump_in"):
        if getattr(rules, name):
            raise RulesError(f"{name}=True: exact answers are for rules without it")
    if rules.uno_penalty:
        raise RulesError(f"uno_penalty={rules.uno_penalty}: exact answers are for rules that call UNO by themselves")
    for card in rules.deck:
        if card.rank in _DRAW_CARDS:
            raise RulesError(f"deck: exact answers are for decks without draw cards, this one has {card}")


def list_deals(rules: Rules) -> Iterator[tuple[float, Line]]:
    """Every pair of hands with every card to turn up; copies are not distinguished.

    >>> deals = list(list_deals(Rules.preset("mini")))
    >>> len(deals), round(sum(chance for chance, _ in deals), 9)
    (1164, 1.0)
    """
    check_rules(rules)
    cards, size = tuple(rules.deck.cards()), rules.hand_size
    ways: Counter[tuple[Card, ...]] = Counter()
    for first in _choose(cards, size):
        for second in _choose(first.rest, size):
            for top in _choose(second.rest, 1):
                dealt = (card for pair in zip(first.chosen, second.chosen, strict=True) for card in pair)
                ways[(*top.rest, *top.chosen, *reversed(tuple(dealt)))] += 1
    for deck, count in ways.items():
        yield count / ways.total(), Line(rules, deck)


@dataclass(frozen=True, slots=True)
class _Choice:
    chosen: tuple[Card, ...]
    rest: tuple[Card, ...]


def _choose(cards: tuple[Card, ...], size: int) -> Iterator[_Choice]:
    """Every choice of that many cards, with the rest; equal cards count as different."""
    for places in combinations(range(len(cards)), size):
        rest = tuple(card for place, card in enumerate(cards) if place not in places)
        yield _Choice(tuple(cards[place] for place in places), rest)


def follow(line: Line, state: State, action: Action) -> Iterator[tuple[float, Line, State]]:
    """Successors of an action: one for each card to draw, or a single one."""
    pile = state.draw_pile if action is DRAW else ()
    is_reshuffle = action is DRAW and not pile
    if is_reshuffle:
        pile = state.discard_pile[:-1]  # Rule 5.1
    if not pile:
        yield 1.0, Line(line.rules, line.deck, line.reshuffles, (*line.actions, action)), state.after(action)
        return
    for card, count in Counter(pile).items():
        laid = _lay(line, pile, card, is_reshuffle=is_reshuffle)
        after = Line(line.rules, laid.deck, laid.reshuffles, (*line.actions, action))
        yield count / len(pile), after, after.replay()


def _lay(line: Line, pile: tuple[Card, ...], top: Card, *, is_reshuffle: bool) -> Line:
    """The line with that card on top of what is drawn from next."""
    order = list(pile)
    order.remove(top)
    laid = (*order, top)
    if is_reshuffle:
        return Line(line.rules, line.deck, (*line.reshuffles, laid))
    if line.reshuffles:
        *earlier, last = line.reshuffles
        return Line(line.rules, line.deck, (*earlier, laid + last[len(laid) :]))
    return Line(line.rules, laid + line.deck[len(laid) :])
