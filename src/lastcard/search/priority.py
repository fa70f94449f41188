"""Whose turn it is on a busy machine: searches that nobody's move waits for give way to whoever plays."""

from __future__ import annotations

from lastcard import _core


def give_way() -> None:
    """From now on, what this thread searches gives way to all else that the process does, where the system can do it.

    Only the search itself does, which does not hold Python's lock: a thread of low priority that held it would let all
    others wait.
    """
    _core.give_way()
