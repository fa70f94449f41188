"""Errors of every command on a full disk: they name the file that could not be written."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lastcard import Rules, Table
from lastcard.store import open_store
from tests.unit.devices import make_device
from tests.unit.test_cli_commands import Captured, run

MATCH = ["frequency", "first_legal", "--rules", "mini", "--games", "200", "--seed", "3"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["watch", "random", "random", "--rules", "mini", "--record"],
        ["arena", "random", "random", "--games", "4", "--csv"],
        ["tune", "--generations", "1", "--population", "2", "--elite", "1", "--deals", "10", "--out"],
        ["games", "--store", "{store}", "--export"],
    ],
)
def test_the_file_is_named(
    arguments: list[str], tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(tmp_path / "games.db") as store:
        store.add_game(Table(Rules.preset("mini"), ["random", "random"], seed=7).play_round())
    full = make_device(tmp_path, "full")
    words = [word.format(store=tmp_path / "games.db") for word in arguments]
    code, _, err = run(capsys, monkeypatch, *words, full)
    assert (code, err) == (2, f"error: cannot write '{full}': No space left on device\n")


def run_with_room(num_bytes: int, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Runs the command where no file can grow beyond that."""
    code = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, ({num_bytes}, {num_bytes}))
from lastcard.cli.commands import main
sys.argv = ["lastcard", *{list(arguments)!r}]
main()
"""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_a_tournament_whose_file_cannot_grow_is_resumed_later(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cup.jsonl"
    said = f"error: cannot write '{file}': File too large\n"
    ran = run_with_room(10, "arena", *MATCH, "--out", str(file), "--json")
    assert (ran.returncode, ran.stdout, ran.stderr, list(tmp_path.iterdir())) == (2, "", said, [])
    ran = run_with_room(1500, "arena", *MATCH, "--out", str(file), "--json")
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", said)
    assert file.stat().st_size == 1500
    code, out, err = run(capsys, monkeypatch, "arena", "--resume", str(file), "--json")
    assert (code, "had been cut off" in err) == (0, True)
    resumed = json.loads(out)
    code, out, _ = run(capsys, monkeypatch, "arena", *MATCH, "--json")
    undisturbed = json.loads(out)
    for table in (resumed, undisturbed):
        del table["timing"]
    assert resumed == undisturbed


@pytest.mark.parametrize("num_bytes", [0, 100, 4_096, 20_000, 100_000])
def test_a_store_that_cannot_be_created_leaves_no_file(num_bytes: int, tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    ran = run_with_room(num_bytes, "arena", *MATCH, "--store", str(file), "--json")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"error: cannot write {file}: ")
    assert list(tmp_path.iterdir()) == []
