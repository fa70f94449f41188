"""The terminal's output, compared with committed files. UPDATE_GOLDEN=1 writes them again."""

import os
import shlex
import sys
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from lastcard.arena import chunks
from lastcard.cli.commands import main

HERE = Path(__file__).parent / "cli"
EXAMPLES = Path(__file__).parents[2] / "examples"
CASES = {
    "watch-official": "watch first_legal random --seed 7",
    "watch-house": "watch random random first_legal --rules house --seed 12",
    "watch-tournament-json": "watch random random --rules tournament --seed 5 --json",
    "replay-truth": "replay {record}",
    "replay-seat": "replay {record} --seat 1",
    "rules": "rules",
    "rules-house": "rules house players=3",
    "advise": "advise --hand 'r5 r9 g2 bR y+2 w w+4' --top g7 --opponents 7,5,3"
    " --history 'turned up g1; 1 draws 1; 2 plays g7; 3 draws 1' --seed 1",
    "arena": "arena heuristic random frequency --games 301 --seed 7",
    "arena-four": "arena heuristic random --players 4 --games 2000 --seed 7",
    "arena-table": "arena heuristic random frequency --table --games 90 --seed 7 --to-score",
    "arena-sprt": "arena heuristic random --sprt 0 10 --games 20000 --seed 7",
    "puzzle-river": "puzzle river",
    "puzzle-wolf": "puzzle wolf",
    "analyse": "analyse {examples}/round.txt --top 3",
    "analyse-seat": "analyse {examples}/round.txt --seat 0 --agent halving:simulations=500",
    "explain": "explain halving --position 'top r5 | seat 0: r7 b5 w | seat 1: g1 yR'",
    "explain-expectiminimax": "explain expectiminimax --position 'top r5 | seat 0: r7 b5 w | seat 1: g1 yR'",
    "explain-expectiminimax-published": "explain expectiminimax:as_published --seed 1"
    " --position 'rules numbers | top r0 | seat 0: r1 y0 y1 | seat 1: b9'",
    "explain-ismcts": "explain ismcts:simulations=2000 --position 'top r5 | seat 0: r7 b5 w | seat 1: g1 yR'",
    "explain-mcts-published": "explain mcts:as_published --position 'rules official players=4 | top r5"
    " | seat 0: r7 b5 w | seat 1: g1 yR | seat 2: b1 b4 | seat 3: g4 g5 g6'",
    "explain-pomcp-json": "explain pomcp:simulations=500 --position 'top r5 | seat 0: r7 b5 | seat 1: g1 yR' --json",
    "explain-pomcp-published": "explain pomcp:as_published --position 'top r5 | seat 0: r7 b5 w | seat 1: g1 yR'",
    "explain-heuristic": "explain heuristic --position 'top r5 | seat 0: r7 b5 w | seat 1: g1 yR'",
    "explain-frequency": "explain frequency --position 'top r5 | seat 0: r7 b5 | seat 1: g1 yR'",
    "help": "--help",
    "help-arena": "arena --help",
    "help-play": "play --help",
    "help-advise": "advise --help",
    "help-games": "games --help",
    "help-analyse": "analyse --help",
    "help-explain": "explain --help",
    "help-serve": "serve --help",
}


@pytest.mark.parametrize("name", CASES)
def test_output_is_as_committed(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = count()
    monkeypatch.setattr(chunks, "time", SimpleNamespace(perf_counter=lambda: next(ticks) * 1.5e-3))
    record = tmp_path / "record.txt"
    if "{record}" in CASES[name]:
        _run(monkeypatch, f"watch random random --rules tournament --seed 2 --record {record}")
        capsys.readouterr()
    _run(monkeypatch, CASES[name].format(record=record, examples=EXAMPLES))
    read = capsys.readouterr().out
    file = HERE / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        HERE.mkdir(exist_ok=True)
        file.write_text(read, encoding="utf-8")
    assert read == file.read_text(encoding="utf-8")


def _run(monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    words = shlex.split(command)
    monkeypatch.setattr(sys, "argv", ["lastcard", *words])
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERMINAL_WIDTH", "80")
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 0
