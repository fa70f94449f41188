"""Crossing a river with a boat for one: the river of Frodo, Gollum and the Ring, and the wolf, goat and cabbage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from lastcard.errors import PuzzleError, shorten
from lastcard.puzzles.semantic_network import Puzzle, Transition

BOAT: Final = "B"


@dataclass(frozen=True, slots=True)
class Banks:
    """The items on each bank, including the boat.

    >>> print(Banks(left=("F", "R"), right=("B", "G")))
    F R | B G
    """

    left: tuple[str, ...]
    right: tuple[str, ...]

    def __str__(self) -> str:
        return f"{' '.join(self.left)} | {' '.join(self.right)}".strip()

    @property
    def is_boat_left(self) -> bool:
        """True if the boat is on the left bank."""
        return BOAT in self.left

    @property
    def without_boat(self) -> tuple[str, ...]:
        """Items on the bank without the boat."""
        return self.right if self.is_boat_left else self.left


@dataclass(frozen=True, slots=True)
class Crossing:
    """Items to bring to the right bank, in a boat that carries one of them or none, and the forbidden pairs.

    >>> from lastcard.puzzles import generate
    >>> for transition in generate(WOLF.to_puzzle()).solutions[0][:2]:
    ...     print(transition.label, "->", transition.state)
    Move B, G -> W C | B G
    Move B -> B W C | G
    """

    name: str
    boatman: str
    """The item that always goes with the boat, and counts as the boat."""
    items: Mapping[str, str]
    """One letter for each item, and what it stands for."""
    conflicts: tuple[tuple[str, str], ...]
    """Pairs that may not be on a bank without the boat, whatever else is there."""
    reading: str | None = None
    """Name of the reading, if the text can be read in several ways."""

    def __post_init__(self) -> None:
        letters = [letter for letter in self.items if len(letter) == 1 and letter != BOAT]
        if len(letters) != len(self.items) or not letters:
            raise PuzzleError(
                f"items must be named by one letter each, other than {BOAT}, not {shorten(list(self.items))}"
            )
        for pair in self.conflicts:
            if len(set(pair)) != 2 or not set(pair) <= set(self.items):
                raise PuzzleError(f"conflicts must be pairs of {', '.join(self.items)}, not {shorten(pair)}")

    @property
    def summary(self) -> str:
        """The task in one sentence."""
        *others, last = self.items.values()
        who = f"{', '.join(others)} and {last}" if others else last
        task = f"{who} must cross a river; {self.boatman}, one with the boat {BOAT}, takes one at a time or none."
        return task[0].upper() + task[1:]

    @property
    def ban(self) -> str:
        """The forbidden pairs, in one sentence."""
        pairs = [f"{first} with {second}" for first, second in self.conflicts]
        return f"Never left without the boat: {', '.join(pairs) or 'nobody'}."

    def to_puzzle(self) -> Puzzle[Banks]:
        """The crossing as a value of which a network can be generated."""
        return Puzzle(
            start=self.banks_with({BOAT, *self.items}),
            transitions=lambda banks: list(self._transitions(banks)),
            is_valid=self.is_valid,
            is_goal=lambda banks: not banks.left,
        )

    def banks_with(self, left: set[str]) -> Banks:
        """The state with these on the left bank and all others on the right, the boat first."""
        everybody = (BOAT, *self.items)
        return Banks(
            tuple(letter for letter in everybody if letter in left),
            tuple(letter for letter in everybody if letter not in left),
        )

    def is_valid(self, banks: Banks) -> bool:
        """Returns whether no forbidden pair is left without the boat."""
        return not any(set(pair) <= set(banks.without_boat) for pair in self.conflicts)

    def _transitions(self, banks: Banks) -> Iterator[Transition[Banks]]:
        """The boat alone first, then with each item on its bank."""
        here = banks.left if banks.is_boat_left else banks.right
        for item in here:
            cargo = {BOAT, item}
            label = f"Move {BOAT}" if item == BOAT else f"Move {BOAT}, {item}"
            yield Transition(label, self.banks_with(set(banks.left) ^ cargo))


def _river(reading: str, *conflicts: tuple[str, str]) -> Crossing:
    items = MappingProxyType({"F": "Frodo", "G": "Gollum", "R": "the Ring"})
    return Crossing("river", "Sam", items, conflicts, reading)


RIVER_READINGS: Final[Mapping[str, Crossing]] = MappingProxyType(
    {"gollum": _river("gollum", ("F", "G"), ("G", "R")), "ring": _river("ring", ("F", "R"), ("G", "R"))}
)
"""Both readings of the river's text: nobody may be left with Gollum, or nobody with the Ring."""

WOLF: Final = Crossing(
    "wolf",
    "the farmer",
    MappingProxyType({"W": "the wolf", "G": "the goat", "C": "the cabbage"}),
    (("W", "G"), ("G", "C")),
)

PUZZLES: Final[Mapping[str, Crossing]] = MappingProxyType({"river": RIVER_READINGS["gollum"], "wolf": WOLF})


def find_crossing(name: str, reading: str | None = None) -> Crossing:
    """The puzzle with this name; of the river also how to read it.

    >>> find_crossing("river", "ring").conflicts
    (('F', 'R'), ('G', 'R'))

    Raises:
        PuzzleError: if there is no such puzzle or reading.
    """
    if not isinstance(name, str) or name not in PUZZLES:
        raise PuzzleError(f"no puzzle {shorten(name)}; there are {', '.join(PUZZLES)}")
    if reading is None:
        return PUZZLES[name]
    if name != "river":
        raise PuzzleError(f"reading must be omitted for {name}, which has only one reading")
    if not isinstance(reading, str) or reading not in RIVER_READINGS:
        raise PuzzleError(f"reading must be one of {', '.join(RIVER_READINGS)}, not {shorten(reading)}")
    return RIVER_READINGS[reading]
