"""An equilibrium of the game with hidden hands, by counterfactual regret minimization.

M. Zinkevich, M. Johanson, M. Bowling, C. Piccione, "Regret minimization in games with incomplete information" (2007),
in the form CFR+ of O. Tammelin, "Solving large imperfect information games using CFR+" (2014): the seats are updated in
turn, regrets do not fall below zero, and later strategies weigh more in the average.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lastcard.errors import RulesError, require
from lastcard.exact.tree import Branch, Decision, Tree

Policy = tuple[tuple[float, ...], ...]
"""Probability of each action, by information set."""


def uniform_policy(tree: Tree) -> Policy:
    """Every action of an information set with equal probability."""
    require("tree", tree, Tree, RulesError)
    return tuple((1 / len(each.actions),) * len(each.actions) for each in tree.information_sets)


class CfrPlus:
    """Both seats' regrets and average strategies, growing with the iterations.

    >>> from lastcard.cards import Deck, parse_cards
    >>> from lastcard.exact.tree import build_tree
    >>> from lastcard.rules import Rules
    >>> rules = Rules.preset("mini", deck=Deck.of(parse_cards("r0 r1 r2 y0 y1 y2")), hand_size=2)
    >>> solver = CfrPlus(build_tree(rules))
    >>> solver.run(20)
    >>> solver.iterations
    20
    """

    def __init__(self, tree: Tree) -> None:
        require("tree", tree, Tree, RulesError)
        self.tree = tree
        self.iterations = 0
        self._regrets = [[0.0] * len(each.actions) for each in tree.information_sets]
        self._sums = [[0.0] * len(each.actions) for each in tree.information_sets]
        self._strategy = list(uniform_policy(tree))
        self._gains = [[0.0] * len(each.actions) for each in tree.information_sets]

    def run(self, iterations: int, tell: Callable[[int], None] | None = None) -> None:
        """Runs more iterations, and reports the total after each."""
        for _ in range(iterations):
            self.iterations += 1
            for seat in (0, 1):
                self._walk(self.tree.root, seat, 1.0, 1.0)
                self._learn(seat)
            if tell:
                tell(self.iterations)

    def average(self) -> Policy:
        """The average strategies, which approach an equilibrium."""
        return tuple(map(_normalize, self._sums))

    def _walk(self, branch: Branch, seat: int, own: float, others: float) -> float:
        """The branch's value to the seat that learns; how likely it is to get there, and chance and the other seat."""
        value = branch.value if seat == 0 else -branch.value
        for chance, decision in branch.decisions:
            value += chance * self._visit(decision, seat, own, others * chance)
        return value

    def _visit(self, decision: Decision, seat: int, own: float, others: float) -> float:
        strategy = self._strategy[decision.information]
        if own == 0.0 and others == 0.0:
            return 0.0  # unreachable: nothing below changes a regret or an average
        if decision.seat != seat:
            return sum(
                odds * self._walk(branch, seat, own, others * odds)
                for odds, branch in zip(strategy, decision.branches, strict=True)
            )
        values = [
            self._walk(branch, seat, own * odds, others)
            for odds, branch in zip(strategy, decision.branches, strict=True)
        ]
        mean = sum(odds * value for odds, value in zip(strategy, values, strict=True))
        gains, sums = self._gains[decision.information], self._sums[decision.information]
        for index, (odds, value) in enumerate(zip(strategy, values, strict=True)):
            gains[index] += others * (value - mean)
            # Linear averaging: later strategies are better and weigh more.
            sums[index] += self.iterations * own * odds
        return mean

    def _learn(self, seat: int) -> None:
        """Regret matching+, on the regrets of one whole walk."""
        for each in self.tree.of_seat(seat):
            regrets, gains = self._regrets[each.number], self._gains[each.number]
            for index, gain in enumerate(gains):
                # Negative regrets are dropped, so that an action can come back quickly (the + of CFR+).
                regrets[index] = max(regrets[index] + gain, 0.0)
                gains[index] = 0.0
            self._strategy[each.number] = _normalize(regrets)


def _normalize(weights: Sequence[float]) -> tuple[float, ...]:
    total = sum(weights)
    return tuple(weight / total for weight in weights) if total > 0 else (1 / len(weights),) * len(weights)
