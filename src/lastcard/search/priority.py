"""Whose turn it is on a busy machine: searches that nobody's move waits for give way to whoever plays."""

from __future__ import annotations

from lastcard import _core


def give_way() -> None:
    """From now on, what this thread searches lets everything else that runs go first.

    Only the search itself does, which holds no lock: a thread of low priority that held one would let all others wait.
    """
    _core.give_way()
