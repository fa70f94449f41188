"""A real server in a process of its own, which can be killed and restarted.

As a program it waits for lines on standard input, and at each forks a server on the store in its argument; so nothing
has to be imported again after a kill.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

ROOT: Final = Path(__file__).parents[2]
PATIENCE_SECONDS: Final = 60.0
_AGAIN_SECONDS: Final = 0.1
DEATHS: Final = (OSError, http.client.HTTPException, json.JSONDecodeError)
"""Errors that a client gets when the server dies."""


class Served:
    """A server on a store, for as long as the `with` lasts."""

    def __init__(self, store: str | Path, *limits: str) -> None:
        """Gets ready; `start` starts it.

        Args:
            store: Path or URL of the store.
            *limits: Changes of the limits, as for `lastcard serve --limit`.
        """
        self.store = str(store)
        self._held = hold_port()
        self.port: int = self._held.getsockname()[1]
        """Port, which stays the same after a kill."""
        self.pid = 0
        self._limits = limits
        self._nursery = self._make_nursery()

    def _make_nursery(self) -> subprocess.Popen[str] | None:
        command = [sys.executable, "-m", "benchmarks.load.serving", self.store, *self._limits]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, cwd=ROOT)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        if self._nursery is not None:
            with self._nursery:
                assert self._nursery.stdin is not None
                self._nursery.stdin.close()
        self._held.close()

    @property
    def address(self) -> str:
        """Address of the server."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> float:
        """Starts the server and waits until it answers; returns how many seconds that took."""
        begun = time.monotonic()
        assert self._nursery is not None
        assert self._nursery.stdin is not None
        assert self._nursery.stdout is not None
        self._nursery.stdin.write(f"{self.port}\n")
        self.pid = int(read_line(self._nursery.stdout))
        return time.monotonic() - begun

    def kill(self) -> None:
        """Kills the server as a power cut would."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def ask(self, path: str, body: object = None, token: str | None = None, user: str | None = None) -> tuple[int, Any]:
        """Status and JSON of an answer; a POST if there is a body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        try:
            return ask(connection, path, body, token, user)
        finally:
            connection.close()


class Cluster:
    """Several servers on one store in PostgreSQL; each request goes to any that runs, as a proxy would send it."""

    def __init__(self, store: str | Path, *limits: str, processes: int = 2) -> None:
        self.store = str(store)
        self.processes = [Served(store, *limits) for _ in range(processes)]
        self.running: list[Served] = []

    def __enter__(self) -> Self:
        for served in self.processes:
            served.__enter__()
            self.running.append(served)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for served in self.processes:
            served.__exit__(kind, error, trace)

    @property
    def port(self) -> int:
        """Port of any server that runs."""
        return random.choice(self.running).port

    @property
    def pids(self) -> list[int]:
        """Processes that run."""
        return [served.pid for served in self.running]

    def ask(self, path: str, body: object = None, token: str | None = None, user: str | None = None) -> tuple[int, Any]:
        """Status and JSON of an answer of any server that runs."""
        return random.choice(self.running).ask(path, body, token, user)

    def end(self, served: Served, how: signal.Signals) -> None:
        """Ends a server; clients that are cut off connect to another."""
        self.running.remove(served)
        os.kill(served.pid, how)

    def start(self, served: Served) -> None:
        """Starts a server that has ended."""
        served.start()
        self.running.append(served)

    def restore(self) -> None:
        """Starts again what has ended or is paused."""
        for served in self.processes:
            if served not in self.running:
                served.kill()
                self.start(served)


class Restarted(Served):
    """A server that is started as people start it: a new process after every kill, which imports everything again."""

    OPTIONS: tuple[str, ...] = ("--proxy", "127.0.0.1")
    _process: subprocess.Popen[str] | None = None

    def _make_nursery(self) -> None:
        return None

    def start(self) -> float:
        """Starts the server and waits until it says that it serves; returns how many seconds that took."""
        begun = time.monotonic()
        self.launch()
        self.wait()
        return time.monotonic() - begun

    def launch(self) -> None:
        """Starts the process."""
        command = [sys.executable, "-m", "lastcard.cli", "serve", "--store", self.store, *self.OPTIONS]
        limits = [word for limit in self._limits for word in ("--limit", limit)]
        self._process = subprocess.Popen(
            [*command, "--port", str(self.port), *limits], stdout=subprocess.PIPE, text=True, cwd=ROOT
        )

    def wait(self) -> None:
        """Waits until the process says that it serves."""
        line = self.read_line()
        assert f"http://127.0.0.1:{self.port}" in line, f"lastcard serve said {line!r}"
        assert self._process is not None
        self.pid = self._process.pid

    def read_line(self) -> str:
        """The next line that the process prints."""
        assert self._process is not None
        assert self._process.stdout is not None
        return read_line(self._process.stdout)

    def wait_for_end(self) -> int:
        """Waits until the process ends by itself; returns its status."""
        assert self._process is not None
        return self._process.wait(PATIENCE_SECONDS)

    def kill(self) -> None:
        """Kills the server as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def hold_port() -> socket.socket:
    """A socket that holds a free port as long as it is open: only a program that asks for this port can listen there.

    Without it, the port of a server that is dead for a moment may be given to another server, whose answers clients
    would take for those of the first.
    """
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    return held


def read_line(told: IO[str]) -> str:
    """The next line of what a process tells, which has not told anything since the last.

    Raises:
        TimeoutError: if none comes.
    """
    ready, _, _ = select.select([told], [], [], PATIENCE_SECONDS)
    if not ready:
        raise TimeoutError(f"nothing was told for {PATIENCE_SECONDS:g} s")
    return told.readline()


def ask(
    connection: http.client.HTTPConnection, path: str, body: object, token: str | None, user: str | None = None
) -> tuple[int, Any]:
    """Status and JSON of an answer over a connection that stays open."""
    headers = {"Authorization": f"Bearer {token}"} if token is not None else {}
    if user is not None:
        headers["X-Forwarded-For"] = user
    if body is not None:
        headers["Content-Type"] = "application/json"
    connection.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body), headers)
    reply = connection.getresponse()
    content = reply.read()
    is_json = (reply.getheader("Content-Type") or "").startswith("application/json")
    return reply.status, json.loads(content) if is_json else content.decode()


def patiently(ask: Callable[[], tuple[int, Any]]) -> tuple[int, Any]:
    """Status and JSON of an answer; asks again after a connection that was closed, or a 503, which changed nothing.

    A server closes connections that are not used for seconds, and refuses requests while it cannot reach its store.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            status, answer = ask()
        except DEATHS:
            if time.monotonic() > deadline:
                raise
        else:
            if status != 503 or time.monotonic() > deadline:
                return status, answer
        time.sleep(_AGAIN_SECONDS)


def nurse(store: str, *limits: str) -> None:
    """Forks a server for every line that is read, a port, once the one before is dead."""
    from lastcard.web import server
    from lastcard.web.limits import read_limits

    child = 0
    for line in sys.stdin:
        if child:
            os.waitpid(child, 0)
        child = os.fork()
        if child == 0:
            listening = server.bind("127.0.0.1", int(line))
            ready = partial(print, os.getpid(), flush=True)
            with suppress(KeyboardInterrupt):
                server.serve(listening, store, proxies=["127.0.0.1"], limits=read_limits(limits), ready=ready)
            os._exit(0)


if __name__ == "__main__":
    nurse(*sys.argv[1:])
