"""Kills a server in the middle of games, and looks whether they go on where they were.

As a program it waits for lines on standard input, and at each forks a server on the store in its argument; so nothing
has to be imported again after a kill.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

RULES = ("official", "tournament", "house", "official draw_until_playable=true stacking=same")
MOST_DELAY_SECONDS = 0.03
MOST_ACTIONS = 4
PATIENCE_SECONDS = 60.0
_DEATHS = (OSError, http.client.HTTPException, json.JSONDecodeError)
"""How it looks when a server dies while one talks to it."""


class WebKillCheck:
    """A person who plays on a server that dies again and again."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._rng = random.Random(seed)
        command = [sys.executable, "-m", "tests.property.web_kills", str(folder / "web.db")]
        root = Path(__file__).parents[2]
        self._nursery = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, cwd=root
        )
        self._pid = 0
        self._port = 0
        self._game: dict[str, Any] | None = None
        self._view: dict[str, Any] = {}
        self._acknowledged: list[tuple[int, str]] = []
        self._sent: tuple[int, str] | None = None
        self.num_kills = 0
        self.num_acknowledged = 0
        self.num_killed_at_work = 0

    def close(self) -> None:
        """Ends the server, and what starts it."""
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        with self._nursery:
            assert self._nursery.stdin is not None
            self._nursery.stdin.close()

    def kill_once(self) -> None:
        """Starts the server, looks whether everything is there, plays, and kills it.

        Raises:
            AssertionError: if something acknowledged is lost, or the game does not go on where it was.
        """
        self._start()
        self._check()
        for _ in range(self._rng.randint(0, MOST_ACTIONS)):
            self._act()
        if self._rng.random() < 0.5:
            killer = threading.Timer(self._rng.uniform(0, MOST_DELAY_SECONDS), self._kill)
            killer.start()
            with suppress(*_DEATHS):
                while True:
                    self._act()
            self.num_killed_at_work += 1
            killer.join()
        else:
            self._kill()
        self.num_kills += 1

    def _start(self) -> None:
        assert self._nursery.stdin is not None
        assert self._nursery.stdout is not None
        self._nursery.stdin.write("start\n")
        pid, port = self._nursery.stdout.readline().split()
        self._pid, self._port = int(pid), int(port)

    def _kill(self) -> None:
        os.kill(self._pid, signal.SIGKILL)

    def _check(self) -> None:
        if self._game is None or self._view["phase"] == "over":
            self._begin()
            return
        for ply, action in self._acknowledged:
            assert self._ask("/actions", {"ply": ply, "action": action})[0] == 200, "it was acknowledged before"
        view = self._see()
        known = self._view["log"]
        assert view["log"][: len(known)] == known, "what was seen has happened"
        played = {entry["n"]: entry for entry in view["log"]}
        assert all(played[ply + 1]["seat"] == 0 for ply, _ in self._acknowledged)
        if self._view["legal"] and not self._is_unsure:
            again = {"deadline": None}  # a window begins anew
            assert {**view, **again} == {**self._view, **again}, "the same ply, seat and hand"
        self._view = view

    @property
    def _is_unsure(self) -> bool:
        """Whether an action was sent that may have been stored without an answer."""
        return self._sent is not None and self._sent not in self._acknowledged

    def _begin(self) -> None:
        wanted = {"players": 3, "pace": 0.0, "window": 600.0, "opponents": ["medium"], "length": "round"}
        status, answer = self._request("POST", "/api/games", {**wanted, "rules": self._rng.choice(RULES)}, None)
        assert status == 201, answer
        self._game, self._view, self._acknowledged, self._sent = answer, answer["view"], [], None

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
        self._sent = (self._view["ply"], self._rng.choice(self._view["legal"]))
        status, answer = self._ask("/actions", {"ply": self._sent[0], "action": self._sent[1]})
        assert status == 200, answer
        self._view = answer["view"]
        self._acknowledged.append(self._sent)
        self.num_acknowledged += 1

    def _see(self) -> dict[str, Any]:
        status, answer = self._ask("", None)
        assert status == 200, answer
        view: dict[str, Any] = answer["view"]
        return view

    def _ask(self, path: str, body: object) -> tuple[int, Any]:
        assert self._game is not None
        method = "GET" if body is None else "POST"
        return self._request(method, f"/api/games/{self._game['game']}{path}", body, self._game["token"])

    def _request(self, method: str, path: str, body: object, token: str | None) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_SECONDS)
        try:
            headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            reply = connection.getresponse()
            return reply.status, json.loads(reply.read())
        finally:
            connection.close()


def nurse(file: str) -> None:
    """Forks a server for every line that is read, once the one before is dead."""
    from lastcard.web import limits, server

    child = 0
    for _ in sys.stdin:
        if child:
            os.waitpid(child, 0)
        child = os.fork()
        if child == 0:
            listening = server.bind("127.0.0.1", 0)
            told = f"{os.getpid()} {listening.getsockname()[1]}"
            allowed = limits.Limits(cover_seconds=0.0, requests_per_second=1e6, new_games_per_minute=1e6)
            server.serve(listening, file, limits=allowed, ready=partial(print, told, flush=True))
            os._exit(0)


if __name__ == "__main__":
    nurse(sys.argv[1])
