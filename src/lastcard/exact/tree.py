"""The tree of a round with hidden cards: decisions, what each seat knows at them, and what chance does between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from lastcard.actions import Action
from lastcard.errors import RulesError, require_int
from lastcard.events import Event
from lastcard.exact.chances import Line, follow, list_deals
from lastcard.observation import Observation, observe
from lastcard.rules import Rules, format_rules
from lastcard.state import Outcome, State

MOST_NODES: Final = 1_000_000  # `mini`, which is solved, has 86,556


@dataclass(slots=True)
class Branch:
    """Results of an action or the deal: chance and forced actions, up to the next decisions."""

    value: float = 0.0
    """Value for seat 0 of rounds that end before another decision, times their probability."""
    decisions: list[tuple[float, Decision]] = field(default_factory=list)
    """The next decisions, each with its probability."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A seat's choice between two actions or more, in one state of all cards."""

    number: int
    seat: int
    information: int
    """The number of its information set."""
    branches: tuple[Branch, ...]
    """Branches, one per action."""


@dataclass(frozen=True, slots=True)
class InformationSet:
    """Decisions that the seat cannot distinguish."""

    number: int
    observation: Observation
    actions: tuple[Action, ...]
    decisions: list[Decision] = field(default_factory=list)

    @property
    def seat(self) -> int:
        """Seat that decides."""
        return self.observation.observer


@dataclass(frozen=True, slots=True)
class Tree:
    """A whole round of two players, all deals in one.

    >>> from lastcard.cards import Deck, parse_cards
    >>> rules = Rules.preset("mini", deck=Deck.of(parse_cards("r1 r2 y1 y2")), hand_size=1)
    >>> tree = build_tree(rules)
    >>> tree.num_deals, tree.num_nodes, tree.num_decisions
    (24, 56, 0)
    """

    rules: Rules
    root: Branch
    information_sets: tuple[InformationSet, ...]
    num_decisions: int
    """States in which a seat has a choice."""
    num_deals: int
    num_nodes: int
    """States of all cards, forced ones and ends included."""
    num_ends: int

    def of_seat(self, seat: int) -> Iterator[InformationSet]:
        """The information sets at which the seat decides."""
        return (each for each in self.information_sets if each.seat == seat)


def value_of(outcome: Outcome) -> float:
    """Value of a round for seat 0, and its negative for seat 1: half a win or loss more than an even chance."""
    return 0.0 if outcome.winner is None else 0.5 - outcome.winner


def build_tree(rules: Rules, most_nodes: int = MOST_NODES) -> Tree:
    """Writes a round out, by the engine's own rules.

    Raises:
        RulesError: if the rules cannot be written out, or lead to more nodes than that.
    """
    require_int("most_nodes", most_nodes, 1, 2**63 - 1, RulesError)
    builder = _Builder(rules, most_nodes)
    root, num_deals = Branch(), 0
    for chance, line in list_deals(rules):
        num_deals += 1
        builder.grow(root, chance, line, line.replay())
    return Tree(
        rules,
        root,
        tuple(builder.information_sets),
        builder.num_decisions,
        num_deals,
        builder.num_nodes,
        builder.num_ends,
    )


class _Builder:
    """Grows branches, and gathers decisions by what the seat has seen."""

    def __init__(self, rules: Rules, most_nodes: int) -> None:
        self.rules = rules
        self.most_nodes = most_nodes
        self.information_sets: list[InformationSet] = []
        self.num_decisions = self.num_nodes = self.num_ends = 0
        self._numbers: dict[tuple[int, tuple[Event, ...]], int] = {}

    def grow(self, branch: Branch, chance: float, line: Line, state: State) -> None:
        """Adds a state and all that follows it."""
        self.num_nodes += 1
        if self.num_nodes > self.most_nodes:
            raise RulesError(f"a round of {format_rules(self.rules)} has more than {self.most_nodes:,} nodes")
        if state.outcome:
            self.num_ends += 1
            branch.value += chance * value_of(state.outcome)
            return
        actions = state.legal_actions
        branches: tuple[Branch, ...] = (branch,)
        if len(actions) > 1:
            branches = tuple(Branch() for _ in actions)
            branch.decisions.append((chance, self._decide(state, branches)))
            # Below a decision, probabilities count from that decision on.
            chance = 1.0
        for action, below in zip(actions, branches, strict=True):
            for odds, next_line, after in follow(line, state, action):
                self.grow(below, chance * odds, next_line, after)

    def _decide(self, state: State, branches: tuple[Branch, ...]) -> Decision:
        assert state.seat is not None
        observation = observe(state, state.seat)
        # By everything the seat has seen, so with perfect recall, which CFR and best responses need.
        number = self._numbers.setdefault((state.seat, observation.history), len(self.information_sets))
        if number == len(self.information_sets):
            self.information_sets.append(InformationSet(number, observation, observation.legal_actions))
        decision = Decision(self.num_decisions, state.seat, number, branches)
        self.num_decisions += 1
        self.information_sets[number].decisions.append(decision)
        return decision
