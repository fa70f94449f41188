"""Counts of slow tests: a thirtieth for every change, all of it in `make test-all`."""

from __future__ import annotations

import os
from typing import Final

ALL: Final = os.environ.get("LASTCARD_COUNTS") == "all"


def counted(number: int, least: int = 1) -> int:
    """Return the number in `make test-all` and a thirtieth of it otherwise, but not less than `least`."""
    return number if ALL else max(number // 30, least)
