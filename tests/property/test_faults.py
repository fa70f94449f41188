"""A store survives a crash or a full disk at any write, and is opened again by every command."""

from pathlib import Path

from tests.property.faults import SHORT, check_faults

POINTS = 30


def test_a_store_survives_a_fault_at_any_call(tmp_path: Path) -> None:
    assert check_faults(tmp_path, SHORT, POINTS) == POINTS
