"""Agents decide by what their seat may know: in two worlds that look the same to it, they do the same."""

from __future__ import annotations

from itertools import islice

import pytest

from lastcard.actions import Action
from lastcard.agents import Agent, list_agents, make_agent
from lastcard.cards import WILD_DRAW_FOUR
from lastcard.observation import Observation
from tests.counts import counted
from tests.property.fairness import (
    MakeAgent,
    answers_alike,
    check_fairness,
    make_searcher,
    make_sequels,
    make_worlds,
    remembers_alike,
    truth,
)

NUM_DECISIONS = counted(4_000)
CHUNKS = counted(10, least=2)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_what_is_hidden_makes_no_difference(chunk: int) -> None:
    compared, seed = 0, 10_000 * chunk
    while compared < NUM_DECISIONS / CHUNKS:
        compared += check_fairness(seed)
        seed += 1


@pytest.mark.parametrize("name", ["expectiminimax", "mcts", "pomcp"])
def test_the_published_forms_are_fair_as_well(name: str) -> None:
    budget = "determinizations=4,depth=1" if name == "expectiminimax" else "simulations=60"
    make: MakeAgent = lambda seed: make_agent(f"{name}:as_published,{budget}", seed)  # noqa: E731
    pairs = islice((pair for seed in range(7_000, 7_500) for pair in make_worlds(seed)), 120)
    assert sum(answers_alike(make, state, other, 1) for state, other in pairs) == 120


def test_an_agent_that_remembers_does_so_fairly() -> None:
    """`pomcp` keeps what it grew; asked on and on, it still does the same in both worlds."""
    make: MakeAgent = lambda seed: make_agent("pomcp:simulations=100,particles=30", seed)  # noqa: E731
    sequels = islice((sequel for seed in range(500) for sequel in make_sequels(seed)), 60)
    assert sum(remembers_alike(make, before, state, other, 1) for before, state, other in sequels) == 60


@pytest.mark.long
def test_the_worlds_are_worth_comparing() -> None:
    """Worlds of all kinds come up: any preset, many numbers of players, all kinds of decisions."""
    pairs = [pair for seed in range(120) for pair in make_worlds(seed)]
    assert len({str(state.rules).split()[0] for state, _ in pairs}) >= 5
    assert {state.rules.players for state, _ in pairs} == {2, 3, 4, 5, 6}
    assert {state.phase.value for state, _ in pairs} >= {"turn", "drawn", "answer"}
    assert sum(state.draw_pile[-1:] != other.draw_pile[-1:] for state, other in pairs) > 5
    assert all(state.seed != other.seed for state, other in pairs)


class CountsHands:
    """Plays by the cards of the others."""

    def choose(self, observation: Observation) -> Action:
        world = truth()
        worth = sum((seat + 1) * card.index for seat in range(world.rules.players) for card in world.hand(seat))
        return observation.legal_actions[worth % len(observation.legal_actions)]


class PeeksAtNextCard:
    """Plays as `heuristic`, but draws when the next card is a good one."""

    def choose(self, observation: Observation) -> Action:
        world = truth()
        draws = [action for action in observation.legal_actions if action.kind.value == "draw"]
        if draws and world.draw_pile and world.draw_pile[-1].points >= 20:
            return draws[0]
        return make_agent("heuristic").choose(observation)


class AvoidsWildDrawFours:
    """Plays as `heuristic`, but does something else when an opponent holds a Wild Draw Four."""

    def choose(self, observation: Observation) -> Action:
        world = truth()
        others = [seat for seat in range(world.rules.players) if seat != observation.observer]
        if any(WILD_DRAW_FOUR in world.hand(seat) for seat in others):
            return observation.legal_actions[-1]
        return make_agent("heuristic").choose(observation)


class SeedsItself:
    """Plays as `random`, but from the seed of the deal."""

    def choose(self, observation: Observation) -> Action:
        return make_agent("random", truth().seed).choose(observation)


class SearchesFromTheDeal:
    """Searches with random numbers from the seed of the deal."""

    def choose(self, observation: Observation) -> Action:
        return make_agent("halving:simulations=100,bonus=0.0", truth().seed).choose(observation)


@pytest.mark.parametrize("cheat", [CountsHands, PeeksAtNextCard, AvoidsWildDrawFours, SeedsItself, SearchesFromTheDeal])
def test_a_planted_peek_is_caught(cheat: type[Agent]) -> None:
    pairs = islice((pair for seed in range(400) for pair in make_worlds(seed)), 800)
    assert any(not answers_alike(lambda _: cheat(), state, other, 0) for state, other in pairs)


def test_an_honest_agent_is_not_caught() -> None:
    """The same pairs give the cheats away."""
    for state, other in (pair for seed in range(3) for pair in make_worlds(seed)):
        for info in list_agents(state.rules):
            make: MakeAgent = lambda seed, info=info: make_searcher(info, seed)  # type: ignore[misc] # noqa: E731
            assert answers_alike(make, state, other, 0)
