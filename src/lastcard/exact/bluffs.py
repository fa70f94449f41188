"""Bluffs and challenges of a policy: how often it plays a guilty Wild Draw Four, and how often it doubts one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from lastcard.actions import ActionKind
from lastcard.cards import WILD_DRAW_FOUR
from lastcard.exact.cfr import Policy
from lastcard.exact.response import Response, reaches
from lastcard.exact.tree import Decision, InformationSet, Tree

Kind = Literal["bluff", "challenge"]
LEAST_STAKE: Final = 0.01
"""Change of the win probability from which on a choice counts."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An information set at which a seat may bluff, or challenge."""

    kind: Kind
    information: InformationSet
    places: tuple[int, ...]
    """Indices of the actions that bluff or challenge."""
    weight: float
    """Probability that chance and the other seat lead there, if this seat does."""

    def odds(self, policy: Policy) -> float:
        """Probability that the policy bluffs or challenges here."""
        odds = policy[self.information.number]
        return sum(odds[place] for place in self.places)


@dataclass(frozen=True, slots=True)
class Frequencies:
    """Shares of the chances to bluff and to challenge that a policy takes."""

    bluff: float
    challenge: float


def list_choices(tree: Tree, equilibrium: Policy) -> list[Choice]:
    """Chances to bluff or challenge that an equilibrium leads to and that matter against it.

    A choice matters if it changes the win probability by a hundredth or more in the mean over the states of the set.
    So a seat that has lost either way does not count.
    """
    return [choice for seat in (0, 1) for choice in _list_of_seat(tree, equilibrium, seat)]


def weigh(tree: Tree, policy: Policy, choices: list[Choice]) -> list[tuple[float, Choice]]:
    """The choices with the probability that a round leads there, if the seat plays the policy; the likeliest first."""
    own = reaches(tree, policy)
    weighed = []
    for choice in choices:
        # The seat's own part is the same at all decisions of an information set.
        first = choice.information.decisions[0]
        weighed.append((choice.weight * own[first.number].seats[first.seat], choice))
    return sorted(weighed, key=lambda pair: -pair[0])


def frequencies(tree: Tree, policy: Policy, choices: list[Choice]) -> Frequencies:
    """Counts how often the policy bluffs and challenges where it can, against the equilibrium of the choices."""
    taken = {"bluff": 0.0, "challenge": 0.0}
    offered = dict(taken)
    for weight, choice in weigh(tree, policy, choices):
        offered[choice.kind] += weight
        taken[choice.kind] += weight * choice.odds(policy)
    shares = {kind: taken[kind] / offered[kind] if offered[kind] else 0.0 for kind in taken}
    return Frequencies(**shares)


def find_chance(information: InformationSet) -> tuple[Kind, tuple[int, ...]] | None:
    """The actions that bluff or challenge at an information set, by index; None if there are none.

    A last card cannot bluff, so doubting it is no challenge that counts.
    """
    seen = information.observation
    places = tuple(place for place, action in enumerate(information.actions) if action.kind is ActionKind.CHALLENGE)
    if places:
        return ("challenge", places) if seen.hand_sizes[1 - seen.observer] else None
    if all(card.color is not seen.active_color for card in seen.hand):
        return None
    places = tuple(place for place, action in enumerate(information.actions) if action.card is WILD_DRAW_FOUR)
    return ("bluff", places) if places else None


def _list_of_seat(tree: Tree, equilibrium: Policy, seat: int) -> Iterator[Choice]:
    response = Response(tree, equilibrium, seat)
    for information in tree.of_seat(seat):
        found = find_chance(information)
        weight = sum(response.reach[decision.number] for decision in information.decisions)
        if found and weight > 0 and _stake(response, information, found[1]) >= LEAST_STAKE:
            yield Choice(found[0], information, found[1], weight)


def _stake(response: Response, information: InformationSet, places: tuple[int, ...]) -> float:
    """Mean difference, over the states of the set, between the best of these actions and the best of the others."""
    values = response.action_values(information)
    others = [place for place in range(len(values)) if place not in places]
    this = max(places, key=values.__getitem__)
    that = max(others, key=values.__getitem__)
    total = changed = 0.0
    for decision in information.decisions:
        weight = response.reach[decision.number]
        total += weight
        changed += weight * _apart(response, decision, this, that)
    return changed / total


def _apart(response: Response, decision: Decision, this: int, that: int) -> float:
    return abs(response.value(decision.branches[this]) - response.value(decision.branches[that]))
