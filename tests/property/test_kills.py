"""Killed at random moments, a store loses nothing that was acknowledged, and counts nothing twice."""

import pytest

from tests.counts import ALL
from tests.property.kills import KillCheck, kill_live_games, undisturbed_table

DEALS = 480
KILLS = 5 if ALL else 2


@pytest.mark.slow
def test_kills_of_a_match_change_nothing(place: str) -> None:
    check = KillCheck(place, 1, DEALS)
    while check.num_kills < KILLS:
        check.kill_once()
    assert check.acknowledged
    assert check.finish() == undisturbed_table(1, DEALS)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_kill_loses_no_action_of_a_game_in_progress(seed: int, place: str) -> None:
    assert kill_live_games(place, seed) > 0
