"""Pairs of positions that a seat cannot tell apart, where that seat is to act or another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lastcard.state import State
from tests.property.test_two_worlds import make_pairs

NUM_PAIRS = 60


def pairs_to_act(seed: int) -> Iterator[tuple[State, State, int]]:
    """Pairs in which the observer is the seat to act."""
    return (pair for pair in make_pairs(seed, 4 * NUM_PAIRS) if pair[0].seat == pair[2])


def look_alike(one: object, other: object) -> bool:
    """Returns True if two things that a library is given are equal, arrays byte for byte."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(look_alike(one[key], other[key]) for key in one)
    return type(one) is type(other) and one == other
