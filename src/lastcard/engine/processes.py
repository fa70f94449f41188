"""The processes of a program: all that it started, wherever they have gone, and how to end them."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

MARK: Final = "LASTCARD_ENGINE"
"""Variable of the environment that a program's processes inherit, and are found by."""
_PROC: Final = Path("/proc")
_MOST_ROUNDS: Final = 20
"""Number of passes over the processes, because new ones may start while others are killed."""


def mark_environment() -> tuple[str, dict[str, str]]:
    """A new mark, and this process's environment with it; a program that runs programs has several."""
    mark = secrets.token_hex(16)
    marks = filter(None, (os.environ.get(MARK), mark))
    return mark, {**os.environ, MARK: ":".join(marks)}


class Family:
    """A process that leads its group, and whatever it started.

    On Linux this includes processes that left the group: descendants are found by their parents, and those whose
    parents are gone by the mark. Elsewhere only the group is killed.
    """

    def __init__(self, leader: int, mark: str) -> None:
        """Takes a child of this process and the mark in its environment."""
        self._leader = leader
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
        """Kills all of them, also those started meanwhile; before the leader is waited for."""
        for _ in range(_MOST_ROUNDS):
            # Before the group is killed: children that lose their parent cannot be found by it any more.
            self.hold()
            with contextlib.suppress(ProcessLookupError, PermissionError):  # gone, or on macOS only zombies are left
                os.killpg(self._leader, signal.SIGKILL)
            if not self._held:
                return
            while self._held:
                _, handle = self._held.popitem()
                with contextlib.suppress(OSError):  # it has ended by itself
                    signal.pidfd_send_signal(handle, signal.SIGKILL)
                os.close(handle)

    def _find(self) -> set[int]:
        parents = dict(_list_parents())
        descendants = set(_descendants(self._leader, parents))
        return descendants | {pid for pid in parents.keys() - {self._leader} if _has_mark(pid, self._mark)}


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


def _descendants(leader: int, parents: Mapping[int, int]) -> Iterator[int]:
    generation = {leader}
    while generation:
        generation = {pid for pid, parent in parents.items() if parent in generation}
        yield from generation


def _has_mark(pid: int, mark: str) -> bool:
    try:
        return mark.encode() in (_PROC / str(pid) / "environ").read_bytes()
    except OSError:  # it is gone, or another user's
        return False
