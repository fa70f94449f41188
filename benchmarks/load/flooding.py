"""One user who asks for as much as it can, in a process of its own: nobody else's clock waits for it.

`python -m benchmarks.load.flooding PORT` plays until standard input ends, and prints how often each answer came.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Final

import orjson

from benchmarks.load.player import LOST, Player
from benchmarks.load.serving import DEATHS, PATIENCE_SECONDS, ROOT, Served, ask, read_line

USER: Final = "192.0.2.1"
CONNECTIONS: Final = 8
"""Connections over HTTP, which ask for views and describe tables; as many again ping over the socket."""
TABLE: Final = {"hand": ["r5", "r9", "g2"], "top": "g7", "opponents": [7, 5, 3], "history": ["2 plays g7", "3 draws 1"]}


class Flood:
    """The user floods the server for as long as the `with` lasts; then `answers` says what came of it."""

    def __init__(self, served: Served) -> None:
        self._command = [sys.executable, "-m", "benchmarks.load.flooding", str(served.port)]
        self.answers: dict[str, int] = {}

    def __enter__(self) -> Flood:
        # Who floods a server sits at another machine: what that computes must not take this one's time from the games.
        self._process = subprocess.Popen(
            ["chrt", "--idle", "0", *self._command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        assert self._process.stdout is not None
        assert read_line(self._process.stdout) == "flooding\n"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        told, _ = self._process.communicate(timeout=PATIENCE_SECONDS)
        if error is None:
            self.answers = json.loads(told)


class _Address(Served):
    """A server that another process started."""

    def __init__(self, port: int) -> None:
        self.port = port


async def flood(port: int, is_over: threading.Event) -> Counter[str]:
    """Asks until it is over; returns how often each answer came."""
    target = Player(_Address(port), USER, seed=0)
    answers: Counter[str] = Counter()

    def ask_again() -> None:
        while not is_over.is_set():
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            try:
                while not is_over.is_set():
                    for path, body in ((f"/api/games/{target.game}", None), ("/api/situation", TABLE)):
                        status, _ = ask(connection, path, body, target.token, USER)
                        answers[str(status)] += 1
            except DEATHS:
                answers["left"] += 1
            finally:
                connection.close()

    async def join_again() -> None:
        while not is_over.is_set():
            try:
                async with target.join() as socket:
                    join = {"type": "join", "game": target.game, "token": target.token}
                    await socket.send(orjson.dumps(join).decode())
                    while not is_over.is_set():
                        await socket.send(orjson.dumps({"type": "ping"}).decode())
                        answers[orjson.loads(await socket.recv())["type"]] += 1
            except LOST:
                answers["left"] += 1

    print("flooding", flush=True)
    with ThreadPoolExecutor(CONNECTIONS) as threads:
        asking = [asyncio.wrap_future(threads.submit(ask_again)) for _ in range(CONNECTIONS)]
        await asyncio.gather(*asking, *(join_again() for _ in range(CONNECTIONS)))
    return answers


def main() -> None:
    """Floods until standard input ends."""
    is_over = threading.Event()

    def wait() -> None:
        sys.stdin.read()
        is_over.set()

    threading.Thread(target=wait, daemon=True).start()
    print(json.dumps(asyncio.run(flood(int(sys.argv[1]), is_over))))


if __name__ == "__main__":
    main()
