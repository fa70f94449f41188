"""Killed at any moment, a server loses no action that it acknowledged, and games go on where they were."""

from pathlib import Path

import pytest

from tests.property.web_kills import WebKillCheck


@pytest.mark.parametrize("seed", [1, 2])
def test_ten_kills_of_a_server_lose_nothing(seed: int, tmp_path: Path) -> None:
    check = WebKillCheck(tmp_path, seed)
    try:
        while check.num_kills < 10:
            check.kill_once()
    finally:
        check.close()
    assert check.num_acknowledged > 10
    assert check.num_killed_at_work > 0
