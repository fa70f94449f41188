"""Rounds against the level `hardest` are as short as rounds between people."""

import pytest

from lastcard.agents import LEVELS
from lastcard.arena.core_match import HeuristicContestant, play_match
from lastcard.arena.entrants import find_contestant
from lastcard.rules import Rules

NUM_DEALS = 20
MOST_PLIES = 60


@pytest.mark.long
def test_the_hardest_level_ends_rounds_soon() -> None:
    """740 rounds took 39 plies on average. The cards are fixed; with others, it would fail once in 200 times.

    That rate is of samples from 5,000 rounds of a shorter search, since lengths vary widely.
    """
    hardest = find_contestant(LEVELS["hardest"].agent, 2)
    assert hardest is not None
    match = play_match(Rules.preset("official"), [hardest, HeuristicContestant()], NUM_DEALS, seed=2, threads=2)
    assert match.plies / (2 * NUM_DEALS) <= MOST_PLIES
    assert match.unfinished == 0
