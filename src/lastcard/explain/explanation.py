"""An explanation: one decision of one algorithm as steps with tables, for the terminal, the page and JSON."""

from __future__ import annotations

from dataclasses import dataclass

from lastcard.actions import Action

Cell = str | int | float
"""A text or a number; the reader formats the number."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that an algorithm did, in a sentence or two and perhaps a table.

    >>> Step("Values", "The mean over draws.", ("action", "value"), (("r5", 0.5),)).to_dict()["rows"]
    [['r5', 0.5]]
    """

    title: str
    text: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Returns the step as JSON values."""
        rows = [[round(cell, 6) if isinstance(cell, float) else cell for cell in row] for row in self.rows]
        return {"title": self.title, "text": self.text, "columns": list(self.columns), "rows": rows}


@dataclass(frozen=True, slots=True)
class Explanation:
    """The steps by which an algorithm came to its choice."""

    best: Action
    steps: tuple[Step, ...]

    def to_dict(self) -> dict[str, object]:
        """Returns the explanation as JSON values."""
        return {"best": self.best.text, "steps": [step.to_dict() for step in self.steps]}
