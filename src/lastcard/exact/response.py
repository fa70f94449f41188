"""Best responses: what the best answer to a policy is worth, how far a policy can be exploited, and what it loses."""

from __future__ import annotations

from dataclasses import dataclass

from lastcard.exact.cfr import Policy
from lastcard.exact.tree import Branch, Decision, InformationSet, Tree


@dataclass(frozen=True, slots=True)
class BestResponse:
    """One seat's best answer to the policy of the other."""

    seat: int
    value: float
    """Win probability of the seat with it."""
    action_values: dict[int, tuple[float, ...]]
    """Win probability of each action with best play after it, by information set that can be reached."""
    reach: dict[int, float]
    """Probability that chance and the other seat lead there, if this seat does."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Losses of a policy against an opponent that plays an equilibrium."""

    mean: float
    """A decision: by how much the best action would have won more often, over the decisions the policy comes to."""
    round: float
    """A round: by how much the best answer wins more often."""


def expected_value(tree: Tree, policy: Policy) -> float:
    """Win probability of seat 0 if both follow the policy; a round without a winner is half a win."""

    def value(branch: Branch) -> float:
        return branch.value + sum(chance * decide(decision) for chance, decision in branch.decisions)

    def decide(decision: Decision) -> float:
        odds = policy[decision.information]
        return sum(odd * value(branch) for odd, branch in zip(odds, decision.branches, strict=True))

    return 0.5 + value(tree.root)


def best_response(tree: Tree, policy: Policy, seat: int) -> BestResponse:
    """The best answer of one seat to what the policy does at the other.

    >>> from lastcard.cards import Deck, parse_cards
    >>> from lastcard.exact.cfr import uniform_policy
    >>> from lastcard.exact.tree import build_tree
    >>> from lastcard.rules import Rules
    >>> tree = build_tree(Rules.preset("mini", deck=Deck.of(parse_cards("r1 r2 y1 y2")), hand_size=1))
    >>> round(best_response(tree, uniform_policy(tree), seat=0).value, 6)
    0.666667
    """
    response = Response(tree, policy, seat)
    value = response.value(tree.root)
    reach, values = {}, {}
    for each in tree.of_seat(seat):
        likely = sum(response.reach[decision.number] for decision in each.decisions)
        if likely > 0:
            reach[each.number] = likely
            values[each.number] = tuple(0.5 + value for value in response.action_values(each))
    return BestResponse(seat, 0.5 + value, values, reach)


def exploitability(tree: Tree, policy: Policy) -> float:
    """Share of rounds above one half that a best response wins, averaged over both seats; 0 for an equilibrium."""
    return (best_response(tree, policy, 0).value + best_response(tree, policy, 1).value - 1) / 2


def loss(tree: Tree, policy: Policy, equilibrium: Policy) -> Loss:
    """Losses of the policy against the equilibrium, averaged over both seats."""
    total = decisions = 0.0
    own = reaches(tree, policy)
    for seat in (0, 1):
        best = best_response(tree, equilibrium, seat)
        for number, values in best.action_values.items():
            # The seat's own part is the same at all decisions of an information set.
            first = tree.information_sets[number].decisions[0]
            weight = best.reach[number] * own[first.number].seats[seat]
            chosen = sum(odds * value for odds, value in zip(policy[number], values, strict=True))
            total += weight * (max(values) - chosen)
            decisions += weight
    return Loss(total / decisions if decisions else 0.0, total / 2)


class Response:
    """The value to one seat that answers as well as it can, knowing the policy but not the other's cards."""

    def __init__(self, tree: Tree, policy: Policy, seat: int) -> None:
        self.tree = tree
        self.policy = policy
        self.seat = seat
        self.reach = [each.chance * each.seats[1 - seat] for each in reaches(tree, policy)]
        self._values: dict[int, float] = {}
        self._choices: dict[int, int] = {}

    def value(self, branch: Branch) -> float:
        """Value of the branch for the seat."""
        own = branch.value if self.seat == 0 else -branch.value
        return own + sum(chance * self._decide(decision) for chance, decision in branch.decisions)

    def action_values(self, information: InformationSet) -> tuple[float, ...]:
        """Value of each action over the states of the information set, weighted by the other seat's reach."""
        reach = [self.reach[decision.number] for decision in information.decisions]
        total = sum(reach) or 1.0
        return tuple(
            sum(
                weight * self.value(decision.branches[index])
                for weight, decision in zip(reach, information.decisions, strict=True)
            )
            / total
            for index in range(len(information.actions))
        )

    def _decide(self, decision: Decision) -> float:
        if decision.number not in self._values:
            if decision.seat == self.seat:
                value = self.value(decision.branches[self._choose(decision.information)])
            else:
                odds = self.policy[decision.information]
                value = sum(odd * self.value(branch) for odd, branch in zip(odds, decision.branches, strict=True))
            self._values[decision.number] = value
        return self._values[decision.number]

    def _choose(self, number: int) -> int:
        if number not in self._choices:
            values = self.action_values(self.tree.information_sets[number])
            self._choices[number] = values.index(max(values))
        return self._choices[number]


@dataclass(frozen=True, slots=True)
class Reach:
    """Probability of reaching a decision: the parts of chance and of each seat."""

    chance: float
    seats: tuple[float, float]


def reaches(tree: Tree, policy: Policy) -> list[Reach]:
    """Reach probability of every decision, by its number."""
    found = [Reach(0.0, (0.0, 0.0))] * tree.num_decisions
    waiting = [(tree.root, Reach(1.0, (1.0, 1.0)))]
    while waiting:
        branch, before = waiting.pop()
        for chance, decision in branch.decisions:
            here = found[decision.number] = Reach(before.chance * chance, before.seats)
            for odds, below in zip(policy[decision.information], decision.branches, strict=True):
                first, second = here.seats
                seats = (first * odds, second) if decision.seat == 0 else (first, second * odds)
                waiting.append((below, Reach(here.chance, seats)))
    return found
