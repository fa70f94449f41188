"""The package on Windows, as far as `tests/unit/windows.py` can imitate it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.windows import MODULES

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the imitation looks at /proc")

PROGRAM = """
import importlib, pkgutil, sys
import lastcard as lc
from lastcard.advice import Situation, advise
from lastcard.arena.ledger import Ledger
from lastcard.arena.tournament_run import run_tournament
from lastcard.arena.schedule import Tournament
from lastcard.cli import main
from lastcard.engine.client import EngineAgent
from lastcard.errors import LastcardError, RecordError
from lastcard.files import read_file, write_file
from lastcard.store import open_store
from lastcard.weights import Weights

for _ in range(2):
    write_file("bytes", b"one\\ntwo\\n", RecordError)
    assert read_file("bytes", RecordError) == b"one\\ntwo\\n"

mini = lc.Rules.preset("mini")
record = lc.Table(mini, ["heuristic", "random"], seed=7).play_round()
record.save("record.jsonl")
assert lc.Record.load("record.jsonl") == record
Weights.shipped(2).save("weights.json")
assert Weights.load("weights.json") == Weights.shipped(2)
advise(Situation.parse(hand="r5 r9", top="r7", opponents="1"), "heuristic")

cup = Tournament(("heuristic", "random"), mini, num_deals=3, seed=1)
with Ledger.create("cup.jsonl", cup) as ledger:
    run_tournament(cup, ledger=ledger)
with Ledger.resume("cup.jsonl") as ledger:
    assert ledger.chunks
for _ in range(2):
    open_store("store.db").close()

try:
    EngineAgent([sys.executable, "-c", ""]).start()
except LastcardError as error:
    assert "playing against engines needs Linux" in str(error), error
else:
    raise AssertionError("an engine was started")

for module in pkgutil.walk_packages(lc.__path__, "lastcard."):
    if not any(word in module.name for word in ("__main__", ".envs.with_", ".gpu", ".learning")):
        importlib.import_module(module.name)

sys.argv = ["lastcard", "play", "--seed", "7"]
main()
"""


@pytest.mark.parametrize(
    ("module", "name"), [("os", "O_CLOEXEC"), ("os", "fchown"), ("os", "waitid"), ("signal", "SIGKILL")]
)
def test_the_imitation_lacks_what_windows_lacks(module: str, name: str) -> None:
    assert hasattr({"os": os, "signal": signal}[module], name)
    assert not hasattr(MODULES[module], name)


def test_the_package_works_without_what_only_unix_has(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    imitation = Path(__file__).with_name("windows.py")
    ran = subprocess.run(
        [sys.executable, str(imitation), str(program)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "goes out" in ran.stdout
