"""Batching: an action is stored and shown together with the instant replies of agents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lastcard.actions import Action
from lastcard.agents import Agent
from lastcard.observation import Observation, observe
from lastcard.state import State
from lastcard.web.refusals import refuse

SeatAction = tuple[int, Action]
"""A seat and its action."""
MOST_TOGETHER: Final = 64
"""Actions of one batch: other games wait while its agents reply."""


def batch_actions(state: State, action: Action, find_instant: Callable[[State], Agent | None]) -> list[SeatAction]:
    """An action of the seat to act, and the replies of instant agents, until an agent needs time.

    An agent that fails ends the batch, too: the driver asks it again and deals with the error.

    Args:
        state: The state before; it is not changed.
        action: A legal one.
        find_instant: Finds the agent to act in a state, if it replies instantly.

    >>> from lastcard.agents import make_agent
    >>> from lastcard.rules import Rules
    >>> from lastcard.state import deal
    >>> agent, dealt = make_agent("heuristic", seed=1), deal(Rules.preset("official"), seed=7)
    >>> actions = batch_actions(dealt, dealt.legal_actions[0], lambda state: agent if state.seat == 1 else None)
    >>> [seat for seat, _ in actions]
    [0, 1]
    """
    assert state.seat is not None
    # `after` makes a copy, which the replies below may change.
    actions, state = [(state.seat, action)], state.after(action)
    while len(actions) < MOST_TOGETHER and state.seat is not None and (agent := find_instant(state)):
        observation = observe(state, state.seat)
        try:
            answer = check_reply(agent.choose(observation), observation)
        except Exception:
            break
        actions.append((state.seat, answer))
        state.apply_in_place(answer)
    return actions


def check_reply(answer: Action, observation: Observation) -> Action:
    """Checks the reply of an agent.

    Raises:
        RequestError: with status 503, if it is not legal.
    """
    if answer not in observation.legal_actions:
        raise refuse("agent_failed", seat=observation.observer)
    return answer
