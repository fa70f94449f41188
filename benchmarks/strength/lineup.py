"""Targets of a champion as data: its opponents, the number of games, and the share that it must win."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lastcard.arena.core_match import Contestant, is_searching
from lastcard.arena.entrants import find_contestant

NETWORKS: Final = Path(__file__).parents[1] / "networks"
RESULTS: Final = Path(__file__).parents[1] / "results"
SEED: Final = 20_261_116
"""Seed of the deals; no training has them."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table: rounds, or games to 500, against one rival."""

    name: str
    rival: str
    """The rival's name for `make_agent`."""
    rounds: int
    """Number of rounds, or of games."""
    must: float | None = None
    """Share that has to be won, in percent."""
    goal: float | None = None
    to_score: bool = False
    """Games to 500 instead of rounds."""

    @property
    def contestant(self) -> Contestant:
        """The rival inside the core."""
        found = find_contestant(self.rival, 2)
        assert found is not None
        return found

    @property
    def part_deals(self) -> int:
        """Deals that are played in one go."""
        return 2 if self.to_score or is_searching(self.contestant) else 50


def _net(name: str) -> str:
    return f"net:{NETWORKS / name}.safetensors"


LINES: Final = (
    Line("v heuristic", "heuristic", 10_000, 78, 84),
    Line("v random", "random", 10_000, 93, 96),
    Line("v net 0.1", "net", 10_000, 65, 72),
    Line("v hoarder-D", _net("hoarder-D"), 10_000, 57, 70),
    Line("v hoarder-A", _net("hoarder-A"), 2_000),
    Line("games to 500 v heuristic", "heuristic", 2_000, 93, 97, to_score=True),
    Line("v halving 10,000", "halving:simulations=10000", 2_000, 60, 70),
)
