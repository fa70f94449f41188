"""`heuristic`: plain rules of thumb, no search."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from lastcard.actions import CATCH, CHALLENGE, KEEP, UNO, Action, ActionKind
from lastcard.cards import Rank
from lastcard.observation import Observation

# Higher is played first: usually, and when the next seat is about to go out.
_USUALLY: Final = {
    Rank.DRAW_TWO: 5,
    Rank.SKIP: 4,
    Rank.REVERSE: 2,
    Rank.WILD_DRAW_FOUR: 1,
    Rank.WILD: 0,
}
_IN_DANGER: Final = {
    Rank.DRAW_TWO: 5,
    Rank.WILD_DRAW_FOUR: 4,
    Rank.SKIP: 3,
    Rank.REVERSE: 2,
    Rank.WILD: 0,
}


@dataclass(frozen=True, slots=True)
class HeuristicConfig:
    """When to let go of Wilds, and when to distrust a Wild Draw Four."""

    wild_below: int = 3
    """Plays a Wild only with fewer other cards than this, while something else can be played."""
    four_below: int = 5
    """The same for a Wild Draw Four."""
    challenge_from: int = 6
    """Challenges a Wild Draw Four whose player still holds at least this many cards."""


class HeuristicAgent:
    """Ranks cards by type, prefers the color it holds most of, and keeps Wilds for the end."""

    def __init__(self, config: HeuristicConfig, seed: int) -> None:
        self.config = config

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        legal = observation.legal_actions
        if len(legal) == 1:
            return legal[0]
        for always in (UNO, CATCH):
            if always in legal:
                return always
        if legal[0].kind is ActionKind.SWAP:
            return min(legal, key=lambda action: observation.hand_sizes[action.seat or 0])
        offender = observation.top_player or 0
        if CHALLENGE in legal and observation.hand_sizes[offender] >= self.config.challenge_from:
            return CHALLENGE
        plays = [action for action in legal if action.is_play]
        if not plays:
            return max(legal, key=lambda action: self._color_count(observation, action))
        best = max(plays, key=lambda action: self._worth(observation, action))
        if KEEP in legal and best.card is not None and best.card.is_wild:
            return best if len(observation.hand) < self.config.wild_below else KEEP
        return best

    def _worth(self, observation: Observation, action: Action) -> tuple[int, int, int, int]:
        """Compares plays: hold Wilds back, then the type, then the color held most, then points."""
        card = action.card
        assert card is not None
        next_seat = (observation.observer + observation.direction) % len(observation.hand_sizes)
        table = _IN_DANGER if observation.hand_sizes[next_seat] == 1 else _USUALLY
        others = sum(not other.is_wild for other in observation.hand)
        limit = self.config.four_below if card.rank is Rank.WILD_DRAW_FOUR else self.config.wild_below
        held_back = table is _USUALLY and card.is_wild and others >= limit
        return (-held_back, table.get(card.rank, 3), self._color_count(observation, action), card.points)

    def _color_count(self, observation: Observation, action: Action) -> int:
        return Counter(card.color for card in observation.hand)[action.color]
