"""What holds for all tests."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

from lastcard.agents import registry


def pytest_configure() -> None:
    """Ctrl-C is heard, as at a terminal: a shell's background job ignores it, and so would everything started here."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _own_agents_go() -> Iterator[None]:
    """Agents that a test adds are gone after it, as they would be with its process."""
    before = dict(registry._ADDED)
    yield
    registry._ADDED.clear()
    registry._ADDED.update(before)
