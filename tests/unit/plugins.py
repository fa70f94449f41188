"""Installs packages for a test: as `pip` leaves them, on a path of their own."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from lastcard.agents import registry

EXAMPLE = Path(__file__).parents[2] / "examples" / "plugin"


def install(folder: Path, name: str, agents: Mapping[str, str], version: str = "1.0") -> None:
    """Writes what `importlib.metadata` reads of an installed package."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = "".join(f"{agent} = {value}\n" for agent, value in agents.items())
    (info / "entry_points.txt").write_text(f"[lastcard.agents]\n{lines}")


def install_example(folder: Path) -> None:
    """The package of `examples/plugin`, as its `pyproject.toml` declares it."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    install(folder, project["name"], project["entry-points"]["lastcard.agents"], project["version"])
    for module in EXAMPLE.glob("*.py"):
        (folder / module.name).write_text(module.read_text())


@contextmanager
def on_path(folder: Path) -> Iterator[None]:
    """Makes packages of a folder importable; in the end neither they nor their agents are left."""
    path, modules, added = list(sys.path), set(sys.modules), dict(registry._ADDED)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - modules:
            if str(folder) in (getattr(sys.modules[name], "__file__", None) or ""):
                del sys.modules[name]
        registry._ADDED.clear()
        registry._ADDED.update(added)
