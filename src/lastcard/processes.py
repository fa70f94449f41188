"""The processes that this one starts, all that these start, and how they end: when told, or with this process.

Every process that starts others has a guard: a process of its own that reads a pipe from it. However the process ends,
the pipe closes, and the guard kills what is left. Run as a program, this file is the guard.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

MARK: Final = "LASTCARD_ENGINE"
"""Variable of the environment that a program's processes inherit, and are found by."""
_PROC: Final = Path("/proc")
_MOST_ROUNDS: Final = 20
"""Number of passes over the processes, because new ones may start while others are killed."""
_SIGKILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)  # on Windows, which lacks it, any signal kills


class Guard:
    """The guard of this process, which starts with the first process that it watches."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._watched: set[int] = set()
        self.mark = ""
        """Mark of all programs that this process starts."""

    def start(self) -> None:
        """Starts the guard unless it runs; before the processes, so that they are never without it."""
        with self._lock:
            if self._process is not None and self._process.poll() is None:
                return
            self.mark = self.mark or secrets.token_hex(16)
            # Without the packages of this environment, which the guard does not need, it starts in 10 ms.
            command = [sys.executable, "-I", "-S", __file__, self.mark]
            null = subprocess.DEVNULL  # a program that reads our output must not wait for the guard
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=null, stderr=null, bufsize=0, start_new_session=True
            )
            for pid in self._watched:
                self._say(f"+{pid}")

    def watch(self, pid: int) -> None:
        """Has a child of this process, and all that it starts, killed when this process ends."""
        self.start()
        with self._lock:
            self._watched.add(pid)
            self._say(f"+{pid}")

    def forget(self, pid: int) -> None:
        """Watches a child no longer; before it is waited for and another process can get its number."""
        with self._lock:
            self._watched.discard(pid)
            self._say(f"-{pid}")

    def stop(self) -> None:
        """Lets the guard kill what is left, and waits for it."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.communicate()

    def abandon(self) -> None:
        """Leaves the guard to the process that this one was forked from: a copy of the pipe would keep it open."""
        process, self._process = self._process, None
        self._lock, self._watched, self.mark = threading.Lock(), set(), ""
        if process is not None and process.stdin is not None:
            process.stdin.close()
            process.returncode = 0  # it is no child of this process

    def _say(self, line: str) -> None:
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):  # it was killed; the next one is told everything
                self._process.stdin.write(f"{line}\n".encode())


guard: Final = Guard()
atexit.register(guard.stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=guard.abandon)


def mark_environment() -> tuple[str, dict[str, str]]:
    """A new mark, and this process's environment with it; a program that runs programs has several."""
    guard.start()
    mark = secrets.token_hex(16)
    marks = filter(None, (os.environ.get(MARK), guard.mark, mark))
    return mark, {**os.environ, MARK: ":".join(marks)}


class Family:
    """Processes, and whatever they started.

    On Linux this includes processes that left their groups: descendants are found by their parents, and those whose
    parents are gone by the mark. Elsewhere it is the processes and the groups that they lead.
    """

    def __init__(self, leaders: Iterable[int], mark: str) -> None:
        """Takes children of this process and the mark in their environment, or in that of what they start."""
        self._leaders = frozenset(leaders)
        self._mark = mark
        self._held: dict[int, int] = {}

    def hold(self) -> None:
        """Remembers who is there, so that `kill` also finds those who lose their parents before."""
        handles = {}
        for pid in self._find() - self._held.keys():
            with contextlib.suppress(OSError):
                handles[pid] = os.pidfd_open(pid)
        # A number may have gone to another process before it was held: it belongs to the family if it still does now.
        family = self._find() if handles else set()
        for pid, handle in handles.items():
            if pid in family:
                self._held[pid] = handle
            else:
                os.close(handle)

    def kill(self) -> None:
        """Kills all of them, also those started meanwhile; before the leaders are waited for."""
        for _ in range(_MOST_ROUNDS):
            # Before the group is killed: children that lose their parent cannot be found by it any more.
            self.hold()
            for leader in self._leaders:
                _kill_group(leader)
            if not self._held:
                return
            while self._held:
                _, handle = self._held.popitem()
                with contextlib.suppress(OSError):  # it has ended by itself
                    signal.pidfd_send_signal(handle, _SIGKILL)
                os.close(handle)

    def _find(self) -> set[int]:
        parents = dict(_list_parents())
        descendants = set(_descendants(self._leaders, parents))
        return descendants | {pid for pid in parents.keys() - self._leaders if _has_mark(pid, self._mark)}


def _kill_group(leader: int) -> None:
    for kill in (os.kill, getattr(os, "killpg", os.kill)):
        with contextlib.suppress(ProcessLookupError, PermissionError):  # gone, or on macOS only zombies are left
            kill(leader, _SIGKILL)


def _list_parents() -> Iterator[tuple[int, int]]:
    """Every living process with its parent."""
    names: Iterable[str] = ()
    with contextlib.suppress(OSError):
        names = os.listdir(_PROC)
    for name in filter(str.isdigit, names):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name of the program, in parentheses, may hold anything.
            state, parent = (_PROC / name / "stat").read_bytes().rpartition(b")")[2].split()[:2]
            if state not in (b"Z", b"X"):  # a zombie cannot be killed, only waited for by its parent
                yield int(name), int(parent)


def _descendants(leaders: Iterable[int], parents: Mapping[int, int]) -> Iterator[int]:
    generation = set(leaders)
    while generation:
        generation = {pid for pid, parent in parents.items() if parent in generation}
        yield from generation


def _has_mark(pid: int, mark: str) -> bool:
    try:
        return mark.encode() in (_PROC / str(pid) / "environ").read_bytes()
    except OSError:  # it is gone, or another user's
        return False


def _stand_guard(mark: str) -> None:
    """Reads which processes to watch until the pipe closes, and kills them."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # those may reach everything that the process has started
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    watched = set[int]()
    for line in sys.stdin.buffer:
        change = watched.add if line.startswith(b"+") else watched.discard
        change(int(line[1:]))
    Family(watched, mark).kill()


if __name__ == "__main__":
    _stand_guard(sys.argv[1])
