"""A copy of a store is the same, or there is none and one line says why."""

import sys
from pathlib import Path

import pytest

from tests.counts import counted
from tests.property.copies import WAYS, check_copies, fill_source

COUNT = counted(40, 6)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="nothing limits the size of files there")
def test_a_copy_is_whole_or_there_is_none(place: str, tmp_path: Path) -> None:
    fill_source(place)
    kinds = 2 if sys.platform == "linux" else 1  # sizes, and faults where they can be injected
    assert check_copies(tmp_path, place, COUNT) == kinds * COUNT * len(WAYS)
