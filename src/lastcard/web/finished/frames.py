"""Frames: a round as one seat saw it, ply by ply. All that a study sends of a seat's view is made here."""

from __future__ import annotations

from typing import Any

from lastcard import _core
from lastcard.observation import Observation


def make_frame(observation: Observation, ply: int, heard: int) -> dict[str, Any]:
    """The table as the observer saw it after so many actions; its log leaves out the first events, heard before."""
    return _core.describe_frame(observation._core, ply, heard)
