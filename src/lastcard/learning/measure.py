"""Strength of a network: matches of complete rounds on mirrored deals, as in the arena."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lastcard.arena.core_match import Contestant, MatchResult, NetContestant, play_match
from lastcard.rules import Rules

_TRIAL: Final = 20
"""Deals after which a match that leads nowhere is given up."""


@dataclass(frozen=True, slots=True)
class Score:
    """Result of one network against copies of another agent."""

    share: float
    """Share of rounds won; one that reached `max_plies` counts as an even share."""
    error: float
    """Half-width of its 95 % interval."""
    plies: float
    """In a round."""
    unfinished: float
    """Share of rounds that reached `max_plies`."""

    @classmethod
    def of(cls, match: MatchResult) -> Score:
        """Share that the first place of a match won."""
        rounds = match.num_deals * match.players
        return cls(match.shares[0], match.errors[0], match.plies / rounds, match.unfinished / rounds)


@dataclass(frozen=True, slots=True)
class Measurement:
    """Settings of a measurement: the rules and the number of deals."""

    rules: Rules
    num_deals: int
    threads: int

    def play(self, network: Path, rival: Contestant, seed: int) -> Score:
        """A match of the network against the rival in all other seats."""
        return Score.of(self._match(network, rival, self.num_deals, seed))

    def is_won(self, network: Path, rival: Contestant, seed: int) -> tuple[bool, Score]:
        """Returns whether the network surely wins the match, and its result.

        Networks that have hardly learned may never finish a round; when most of the first rounds end so, the match is
        not won and not played on.
        """
        trial = Score.of(self._match(network, rival, min(_TRIAL, self.num_deals), seed))
        if trial.unfinished > 0.5:
            return False, trial
        score = self.play(network, rival, seed)
        return score.share - score.error > 1 / self.rules.players, score

    def _match(self, network: Path, rival: Contestant, num_deals: int, seed: int) -> MatchResult:
        seating = [NetContestant(str(network)), *[rival] * (self.rules.players - 1)]
        return play_match(self.rules, seating, num_deals, seed, self.threads, splits_unfinished=True)
