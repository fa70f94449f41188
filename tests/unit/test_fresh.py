"""Parts of `tools/fresh` that decide, with stand-ins for those that take minutes."""

from __future__ import annotations

import os
import re
import subprocess

import pytest

from tests.docs.pages import ROOT

STAND_INS = """
set -euo pipefail
source=/clone limit_play=150
newcomer() { true; }
timed_make() { echo "make ${*:2}"; took=$TOOK; }
"""


def run_part(part: str, took: int = 100, **variables: str) -> subprocess.CompletedProcess[str]:
    script = (ROOT / "tools" / "fresh").read_text(encoding="utf-8")
    functions = [re.search(rf"^{name}\(\) {{\n.*?^}}$", script, re.M | re.S) for name in ("fail", part)]
    program = STAND_INS + "\n".join(found[0] for found in functions if found) + f"\n{part}"
    environment = {"PATH": os.environ["PATH"], "TOOK": str(took), **variables}
    return subprocess.run(["bash", "-c", program], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("took", "slow", "status"), [(150, "", 0), (151, "", 1), (151, "1", 0)])
def test_a_slow_make_play_fails(took: int, slow: str, status: int) -> None:
    ran = run_part("part_play", took, FRESH_SLOW=slow)
    assert ran.returncode == status, ran.stderr
    assert ("151 s, more than the 150 s of two idle cores" in ran.stderr) == bool(status)


def test_the_short_half_uses_the_systems_python() -> None:
    assert "make play PYTHON=/usr/bin/python3" in run_part("part_short").stdout
