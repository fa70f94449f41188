"""Semantic networks: a puzzle as a value, everything generated from it, and its solutions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Final, Generic, TypeVar

from lastcard.errors import PuzzleError, require, require_int

StateT = TypeVar("StateT", bound=Hashable)

MOST_NODES: Final = 100_000


@dataclass(frozen=True, slots=True)
class Transition(Generic[StateT]):
    """A labelled way out of a state, and where it leads."""

    label: str
    state: StateT


@dataclass(frozen=True, slots=True)
class Puzzle(Generic[StateT]):
    """States, transitions, validity and goal: all there is to say about a puzzle.

    >>> count = Puzzle(
    ...     0, lambda n: [Transition("+1", n + 1), Transition("+2", n + 2)], lambda n: n < 4, lambda n: n == 3
    ... )
    >>> [[transition.label for transition in solution] for solution in generate(count).solutions]
    [['+1', '+2'], ['+2', '+1'], ['+1', '+1', '+1']]
    """

    start: StateT
    transitions: Callable[[StateT], Iterable[Transition[StateT]]]
    """Every way out of a valid state, in the order to try them."""
    is_valid: Callable[[StateT], bool]
    is_goal: Callable[[StateT], bool]


class Mark(Enum):
    """The result of the test of a generated state."""

    OPEN = "open"
    """Valid and new: everything that follows from it is generated."""
    GOAL = "goal"
    """The end of a solution; nothing is generated from it."""
    INVALID = "invalid"
    """Kept in the network, but never left."""
    VISITED = "visited"
    """Valid, but generated before; what follows from it stands there."""


@dataclass(frozen=True, slots=True)
class Node(Generic[StateT]):
    """A state as it was generated, and from where; the start has no parent and no transition."""

    state: StateT
    mark: Mark
    depth: int
    parent: int | None
    transition: str | None


Solution = tuple[Transition[StateT], ...]


@dataclass(frozen=True)
class Network(Generic[StateT]):
    """All nodes of a puzzle in the order of their generation: a tree, in which a state may stand more than once."""

    puzzle: Puzzle[StateT]
    nodes: tuple[Node[StateT], ...]

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Lists, for each node, the nodes generated from it."""
        children: list[list[int]] = [[] for _ in self.nodes]
        for index, node in enumerate(self.nodes):
            if node.parent is not None:
                children[node.parent].append(index)
        return tuple(map(tuple, children))

    @cached_property
    def numbers(self) -> Mapping[StateT, int]:
        """A number for each different state, from 1, in the order of their first generation."""
        states = dict.fromkeys(node.state for node in self.nodes)
        return {state: number for number, state in enumerate(states, 1)}

    @cached_property
    def graph(self) -> Mapping[StateT, tuple[Transition[StateT], ...]]:
        """The state graph: each valid state once, with every transition to a valid one; goals have no way out."""
        valid = {node.state: node.mark for node in self.nodes if node.mark in (Mark.OPEN, Mark.GOAL)}
        return {
            state: tuple(way for way in self.puzzle.transitions(state) if way.state in valid)
            if mark is Mark.OPEN
            else ()
            for state, mark in valid.items()
        }

    @cached_property
    def solutions(self) -> tuple[Solution[StateT], ...]:
        """Every way through the state graph from start to goal that comes to no state twice, the shortest first."""
        return tuple(sorted(self._ways_to_goal(), key=len))

    @cached_property
    def solving(self) -> frozenset[tuple[StateT, Transition[StateT]]]:
        """The transitions that some solution makes, each with the state it leaves."""
        return frozenset(
            (before, way)
            for solution in self.solutions
            for before, way in zip((self.puzzle.start, *(way.state for way in solution)), solution, strict=False)
        )

    def _ways_to_goal(self) -> Iterator[Solution[StateT]]:
        start = self.nodes[0]
        if start.mark is Mark.GOAL:
            yield ()
            return
        way: list[Transition[StateT]] = []
        passed = {start.state}
        ahead = [iter(self.graph.get(start.state, ()))]
        while ahead:
            transition = next(ahead[-1], None)
            if transition is None:
                ahead.pop()
                if way:
                    passed.remove(way.pop().state)
            elif self.puzzle.is_goal(transition.state):
                yield (*way, transition)
            elif transition.state not in passed:
                way.append(transition)
                passed.add(transition.state)
                ahead.append(iter(self.graph[transition.state]))


def generate(puzzle: Puzzle[StateT], most_nodes: int = MOST_NODES) -> Network[StateT]:
    """Generates and tests breadth first, and keeps what is invalid or was visited before, marked as such.

    The same transition twice in a row is left out where the second only undoes the first, as at a river it always does.

    Raises:
        PuzzleError: if there are more nodes than allowed, as with endlessly many states.
    """
    require("puzzle", puzzle, Puzzle, PuzzleError)
    require_int("most_nodes", most_nodes, 1, 2**63 - 1, PuzzleError)
    nodes: list[Node[StateT]] = []
    visited: set[StateT] = set()

    def keep(state: StateT, depth: int, parent: int | None, transition: str | None) -> None:
        if len(nodes) >= most_nodes:
            raise PuzzleError(f"the network must have at most {most_nodes:,} nodes, but there are more")
        nodes.append(Node(state, _test(puzzle, state, visited), depth, parent, transition))
        visited.add(state)

    keep(puzzle.start, 0, None, None)
    for index, node in enumerate(nodes):  # grows while it is walked through: a queue that forgets nothing
        if node.mark is not Mark.OPEN:
            continue
        before = None if node.parent is None else nodes[node.parent].state
        for way in puzzle.transitions(node.state):
            if (way.label, way.state) != (node.transition, before):
                keep(way.state, node.depth + 1, index, way.label)
    return Network(puzzle, tuple(nodes))


def _test(puzzle: Puzzle[StateT], state: StateT, visited: set[StateT]) -> Mark:
    if not puzzle.is_valid(state):
        return Mark.INVALID
    if state in visited:
        return Mark.VISITED
    return Mark.GOAL if puzzle.is_goal(state) else Mark.OPEN
