"""The observations of environments for other libraries: numbers from 0 to 1, or the bytes of the encoding."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lastcard.cards import CARDS
from lastcard.envs.encoding import ENCODING_VERSION, LATEST_ENCODING, encode, encoding_blocks, encoding_units
from lastcard.errors import StateError, require_int
from lastcard.observation import Observation

_COPIES_OF_WILDS: Final = 4
"""Unit of the number of copies of a Wild; networks take 2 as for other faces, and so up to 2.0."""

Row = NDArray[np.float32] | NDArray[np.uint8]


class Inputs:
    """Rows of one encoding for one number of players: scaled to 0 to 1, or bytes if they are `raw`."""

    def __init__(self, players: int, encoding: int = ENCODING_VERSION, *, raw: bool = False) -> None:
        """Chooses the encoding.

        Raises:
            StateError: if there is no such encoding.
        """
        require_int("encoding", encoding, ENCODING_VERSION, LATEST_ENCODING, StateError)
        self.encoding = encoding
        self.raw = bool(raw)
        self.dtype = np.uint8 if raw else np.float32
        self.highest = 255 if raw else 1
        self._units = encoding_units(players, encoding).copy()
        for block in encoding_blocks(players, encoding):
            if block.stop - block.start == len(CARDS):
                self._units[block.stop - 2 : block.stop] = _COPIES_OF_WILDS
        self._most = self._units.astype(np.uint8)
        self.size = len(self._units)

    def read(self, observation: Observation) -> Row:
        """Returns the row of an observation."""
        return self.scale(encode(observation, self.encoding))

    def scale(self, rows: NDArray[np.uint8]) -> NDArray[Any]:
        """Divides bytes by their units, and leaves none above 1; does nothing if they are `raw`."""
        return rows if self.raw else np.minimum(rows, self._most) / self._units
