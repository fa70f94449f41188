"""Rounds of RLCard's own `uno` in which every answer of ours is held against what is legal there."""

from __future__ import annotations

import random

import rlcard

from lastcard.envs import rlcard_agent


def play_uno(num_rounds: int, seed: int, agent: str = "heuristic") -> int:
    """Plays an agent of ours against random actions, in both seats; returns how often it had a choice.

    Raises:
        AssertionError: if an answer is not legal.
    """
    rng = random.Random(seed)
    env = rlcard.make("uno", config={"seed": seed})
    ours = rlcard_agent(agent, seed)
    choices = 0
    for number in range(num_rounds):
        state, player = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            if player == number % 2:
                answer = ours.step(state)
                assert answer in legal, f"seed {seed}, round {number}: {answer} is not among {legal}: {state}"
                choices += len(legal) > 1
            else:
                answer = rng.choice(legal)
            state, player = env.step(answer)
    return choices
