"""Seeds: streams split off by label have nothing to do with each other, and an agent's tells nothing of the deal.

The statistical tests use fixed seeds, so they pass or fail for good. Each
states how likely a sound engine would have been to fail.
"""

import math
import random
from collections.abc import Callable, Sequence

import pytest

from lastcard.cards import OFFICIAL, Card
from lastcard.errors import LastcardError, StateError
from lastcard.observation import Observation
from lastcard.rules import Rules
from lastcard.seeds import seed_bytes, split_seed
from lastcard.state import deal, deck_order, reshuffled
from lastcard.table import Table

LABELS = ("deal", "reshuffle", "agent", "round", "position", "pairing", "chunk")
RULES = Rules.preset("official")
NUM_TABLES = 400


def test_streams_do_not_meet() -> None:
    seeds = [0, 1, 2, 2**64, 2**255, 2**256 - 1]
    split = {(seed, label, i): split_seed(seed, label, i) for seed in seeds for label in LABELS for i in range(50)}
    assert len(set(split.values())) == len(split) == len(seeds) * len(LABELS) * 50
    assert not set(split.values()) & set(seeds)
    assert all(0 <= value < 2**256 for value in split.values())


def test_a_split_seed_can_be_split_again() -> None:
    assert split_seed(split_seed(7, "agent", 1), "agent") != split_seed(7, "agent", 1)
    assert split_seed(split_seed(7, "agent"), "round", 1) != split_seed(split_seed(7, "round", 1), "agent")


def test_splitting_is_repeatable() -> None:
    """The values are part of what a seed fixes: changing them changes every game."""
    assert split_seed(7, "agent", 3) == split_seed(7, "agent", 3)
    assert split_seed(7, "agent") == split_seed(7, "agent", 0)


@pytest.mark.parametrize("seed", [-1, 2**256, 1.0, "7", True, b"7"])
def test_impossible_seeds_are_refused(seed: int) -> None:
    for use in (seed_bytes, lambda each: split_seed(each, "agent"), lambda each: deal(RULES, each)):
        with pytest.raises(StateError, match=r"seed must be a whole number from 0 to 2\*\*256 - 1"):
            use(seed)
    with pytest.raises(StateError, match="seed must be"):
        deck_order(RULES, seed)
    with pytest.raises(StateError, match="seed must be"):
        reshuffled([], seed, 1)


def test_an_unknown_label_is_refused() -> None:
    with pytest.raises(LastcardError, match="cards"):
        split_seed(7, "cards")


@pytest.mark.parametrize("ordinal", [-1, 2**32, 1.5, None, "1"])
def test_an_impossible_ordinal_is_refused(ordinal: int) -> None:
    with pytest.raises(LastcardError, match="ordinal"):
        split_seed(7, "agent", ordinal)


def test_bits_of_split_seeds_are_balanced() -> None:
    """2,000 seeds of 256 bits: ones within 5.5 standard deviations of a half; a fair source fails 4 times in 10**8."""
    ones = sum(split_seed(i, "agent", i % 10).bit_count() for i in range(2_000))
    assert abs(ones - 256_000) < 5.5 * math.sqrt(2_000 * 256 / 4)


def test_neighboring_seeds_differ_in_half_their_bits() -> None:
    """The bound is as above; it fails in 4 of 10**8 cases."""
    differing = sum((split_seed(i, "deal") ^ split_seed(i + 1, "deal")).bit_count() for i in range(2_000))
    assert abs(differing - 256_000) < 5.5 * math.sqrt(2_000 * 256 / 4)


# What an agent could make of its own seed


def shuffled_by_python(seed: int) -> Sequence[Card]:
    cards = list(OFFICIAL.cards())
    random.Random(seed).shuffle(cards)
    return cards


def sampled_by_python(seed: int) -> Sequence[Card]:
    return random.Random(seed).sample(list(OFFICIAL.cards()), OFFICIAL.num_cards)


def as_a_deal(seed: int) -> Sequence[Card]:
    return deck_order(RULES, seed)


def as_a_reshuffle(seed: int) -> Sequence[Card]:
    return reshuffled(list(OFFICIAL.cards()), seed, 1)


GUESSES: dict[str, Callable[[int], Sequence[Card]]] = {
    "python's shuffle": shuffled_by_python,
    "python's sample": sampled_by_python,
    "a deal": as_a_deal,
    "a reshuffle": as_a_reshuffle,
    **{
        f"a deal of stream {label} {i}": lambda seed, label=label, i=i: deck_order(RULES, split_seed(seed, label, i))  # type: ignore[misc]
        for label in LABELS
        for i in (0, 1)
    },
}


def places_guessed(guess: Callable[[int], Sequence[Card]], known: Callable[[int], int]) -> float:
    """Returns how many places of the deck a guess gets right beyond chance, in standard deviations.

    Two decks in random order agree in 108 · Σ (copies / 108)² = 228 / 108 places on average, with about the
    same variance.
    """
    right = 0
    for table_seed in range(NUM_TABLES):
        deck = deck_order(RULES, split_seed(table_seed, "round", 1))
        right += sum(card is other for card, other in zip(guess(known(table_seed)), deck, strict=True))
    expected = NUM_TABLES * 228 / 108
    return (right - expected) / math.sqrt(expected)


@pytest.mark.parametrize("guess", GUESSES.values(), ids=GUESSES)
@pytest.mark.parametrize("seat", [0, 1])
def test_an_agents_seed_does_not_tell_the_deck(guess: Callable[[int], Sequence[Card]], seat: int) -> None:
    """28 guesses at 400 decks, each within 5.5 standard deviations of chance: a sound engine fails once in 10**6."""
    assert abs(places_guessed(guess, lambda seed: split_seed(seed, "agent", seat))) < 5.5
    assert abs(places_guessed(guess, lambda seed: split_seed(split_seed(seed, "agent", seat), "agent"))) < 5.5


@pytest.mark.parametrize("name", ["python's shuffle", "python's sample", "a reshuffle"])
def test_not_even_the_deals_seed_in_another_stream_tells_the_deck(name: str) -> None:
    """An agent seeded with the deal's own seed that draws cards in its own way; 3 guesses, 2 in 10**7."""
    assert abs(places_guessed(GUESSES[name], lambda seed: split_seed(seed, "round", 1))) < 5.5


def test_the_measure_finds_a_leak() -> None:
    """Given the deal's seed, dealing as the table does gets every place right; one deck in twenty shows as well."""
    assert places_guessed(as_a_deal, lambda seed: split_seed(seed, "round", 1)) > 1_000
    leaky = places_guessed(as_a_deal, lambda seed: split_seed(seed, "round", 1) if seed % 20 == 0 else 2**200 + seed)
    assert leaky > 5.5


def test_agents_get_no_seed_of_a_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []

    class Spy:
        def choose(self, observation: Observation) -> object:
            return observation.legal_actions[0]

    def make(name: str, seed: int = 0) -> Spy:
        given.append(seed)
        return Spy()

    monkeypatch.setattr("lastcard.table.seat_agent", make)
    deals: set[int | None] = set()
    for seed in range(50):
        table = Table(Rules.preset("mini", players=4), ["spy"] * 4, seed=seed)
        for _ in range(3):
            deals.update(played.seed for played in table.play_round().rounds)
    assert len(set(given)) == 200
    assert len(deals) == 150
    assert not set(given) & deals
    assert not set(given) & set(range(50))
