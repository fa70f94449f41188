"""Moves that are written down and shown together: an action, and what agents answer to it without taking any time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lastcard.actions import Action
from lastcard.agents import Agent
from lastcard.errors import RequestError
from lastcard.observation import Observation, observe
from lastcard.state import State

SeatAction = tuple[int, Action]
"""A seat and what it does."""
MOST_TOGETHER: Final = 64
"""Moves of one game, since everybody else waits while its agents answer."""


def batch_actions(state: State, action: Action, find_prompt: Callable[[State], Agent | None]) -> list[SeatAction]:
    """An action of the seat to act, and the answers of prompt agents up to where nobody is prompt.

    An agent that fails ends it, too: whoever asks it again may tell what that means for the game.

    Args:
        state: Which stays as it is.
        action: Legal there.
        find_prompt: The agent to act in a state, if it takes no time.

    >>> from lastcard.agents import make_agent
    >>> from lastcard.rules import Rules
    >>> from lastcard.state import deal
    >>> agent, dealt = make_agent("heuristic", seed=1), deal(Rules.preset("official"), seed=7)
    >>> moves = batch_actions(dealt, dealt.legal_actions[0], lambda state: agent if state.seat == 1 else None)
    >>> [seat for seat, _ in moves]
    [0, 1]
    """
    assert state.seat is not None
    moves, state = [(state.seat, action)], state.after(action)
    while len(moves) < MOST_TOGETHER and state.seat is not None and (agent := find_prompt(state)):
        observation = observe(state, state.seat)
        try:
            answer = check_reply(agent.choose(observation), observation)
        except Exception:
            break
        moves.append((state.seat, answer))
        state.apply_in_place(answer)
    return moves


def check_reply(answer: Action, observation: Observation) -> Action:
    """The answer of an agent.

    Raises:
        RequestError: with status 503, if it is not legal.
    """
    if answer not in observation.legal_actions:
        raise RequestError(f"the agent of seat {observation.observer} gave an illegal answer", status=503)
    return answer
