"""Fixtures of the unit tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres import start_server
from tests.unit.plugins import on_path


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    """An empty folder of packages that can be imported."""
    folder = tmp_path / "site"
    folder.mkdir()
    with on_path(folder):
        yield folder


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where there is no store yet, in each kind of database: a path, or a URL."""
    return str(tmp_path / "games.db") if request.param == "sqlite" else start_server().make_url()
