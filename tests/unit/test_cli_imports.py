"""The command line starts with what `pip install lastcard` installs, and no extras."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROGRAM = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in sys.argv[1].split(","):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from lastcard.cli import main
sys.argv = ["lastcard", *sys.argv[2:]]
main()
"""


def list_installed_without_extras() -> set[str]:
    """Distributions that lastcard needs, directly or through others."""
    needed: set[str] = set()
    names = ["lastcard"]
    while names:
        name = canonicalize_name(names.pop())
        if name in needed:
            continue
        needed.add(name)
        for line in importlib.metadata.requires(name) or ():
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                names.append(requirement.name)
    return needed


@pytest.mark.parametrize(
    "command",
    [["--help"], ["agents"], ["watch", "heuristic", "random", "--rules", "mini", "--seed", "1"], ["store", "--help"]],
)
def test_commands_start_without_extras(command: list[str]) -> None:
    needed = list_installed_without_extras()
    modules = importlib.metadata.packages_distributions()
    others = [
        module for module, owners in modules.items() if not {canonicalize_name(owner) for owner in owners} & needed
    ]
    assert {"sqlalchemy", "numpy", "fastapi"} <= set(others)
    result = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM, ",".join(others), *command], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
