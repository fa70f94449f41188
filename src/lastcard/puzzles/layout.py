"""Positions of the nodes of a tree, without overlaps."""

from __future__ import annotations

from collections.abc import Sequence


def place(children: Sequence[Sequence[int]]) -> list[float]:
    """A column for each node of a tree, from 0: at least 1 apart on a level, parents amid their children.

    Every child must have a greater index than its parent, and node 0 be the root. Subtrees are pushed together until
    their outlines touch (Reingold and Tilford, 1981).

    >>> place([[1, 2, 3], [], [4], [], []])
    [1.0, 0.0, 1.0, 2.0, 1.0]
    """
    offset = [0.0] * len(children)  # from the parent
    outlines: list[list[tuple[float, float]]] = [[] for _ in children]  # leftmost and rightmost of each level below
    for node in reversed(range(len(children))):
        below: list[tuple[float, float]] = []
        for child in children[node]:
            outline = outlines[child]
            offset[child] = max(
                (right + 1 - left for (_, right), (left, _) in zip(below, outline, strict=False)), default=0.0
            )
            below = _beside(below, outline, offset[child])
            outlines[child] = []
        middle = (offset[children[node][0]] + offset[children[node][-1]]) / 2 if children[node] else 0.0
        for child in children[node]:
            offset[child] -= middle
        outlines[node] = [(0.0, 0.0), *((left - middle, right - middle) for left, right in below)]
    columns = [0.0] * len(children)
    for node, descendants in enumerate(children):
        for child in descendants:
            columns[child] = columns[node] + offset[child]
    leftmost = min(columns)
    return [column - leftmost for column in columns]


def _beside(
    outline: list[tuple[float, float]], other: list[tuple[float, float]], shift: float
) -> list[tuple[float, float]]:
    """The outline of two trees, the second moved to the right of the first by so much."""
    shared = [(left, right + shift) for (left, _), (_, right) in zip(outline, other, strict=False)]
    rest = [(left + shift, right + shift) for left, right in other[len(outline) :]]
    return shared + outline[len(other) :] + rest
