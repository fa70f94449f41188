"""The observations of environments for other libraries: numbers close to 0 to 1, or the bytes of the encoding."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lastcard.envs.encoding import ENCODING_VERSION, LATEST_ENCODING, encode, encoding_units
from lastcard.errors import StateError, require_int
from lastcard.observation import Observation

Row = NDArray[np.float32] | NDArray[np.uint8]


class Inputs:
    """Rows of one encoding for one number of players, divided by their units unless they are `raw`."""

    def __init__(self, players: int, encoding: int = ENCODING_VERSION, *, raw: bool = False) -> None:
        """Chooses the encoding.

        Raises:
            StateError: if there is no such encoding.
        """
        require_int("encoding", encoding, ENCODING_VERSION, LATEST_ENCODING, StateError)
        self.encoding = encoding
        self.raw = bool(raw)
        self.dtype = np.uint8 if raw else np.float32
        self.units = encoding_units(players, encoding)
        self.size = len(self.units)
        self.highest = self.scale(np.full(self.size, 255, np.uint8))
        """The largest value that each input can have; the smallest is 0."""

    def read(self, observation: Observation) -> Row:
        """Returns the row of an observation."""
        return self.scale(encode(observation, self.encoding))

    def scale(self, rows: NDArray[np.uint8]) -> NDArray[Any]:
        """Divides bytes by their units, unless raw bytes are wanted."""
        return rows if self.raw else rows / self.units
