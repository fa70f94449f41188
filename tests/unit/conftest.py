"""Fixtures of the unit tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.plugins import on_path


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    """An empty folder of packages that can be imported."""
    folder = tmp_path / "site"
    folder.mkdir()
    with on_path(folder):
        yield folder
