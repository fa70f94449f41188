"""Chances: every deal, and every card that a draw may bring, each with its probability."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from math import comb

from lastcard.actions import Action
from lastcard.cards import WILD_DRAW_FOUR, Card, Rank
from lastcard.errors import RulesError, shorten
from lastcard.phase import Ending
from lastcard.rules import Rules
from lastcard.state import State, deal


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
    """Makes sure that a round of these rules can be written out as a tree.

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
        if card.rank is Rank.DRAW_TWO:
            raise RulesError(f"deck: exact answers are for decks without Draw Twos, this one has {card}")


def list_deals(rules: Rules) -> Iterator[tuple[float, Line]]:
    """Every pair of hands with every card to turn up; copies are not distinguished.

    A Wild Draw Four is never turned up: it would go back (Rule 2.2), here without being seen.

    >>> deals = list(list_deals(Rules.preset("mini")))
    >>> len(deals), round(sum(chance for chance, _ in deals), 9)
    (1164, 1.0)
    """
    check_rules(rules)
    cards, size = tuple(rules.deck.cards()), rules.hand_size
    num_hands = comb(len(cards), size) * comb(len(cards) - size, size)
    chances: defaultdict[tuple[Card, ...], float] = defaultdict(float)
    for first in _choose(cards, size):
        for second in _choose(first.rest, size):
            tops = [top for top in _choose(second.rest, 1) if top.chosen[0] is not WILD_DRAW_FOUR]
            for top in tops:
                dealt = (card for pair in zip(first.chosen, second.chosen, strict=True) for card in pair)
                chances[(*top.rest, *top.chosen, *reversed(tuple(dealt)))] += 1 / (len(tops) * num_hands)
    for deck, chance in chances.items():
        yield chance, Line(rules, deck)


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
    """Successors of an action: one for each set of cards that it may draw, or a single one.

    The order within a draw means nothing, so each set is drawn in ascending order. What is drawn after the last card
    was played decides nothing, so there is a single successor.
    """
    then = state.after(action)
    left = state.draw_pile
    fresh: tuple[Card, ...] = ()
    if then.reshuffles > state.reshuffles:
        fresh = then.reshuffle_orders[-1]
    drawn = len(left) + len(fresh) - len(then.draw_pile)
    if not drawn or (then.outcome and then.outcome.reason is Ending.WENT_OUT):
        yield 1.0, Line(line.rules, line.deck, line.reshuffles, (*line.actions, action)), then
        return
    from_left = min(drawn, len(left))
    for (cards, odds), (more, more_odds) in product(_draw(left, from_left), _draw(fresh, drawn - from_left)):
        laid = lay(line, left, cards)
        reshuffles = (*laid.reshuffles, on_top(fresh, more)) if fresh else laid.reshuffles
        after = Line(line.rules, laid.deck, reshuffles, (*line.actions, action))
        yield odds * more_odds, after, after.replay()


def _draw(pile: tuple[Card, ...], size: int) -> Iterator[tuple[tuple[Card, ...], float]]:
    """Every set of that many cards of the pile, in ascending order, and its probability."""
    ways = Counter(combinations(sorted(pile), size))
    return ((cards, count / ways.total()) for cards, count in ways.items())


def lay(line: Line, left: tuple[Card, ...], chosen: tuple[Card, ...]) -> Line:
    """The line with those cards drawn next, from what is left of the draw pile."""
    order = on_top(left, chosen)
    if line.reshuffles:
        *earlier, last = line.reshuffles
        return Line(line.rules, line.deck, (*earlier, order + last[len(order) :]), line.actions)
    return Line(line.rules, order + line.deck[len(order) :], line.reshuffles, line.actions)


def on_top(cards: tuple[Card, ...], chosen: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards with some of them on top, the first to be drawn last."""
    return (*sorted((Counter(cards) - Counter(chosen)).elements()), *reversed(chosen))
