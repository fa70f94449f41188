"""Positions of the engine protocol: an observation without its rules, which `new` has sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lastcard import _core
from lastcard.errors import StateError, shorten
from lastcard.observation import Observation
from lastcard.rules import Rules

POSITION_FIELDS: Final = tuple(_core.list_position_fields())
"""Fields of a position, in the order in which they are written."""

__all__ = ["POSITION_FIELDS", "read_position", "write_position"]


def write_position(observation: Observation) -> dict[str, object]:
    """Everything an observation knows, as JSON values.

    >>> from lastcard.observation import observe
    >>> from lastcard.state import parse_state
    >>> seen = observe(parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR"), seat=0)
    >>> read_position(write_position(seen), seen.rules) == seen
    True
    """
    if not isinstance(observation, Observation):
        raise StateError(f"expected an Observation, not {shorten(observation)}")
    return observation.describe()


def read_position(fields: Mapping[str, object], rules: Rules) -> Observation:
    """The observation that `write_position` wrote, equal to the one that was written.

    Raises:
        StateError: naming the field that is missing, impossible, or contradicted by the others.
    """
    if "rules" in fields:
        raise StateError(f"position: there is no field 'rules'; expected {', '.join(POSITION_FIELDS)}")
    return Observation.from_dict({**fields, "rules": rules.to_dict()})
