"""The weights of the `heuristic` score: what each feature of an action is worth."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from lastcard.errors import AgentError, require_float, shorten
from lastcard.files import find_change, read_file, write_file
from lastcard.shell import command

_KINDS: Final = ("number", "skip", "reverse", "draw_two", "wild", "wild_draw_four")
_STANDINGS: Final = ("", "_next_low", "_own_low", "_both_low")
FEATURES: Final = (
    *(kind + standing for kind in _KINDS for standing in _STANDINGS),
    "color_share",
    "color_held",
    "rank_held",
    "next_lacks_color",
    "color_change",
    "points",
    "drawing",
    "keeping",
    "next_lacks_color_late",
)
"""Features in the core's order: kinds of plays, color and points, then drawing and keeping.

A kind has variants for a next seat with two cards or fewer, an own hand of three or fewer, and both.
"""

_MOST_WEIGHT: Final = 1000.0
_MOST_BYTES: Final = 1_000_000  # a file of weights has about one kilobyte


@dataclass(frozen=True, slots=True)
class Weights:
    """One number for each of `FEATURES`.

    >>> Weights.shipped(2).to_dict()["number"]
    0.0
    """

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.values) != len(FEATURES):
            raise AgentError(f"weights must be {len(FEATURES)} numbers, not {len(self.values)}")
        for name, value in zip(FEATURES, self.values, strict=True):
            require_float(f"weights: {name}", value, -_MOST_WEIGHT, _MOST_WEIGHT, AgentError)

    @classmethod
    def of(cls, values: Sequence[float]) -> Weights:
        """Returns the weights with three decimals, which is more than tuning can distinguish."""
        return cls(tuple(round(float(value), 3) for value in cls(tuple(values)).values))

    @classmethod
    def shipped(cls, players: int) -> Weights:
        """The tuned ones: for two players, or for more."""
        return _TWO_PLAYERS if players == 2 else _MORE_PLAYERS

    @classmethod
    def load(cls, path: str) -> Weights:
        """Reads what `lastcard tune --out FILE` wrote.

        Raises:
            AgentError: if that is no file of weights, naming what is wrong with it.
        """
        return _load(path, find_change(path, AgentError))

    @classmethod
    def named(cls, path: str, players: int) -> Weights:
        """The weights of a file, or the shipped ones if it has no name."""
        return cls.load(path) if path else cls.shipped(players)

    def to_dict(self) -> dict[str, float]:
        """Each weight by the name of its feature."""
        return dict(zip(FEATURES, self.values, strict=True))

    def save(self, path: Path) -> None:
        """Writes them so that `load` reads them back.

        Raises:
            AgentError: naming the file, if it cannot be written.
        """
        write_file(path, json.dumps(self.to_dict(), indent=1) + "\n", AgentError)


@cache  # by the time of the last change as well: an agent in a match loads its file for every decision
def _load(path: str, _changed: int) -> Weights:
    try:
        read = json.loads(read_file(path, AgentError, _MOST_BYTES))
    except AgentError as error:
        raise AgentError(f"weights: {error}") from None
    except (ValueError, RecursionError):
        raise AgentError(
            f"weights: {shorten(path)} is not JSON; {command('tune', '--out', 'FILE')} writes one"
        ) from None
    if not isinstance(read, dict):
        raise AgentError(f"weights: {shorten(path)} must hold an object of numbers by feature")
    for name in FEATURES:
        require_float(f"weights: {shorten(path)}: {name}", read.get(name), -_MOST_WEIGHT, _MOST_WEIGHT, AgentError)
    for name in read:
        if name not in FEATURES:
            raise AgentError(f"weights: unknown key {shorten(name)} in {shorten(path)}")
    return Weights(tuple(float(read[name]) for name in FEATURES))


# fmt: off
_TWO_PLAYERS: Final = Weights((
    0.0, 0.0, 0.0, 0.0,
    0.193, 1.725, 0.402, 1.444,
    0.328, 2.264, 0.454, 3.013,
    0.239, 1.697, 0.842, 2.314,
    -4.592, -3.007, -3.881, -2.679,
    -6.251, 3.16, -3.036, 1.363,
    1.862, 0.0, -0.537, 0.717, -1.77, -0.038, -4.634, -2.744, 0.867,
))
_MORE_PLAYERS: Final = Weights((
    0.0, 0.0, 0.0, 0.0,
    0.241, 0.489, 0.601, 1.149,
    -0.291, 1.333, -0.883, 2.545,
    -0.057, 2.212, 1.526, 3.511,
    -5.014, -3.324, -4.449, -2.834,
    -6.674, 2.704, -4.714, 2.707,
    1.87, 0.545, 0.398, 0.895, -0.151, -0.131, -8.582, -2.284, 0.803,
))
# fmt: on
