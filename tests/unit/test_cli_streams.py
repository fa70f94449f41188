"""Commands started without a standard stream, or with one that is full, say so in one line."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from lastcard import Record, Rules, Table
from lastcard.cli.screen import SPELLED
from lastcard.store import open_store
from tests.docs.pages import ROOT


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


@pytest.mark.parametrize("is_file", [False, True])
def test_games_are_exported_to_standard_output_and_nothing_else_is(is_file: bool, tmp_path: Path) -> None:
    store, out = tmp_path / "games.db", tmp_path / "out"
    with open_store(store) as opened:
        opened.add_game(Table(Rules.preset("mini"), ["random", "random"], seed=7).play_round())
    command = [sys.executable, "-m", "lastcard.cli", "games", "--store", str(store), "--export", "/dev/stdout"]
    with out.open("wb") as file:
        stdout = file if is_file else subprocess.PIPE
        ran = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, check=True)
    assert ran.stderr == b"1 game in /dev/stdout\n"
    text = (out.read_bytes() if is_file else ran.stdout).decode()
    assert Record.from_text(text).agents == ("random", "random")


@pytest.mark.parametrize(
    "words",
    [
        'advise --hand "r5 bR w" --top g7 --opponents 7,5 --simulations 50 --seed 1',
        "analyse examples/round.txt --seat 0 --agent halving:simulations=20",
        "watch random random --seed 3 --game --rules mini",
    ],
)
def test_a_terminal_without_blocks_gets_digits(words: str) -> None:
    shown = []
    for encoding in ("utf-8", "ascii"):
        command = [sys.executable, "-m", "lastcard", *shlex.split(words)]
        environment = {**os.environ, "PYTHONIOENCODING": encoding, "NO_COLOR": "1"}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, encoding=encoding, check=True)
        shown.append(done.stdout)
    rich, plain = shown
    assert plain.isascii()
    assert not rich.isascii()
    assert plain.count("?") == rich.count("?")
    for blocks, digit in (("░▁", "1"), ("▒▃", "3"), ("▓▆", "6"), ("█", "8")):
        assert sum(map(plain.count, digit)) == sum(map(rich.count, digit + blocks))


def test_no_character_that_is_printed_becomes_a_question_mark() -> None:
    sources = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "src" / "lastcard").rglob("*.py"))
    spelled = {sign: sign.encode("ascii", SPELLED) for sign in set(sources) if not sign.isascii()}
    assert [sign for sign, letters in spelled.items() if b"?" in letters] == []
