"""Belief: how likely each assignment of the hidden cards is, from one seat's observation."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from lastcard import _core
from lastcard._configs import BeliefConfig
from lastcard.cards import CARDS, Card, Color, Rank
from lastcard.errors import StateError, shorten
from lastcard.observation import Observation
from lastcard.seeds import seed_bytes

__all__ = ["KINDS", "MODELS", "Belief", "BeliefConfig", "HiddenCards"]

KINDS: Final[tuple[str, ...]] = _core.BeliefSettings.OPTIONS["kind"][1]
MODELS: Final = ("heuristic", "random", "draws")
BeliefConfig.__module__ = __name__  # where it is documented and imported from


@dataclass(frozen=True, slots=True)
class HiddenCards:
    """One possible assignment of the hidden cards.

    >>> from lastcard.cards import parse_cards
    >>> hidden = HiddenCards({1: parse_cards("r5")}, parse_cards("g1 w"))
    >>> hidden.hands[1], len(hidden.draw_pile)
    ((parse_card('r5'),), 2)
    """

    hands: Mapping[int, tuple[Card, ...]]
    """Each opponent's hand, by seat."""
    draw_pile: tuple[Card, ...]
    """The rest, in no order."""


class Belief:
    """A distribution over the cards that the observer does not see.

    Nothing is carried over from one observation to the next: the belief is a function of the observation, the config
    and the seed. If all hands can be listed, or only counts are known, it is exact; otherwise it consists of equally
    likely hypotheses from a Markov chain over hands and over the times when each card came.

    >>> from lastcard.observation import observe
    >>> from lastcard.rules import Rules
    >>> from lastcard.state import deal
    >>> belief = Belief(observe(deal(Rules.preset("official"), seed=7), seat=0), BeliefConfig("uniform"))
    >>> round(belief.probability(1, color=Color.RED), 2)
    0.85
    """

    def __init__(
        self, observation: Observation, config: BeliefConfig | None = None, seed: int = 0, core: object = None
    ) -> None:
        """Makes the belief; a search that has already made it passes `core`.

        Args:
            observation: What the seat knows.
            config: How to make it; the default is `particle`.
            seed: Fixes the hypotheses.
            core: The core's belief from the same observation.
        """
        if not isinstance(observation, Observation):
            raise StateError(
                f"a belief is made from an Observation, not {shorten(observation)}; use observe(state, seat)"
            )
        if not isinstance(config, BeliefConfig | None):
            raise StateError(f"config must be a BeliefConfig, not {shorten(config)}")
        seed_bytes(seed)
        self._seed = seed
        self.observation = observation
        self.config = config or BeliefConfig()
        self._settings = self.config.compile(observation.rules)
        if not isinstance(core, _core.Belief):
            # The core's generator for hypotheses takes 64 bits; a seed of up to 256 bits is allowed here like
            # everywhere.
            core = _core.believe(observation._core, self._settings, seed % 2**64)
        self._core = core
        self._unseen = core.unseen
        self._sizes = observation.hand_sizes

    def __reduce__(self) -> tuple[object, ...]:
        return Belief, (self.observation, self.config, self._seed)

    def __copy__(self) -> Belief:
        return self

    def __deepcopy__(self, memo: object) -> Belief:
        return self  # it never changes

    @property
    def opponents(self) -> tuple[int, ...]:
        """The seats whose cards are hidden."""
        return tuple(seat for seat in range(len(self._sizes)) if seat != self.observation.observer)

    @property
    def is_exact(self) -> bool:
        """True if probabilities are exact, and not estimated from hypotheses."""
        return self._core.is_exact or self._core.is_shuffle

    @property
    def num_hypotheses(self) -> int:
        """Number of hypotheses."""
        return self._core.num_hypotheses

    @property
    def effective_sample_size(self) -> float:
        """Estimated number of independent hypotheses among them."""
        return self._core.effective_sample_size

    def sample(self, rng: random.Random) -> HiddenCards:
        """Draws one possible assignment of the hidden cards from the belief."""
        if not isinstance(rng, random.Random):
            raise StateError(f"rng must be a random.Random, not {shorten(rng)}")
        index = rng.randrange(self._core.num_hypotheses)
        if self._core.is_exact:
            # An exact belief lists every assignment once with its weight; a chain's hypotheses are equally likely.
            index = rng.choices(range(self._core.num_hypotheses), self._core.weights())[0]
        hands = self._core.hands(index, len(self._sizes))
        left = list(self._unseen)
        for hand in hands:
            for face in hand:
                left[face] -= 1
        pile = [card for card, count in zip(CARDS, left, strict=True) for _ in range(count)]
        return HiddenCards({seat: tuple(CARDS[face] for face in hands[seat]) for seat in self.opponents}, tuple(pile))

    def counts(self, seat: int, card: Card) -> tuple[float, ...]:
        """The probabilities that the seat holds 0, 1, 2, ... copies of the card."""
        self._check(seat)
        if not isinstance(card, Card):
            raise StateError(f"expected a Card, not {shorten(card)}")
        return tuple(self._chances(seat, [card]))

    def _chances(self, seat: int, cards: Iterable[Card]) -> list[float]:
        """The probabilities that the seat holds 0, 1, 2, ... of the cards in all."""
        return _core.count_chances(self.observation._core, self._core, seat, [card.index for card in cards])

    def marginals(self) -> dict[int, dict[Card, float]]:
        """Returns the probability that each opponent holds each card (at least one copy of it)."""
        seen, belief = self.observation._core, self._core
        return {seat: dict(zip(CARDS, _core.marginals(seen, belief, seat), strict=True)) for seat in self.opponents}

    def probability(
        self, seat: int, *, color: Color | None = None, rank: Rank | None = None, card: Card | None = None
    ) -> float:
        """The probability that the seat holds at least one card of that color, of that rank, of both, or that card.

        Raises:
            StateError: if the seat is not an opponent's, or no cards are given.
        """
        self._check(seat)
        return 1.0 - self._chances(seat, _list_faces(color, rank, card))[0]

    def log_weight(self, hands: Mapping[int, Iterable[Card]]) -> float:
        """Logarithm of the probability of these hands of all opponents, up to a common constant.

        Of the ways in which the cards can have come, the likeliest is taken. `-inf` where counting or the rules exclude
        the hands.

        Raises:
            StateError: if an opponent's hand is missing.
        """
        if not isinstance(hands, Mapping) or set(hands) != set(self.opponents):
            raise StateError(f"hands must be given for the seats {list(self.opponents)}, not {shorten(hands)}")
        faces: list[list[int]] = [[] for _ in self._sizes]
        for seat, hand in hands.items():
            if not isinstance(hand, Iterable):
                raise StateError(f"hands: expected cards, not {shorten(hand)}")
            for card in hand:
                if not isinstance(card, Card):
                    raise StateError(f"hands: expected a Card, not {shorten(card)}")
                faces[seat].append(card.index)
        return _core.log_weight(self.observation._core, self._settings, faces)

    def opponent_models(self, seat: int) -> dict[str, float]:
        """Probability that the seat follows each model, given its actions so far (`particle` only)."""
        self._check(seat)
        return dict(zip(MODELS, self._core.models(seat), strict=True))

    def __repr__(self) -> str:
        seats = ", ".join(map(str, self.opponents))
        source = "exact" if self.is_exact else f"{self.num_hypotheses} hypotheses"
        return f"<Belief of seat {self.observation.observer} about seat {seats}: {self.config.kind}, {source}>"

    def _check(self, seat: int) -> None:
        if isinstance(seat, bool) or not isinstance(seat, int) or seat not in self.opponents:
            raise StateError(f"seat must be one of the opponents {list(self.opponents)}, not {shorten(seat)}")


def _list_faces(color: Color | None, rank: Rank | None, card: Card | None) -> list[Card]:
    """The cards that are meant."""
    if card is not None and (not isinstance(card, Card) or color is not None or rank is not None):
        raise StateError(f"give card=parse_card('r5') by itself, not {shorten(card)} with {color} and {rank}")
    if card is not None:
        return [card]
    if not isinstance(color, Color | None) or not isinstance(rank, Rank | None) or (color is None and rank is None):
        told = f"{shorten(color)}, {shorten(rank)}"
        raise StateError(f"give color=Color.RED or rank=Rank.SKIP or both, or card=parse_card('r5'), not {told}")
    return [face for face in CARDS if color in (None, face.color) and rank in (None, face.rank)]
