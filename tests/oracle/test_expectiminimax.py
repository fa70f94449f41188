"""The core's expectiminimax next to the plain one: equal values and choices for equal random numbers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from lastcard.events import EventKind
from lastcard.observation import Observation, observe
from lastcard.rules import Rules
from lastcard.search.expectiminimax import ExpectiminimaxConfig, search_by_expectiminimax
from lastcard.state import State, deal

from .cards import FACES
from .expectiminimax import Position, Search, fits, legal, root_values, without

PUBLISHED = ExpectiminimaxConfig.as_published()


def states(preset: str, count: int) -> Iterator[State]:
    """Decisions of random rounds with something to choose."""
    seed, rng = 0, random.Random(1)
    while count:
        seed += 1
        state = deal(Rules.preset(preset), seed=seed)
        while not state.is_over and count:
            if len(state.legal_actions) > 1:
                count -= 1
                yield state
            state = state.after(rng.choice(state.legal_actions))


def excluded_by_last_draw(observation: Observation) -> list[str]:
    """Lists the cards that the published posterior excludes after an opponent's draw: all that fit."""
    top = ""
    excluded: list[str] = []
    for event in observation.history:
        if event.kind is EventKind.TURNED_UP:
            top = str(event.card)
        if event.kind is EventKind.PLAYED:
            top = str(event.action)
        if event.seat == 1 - observation.observer and event.kind is EventKind.PLAYED:
            excluded = []
        if event.seat == 1 - observation.observer and event.kind is EventKind.DREW:
            excluded = [face for face in FACES if fits(face, top)]
    return excluded


def plain_values(state: State, config: ExpectiminimaxConfig, seed: int) -> dict[str, float]:
    seat = state.seat or 0
    observation = observe(state, seat)
    deck = [str(card) for card in state.rules.deck.cards()]
    own = tuple(str(card) for card in observation.hand)
    latent = without(deck, [*own, *(str(card) for card in observation.discards)])
    hands = (own, ("?",) * observation.hand_sizes[1]) if seat == 0 else (("?",) * observation.hand_sizes[0], own)
    top, limit = str(observation.top_card), state.rules.max_plies
    position = Position(hands, (), top, seat, state.ply, 0, limit, tuple(deck), 0)
    search = Search(seat, config.depth, config.draw_samples, config.determinizations, config.common_random_numbers)
    found = root_values(position, latent, excluded_by_last_draw(observation), search, seed)
    return dict(zip(legal(position), found, strict=True))


@pytest.mark.parametrize(
    ("preset", "count", "config"),
    [
        ("mini", 80, replace(PUBLISHED, determinizations=10)),
        ("mini", 40, replace(PUBLISHED, determinizations=10, common_random_numbers=True, depth=5)),
        ("mini", 40, replace(PUBLISHED, determinizations=12, depth=0)),
        ("mini", 40, replace(PUBLISHED, determinizations=12, depth=4, draw_samples=1)),
        ("numbers", 12, replace(PUBLISHED, determinizations=3, depth=2)),
    ],
)
def test_values_and_choices_are_those_of_the_plain_form(preset: str, count: int, config: ExpectiminimaxConfig) -> None:
    spread = 0
    for seed, state in enumerate(states(preset, count)):
        report = search_by_expectiminimax(observe(state, state.seat or 0), config, seed)
        found = {str(value.action): value.value for value in report.actions}
        expected = plain_values(state, config, seed)
        assert found == pytest.approx(expected, abs=1e-12)
        assert str(report.best) == max(expected, key=lambda action: (expected[action], -FACES.index(action)))
        spread += len(set(found.values())) > 1
    assert spread > count / 4 or config.depth == 0


def test_the_plain_form_and_the_core_differ_where_a_parameter_does() -> None:
    """A wrong depth, draw count or stream would be seen."""
    config = replace(PUBLISHED, determinizations=10)
    for change in (
        replace(config, depth=2),
        replace(config, draw_samples=1),
        replace(config, common_random_numbers=True),
    ):
        differs = 0
        for seed, state in enumerate(states("mini", 30)):
            report = search_by_expectiminimax(observe(state, state.seat or 0), config, seed)
            found = {str(value.action): value.value for value in report.actions}
            differs += found != pytest.approx(plain_values(state, change, seed), abs=1e-12)
        assert differs > 3
