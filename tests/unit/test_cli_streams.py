"""Commands started without a standard stream, or with one that is full, say so in one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("redirection", "code", "err"),
    [
        (">&-", 2, "error: standard output is closed\n"),
        ("> /dev/full", 2, "error: cannot write standard output: No space left on device\n"),
        ("<&-", 0, ""),
        ("2>&-", 0, ""),
    ],
)
def test_a_missing_or_full_stream(redirection: str, code: int, err: str) -> None:
    command = f"exec {sys.executable} -m lastcard.cli rules {redirection}"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (code, err)
    assert ("lastcard rules NAME" in ran.stdout) == (code == 0)


def test_a_file_name_that_is_no_text_is_printed_all_the_same(tmp_path: Path) -> None:
    file = os.fsencode(tmp_path / "games") + b"\xff.db"
    arena = [sys.executable, "-m", "lastcard.cli", "arena", "random", "random", "--games", "2", "--store"]
    ran = subprocess.run([*map(os.fsencode, arena), file], capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"This is match 1 of " in ran.stdout
