"""Killed at any moment, a server loses no action that it acknowledged, and games go on where they were."""

from tests.property.web_kills import WebKillCheck


def test_kills_of_a_server_lose_nothing(place: str) -> None:
    check = WebKillCheck(place, seed=1)
    try:
        while check.num_kills < 8:
            check.kill_once()
    finally:
        check.close()
    assert check.num_acknowledged > 10
    assert check.num_killed_at_work > 0
