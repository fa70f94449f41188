"""Killed at any moment, a server loses no action that it acknowledged, and games go on where they were."""

import pytest

from tests.counts import ALL
from tests.property.web_kills import WebKillCheck

KILLS = 8 if ALL else 4


@pytest.mark.slow
def test_kills_of_a_server_lose_nothing(place: str) -> None:
    check = WebKillCheck(place, seed=1)
    try:
        while check.num_kills < KILLS:
            check.kill_once()
    finally:
        check.close()
    assert check.num_acknowledged > KILLS
    assert check.num_killed_at_work > 0
