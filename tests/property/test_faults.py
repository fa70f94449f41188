"""A store survives a crash or a full disk at any write, and is opened again by every command."""

import sys
from pathlib import Path

import pytest

from tests.counts import ALL
from tests.property.faults import SHORT, check_faults

POINTS = 30 if ALL else 8


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the injector is loaded with LD_PRELOAD")
def test_a_store_survives_a_fault_at_any_call(tmp_path: Path) -> None:
    assert check_faults(tmp_path, SHORT, POINTS) == POINTS
