"""Shared parts of the explanations: the check that there is something to explain, candidates, hands in columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lastcard.actions import Action
from lastcard.belief import Belief
from lastcard.cards import CARDS, format_cards
from lastcard.errors import AgentError
from lastcard.explain.explanation import Explanation, Step
from lastcard.observation import Observation, check_decision

TRACED: Final = 6
"""Guesses of the hidden cards to show."""
_MOST_COLUMNS: Final = 2
"""Most opponents whose hands get a column each; more share one column."""


def explain_forced(observation: Observation, seconds: float = 0.0) -> Explanation | None:
    """The explanation where only one action is legal; None where there is something to choose.

    Raises:
        AgentError: if the observer has nothing to decide, or the budget is in seconds.
    """
    legal = check_decision(observation).legal_actions
    if seconds > 0:
        raise AgentError(
            f"seconds={seconds:g}: cannot explain a search with a time budget, which is not reproducible;"
            " use simulations=N"
        )
    if len(legal) > 1:
        return None
    step = Step("Legal actions", f"Only {legal[0]} is legal, so there is nothing to search.")
    return Explanation(legal[0], (step,))


def candidates_step(candidates: Sequence[Action], by_policy: Action, belief: Belief, source: str = "") -> Step:
    """Explains the legal actions, and the hands that the others are believed to hold."""
    source = source or name_source(belief)
    return Step(
        "Legal actions",
        f"{len(candidates)} actions are candidates; heuristic alone would choose {by_policy}."
        f" {name_belief(belief, source)}",
        ("candidate", "heuristic's choice"),
        tuple((action.text, "yes" if action is by_policy else "") for action in candidates),
    )


def name_belief(belief: Belief, source: str) -> str:
    """Names the belief about the hidden hands and its source, in a sentence."""
    return f"The belief about the other hands is {belief.config.kind}, from {source}."


def name_source(belief: Belief) -> str:
    """Names the source of the hypotheses."""
    if belief._core.is_exact:
        return "an exact list of the hands that fit the history"
    if belief._core.is_shuffle:
        return f"{belief.num_hypotheses:,} shuffles of the unseen cards"
    return f"a chain of {belief.num_hypotheses:,} hands that fit the history"


def hand_columns(observation: Observation) -> tuple[str, ...]:
    """The heads of the columns that `hand_cells` fills."""
    opponents = _opponents(observation)
    return ("the others hold",) if len(opponents) > _MOST_COLUMNS else tuple(f"seat {seat} holds" for seat in opponents)


def hand_cells(observation: Observation, hands: Sequence[Sequence[int]]) -> tuple[str, ...]:
    """The opponents' hands, given as faces by seat, one to a column or all in one."""
    opponents = _opponents(observation)
    held = [format_cards(CARDS[face] for face in hands[seat]) for seat in opponents]
    if len(opponents) > _MOST_COLUMNS:
        held = ["; ".join(f"{seat}: {hand}" for seat, hand in zip(opponents, held, strict=True))]
    return tuple(held)


def _opponents(observation: Observation) -> list[int]:
    return [seat for seat in range(observation.rules.players) if seat != observation.observer]
