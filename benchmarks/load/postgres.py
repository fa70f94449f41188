"""A PostgreSQL of its own for tests and measurements, in a temporary folder."""

from __future__ import annotations

import functools
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

PATIENCE_SECONDS: Final = 60.0
LOCK_WAIT_MS: Final = 5
"""Waits for a lock that take longer than this are logged."""
_SETTINGS: Final = {
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "64MB",
    "log_lock_waits": "on",
    "deadlock_timeout": f"{LOCK_WAIT_MS}ms",  # also the time after which a wait is logged
}
_CARELESS: Final = {"fsync": "off", "full_page_writes": "off", "autovacuum": "off"}
"""A power cut may lose what was committed; the death of a process of PostgreSQL does not."""
_numbers = itertools.count(1)


class Server:
    """A PostgreSQL of one user in a folder of its own, reached through a socket file there."""

    def __init__(self, *, is_durable: bool) -> None:
        """Starts it.

        Args:
            is_durable: Whether a power cut loses nothing; without, it is faster.
        """
        self.folder = Path(tempfile.mkdtemp(prefix="lastcard-pg-"))
        self._as_user = _find_user_prefix(self.folder)
        data = self.folder / "data"
        initdb = ["initdb", "-D", str(data), "-U", "lastcard", "--auth=trust", "--no-sync", "-E", "UTF8", "--no-locale"]
        self._run(*initdb)
        settings = _SETTINGS if is_durable else {**_SETTINGS, **_CARELESS}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        command = [_find("postgres"), "-D", str(data), "-k", str(self.folder), *options]
        with (self.folder / "log").open("wb") as log:
            self._process = subprocess.Popen([*self._as_user, *command], stdout=log, stderr=log, cwd="/")
        self._wait()

    def make_url(self) -> str:
        """The URL of a new, empty schema."""
        name = f"test_{os.getpid()}_{next(_numbers)}"
        self.query(f"CREATE SCHEMA {name}")
        return f"{self.url}&options={quote(f'-csearch_path={name}')}"

    @property
    def url(self) -> str:
        """The URL of the database."""
        return f"postgresql://lastcard@/postgres?host={quote(str(self.folder))}"

    @property
    def environment(self) -> dict[str, str]:
        """Environment in which PostgreSQL's own programs find the server."""
        return {**os.environ, "PGHOST": str(self.folder), "PGUSER": "lastcard", "PGDATABASE": "postgres"}

    def query(self, text: str, url: str | None = None) -> list[tuple[object, ...]]:
        """Runs a statement and returns its rows."""
        import psycopg

        with psycopg.connect(url or self.url, autocommit=True) as connection:
            cursor = connection.execute(text.encode())
            return cursor.fetchall() if cursor.description else []

    def drop_connections(self) -> None:
        """Ends every connection, as a restart of the server does."""
        self.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")

    def count_lock_waits(self) -> int:
        """Number of times that a transaction waited for a lock that another held until its end, so far.

        To extend a file, PostgreSQL holds a lock for an instant; only a machine with too much to do waits for that.
        """
        lines = (self.folder / "log").read_text(encoding="utf-8", errors="replace").splitlines()
        return sum(" still waiting for " in line and "extension of" not in line for line in lines)

    def measure_cpu_seconds(self) -> float:
        """Processor time of the server and of all its connections so far."""
        return measure_cpu_seconds([self._process.pid])

    def stop(self) -> None:
        """Stops the server and removes its folder."""
        self._process.send_signal(signal.SIGINT)  # PostgreSQL's fast shutdown
        try:
            self._process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, name: str, *arguments: str) -> None:
        subprocess.run([*self._as_user, _find(name), *arguments], check=True, capture_output=True, cwd="/")

    def _wait(self) -> None:
        import psycopg

        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                self.query("SELECT 1")
                return
            except psycopg.OperationalError:
                assert self._process.poll() is None, (self.folder / "log").read_text()
                assert time.monotonic() < deadline
                time.sleep(0.02)


def measure_cpu_seconds(pids: list[int]) -> float:
    """Processor time of processes and their children so far, on Linux."""
    ticks = 0
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = file.read_text().rpartition(")")[2].split()
            if int(file.parent.name) in pids:
                ticks += sum(map(int, fields[11:15]))  # with children that have ended
            elif int(fields[1]) in pids:
                ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _find(name: str) -> str:
    folder = find_programs()
    assert folder is not None
    return str(folder / name)


@functools.cache
def find_programs() -> Path | None:
    """Folder of PostgreSQL's programs: Debian keeps them out of the path."""
    on_path = shutil.which("postgres")
    if on_path:
        return Path(on_path).resolve().parent
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


def _find_user_prefix(folder: Path) -> list[str]:
    """Words before a command that run it as an ordinary user: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return []
    shutil.chown(folder, "nobody")
    return ["setpriv", "--reuid=nobody", "--clear-groups", "--regid=nogroup", "--pdeathsig=INT"]
