"""What holds for all tests."""

from __future__ import annotations

import signal
import threading


def pytest_configure() -> None:
    """Ctrl-C is heard, as at a terminal: a shell's background job ignores it, and so would everything started here."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)
