"""What an agent is."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from lastcard.actions import Action
from lastcard.observation import Observation


@runtime_checkable
class Agent(Protocol):
    """Anything that answers an observation with one of its legal actions.

    >>> class First:
    ...     def choose(self, observation):
    ...         return observation.legal_actions[0]
    >>> isinstance(First(), Agent)
    True
    """

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        ...
