"""One address that holds as many connections as it can and sends no whole request, in a process of its own.

`python -m benchmarks.load.flooding PORT CONNECTIONS` attacks until standard input ends, and prints how many connections
were opened and how many of them the server closed.
"""

from __future__ import annotations

import asyncio
import json
import resource
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from types import TracebackType
from typing import Final

from benchmarks.load.serving import PATIENCE_SECONDS, ROOT, Served, read_line
from lastcard.web.limits import Limits

ADDRESS: Final = "127.0.0.9"
"""Every address in 127.0.0.0/8 is this machine's on Linux; players come through a proxy at 127.0.0.1."""
AGAIN_SECONDS: Final = 1.0
"""Time after which a connection that the server has closed is opened again."""
PRIORITY: tuple[str, ...] = ("chrt", "--idle", "0")
"""Words before the command: the attacker sits at another machine, and what it computes must not take this one's time
from the games."""
PARTS: Final = (b"", b"GET /api/catalog HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: ")
"""Parts of requests that are sent: nothing, or half of one."""


class Flood:
    """The address attacks the server for as long as the `with` lasts; then `counts` says what came of it."""

    def __init__(self, served: Served, connections: int) -> None:
        self._command = [sys.executable, "-m", "benchmarks.load.flooding", str(served.port), str(connections)]
        self.counts: dict[str, int] = {}

    def __enter__(self) -> Flood:
        self._process = subprocess.Popen(
            [*PRIORITY, *self._command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        assert self._process.stdout is not None
        assert read_line(self._process.stdout) == "flooding\n"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        told, _ = self._process.communicate(timeout=PATIENCE_SECONDS)
        if error is None:
            self.counts = json.loads(told)


async def flood(port: int, connections: int) -> Counter[str]:
    """Attacks until standard input ends; returns how many connections were opened, and closed by the server."""
    counts: Counter[str] = Counter(opened=0, closed=0)

    async def hold(part: bytes) -> None:
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ADDRESS, 0))
                counts["opened"] += 1
                writer.write(part)
                with suppress(ConnectionError):
                    await reader.read()
                writer.close()
                counts["closed"] += 1
            await asyncio.sleep(AGAIN_SECONDS)

    holding = [asyncio.create_task(hold(PARTS[number % len(PARTS)])) for number in range(connections)]
    beyond, ending = (
        connections - Limits().max_connections_per_user,
        asyncio.create_task(asyncio.to_thread(sys.stdin.read)),
    )
    while (counts["opened"] < connections or counts["closed"] < beyond) and not ending.done():
        await asyncio.sleep(0.05)
    print("flooding", flush=True)
    await ending
    for task in holding:
        task.cancel()
    await asyncio.gather(*holding, return_exceptions=True)
    return counts


def main() -> None:
    """Attacks until standard input ends."""
    port, connections = map(int, sys.argv[1:])
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(json.dumps(asyncio.run(flood(port, connections))))


if __name__ == "__main__":
    main()
