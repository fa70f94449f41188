"""Tab completes commands, options and names, in a real bash where there is one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lastcard.cli.completion import complete_agents, complete_levels, complete_puzzles, complete_rules

BIN = Path(sys.executable).parent


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("lastcard re", ["replay"]),
        ("lastcard games m", ["matches"]),
        ("lastcard play --lev", ["--level"]),
        ("lastcard play --level h", ["hard", "hardest"]),
        ("lastcard watch heur", ["heuristic"]),
        ("lastcard arena random fre", ["frequency"]),
        ("lastcard play --rules t", ["tournament"]),
        ("lastcard rules hou", ["house"]),
        ("lastcard puzzle w", ["wolf"]),
    ],
)
def test_the_command_completes_its_own_words(words: str, offered: list[str]) -> None:
    environment = {**os.environ, "_LASTCARD_COMPLETE": "complete_bash", "COMP_WORDS": words}
    environment["COMP_CWORD"] = str(len(words.split()) - 1)
    run = subprocess.run([BIN / "lastcard"], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.split() == offered


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_the_script_for_bash_works_there(tmp_path: Path) -> None:
    script = (
        'eval "$(_LASTCARD_COMPLETE=source_bash lastcard)"; COMP_WORDS=(lastcard analy); COMP_CWORD=1;'
        ' _lastcard_completion lastcard; echo "${COMPREPLY[@]}"'
    )
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    run = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["analyse"]


def test_after_a_colon_options_are_offered() -> None:
    assert [value for value, _ in complete_agents("pomcp:simulations=5,refi")] == [
        "pomcp:simulations=5,refill_particles="
    ]
    assert list(complete_agents("nobody:x")) == []


def test_names_come_with_what_they_mean() -> None:
    for offered in (complete_agents(""), complete_rules(""), complete_levels(""), complete_puzzles("")):
        assert all(value and meaning for value, meaning in offered)
