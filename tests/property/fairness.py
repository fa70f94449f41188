"""Checks that an agent's answer depends on nothing that its seat cannot know."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator

from lastcard.agents import Agent, AgentInfo, list_agents, make_agent
from lastcard.observation import Observation, observe
from lastcard.rules import Rules
from lastcard.state import State
from tests.property.beliefs import play_agents
from tests.property.worlds import other_world

BUDGETS = {"simulations": 100, "determinizations": 12}
WORLDS_A_ROUND = 4

MakeAgent = Callable[[int], Agent]
Pair = tuple[State, State]


def make_searcher(info: AgentInfo, seed: int) -> Agent:
    """The agent of that name; one that searches does so with a small budget."""
    options = [f"{name}={budget}" for name, budget in BUDGETS.items() if name in info.options]
    return make_agent(f"{info.name}:{','.join(options)}", seed)


def make_worlds(seed: int, rules: Rules | None = None) -> Iterator[Pair]:
    """A few decisions of one round, each in two worlds that look the same to the seat that decides."""
    rng = random.Random(seed)
    states = [state.copy() for state in play_agents(rng, rules) if len(state.legal_actions) > 1]
    for state in rng.sample(states, min(WORLDS_A_ROUND, len(states))):
        seat = state.seat
        assert seat is not None
        other = other_world(state, seat, rng)
        if other is not None:
            yield state, other


def answers_alike(make: MakeAgent, state: State, other: State, seed: int) -> bool:
    """Returns True if fresh agents of the same seed answer the same in both worlds."""
    seat = state.seat
    assert seat is not None
    answers = []
    for world in (state, other):
        agent = make(seed)
        answers.append(agent.choose(observe(world, seat)))
    return answers[0] is answers[1]


def truth() -> State:
    """Returns the state that the checker holds while it asks: for agents that cheat."""
    world = sys._getframe(2).f_locals["world"]
    assert isinstance(world, State)
    return world


def make_sequels(seed: int) -> Iterator[tuple[list[Observation], State, State]]:
    """The same for late decisions, with what the seat saw at its decisions before."""
    rng = random.Random(seed)
    states = [state.copy() for state in play_agents(rng) if len(state.legal_actions) > 1]
    for state in rng.sample(states, min(WORLDS_A_ROUND, len(states))):
        seat = state.seat
        assert seat is not None
        before = [observe(earlier, seat) for earlier in states[: states.index(state)] if earlier.seat == seat]
        other = other_world(state, seat, rng)
        if other is not None and before:
            yield before, state, other


def remembers_alike(make: MakeAgent, before: list[Observation], state: State, other: State, seed: int) -> bool:
    """Returns True if agents of the same seed and the same past answer the same in both worlds."""
    seat = state.seat
    assert seat is not None
    answers = []
    for world in (state, other):
        agent = make(seed)
        for observation in before:
            agent.choose(observation)
        answers.append(agent.choose(observe(world, seat)))
    return answers[0] is answers[1]


def check_fairness(seed: int) -> int:
    """Asks every agent in some worlds of a round and in their twins; returns how many decisions were compared.

    Raises:
        AssertionError: at the first answer that differs, with all it takes to see it again.
    """
    compared = 0
    for state, other in make_worlds(seed):
        seat = state.seat or 0
        assert other != state
        assert observe(state, seat) == observe(other, seat), f"seed {seed}: seat {seat} can tell the worlds apart"
        for info in list_agents(state.rules):
            alike = answers_alike(lambda own, info=info: make_searcher(info, own), state, other, seed)  # type: ignore[misc]
            assert alike, f"seed {seed}: {info.name} answers differently in {state} and {other}"
            compared += 1
    return compared
