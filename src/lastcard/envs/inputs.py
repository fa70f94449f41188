"""The observations of environments for other libraries: numbers close to 0 to 1, or the bytes of the encoding."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lastcard.envs.encoding import ENCODING_SIZE, encode, encoding_units
from lastcard.observation import Observation

Row = NDArray[np.float32] | NDArray[np.uint8]


class Inputs:
    """Encoded observations, divided by their units unless they are `raw`."""

    size = ENCODING_SIZE

    def __init__(self, *, raw: bool = False) -> None:
        self.raw = bool(raw)
        self.dtype = np.uint8 if raw else np.float32
        self.units = encoding_units()
        self.highest = self.scale(np.full(self.size, 255, np.uint8))
        """The largest value that each input can have; the smallest is 0."""

    def read(self, observation: Observation) -> Row:
        """Returns the row of an observation."""
        return self.scale(encode(observation))

    def scale(self, rows: NDArray[np.uint8]) -> NDArray[Any]:
        """Divides bytes by their units, unless raw bytes are wanted."""
        return rows if self.raw else rows / self.units
