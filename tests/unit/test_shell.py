"""Commands in messages work for the person who reads them."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace

import pytest

from lastcard import shell
from tests.docs.pages import ROOT

SCRIPT = Path(sys.executable).with_name("lastcard")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with a space in its name and the program in it, as `make play` leaves one."""
    folder = tmp_path / "my clone" / ".venv" / "bin"
    folder.mkdir(parents=True)
    (folder / "lastcard").symlink_to(SCRIPT)
    return folder.parents[1]


@pytest.mark.parametrize(
    ("words", "on_path", "started"),
    [
        ([".venv/bin/lastcard"], False, ".venv/bin/lastcard"),
        ([".venv/bin/lastcard"], True, "lastcard"),
        (["lastcard"], True, "lastcard"),
        (["../my clone/.venv/bin/lastcard"], False, "'../my clone/.venv/bin/lastcard'"),
        ([sys.executable, "-m", "lastcard"], False, f"{shlex.quote(sys.executable)} -m lastcard"),
    ],
)
@pytest.mark.parametrize("asked", ["watch", "watch --no-such-option", "watch --help"])
def test_a_command_in_a_message_starts_the_program_again(
    words: list[str], on_path: bool, started: str, asked: str, clone: Path
) -> None:
    path = f"{clone}/.venv/bin:/usr/bin:/bin" if on_path else "/usr/bin:/bin"
    environment = {**os.environ, "PATH": path}
    said = subprocess.run([*words, *asked.split()], cwd=clone, env=environment, capture_output=True, check=False)
    told = " ".join((said.stdout + said.stderr).decode().split())
    again = re.search(rf"{re.escape(started)} watch (heuristic random|--help)", told)
    assert again, told
    subprocess.run(again[0], shell=True, cwd=clone, env=environment, capture_output=True, check=True)


@pytest.mark.parametrize(
    "example",
    [
        'advise --hand "r5 bR y+2 w w+4" --top g7 --opponents 7,5,3',
        "exploit champion --start own --start scratch --minutes 7 --out responses",
        'play --level medium --rules "official stacking=same"',
    ],
)
def test_an_example_is_one_line(example: str, clone: Path) -> None:
    environment = {**os.environ, "PATH": "/usr/bin:/bin", "COLUMNS": "60"}
    words = [".venv/bin/lastcard", example.split(maxsplit=1)[0], "--help"]
    said = subprocess.run(words, cwd=clone, env=environment, capture_output=True, text=True, check=True)
    assert f"  Example: .venv/bin/lastcard {example}\n" in said.stdout


def test_a_program_of_others_is_told_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["my_program.py"])
    monkeypatch.setattr(sys, "orig_argv", ["my python", "my_program.py"])
    assert shell.command("replay", "a b.txt") == "'my python' -m lastcard replay 'a b.txt'"


@pytest.mark.parametrize(
    ("marker", "has_pip", "start"),
    [
        ("", True, ".venv/bin/python -m pip install "),
        ("pipx_metadata.json", False, "pipx inject .venv "),
        ("uv-receipt.toml", False, "uv pip install --python .venv/bin/python "),
    ],
)
def test_what_is_missing_is_installed_where_lastcard_is(
    marker: str, has_pip: bool, start: str, clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if marker:
        (clone / ".venv" / marker).touch()
    monkeypatch.setattr(sys, "prefix", str(clone / ".venv"))
    monkeypatch.setattr(sys, "executable", str(clone / ".venv/bin/python"))
    monkeypatch.setattr(shell, "PathFinder", SimpleNamespace(find_spec=lambda name: has_pip or None))
    monkeypatch.chdir(clone)
    assert shell.install("rlcard") == f"{start}rlcard"
    words = shlex.split(shell.install_extra("web"))
    assert shlex.join(words).startswith(start)
    assert 'uvloop<1,>=0.21; sys_platform != "win32"' in words
    assert [word for word in words if "extra" in word or word.startswith("lastcard")] == []


def test_an_extra_is_named_where_nothing_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(shell, "requires", fail)
    assert shell.install_extra("web").endswith(" 'lastcard[web]'")


def test_no_message_writes_such_a_command_itself() -> None:
    said = re.compile(
        r"(raise |say\(|print\(|note\().*(pip install|(?<!of )lastcard (play|watch|arena|replay|train|tune|games))\b"
    )
    sources = (ROOT / "src" / "lastcard").rglob("*.py")
    lines = [f"{file.name}: {line}" for file in sources for line in file.read_text("utf-8").splitlines()]
    assert [line for line in lines if said.search(line)] == []
