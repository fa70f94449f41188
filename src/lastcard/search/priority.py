"""Priority on a busy machine: searches that no game waits for run at idle priority."""

from __future__ import annotations

from lastcard import _core


def give_way() -> None:
    """Lets this thread search at idle priority from now on, where the system can do it.

    Python code keeps its priority: a thread at idle priority that held Python's lock would make all others wait.
    """
    _core.give_way()
