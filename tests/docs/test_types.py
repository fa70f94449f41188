"""The programs of the README, the documentation and the examples pass strict type checkers."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, program

MYPY = [sys.executable, "-m", "mypy", "--strict", "--allow-redefinition"]
MYPY += ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(ROOT / ".mypy_cache" / "docs")]
PYRIGHT = [sys.executable, "-m", "basedpyright", "--level", "error", "--pythonpath", sys.executable]
EXAMPLES = [file for file in sorted((ROOT / "examples").rglob("*.py")) if "build" not in file.parts]


SETTINGS = {"typeCheckingMode": "standard", "reportPossiblyUnboundVariable": False}
OWN = """import lastcard as lc

class Last:
    def choose(self, obs: lc.Observation) -> lc.Action:
        return obs.legal_actions[-1]

def make_last(seed: int) -> Last:
    return Last()

lc.Table(lc.Rules(players=4), [Last(), Last, make_last, "random"])
"""
"""Agents that name their parameter as they like."""
WRONG = "import lastcard as lc\nlc.deal(lc.Rules(), seed='seven')\n"


@pytest.mark.parametrize("checker", [MYPY, PYRIGHT], ids=["mypy", "pyright"])
def test_a_type_checker_finds_the_planted_error_and_no_other(checker: list[str], tmp_path: Path) -> None:
    programs = {re.sub(r"\W", "_", page.removesuffix(".md")): program(page) for page in PAGES}
    programs |= {file.stem: file.read_text(encoding="utf-8") for file in EXAMPLES}
    for name, code in {**programs, "own": OWN, "planted": WRONG}.items():
        if code.strip():
            (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(SETTINGS), encoding="utf-8")
    files = sorted(file.name for file in tmp_path.glob("*.py"))
    done = subprocess.run([*checker, *files], cwd=tmp_path, capture_output=True, text=True, check=False)
    found = re.findall(r"(\w+\.py:\d+).*? error: .*", done.stdout)
    assert found == ["planted.py:2"], done.stdout + done.stderr
