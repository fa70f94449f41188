"""Two states that differ only in what a seat cannot know give it equal observations.

The simple way, on states as data: two hidden cards trade places, in hand, draw pile and what other seats were told.
`core/tests/two_worlds.cpp` replays whole rounds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

import pytest

from lastcard import observation
from lastcard.cards import Card, format_cards, parse_cards
from lastcard.errors import StateError
from lastcard.events import format_event, parse_event
from lastcard.observation import Observation
from lastcard.rules import Rules
from lastcard.state import State, deal
from tests.oracle.agreement import choose_at_random, random_rules

NUM_PAIRS = 500
Fields = dict[str, object]


def exchange(cards: list[Card], one: Card, other: Card) -> list[Card]:
    """The cards with the first copy of one face replaced by the other."""
    at = cards.index(one)
    return [*cards[:at], other, *cards[at + 1 :]]


def retold(text: str, observer: int, one: Card, other: Card) -> str:
    """The event with both faces exchanged in what seats other than the observer were told."""
    swapped = {one: other, other: one}
    event = parse_event(text)
    hands = tuple(
        (seat, cards if seat == observer else tuple(swapped.get(card, card) for card in cards))
        for seat, cards in event.hands
    )
    return format_event(replace(event, hands=hands))


def with_hidden_cards_exchanged(
    fields: Mapping[str, object], observer: int, seat: int, one: Card, other: Card
) -> Fields:
    """The state in which `one`, held by `seat`, and `other`, in the draw pile, have traded places."""
    players = [dict(player) for player in cast(list[Fields], fields["players"])]
    hand = list(parse_cards(cast(str, players[seat]["hand"])))
    pile = list(parse_cards(cast(str, fields["draw_pile"])))
    changed = dict(fields)
    if one in hand and other in pile:
        players[seat]["hand"] = format_cards(sorted(exchange(hand, one, other)))
        changed["players"] = players
        changed["draw_pile"] = format_cards(exchange(pile, other, one))
        if fields["seat"] == seat and fields["drawn_card"] == one.text:
            changed["drawn_card"] = other.text
    history = cast(list[str], fields["history"])
    changed["history"] = [retold(text, observer, one, other) for text in history]
    before = cast("Fields | None", fields["before"])
    if before is not None:
        changed["before"] = with_hidden_cards_exchanged(before, observer, seat, one, other)
    return changed


def random_state(rng: random.Random) -> State:
    """A random position: any preset or switches, house rules and the tournament among them."""
    name = rng.choice(["house", "tournament", "any", "any"])
    rules = random_rules(rng) if name == "any" else Rules.preset(name, players=rng.randint(2, 6))
    state = deal(rules, seed=rng.randrange(1 << 64))
    for _ in range(rng.randrange(60)):
        if state.is_over:
            break
        state.apply_in_place(choose_at_random(rng, state.legal_actions, False))
    return state


def make_pairs(seed: int, num_pairs: int) -> Iterator[tuple[State, State, int]]:
    """Pairs of states and an observer who cannot tell them apart."""
    rng = random.Random(seed)
    made = 0
    while made < num_pairs:
        state = random_state(rng)
        if state.is_over or not state.draw_pile:
            continue
        observer, seat = rng.sample(range(state.rules.players), 2)
        hand = state.hand(seat)
        # A leak would show in the card just drawn, or in one that could jump in.
        telling = [card for card in hand if card in (state.drawn_card, state.top_card)]
        one = rng.choice(telling or hand or [state.top_card])
        other = rng.choice([state.draw_pile[-1], rng.choice(state.draw_pile)])
        if one is other or one not in hand:
            continue
        try:
            twin = State.from_dict(with_hidden_cards_exchanged(state.to_dict(), observer, seat, one, other))
        except StateError:
            continue  # the seat is being asked because it holds that very card
        assert twin != state
        made += 1
        yield state, twin, observer


def num_differences(seed: int, num_pairs: int) -> int:
    """Counts the pairs of observations that differ in any way that Python can ask about."""
    differences = 0
    for state, twin, observer in make_pairs(seed, num_pairs):
        one, other = (observation.observe(world, observer) for world in (state, twin))
        looks = [
            (obs.to_dict(), repr(obs), str(obs), hash(obs), obs.history, obs.legal_actions) for obs in (one, other)
        ]
        differences += looks[0] != looks[1] or one != other
    return differences


def test_hidden_cards_do_not_change_an_observation() -> None:
    """Rules 3.3, 6.3 and 10.7."""
    assert num_differences(seed=1, num_pairs=NUM_PAIRS) == 0


class Leaky(Observation):
    """An observation that says more than it should."""

    __slots__ = ("leak",)
    leak: object

    def to_dict(self) -> dict[str, object]:
        return {**super().to_dict(), "leak": self.leak}


LEAKS = {
    "next card": lambda state: state.draw_pile[-1:],
    "hands": lambda state: state.players,
    "drawn card": lambda state: state.drawn_card,
    "legal actions": lambda state: state.legal_actions,
    "history": lambda state: state.history,
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_caught(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = observation.observe

    def observe(state: State, seat: int) -> Observation:
        seen = Leaky(honest(state, seat)._core, state.rules)
        seen.leak = LEAKS[leak](state)
        return seen

    monkeypatch.setattr(observation, "observe", observe)
    assert num_differences(seed=2, num_pairs=150) > 0


def test_the_pairs_are_worth_comparing() -> None:
    """Open windows and drawn cards are among them."""
    phases = {state.phase.value for state, _, _ in make_pairs(1, NUM_PAIRS)}
    assert phases >= {"turn", "drawn", "answer", "swap", "catch", "jump_in"}
