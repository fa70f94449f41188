"""Levels: how strong an opponent a person wants, in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from lastcard.errors import AgentError, shorten, suggest


@dataclass(frozen=True, slots=True)
class Level:
    """An agent under a name that says how hard it is to beat."""

    name: str
    agent: str
    """The agent with its options, as `make_agent` reads it."""
    summary: str


LEVELS: Final[Mapping[str, Level]] = {
    level.name: level
    for level in (
        Level("beginner", "random", "plays anything that fits"),
        Level("easy", "frequency", "counts the cards it has seen, without looking ahead"),
        Level("medium", "heuristic", "scores every action by tuned weights"),
        Level("hard", "halving:simulations=1000,short_rounds=true", "plays out a thousand rounds before each action"),
        Level(
            "hardest",
            "halving:simulations=100000,short_rounds=true",
            "plays out a hundred thousand rounds before each action",
        ),
        Level("champion", "champion", "wins most, in long rounds of about 400 plies; official rules, two players"),
    )
}
"""From the weakest to the strongest."""


def find_level(name: str) -> Level:
    """The level of that name.

    Raises:
        AgentError: if there is none, listing the known ones.

    >>> find_level("medium").agent
    'heuristic'
    """
    level = LEVELS.get(name.strip().lower()) if isinstance(name, str) else None
    if level is None:
        raise AgentError(f"no level {shorten(name)}; there are {', '.join(LEVELS)}{suggest(name, LEVELS)}")
    return level
