"""`frequency`: counts the cards it has seen, and leaves the others what is nearly used up."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lastcard.actions import ACCEPT, CATCH, CHALLENGE, DRAW, KEEP, PASS, UNO, Action, ActionKind
from lastcard.cards import WILD, WILD_DRAW_FOUR, Card, Color, Rank
from lastcard.observation import Observation

_NUMBERS: Final = tuple(Rank)[:10]


@dataclass(frozen=True, slots=True)
class FrequencyConfig:
    """When to play a Wild Draw Four, and when to distrust one."""

    four_below: int = 4
    """Plays a Wild Draw Four only while the next seat holds fewer cards than this."""
    four_to_go_out: bool = True
    """Plays a Wild Draw Four as the last card in any case."""
    challenge_from: float = 1.0
    """Challenges whoever should hold at least this many cards of the color that was active, by what was not seen."""

    @classmethod
    def as_published(cls) -> FrequencyConfig:
        """As the method was described, which holds back even a last Wild Draw Four.

        >>> FrequencyConfig.as_published().four_to_go_out
        False
        """
        return cls(four_below=4, four_to_go_out=False)


def count_colors(observation: Observation) -> dict[Color, int]:
    """How many cards of each color lie in the observer's hand and on the discard pile, the most first.

    >>> from lastcard.observation import observe
    >>> from lastcard.state import parse_state
    >>> counts = count_colors(observe(parse_state("top r5 | seat 0: b5 b2 w | seat 1: g1"), seat=0))
    >>> {color.letter: count for color, count in counts.items()}
    {'b': 2, 'r': 1, 'y': 0, 'g': 0}
    """
    seen = Counter(card.color for card in (*observation.hand, *observation.discards))
    return {color: seen[color] for color in sorted(Color, key=lambda color: -seen[color])}


def count_numbers(observation: Observation) -> dict[Rank, int]:
    """How many cards of each number lie in the observer's hand and on the discard pile, the most first.

    >>> from lastcard.observation import observe
    >>> from lastcard.state import parse_state
    >>> counts = count_numbers(observe(parse_state("top r5 | seat 0: b5 b2 w | seat 1: g1"), seat=0))
    >>> [(rank.value, count) for rank, count in counts.items()][:3]
    [('5', 2), ('2', 1), ('0', 0)]
    """
    seen = Counter(card.rank for card in (*observation.hand, *observation.discards))
    return {rank: seen[rank] for rank in sorted(_NUMBERS, key=lambda rank: -seen[rank])}


class FrequencyAgent:
    """Prefers Wilds, then action cards, then numbers, each so that the color or number most used up is to be matched.

    It declares UNO, catches, jumps in and stacks whenever it can, even with a Wild Draw Four that it would hold back
    otherwise; plays a drawn card that it would have played from the hand; and swaps for the smallest hand.
    """

    def __init__(self, config: FrequencyConfig, seed: int) -> None:
        self.config = config
        self._rng = random.Random(seed)

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        legal = observation.legal_actions
        if len(legal) == 1:
            return legal[0]
        for always in (UNO, CATCH):
            if always in legal:
                return always
        if legal[0].kind is ActionKind.SWAP:
            return min(legal, key=lambda action: observation.hand_sizes[action.seat or 0])
        if legal[0].kind is ActionKind.COLOR:
            return Action.name_color(self._choose_color(observation))
        playable = [action.card for action in legal if action.card is not None]
        card = self._choose_card(observation, playable)
        if card is None:
            for otherwise in (DRAW, KEEP, PASS):
                if otherwise in legal:
                    return otherwise
            if WILD_DRAW_FOUR not in playable:
                return CHALLENGE if CHALLENGE in legal and self._distrusts(observation) else ACCEPT
            card = WILD_DRAW_FOUR
        return Action.play(card, naming=self._choose_color(observation) if card.is_wild else None)

    def _choose_card(self, observation: Observation, playable: list[Card]) -> Card | None:
        """What to play; None if that would only be a Wild Draw Four too early."""
        next_seat = (observation.observer + observation.direction) % len(observation.hand_sizes)
        goes_out = self.config.four_to_go_out and len(observation.hand) == 1
        is_time = goes_out or observation.hand_sizes[next_seat] < self.config.four_below
        if WILD_DRAW_FOUR in playable and is_time:
            return WILD_DRAW_FOUR
        if WILD in playable:
            return WILD
        specials = [card for card in playable if not card.is_wild and card.rank not in _NUMBERS]
        if specials:
            return _find_color(count_colors(observation), specials)
        return _choose_number(observation, [card for card in playable if card.rank in _NUMBERS])

    def _choose_color(self, observation: Observation) -> Color:
        """The color in hand of which most was seen; any, if there is none in hand."""
        card = _find_color(count_colors(observation), observation.hand)
        return self._rng.choice(list(Color)) if card is None or card.color is None else card.color

    def _distrusts(self, observation: Observation) -> bool:
        """Whether the seat that played a Wild Draw Four should have been able to follow the color (Rule 6.4)."""
        color, deck = observation.last_color, observation.rules.deck
        assert color is not None
        unseen = _count_in_deck(observation, color) - count_colors(observation)[color]
        num_hidden = deck.num_cards - len(observation.hand) - len(observation.discards)
        held = observation.hand_sizes[observation.top_player or 0] * unseen / max(num_hidden, 1)
        return held >= self.config.challenge_from


def _choose_number(observation: Observation, playable: list[Card]) -> Card | None:
    """Keeps to the color or to the number on top, whichever is more used up; None if nothing is playable."""
    color, rank = observation.active_color, observation.top_card.rank
    colors, numbers = count_colors(observation), count_numbers(observation)
    same_color = _find_number(numbers, [card for card in playable if card.color is color])
    same_number = _find_color(colors, [card for card in playable if card.rank is rank])
    if same_color is None or same_number is None or color is None:
        return same_color or same_number
    color_share = colors[color] / _count_in_deck(observation, color)
    number_share = numbers[rank] / _count_in_deck(observation, rank)
    return same_color if color_share >= number_share else same_number


def _find_color(colors: Mapping[Color, int], cards: Sequence[Card]) -> Card | None:
    """The first card of the first color that any has."""
    return next((card for color in colors for card in cards if card.color is color), None)


def _find_number(numbers: Mapping[Rank, int], cards: Sequence[Card]) -> Card | None:
    """The first card of the first number that any has."""
    return next((card for rank in numbers for card in cards if card.rank is rank), None)


def _count_in_deck(observation: Observation, kind: Color | Rank) -> int:
    """How many cards of a color or rank there are: 25, 8 and 4 zeros in the official deck (Rule 1.1)."""
    return sum(count for card, count in observation.rules.deck.items() if kind in (card.color, card.rank))
