"""The Makefile: when `make test` has failed, nothing that it started runs on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 300.0
FAKE = """#!/bin/sh
# In place of make: a step in the background starts a program, and the tests fail once it runs.
case "$*" in
    *two-worlds*) sleep 3000 & echo $! > pid.new; mv pid.new pid; wait ;;
    *pytest*) until [ -e pid ]; do sleep 0.05; done; exit 1 ;;
esac
"""


@pytest.mark.skipif(shutil.which("make") is None or sys.platform == "win32", reason="there is no make")
def test_a_failure_ends_all_that_runs_in_the_background(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    fake = tmp_path / "fake"
    fake.write_text(FAKE, encoding="utf-8")
    fake.chmod(0o755)
    command = ["make", "--old-file=toolchain", "test", f"MAKE={fake}"]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(command, cwd=tmp_path, env=inherited, capture_output=True, text=True, check=False)
    assert done.returncode != 0, done.stdout
    pid, deadline = int((tmp_path / "pid").read_text()), time.monotonic() + PATIENCE_SECONDS
    while is_running(pid):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def is_running(pid: int) -> bool:
    told = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(told.strip()) and not told.startswith("Z")
