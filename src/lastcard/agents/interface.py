"""The interface of an agent."""

from __future__ import annotations

import dataclasses
from typing import Any, Protocol, runtime_checkable

from lastcard import _core
from lastcard.actions import Action
from lastcard.explain.explanation import Explanation
from lastcard.observation import Observation, check_decision
from lastcard.seeds import seed_bytes


@runtime_checkable
class Agent(Protocol):
    """Anything that answers an observation with one of its legal actions.

    >>> class First:
    ...     def choose(self, observation):
    ...         return observation.legal_actions[0]
    >>> isinstance(First(), Agent)
    True
    """

    def choose(self, observation: Observation, /) -> Action:
        """Picks one of `observation.legal_actions`."""
        ...


@runtime_checkable
class ExplainingAgent(Agent, Protocol):
    """An agent that can show how it reaches a decision.

    >>> from lastcard.agents import make_agent
    >>> isinstance(make_agent("halving"), ExplainingAgent), isinstance(make_agent("random"), ExplainingAgent)
    (True, False)
    """

    def explain(self, observation: Observation, /) -> Explanation:
        """Returns the steps that lead `choose` to its answer."""
        ...


def decision_seed(observation: Observation, seed: int) -> int:
    """Returns the seed of an agent's decision: a new one for every decision, the same one for the same observation.

    Raises:
        AgentError: if the observer has nothing to decide.
    """
    return _core.decision_seed(check_decision(observation)._core, seed_bytes(seed))


class BuiltInAgent:
    """An agent that comes with this package: it has a kind and a config, and shows both.

    >>> from lastcard.agents import make_agent
    >>> make_agent("halving:simulations=5")
    <Agent halving:simulations=5>
    """

    kind: str
    """Its name in the registry."""
    config: Any

    def __repr__(self) -> str:
        values = {
            field.name: (getattr(self.config, field.name), field.default) for field in dataclasses.fields(self.config)
        }
        changed = ",".join(f"{name}={value}" for name, (value, default) in values.items() if value != default)
        return f"<Agent {self.kind}:{changed}>" if changed else f"<Agent {self.kind}>"
