"""Report of a search: made once, drawn by the terminal, the web page and JSON."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Final

from lastcard import _core
from lastcard.actions import ACTIONS, Action
from lastcard.belief import Belief
from lastcard.errors import AgentError, require_int

MOST_DEPTH: Final = 16  # the number of nodes grows with every level


@dataclass(frozen=True, slots=True)
class ActionValue:
    """Value of one action in a search.

    >>> from lastcard.actions import parse_action
    >>> value = ActionValue.of(parse_action("r5"), simulations=100, total=60.0, squares=60.0)
    >>> value.value, round(value.error, 3)
    (0.6, 0.096)
    """

    action: Action
    simulations: int
    value: float
    """The estimated probability of winning the round."""
    error: float
    """The half-width of its 95 % interval, as far as the number of simulations goes."""

    @classmethod
    def of(cls, action: Action, simulations: int, total: float, squares: float) -> ActionValue:
        """Makes a value from the sum of the simulations' values and of their squares."""
        mean = total / simulations if simulations else 0.0
        variance = max(squares / simulations - mean * mean, 0.0) if simulations else 1.0
        # One simulation more, of unknown outcome: a few wins in a row are no certainty.
        spread = (variance * simulations + 0.25) / (simulations + 1)
        return cls(action, simulations, mean, 1.96 * math.sqrt(spread / max(simulations, 1)))

    def to_dict(self) -> dict[str, object]:
        """Returns JSON values."""
        return {
            "action": self.action.text,
            "simulations": self.simulations,
            "value": round(self.value, 6),
            "error": round(self.error, 6),
        }


@dataclass(frozen=True, slots=True)
class TreeNode:
    """An action in the tree that a search grew, after the actions above it.

    >>> from lastcard.actions import parse_action
    >>> TreeNode(parse_action("r5"), seat=0, simulations=80, value=0.6, children=()).to_dict()
    {'action': 'r5', 'seat': 0, 'simulations': 80, 'value': 0.6, 'children': []}
    """

    action: Action
    seat: int
    """Seat that takes the action."""
    simulations: int
    value: float
    """The estimated probability that the searching seat wins the round."""
    children: tuple[TreeNode, ...]
    """Actions tried next, the most simulated first, with anything in between left out."""

    def to_dict(self) -> dict[str, object]:
        """Returns JSON values."""
        return {
            "action": self.action.text,
            "seat": self.seat,
            "simulations": self.simulations,
            "value": round(self.value, 6),
            "children": [child.to_dict() for child in self.children],
        }


@dataclass(frozen=True, slots=True)
class Outline:
    """The tree of a search as it was listed, which a pickle holds in place of the core's tree."""

    nodes: tuple[TreeNode, ...]

    def __call__(self, depth: int) -> tuple[TreeNode, ...]:
        """The nodes to that depth."""
        return _cut(self.nodes, depth)


def _cut(nodes: tuple[TreeNode, ...], depth: int) -> tuple[TreeNode, ...]:
    return tuple(replace(node, children=_cut(node.children, depth - 1)) for node in nodes) if depth > 0 else ()


@dataclass(frozen=True, slots=True)
class SearchReport:
    """One decision, explained.

    >>> from lastcard.observation import observe
    >>> from lastcard.search.halving import search_by_halving
    >>> from lastcard.state import parse_state
    >>> position = parse_state("top r5 | seat 0: r7 b2 | seat 1: g1 g1 yR")
    >>> report = search_by_halving(observe(position, seat=0))
    >>> [value.action.text for value in report.actions], report.simulations <= 1000
    (['r7', 'draw'], True)
    """

    best: Action
    actions: tuple[ActionValue, ...]
    """Every legal action that was considered, the best first; of a single legal action there is nothing to tell."""
    by_policy: Action
    """Choice of `heuristic` alone."""
    belief: Belief | None
    """Belief of the search about the hidden cards; None where nothing had to be searched."""
    simulations: int
    seconds: float
    line: tuple[Action, ...] = ()
    """The principal line: the choice, then what the search tried most after it."""
    reason: str = ""
    """Reason for the choice where another action has a higher value, for example "r7 is level with r2, and a network
    prefers r7"; otherwise empty."""
    outline: Callable[[int], tuple[TreeNode, ...]] | None = field(default=None, compare=False, repr=False)
    """Lists the tree to a depth; None where no tree was grown."""

    def tree(self, depth: int = 2) -> tuple[TreeNode, ...]:
        """Returns the tree to that depth; a search without a tree has nothing below the root.

        Raises:
            AgentError: unless the depth is from 1 to 16.
        """
        require_int("depth", depth, 1, MOST_DEPTH, AgentError)
        if self.outline is not None:
            return self.outline(depth)
        seat = self.belief.observation.observer if self.belief else 0
        return tuple(TreeNode(value.action, seat, value.simulations, value.value, ()) for value in self.actions)

    def __reduce__(self) -> tuple[object, ...]:
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        if self.outline is not None and not isinstance(self.outline, Outline):
            values["outline"] = Outline(self.outline(MOST_DEPTH))
        return SearchReport, tuple(values.values())

    @property
    def simulations_per_second(self) -> float:
        """Simulations per second."""
        return self.simulations / self.seconds if self.seconds > 0 else 0.0

    def to_dict(self) -> dict[str, object]:
        """Returns JSON values; the belief as each opponent's marginals."""
        return {
            "best": self.best.text,
            "actions": [value.to_dict() for value in self.actions],
            "reason": self.reason,
            "by_policy": self.by_policy.text,
            "simulations": self.simulations,
            "seconds": round(self.seconds, 6),
            "simulations_per_second": round(self.simulations_per_second),
            "line": [action.text for action in self.line],
            "belief": None if self.belief is None else belief_to_dict(self.belief),
        }


def plant(rows: Sequence[_core.OutlineRow]) -> tuple[TreeNode, ...]:
    """Makes nodes of the rows of least depth, each with the rows that follow it as its children."""
    starts = [i for i, row in enumerate(rows) if row.depth == rows[0].depth]
    nodes = []
    for start, end in itertools.pairwise([*starts, len(rows)]):
        row = rows[start]
        children = plant(rows[start + 1 : end])
        nodes.append(TreeNode(ACTIONS[row.action], row.seat, row.simulations, row.value, children))
    return tuple(nodes)


def belief_to_dict(belief: Belief) -> dict[str, object]:
    """A belief as JSON values: how likely each opponent is to hold each card."""
    return {
        "kind": belief.config.kind,
        "is_exact": belief.is_exact,
        "effective_sample_size": round(belief.effective_sample_size, 1),
        "marginals": {
            str(seat): {card.text: round(chance, 4) for card, chance in cards.items() if chance > 0}
            for seat, cards in belief.marginals().items()
        },
        "opponent_models": {
            str(seat): {name: round(chance, 4) for name, chance in belief.opponent_models(seat).items()}
            for seat in belief.opponents
        },
    }
