"""`heuristic`: a linear score for every action, no search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lastcard import _core
from lastcard.actions import ACTIONS, Action, ActionKind
from lastcard.agents.interface import BuiltInAgent
from lastcard.explain.explanation import Explanation, Step
from lastcard.explain.parts import explain_forced
from lastcard.observation import Observation, check_decision
from lastcard.options import option
from lastcard.weights import FEATURES, Weights

_PARTS: Final = {
    "color_share": "color",
    "color_held": "color",
    "rank_held": "rank",
    "next_lacks_color": "next seat",
    "next_lacks_color_late": "next seat",
    "color_change": "change",
    "points": "points",
}
"""Heading under which a feature is shown; all others belong to the kind of action."""
_RULES: Final = {
    ActionKind.UNO: "UNO is always called.",
    ActionKind.CATCH: "A forgotten call is always caught.",
    ActionKind.CHALLENGE: "A Wild Draw Four is challenged if its player holds five cards or more.",
    ActionKind.ACCEPT: "A Wild Draw Four is challenged only if its player holds five cards or more.",
    ActionKind.SWAP: "Hands are swapped for the smallest.",
    ActionKind.COLOR: "The color most held is named.",
}


@dataclass(frozen=True, slots=True)
class HeuristicConfig:
    """Source of the weights."""

    weights: str = option(
        "", "A file that `lastcard tune` wrote; empty: the shipped weights, for two players or for more."
    )

    def __post_init__(self) -> None:
        if self.weights:
            # A bad file is reported when the agent is named, not at its first decision.
            Weights.load(self.weights)


class HeuristicAgent(BuiltInAgent):
    """Plays the action with the highest score, a weighted sum of features of the card, the hand and the next seat.

    It always calls UNO and always catches a forgotten call. It challenges a Wild Draw Four if its player holds five
    cards or more, and swaps for the smallest hand.
    """

    kind = "heuristic"

    def __init__(self, config: HeuristicConfig, seed: int) -> None:
        self.config = config

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        check_decision(observation)
        weights = Weights.named(self.config.weights, observation.rules.players)
        return ACTIONS[_core.choose_by_heuristic(observation._core, list(weights.values))]

    def explain(self, observation: Observation) -> Explanation:
        """The parts of every score, or the fixed rule that comes before them.

        >>> from lastcard.observation import observe
        >>> from lastcard.state import parse_state
        >>> seen = observe(parse_state("top r5 | seat 0: r7 b5 w | seat 1: g1 yR"), seat=0)
        >>> HeuristicAgent(HeuristicConfig(), seed=0).explain(seen).steps[0].columns
        ('action', 'kind', 'color', 'rank', 'next seat', 'change', 'points', 'score')
        """
        if forced := explain_forced(observation):
            return forced
        best = self.choose(observation)
        scores = self._score(observation)
        if best.index not in scores or scores[best.index] < max(scores.values()):
            rule = _RULES.get(best.kind, f"{best} comes first.")
            return Explanation(best, (Step("A fixed rule", f"{rule} No score is asked."),))
        parts = ("kind", *dict.fromkeys(_PARTS.values()))
        columns = [self._score(observation, part) for part in parts]
        rows = sorted(scores, key=lambda index: (index != best.index, -scores[index]))
        step = Step(
            "Scores",
            "The score of an action is a sum of weights: for its kind, how much of its color and rank is left in the"
            " hand, whether the next seat seems to lack the color, whether the color changes, and its points.",
            ("action", *parts, "score"),
            tuple((ACTIONS[i].text, *(column[i] for column in columns), scores[i]) for i in rows),
        )
        return Explanation(best, (step, Step("The choice", f"{best} has the largest score.")))

    def _score(self, observation: Observation, part: str = "") -> dict[int, float]:
        """The core's score of each action, or the part of it that some of the weights make."""
        weights = Weights.named(self.config.weights, observation.rules.players)
        used = [
            weight if not part or _PARTS.get(name, "kind") == part else 0.0
            for name, weight in zip(FEATURES, weights.values, strict=True)
        ]
        return _core.score_by_heuristic(observation._core, used)
