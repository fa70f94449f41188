"""Expectiminimax as it was published, in plain Python, for two players on rules without action cards.

Written from the description alone: V(s, d, p), the mean over draws, the latent set and its posterior, the mean over
determinizations. Random numbers come in the order in which the core draws them, so that both must find the same values.
Rules: `must_play`, a draw ends the turn, number cards only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .cards import color_of, in_order, rank_of
from .score import fewest_points

WORD = 2**64 - 1
Hand = tuple[str, ...]


class Rng:
    """The core's fast generator: one addition and one 128-bit multiplication a number."""

    def __init__(self, state: int) -> None:
        self.state = state

    def next(self) -> int:
        self.state = (self.state + 0xA0761D6478BD642F) & WORD
        return mix(self.state, self.state ^ 0xE7037ED1A0B428DB)

    def below(self, bound: int) -> int:
        return (self.next() >> 32) * bound >> 32

    def shuffle(self, cards: list[str]) -> None:
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]


def mix(a: int, b: int) -> int:
    return (a * b >> 64) ^ (a * b & WORD)


def split(seed: int, index: int) -> Rng:
    a = mix(seed ^ 0x2D358DCCAA6C78A5, index ^ 0x8BB84B93962EACC9)
    return Rng(mix(a ^ 0x4B33A62ED433D4A3, (seed + index * 0x9E3779B97F4A7C15) & WORD))


@dataclass(frozen=True)
class Position:
    """s = (H_1, H_2, D_g, P_t) and whose turn it is; the next card of the pile lies last."""

    hands: tuple[Hand, Hand]
    pile: Hand
    top: str
    seat: int
    ply: int
    stuck: int
    max_plies: int
    deck: Hand
    shuffles: int
    """State of the generator of later shuffles."""
    ended: bool = False
    winner: int | None = None


@dataclass(frozen=True)
class Search:
    """The published parameters, and who asks."""

    observer: int
    depth: int = 3
    draws: int = 5
    determinizations: int = 50
    shares: bool = False


def fits(card: str, top: str) -> bool:
    return color_of(card) == color_of(top) or rank_of(card) == rank_of(top)


def legal(position: Position) -> list[str]:
    if position.ended:
        return []
    fitting = [card for card in in_order(list(set(position.hands[position.seat]))) if fits(card, position.top)]
    return fitting or ["draw"]


def without(cards: Sequence[str], gone: Sequence[str]) -> list[str]:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return left


def finish(position: Position, next_seat: int) -> Position:
    """Counts the ply and lets the next seat begin, unless there have been too many."""
    position = replace(position, ply=position.ply + 1)
    if not position.ended and position.ply >= position.max_plies:
        position = stop(position)
    return replace(position, seat=next_seat)


def stop(position: Position) -> Position:
    hands = [list(hand) for hand in position.hands]
    return replace(position, ended=True, winner=fewest_points(hands, "winner")[0])


def with_hand(position: Position, hand: Sequence[str]) -> tuple[Hand, Hand]:
    own = tuple(hand)
    return (own, position.hands[1]) if position.seat == 0 else (position.hands[0], own)


def play(position: Position, card: str) -> Position:
    """T(s, X_1)."""
    seat = position.seat
    hand = without(position.hands[seat], [card])
    after = replace(position, hands=with_hand(position, hand), top=card, stuck=0)
    if not hand:
        after = replace(after, ended=True, winner=seat)
    return finish(after, 1 - seat)


def draw(position: Position, below: int = 0) -> Position:
    """T(s, Y_1, c) where c lies so many cards below the next one."""
    seat, pile = position.seat, list(position.pile)
    if not pile:
        pile = in_order(without(position.deck, [*position.hands[0], *position.hands[1], position.top]))
        rng = Rng(position.shuffles)
        rng.shuffle(pile)
        position = replace(position, shuffles=rng.state)
    if not pile:
        position = replace(position, stuck=position.stuck + 1)
        return finish(stop(position) if position.stuck == 2 else position, 1 - seat)
    pile[-1], pile[-1 - below] = pile[-1 - below], pile[-1]
    card = pile.pop()
    after = replace(position, hands=with_hand(position, [*position.hands[seat], card]), pile=tuple(pile), stuck=0)
    return finish(after, 1 - seat)


def reward(position: Position, observer: int) -> float:
    """R(s)."""
    if position.winner is not None:
        return 100.0 if position.winner == observer else -100.0
    return float(len(position.hands[1 - observer]) - len(position.hands[observer]))


def value(position: Position, depth: int, search: Search) -> float:
    """V(s, d, p)."""
    actions = legal(position)
    if depth == 0 or not actions:
        return reward(position, search.observer)
    values = []
    for action in actions:
        if action == "draw":
            m = max(1, min(search.draws, len(position.pile)))
            values.append(sum(value(draw(position, j), depth - 1, search) for j in range(m)) / m)
        else:
            values.append(value(play(position, action), depth - 1, search))
    return max(values) if position.seat == search.observer else min(values)


def latent_hands(latent: Sequence[str], size: int, excluded: Sequence[str], count: int, seed: int) -> list[Hand]:
    """Subsets of the latent set L of that size, without the cards that a draw excludes."""
    rng = split(seed ^ 0x1A7E47, 0)
    hands = []
    for _ in range(count):
        cards = in_order(list(latent))
        rng.shuffle(cards)
        allowed = [card for card in cards if card not in excluded]
        barred = [card for card in cards if card in excluded]
        hands.append(tuple((allowed + barred)[:size]))
    return hands


def root_values(
    seen: Position, latent: Sequence[str], excluded: Sequence[str], search: Search, seed: int
) -> list[float]:
    """Q(a) of each legal action: the mean of V(T(s_i, a), d, opponent), as probabilities of winning.

    Of `seen` the observer's own hand, the top card and the turn are looked at, and how many cards the opponent has.
    """
    actions = legal(seen)
    streams = 1 if search.shares else len(actions)
    size = len(seen.hands[1 - search.observer])
    hands = latent_hands(latent, size, excluded, search.determinizations * streams, seed)
    means = []
    for place, action in enumerate(actions):
        total = 0.0
        for i in range(search.determinizations):
            number = i if search.shares else i * len(actions) + place
            rng = split(seed ^ 0xE4BEC71, number)
            pile = in_order(without(latent, hands[number]))
            rng.shuffle(pile)
            both = (seen.hands[0], hands[number]) if search.observer == 0 else (hands[number], seen.hands[1])
            start = replace(seen, hands=both, pile=tuple(pile), shuffles=rng.state)
            after = draw(start) if action == "draw" else play(start, action)
            total += 0.5 + value(after, search.depth, search) / 200
        means.append(total / search.determinizations)
    return means
