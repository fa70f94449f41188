"""Killed at random moments, a store loses nothing that was acknowledged, and counts nothing twice."""

from pathlib import Path

import pytest

from tests.property.kills import KillCheck, kill_live_games, undisturbed_table

DEALS = 480


@pytest.mark.parametrize("seed", [1, 2])
def test_ten_kills_of_a_match_change_nothing(seed: int, tmp_path: Path) -> None:
    check = KillCheck(tmp_path, seed, DEALS)
    while check.num_kills < 10:
        check.kill_once()
    assert check.acknowledged
    assert check.finish() == undisturbed_table(seed, DEALS)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_kill_loses_no_action_of_a_game_in_progress(seed: int, tmp_path: Path) -> None:
    assert kill_live_games(tmp_path, seed) > 0
