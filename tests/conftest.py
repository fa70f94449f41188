"""Settings and fixtures of all tests."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lastcard.agents import registry
from tests.postgres import start_server

MARKED_FOLDERS = {"browser": "browser", "contract": "peers"}
"""Folders whose tests all bear a marker."""


def pytest_configure() -> None:
    """Find Node next to Python where the machine has none, and hear Ctrl-C as at a terminal.

    A shell's background job ignores it, and so would everything started here.
    """
    os.environ["PATH"] += os.pathsep + str(Path(sys.executable).parent)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of a folder, so that none of them is forgotten."""
    for item in items:
        marker = MARKED_FOLDERS.get(Path(item.path).parent.name)
        if marker:
            item.add_marker(marker)


@pytest.fixture(autouse=True)
def _own_agents_go() -> Iterator[None]:
    """Agents that a test adds are gone after it, as they would be with its process."""
    before = dict(registry._ADDED)
    yield
    registry._ADDED.clear()
    registry._ADDED.update(before)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for a new store in each kind of database: a path, or a URL."""
    return str(tmp_path / "games.db") if request.param == "sqlite" else start_server().make_url()
