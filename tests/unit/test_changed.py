"""`make quick CHANGED=1` finds what a branch is compared with, or says what is missing."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.changed import changed_files, find_base, git

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit on a branch `work`, and no other branch."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    subprocess.run(["git", "init", "-q", "-b", "work"], check=True)
    name = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *name, "commit", "-q", "--allow-empty", "-m", "one"], check=True)
    return tmp_path


@pytest.mark.parametrize("branch", ["refs/heads/main", "refs/remotes/origin/main"])
def test_changes_are_those_since_main(branch: str, clone: Path) -> None:
    git("update-ref", branch, "HEAD")
    (clone / "new.py").touch()
    assert find_base() == git("rev-parse", "HEAD")[0]
    assert changed_files() == ["new.py"]


def test_a_clone_without_main_is_told_how_to_get_it(clone: Path) -> None:
    with pytest.raises(SystemExit, match="no branch main to compare with; fetch it: git fetch origin main:main"):
        find_base()
