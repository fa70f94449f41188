"""A second server on the same store takes over when the first one ends or falls silent, and loses nothing."""

from __future__ import annotations

import os
import signal
import time
from typing import Any, Final

import pytest

from benchmarks.load.history import Ledger, check_store
from benchmarks.load.serving import DEATHS, Restarted, Served

LIMITS: Final = ("cover_seconds=0", "requests_per_second=1e6", "new_games_per_minute=1e6")
WANTED: Final = {"players": 2, "pace": 0.0, "window": 600.0, "opponents": ["medium"], "length": "game"}
MOST_SECONDS: Final = {signal.SIGKILL: 5.0, signal.SIGTERM: 5.0, signal.SIGSTOP: 15.0}


class Standby(Restarted):
    """A server that waits for another one."""

    OPTIONS = ("--standby",)

    def start(self) -> float:
        """Starts the process, which is ready to take over when this returns."""
        begun = time.monotonic()
        self.launch()
        assert "waits to take over" in self.read_line()
        return time.monotonic() - begun


class Person:
    """Plays one game on whichever server there is."""

    def __init__(self, served: Served) -> None:
        status, self.game = served.ask("/api/games", WANTED)
        assert status == 201, self.game
        self.ledger = Ledger(self.game["game"], self.game["seat"])

    def ask(self, served: Served, path: str = "", body: object = None) -> tuple[int, Any]:
        return served.ask(f"/api/games/{self.game['game']}{path}", body, self.game["token"])

    def act(self, served: Served) -> int:
        """Does the first legal action and returns the status of the answer."""
        view: dict[str, Any] = {"legal": []}
        while not view["legal"]:
            status, answer = self.ask(served)
            assert status == 200, answer
            view = answer["view"]
        return self.send(served, view["ply"], view["legal"][0])

    def send(self, served: Served, ply: int, action: str) -> int:
        self.ledger.send(ply, action)
        status, _ = self.ask(served, "/actions", {"ply": ply, "action": action})
        if status == 200:
            self.ledger.acknowledge(ply, action)
        return status


@pytest.mark.parametrize("end", list(MOST_SECONDS), ids=lambda end: end.name)
def test_games_continue_on_the_standby(place: str, end: signal.Signals) -> None:
    if end == signal.SIGSTOP and not place.startswith("postgresql:"):
        pytest.skip("no process can take the lock of a file from a paused one")
    with Restarted(place, *LIMITS) as first, Standby(place, *LIMITS) as second:
        person = Person(first)
        for _ in range(3):
            assert person.act(first) == 200
        os.kill(first.pid, end)
        begun = time.monotonic()
        second.wait()
        assert time.monotonic() - begun < MOST_SECONDS[end]
        for ply, action in person.ledger.acknowledged.items():
            assert person.ask(second, "/actions", {"ply": ply, "action": action})[0] == 200
        for _ in range(3):
            assert person.act(second) == 200
        if end == signal.SIGSTOP:
            check_that_it_writes_nothing(first, person)
        assert check_store(place, [person.ledger]) == 6


def check_that_it_writes_nothing(paused: Restarted, person: Person) -> None:
    """Lets a paused server go on: it acknowledges nothing, and ends."""
    os.kill(paused.pid, signal.SIGCONT)
    try:
        status, answer = person.ask(paused)
        if status == 200 and answer["view"]["legal"]:
            body = {"ply": answer["view"]["ply"], "action": answer["view"]["legal"][-1]}
            assert person.ask(paused, "/actions", body)[0] != 200
    except DEATHS:
        pass  # it has ended already
    assert paused.wait_for_end() == 2
