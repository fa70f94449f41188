"""Strength of a network: matches of complete rounds or games on mirrored deals, as in the arena."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lastcard.arena.core_match import Contestant, MatchResult, NetContestant, play_match
from lastcard.rules import Rules


@dataclass(frozen=True, slots=True)
class Score:
    """Result of one network against copies of another agent."""

    share: float
    """Share of rounds or games won; one that was cut short counts as an even share."""
    error: float
    """Half-width of its 95 % interval."""
    plies: float
    """In a round or game."""
    unfinished: float
    """Share of rounds that reached `max_plies`, or of games that had too many rounds."""

    @classmethod
    def mean(cls, scores: Sequence[tuple[int, Score]]) -> Score:
        """Mean over tables, as a share of two: where 50 % is even, whatever the numbers of players.

        >>> mean = Score.mean([(2, Score(0.5, 0.03, 40.0, 0.0)), (4, Score(0.375, 0.02, 60.0, 0.5))])
        >>> mean.share, round(mean.error, 4), mean.plies, mean.unfinished
        (0.625, 0.025, 50.0, 0.25)
        """
        count = len(scores)
        error = math.hypot(*(score.error * players / 2 for players, score in scores)) / count
        return cls(
            sum(score.share * players / 2 for players, score in scores) / count,
            error,
            sum(score.plies for _, score in scores) / count,
            sum(score.unfinished for _, score in scores) / count,
        )

    def decided(self, even: float) -> float | None:
        """Share of the rounds that ended before `max_plies` and were won; None if none did.

        Args:
            even: What an unfinished round counts as.

        >>> Score(0.6, 0.03, 900.0, 0.5).decided(0.5)
        0.7
        """
        return (self.share - even * self.unfinished) / (1 - self.unfinished) if self.unfinished < 1 else None

    @classmethod
    def of(cls, match: MatchResult) -> Score:
        """Share that the first place of a match won."""
        rounds = match.num_deals * match.players
        return cls(match.shares[0], match.errors[0], match.plies / rounds, match.unfinished / rounds)


@dataclass(frozen=True, slots=True)
class Measurement:
    """Settings of a measurement: the tables and the number of deals at all of them together."""

    tables: tuple[Rules, ...]
    num_deals: int
    threads: int
    to_score: bool = False
    """True for games to the target score instead of rounds."""

    def play(self, network: Path, rival: Contestant, seed: int) -> Score:
        """A match of the network against the rival in all other seats; with several tables, the mean of theirs."""
        each = max(self.num_deals // len(self.tables), 2)
        scores = [(rules.players, Score.of(self._match(rules, network, rival, each, seed))) for rules in self.tables]
        return scores[0][1] if len(scores) == 1 else Score.mean(scores)

    def _match(self, rules: Rules, network: Path, rival: Contestant, num_deals: int, seed: int) -> MatchResult:
        seating = [NetContestant(str(network)), *[rival] * (rules.players - 1)]
        return play_match(rules, seating, num_deals, seed, self.threads, splits_unfinished=True, to_score=self.to_score)
