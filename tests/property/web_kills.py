"""Kills a server in the middle of a game, again and again, and looks whether it goes on where it was."""

from __future__ import annotations

import random
import threading
import time
from contextlib import suppress
from typing import Any

from benchmarks.load.history import Ledger, check_store
from benchmarks.load.player import check_return
from benchmarks.load.serving import DEATHS, Served

RULES = ("official", "tournament", "house", "official draw_until_playable=true stacking=same")
MOST_DELAY_SECONDS = 0.03
MOST_ACTIONS = 4
PATIENCE_SECONDS = 60.0


class WebKillCheck:
    """A person who plays on a server that dies again and again."""

    def __init__(self, place: str, seed: int) -> None:
        self._rng = random.Random(seed)
        limits = ("cover_seconds=0", "requests_per_second=1e6", "new_games_per_minute=1e6")
        self._served = Served(place, *limits)
        self._game: dict[str, Any] | None = None
        self._view: dict[str, Any] = {}
        self._ledgers: list[Ledger] = []
        self._sent: tuple[int, str] | None = None
        self.num_kills = 0
        self.num_acknowledged = 0
        self.num_killed_at_work = 0

    def close(self) -> None:
        """Ends the server, and what starts it."""
        self._served.__exit__(None, None, None)

    def kill_once(self) -> None:
        """Starts the server, looks whether everything is there, plays, and kills it.

        Raises:
            AssertionError: if something acknowledged is lost, or the game does not go on where it was.
        """
        self._served.start()
        self._check()
        for _ in range(self._rng.randint(0, MOST_ACTIONS)):
            self._act()
        if self._rng.random() < 0.5:
            killer = threading.Timer(self._rng.uniform(0, MOST_DELAY_SECONDS), self._served.kill)
            killer.start()
            with suppress(*DEATHS):
                while True:
                    self._act()
            self.num_killed_at_work += 1
            killer.join()
        else:
            self._served.kill()
        self.num_kills += 1

    def _check(self) -> None:
        if self._game is None or self._view["phase"] == "over":
            self._begin()
            return
        self.num_acknowledged = check_store(self._served.store, self._ledgers)
        for ply, action in self._ledgers[-1].acknowledged.items():
            assert self._ask("/actions", {"ply": ply, "action": action})[0] == 200, "it was acknowledged before"
        view = self._see()
        known = self._view["log"]
        assert view["log"][: len(known)] == known, "what was seen has happened"
        check_return(self._view, view, has_acted=self._is_unsure)
        self._view = view

    @property
    def _is_unsure(self) -> bool:
        """Returns True if an action was sent that may have been stored without an answer."""
        return self._sent is not None and self._ledgers[-1].acknowledged.get(self._sent[0]) != self._sent[1]

    def _begin(self) -> None:
        wanted = {"players": 3, "pace": 0.0, "window": 600.0, "opponents": ["medium"], "length": "round"}
        status, answer = self._served.ask("/api/games", {**wanted, "rules": self._rng.choice(RULES)})
        assert status == 201, answer
        self._game, self._view, self._sent = answer, answer["view"], None
        self._ledgers.append(Ledger(answer["game"], answer["seat"]))

    def _act(self) -> None:
        """Waits for the person to be asked, and acts."""
        if self._game is None or self._view["phase"] == "over":
            self._begin()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self._view["legal"] and self._view["phase"] != "over":
            assert time.monotonic() < deadline
            time.sleep(0.002)
            self._view = self._see()
        if self._view["phase"] == "over":
            return
        self._sent = ply, action = self._view["ply"], self._rng.choice(self._view["legal"])
        self._ledgers[-1].send(ply, action)
        status, answer = self._ask("/actions", {"ply": ply, "action": action})
        assert status == 200, answer
        self._view = answer["view"]
        self._ledgers[-1].acknowledge(ply, action)

    def _see(self) -> dict[str, Any]:
        status, answer = self._ask("", None)
        assert status == 200, answer
        view: dict[str, Any] = answer["view"]
        return view

    def _ask(self, path: str, body: object) -> tuple[int, Any]:
        assert self._game is not None
        return self._served.ask(f"/api/games/{self._game['game']}{path}", body, self._game["token"])
