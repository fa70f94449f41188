"""Time that the disk takes to store a few bytes: the part of a latency that no server can avoid."""

from __future__ import annotations

import math
import os
import tempfile
import threading
import time
from types import TracebackType
from typing import Final, Self

PAUSE_SECONDS: Final = 0.05
BLOCK: Final = bytes(8192)


class Disk:
    """Writes a block and waits for the disk, again and again, as long as the `with` lasts."""

    def __init__(self) -> None:
        self._taken: list[float] = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_over.set()
        self._thread.join()

    @property
    def p95_ms(self) -> float:
        """Time in which 95 % of the writes were on the disk."""
        taken = sorted(self._taken)
        return round(1000 * taken[math.ceil(0.95 * len(taken)) - 1], 2)

    @property
    def max_ms(self) -> float:
        """Time of the slowest write."""
        return round(1000 * max(self._taken), 2)

    def _run(self) -> None:
        with tempfile.TemporaryFile() as file:
            while True:
                begun = time.monotonic()
                os.pwrite(file.fileno(), BLOCK, 0)
                os.fdatasync(file.fileno())
                self._taken.append(time.monotonic() - begun)
                if self._is_over.wait(PAUSE_SECONDS):
                    return
