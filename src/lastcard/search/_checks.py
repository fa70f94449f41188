"""Checks of a search's arguments: an observation with something to decide, its config, a seed."""

from __future__ import annotations

from typing import TypeVar

from lastcard.errors import AgentError, shorten
from lastcard.observation import check_decision
from lastcard.seeds import seed_bytes

_Config = TypeVar("_Config")


def check_question(observation: object, config: object, kind: type[_Config], seed: int) -> _Config:
    """Returns the config, or its default.

    Raises:
        AgentError: if there is nothing to search, or the config is of another search.
    """
    if config is not None and not isinstance(config, kind):
        raise AgentError(f"config must be {kind.__name__}, not {shorten(config)}")
    seed_bytes(seed)
    check_decision(observation)
    return config if isinstance(config, kind) else kind()
