"""`frequency`: counts the cards it has seen, and leaves the others what is nearly used up."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lastcard.actions import ACCEPT, CATCH, CHALLENGE, DRAW, KEEP, PASS, UNO, Action, ActionKind
from lastcard.agents.base import BuiltInAgent
from lastcard.cards import WILD, WILD_DRAW_FOUR, Card, Color, Rank
from lastcard.explain.explanation import Explanation, Step
from lastcard.explain.parts import explain_forced
from lastcard.observation import Observation, check_decision

_NUMBERS: Final = tuple(Rank)[:10]


@dataclass(frozen=True, slots=True)
class FrequencyConfig:
    """Rules for playing a Wild Draw Four and for distrusting one."""

    four_below: int = 4
    """Plays a Wild Draw Four only while the next seat holds fewer cards than this."""
    four_to_go_out: bool = True
    """Plays a Wild Draw Four as the last card in any case."""
    challenge_from: float = 1.0
    """Challenges a player who should hold at least this many cards of the previous color, by the cards not seen."""

    @classmethod
    def as_published(cls) -> FrequencyConfig:
        """Returns the options of the published method, which holds back even a last Wild Draw Four.

        >>> FrequencyConfig.as_published().four_to_go_out
        False
        """
        return cls(four_below=4, four_to_go_out=False)


def count_colors(observation: Observation) -> dict[Color, int]:
    """Counts the cards of each color in the observer's hand and on the discard pile, the most first.

    >>> from lastcard.observation import observe
    >>> from lastcard.state import parse_state
    >>> counts = count_colors(observe(parse_state("top r5 | seat 0: b5 b2 w | seat 1: g1"), seat=0))
    >>> {color.letter: count for color, count in counts.items()}
    {'b': 2, 'r': 1, 'y': 0, 'g': 0}
    """
    seen = Counter(card.color for card in (*observation.hand, *observation.discards))
    return {color: seen[color] for color in sorted(Color, key=lambda color: -seen[color])}


def count_numbers(observation: Observation) -> dict[Rank, int]:
    """Counts the cards of each number in the observer's hand and on the discard pile, the most first.

    >>> from lastcard.observation import observe
    >>> from lastcard.state import parse_state
    >>> counts = count_numbers(observe(parse_state("top r5 | seat 0: b5 b2 w | seat 1: g1"), seat=0))
    >>> [(rank.value, count) for rank, count in counts.items()][:3]
    [('5', 2), ('2', 1), ('0', 0)]
    """
    seen = Counter(card.rank for card in (*observation.hand, *observation.discards))
    return {rank: seen[rank] for rank in sorted(_NUMBERS, key=lambda rank: -seen[rank])}


class FrequencyAgent(BuiltInAgent):
    """Prefers Wilds, then action cards, then numbers, each so that the color or number most used up is to be matched.

    It declares UNO, catches, jumps in and stacks whenever it can, even with a Wild Draw Four that it would hold back
    otherwise; plays a drawn card that it would have played from the hand; and swaps for the smallest hand.
    """

    kind = "frequency"

    def __init__(self, config: FrequencyConfig, seed: int) -> None:
        self.config = config
        self._rng = random.Random(seed)

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        return self._decide(observation)[0]

    def explain(self, observation: Observation) -> Explanation:
        """The maps of what was seen, and the first of its rules that applies.

        >>> from lastcard.observation import observe
        >>> from lastcard.state import parse_state
        >>> seen = observe(parse_state("top r5 | seat 0: r7 b5 | seat 1: g1 yR"), seat=0)
        >>> FrequencyAgent(FrequencyConfig(), seed=0).explain(seen).steps[-1].text
        'The number 5 (2 of 8) is more used up than red (2 of 25), so b5 keeps to the number.'
        """
        if forced := explain_forced(observation):
            return forced
        dice = self._rng.getstate()
        best, reason = self._decide(observation)
        self._rng.setstate(dice)
        colors, numbers = count_colors(observation), count_numbers(observation)
        text = "Counted are the own hand and everything on the discard pile, the most first."
        steps = (
            Step("Colors seen", text, ("color", "seen", "of"), tuple(_rows(observation, colors))),
            Step("Numbers seen", text, ("number", "seen", "of"), tuple(_rows(observation, numbers))),
            Step("The choice", reason),
        )
        return Explanation(best, steps)

    def _decide(self, observation: Observation) -> tuple[Action, str]:
        """The choice, and the rule that makes it."""
        legal = check_decision(observation).legal_actions
        if len(legal) == 1:
            return legal[0], f"Only {legal[0]} is legal."
        for always in (UNO, CATCH):
            if always in legal:
                return always, f"{always} comes before everything else."
        if legal[0].kind is ActionKind.SWAP:
            swap = min(legal, key=lambda action: observation.hand_sizes[action.seat or 0])
            return swap, "Hands are swapped for the smallest."
        if legal[0].kind is ActionKind.COLOR:
            color = self._choose_color(observation)
            return Action.name_color(color), f"Of the colors in hand, {color.word} was seen most."
        playable = [action.card for action in legal if action.card is not None]
        card, reason = self._choose_card(observation, playable)
        if card is None:
            for otherwise in (DRAW, KEEP, PASS):
                if otherwise in legal:
                    return otherwise, reason
            if WILD_DRAW_FOUR not in playable:
                distrusts = CHALLENGE in legal and self._distrusts(observation)
                least = f"{'at least' if distrusts else 'fewer than'} {self.config.challenge_from:g}"
                answer = f"The player of the Wild Draw Four should hold {least} cards of the color that was active."
                return CHALLENGE if distrusts else ACCEPT, answer
            card, reason = WILD_DRAW_FOUR, "A Wild Draw Four is all that can be played on it."
        return Action.play(card, naming=self._choose_color(observation) if card.is_wild else None), reason

    def _choose_card(self, observation: Observation, playable: list[Card]) -> tuple[Card | None, str]:
        """Returns the card to play and the reason; None if that would only be a Wild Draw Four too early."""
        next_seat = (observation.observer + observation.direction) % len(observation.hand_sizes)
        goes_out = self.config.four_to_go_out and len(observation.hand) == 1
        is_time = goes_out or observation.hand_sizes[next_seat] < self.config.four_below
        if WILD_DRAW_FOUR in playable and is_time:
            few = f"the next seat holds fewer than {self.config.four_below} cards"
            why = "it is the last card" if goes_out else few
            return WILD_DRAW_FOUR, f"A Wild Draw Four comes first, for {why}; its color is the one in hand seen most."
        if WILD in playable:
            return WILD, "A Wild comes before all colored cards; its color is the one in hand seen most."
        specials = [card for card in playable if not card.is_wild and card.rank not in _NUMBERS]
        if specials:
            card = _find_color(count_colors(observation), specials)
            return card, "Action cards come before numbers, of them the one whose color was seen most."
        numbers = [card for card in playable if card.rank in _NUMBERS]
        if not numbers:
            return None, "Nothing is to be played yet."
        return _choose_number(observation, numbers)

    def _choose_color(self, observation: Observation) -> Color:
        """The color in hand of which most was seen; any, if there is none in hand."""
        card = _find_color(count_colors(observation), observation.hand)
        return self._rng.choice(list(Color)) if card is None or card.color is None else card.color

    def _distrusts(self, observation: Observation) -> bool:
        """Returns True if the seat that played a Wild Draw Four could probably have followed the color (Rule 6.4)."""
        color, deck = observation.last_color, observation.rules.deck
        assert color is not None
        unseen = _count_in_deck(observation, color) - count_colors(observation)[color]
        num_hidden = deck.num_cards - len(observation.hand) - len(observation.discards)
        held = observation.hand_sizes[observation.top_player or 0] * unseen / max(num_hidden, 1)
        return bool(held >= self.config.challenge_from)


def _choose_number(observation: Observation, playable: list[Card]) -> tuple[Card | None, str]:
    """Keeps to the color or to the number on top, whichever is more used up."""
    color, rank = observation.active_color, observation.top_card.rank
    colors, numbers = count_colors(observation), count_numbers(observation)
    same_color = _find_number(numbers, [card for card in playable if card.color is color])
    same_number = _find_color(colors, [card for card in playable if card.rank is rank])
    if same_color is None or same_number is None or color is None:
        kept = "color" if same_color else "number"
        return same_color or same_number, f"Only the {kept} can be kept to, with the card of which most was seen."
    of_color, of_number = _count_in_deck(observation, color), _count_in_deck(observation, rank)
    color_seen = f"{color.word} ({colors[color]} of {of_color})"
    number_seen = f"the number {rank.value} ({numbers[rank]} of {of_number})"
    if colors[color] / of_color >= numbers[rank] / of_number:
        least = f"{color_seen} is at least as much used up as {number_seen}"
        return same_color, f"{least[0].upper()}{least[1:]}, so {same_color} keeps to the color."
    most = f"{number_seen} is more used up than {color_seen}"
    return same_number, f"{most[0].upper()}{most[1:]}, so {same_number} keeps to the number."


def _rows(observation: Observation, seen: Mapping[Color, int] | Mapping[Rank, int]) -> Iterator[tuple[str, int, int]]:
    for kind, count in seen.items():
        yield kind.word if isinstance(kind, Color) else kind.value, count, _count_in_deck(observation, kind)


def _find_color(colors: Mapping[Color, int], cards: Sequence[Card]) -> Card | None:
    """The first card of the first color that any has."""
    return next((card for color in colors for card in cards if card.color is color), None)


def _find_number(numbers: Mapping[Rank, int], cards: Sequence[Card]) -> Card | None:
    """The first card of the first number that any has."""
    return next((card for rank in numbers for card in cards if card.rank is rank), None)


def _count_in_deck(observation: Observation, kind: Color | Rank) -> int:
    """Counts the cards of a color or rank in the deck: 25, 8 and 4 zeros in the official one (Rule 1.1)."""
    return sum(count for card, count in observation.rules.deck.items() if kind in (card.color, card.rank))
