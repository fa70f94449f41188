"""Charts out of block characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

BLOCKS: Final = " ▁▂▃▄▅▆▇█"
_LABEL: Final = 7


def draw_curve(points: Sequence[tuple[int, float]], width: int, height: int) -> list[str]:
    """A curve between 0 and 1 as a filled chart, with percents at the left; a value holds until the next point.

    >>> for line in draw_curve([(1, 0.5), (3, 1.0), (4, 0.0)], width=12, height=2):
    ...     print(line)
    100 % ┤  █
      0 % ┤███
    """
    columns = _columns(points, width - _LABEL)
    lines = []
    for row in range(height - 1, -1, -1):
        cells = [BLOCKS[min(max(round(8 * height * value) - 8 * row, 0), 8)] for value in columns]
        label = {height - 1: "100 % ┤", 0: "  0 % ┤"}.get(row, "      │") if height > 1 else "      │"
        lines.append(f"{label}{''.join(cells)}".rstrip())
    return lines


def _columns(points: Sequence[tuple[int, float]], room: int) -> list[float]:
    """The value in each column: one a ply from the first point to the last, or fewer where there is no room."""
    first, last = points[0][0], points[-1][0]
    count = min(last - first + 1, room)
    values = []
    for column in range(count):
        # The last column shows the end, the others what held at their ply.
        at = first + (column * (last - first) // max(count - 1, 1))
        values.append(next(value for ply, value in reversed(points) if ply <= at))
    return values
