"""`frequency`: counts the cards it has seen, and leaves the others what is nearly used up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from lastcard import _core
from lastcard.actions import ACTIONS, Action
from lastcard.agents.interface import BuiltInAgent, decision_seed
from lastcard.cards import Color, Rank
from lastcard.explain.explanation import Explanation, Step
from lastcard.explain.parts import explain_forced
from lastcard.observation import Observation
from lastcard.options import option

_NUMBERS: Final = tuple(Rank)[:10]


@dataclass(frozen=True, slots=True)
class FrequencyConfig:
    """Rules for playing a Wild Draw Four and for distrusting one."""

    four_below: int = option(4, "Plays a Wild Draw Four only while the next seat holds fewer cards than this.")
    four_to_go_out: bool = option(True, "Plays a Wild Draw Four as the last card in any case.")
    challenge_from: float = option(
        1.0,
        "Challenges a player who should hold at least this many cards of the previous color, by the cards not seen.",
    )

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
    seen = dict(zip(Color, _core.count_seen(observation._core).colors, strict=True))
    return dict(sorted(seen.items(), key=lambda item: -item[1]))


def count_numbers(observation: Observation) -> dict[Rank, int]:
    """Counts the cards of each number in the observer's hand and on the discard pile, the most first.

    >>> from lastcard.observation import observe
    >>> from lastcard.state import parse_state
    >>> counts = count_numbers(observe(parse_state("top r5 | seat 0: b5 b2 w | seat 1: g1"), seat=0))
    >>> [(rank.value, count) for rank, count in counts.items()][:3]
    [('5', 2), ('2', 1), ('0', 0)]
    """
    seen = dict(zip(_NUMBERS, _core.count_seen(observation._core).numbers, strict=True))
    return dict(sorted(seen.items(), key=lambda item: -item[1]))


class FrequencyAgent(BuiltInAgent):
    """Prefers Wilds, then action cards, then numbers; of these, the color or number of which most were seen.

    It declares UNO, catches, jumps in and stacks whenever it can, even with a Wild Draw Four that it would otherwise
    hold back. It plays a drawn card if it would have played it from the hand, and swaps for the smallest hand.
    """

    kind = "frequency"

    def __init__(self, config: FrequencyConfig, seed: int) -> None:
        self.config = config
        self._seed = seed

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        return ACTIONS[self._decide(observation).action]

    def explain(self, observation: Observation) -> Explanation:
        """Returns the counts of colors and numbers seen, and the first rule of the agent that applies.

        >>> from lastcard.observation import observe
        >>> from lastcard.state import parse_state
        >>> seen = observe(parse_state("top r5 | seat 0: r7 b5 | seat 1: g1 yR"), seat=0)
        >>> FrequencyAgent(FrequencyConfig(), seed=0).explain(seen).steps[-1].text
        'The number 5 (2 of 8) is more used up than red (2 of 25), so b5 keeps to the number.'
        """
        if forced := explain_forced(observation):
            return forced
        choice = self._decide(observation)
        colors, numbers = count_colors(observation), count_numbers(observation)
        text = "Counts the cards in hand and on the discard pile, the most frequent first."
        steps = (
            Step("Colors seen", text, ("color", "seen", "of"), tuple(_rows(observation, colors))),
            Step("Numbers seen", text, ("number", "seen", "of"), tuple(_rows(observation, numbers))),
            Step("The choice", self._reason(observation, choice)),
        )
        return Explanation(ACTIONS[choice.action], steps)

    def _decide(self, observation: Observation) -> _core.FrequencyChoice:
        seed = decision_seed(observation, self._seed)
        return _core.choose_by_frequency(
            observation._core,
            seed,
            four_below=self.config.four_below,
            four_to_go_out=self.config.four_to_go_out,
            challenge_from=self.config.challenge_from,
        )

    def _reason(self, observation: Observation, choice: _core.FrequencyChoice) -> str:
        """The rule that made the choice."""
        action, reason, reasons = ACTIONS[choice.action], choice.reason, _core.FrequencyReason
        if reason in (reasons.KEEPS_COLOR, reasons.KEEPS_NUMBER):
            return _compare(observation, action, keeps_color=reason == reasons.KEEPS_COLOR)
        color = action.color.word if action.color else ""
        first = "A Wild Draw Four comes first, for {}; its color is the one in hand seen most."
        kept = "Only the {} can stay the same; of such cards, the one seen most is played."
        held = f"The player of the Wild Draw Four should hold {{}} {self.config.challenge_from:g} cards"
        return {
            reasons.ONLY_LEGAL: f"Only {action} is legal.",
            reasons.CALL: f"{action} comes before everything else.",
            reasons.SMALLEST_HAND: "Hands are swapped for the smallest.",
            reasons.COLOR: f"Of the colors in hand, {color} was seen most.",
            reasons.LAST_FOUR: first.format("it is the last card"),
            reasons.FOUR_IN_TIME: first.format(f"the next seat holds fewer than {self.config.four_below} cards"),
            reasons.WILD: "A Wild comes before all colored cards; its color is the one in hand seen most.",
            reasons.SPECIAL: "Action cards come before numbers, of them the one whose color was seen most.",
            reasons.NOTHING_YET: "Nothing is to be played yet.",
            reasons.ONLY_COLOR: kept.format("color"),
            reasons.ONLY_NUMBER: kept.format("number"),
            reasons.DISTRUST: f"{held.format('at least')} of the color that was active.",
            reasons.TRUST: f"{held.format('fewer than')} of the color that was active.",
            reasons.FOUR_IS_ALL: "A Wild Draw Four is all that can be played on it.",
        }[reason]


def _compare(observation: Observation, action: Action, *, keeps_color: bool) -> str:
    """Compares how much of the color and of the number on top is used up."""
    color, rank = observation.active_color, observation.top_card.rank
    assert color is not None
    of_color, of_number = _count_in_deck(observation, color), _count_in_deck(observation, rank)
    color_seen = f"{color.word} ({count_colors(observation)[color]} of {of_color})"
    number_seen = f"the number {rank.value} ({count_numbers(observation)[rank]} of {of_number})"
    if keeps_color:
        least = f"{color_seen} is at least as much used up as {number_seen}"
        return f"{least[0].upper()}{least[1:]}, so {action} keeps to the color."
    most = f"{number_seen} is more used up than {color_seen}"
    return f"{most[0].upper()}{most[1:]}, so {action} keeps to the number."


def _rows(observation: Observation, seen: Mapping[Color, int] | Mapping[Rank, int]) -> Iterator[tuple[str, int, int]]:
    for kind, count in seen.items():
        yield kind.word if isinstance(kind, Color) else kind.value, count, _count_in_deck(observation, kind)


def _count_in_deck(observation: Observation, kind: Color | Rank) -> int:
    """Counts the cards of a color or rank in the deck: 25, 8 and 4 zeros in the official one (Rule 1.1)."""
    return sum(count for card, count in observation.rules.deck.items() if kind in (card.color, card.rank))
