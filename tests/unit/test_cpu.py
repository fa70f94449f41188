"""Choosing the compiled core, and saying which one is in use."""

import os
import subprocess
import sys

import pytest

from lastcard import _core
from lastcard.cpu import choose_code_path

BOTH = ["baseline", "x86-64-v3"]


@pytest.mark.parametrize(
    ("built", "runnable", "wanted", "chosen"),
    [
        (BOTH, BOTH, "", "x86-64-v3"),
        (BOTH, ["baseline"], "", "baseline"),
        (BOTH, BOTH, "baseline", "baseline"),
        (BOTH, BOTH, "x86-64-v3", "x86-64-v3"),
        (["x86-64-v3"], BOTH, "", "x86-64-v3"),
        (["baseline"], BOTH, "", "baseline"),
    ],
)
def test_the_fastest_that_runs_is_chosen(built: list[str], runnable: list[str], wanted: str, chosen: str) -> None:
    assert choose_code_path(built, runnable, wanted) == chosen


@pytest.mark.parametrize(
    ("built", "runnable", "wanted", "message"),
    [
        (BOTH, BOTH, "v3", "LASTCARD_CPU must be baseline or x86-64-v3 in this installation, not 'v3'"),
        (["x86-64-v3"], BOTH, "baseline", "LASTCARD_CPU must be x86-64-v3 in this installation, not 'baseline'"),
        (BOTH, ["baseline"], "x86-64-v3", "LASTCARD_CPU=x86-64-v3: this CPU does not support it; use baseline"),
        (["x86-64-v3"], ["baseline"], "", "this lastcard was built for x86-64-v3, which this CPU does not support"),
        (["x86-64-v3"], ["baseline"], "x86-64-v3", "this lastcard was built for x86-64-v3, which this CPU does not"),
    ],
)
def test_what_cannot_run_is_refused(built: list[str], runnable: list[str], wanted: str, message: str) -> None:
    with pytest.raises(ImportError) as refused:
        choose_code_path(built, runnable, wanted)
    assert message in str(refused.value)


def run(*command: str, cpu: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], env=os.environ | {"LASTCARD_CPU": cpu}, capture_output=True, text=True, check=False
    )


def test_the_variable_may_name_the_code_path_in_use() -> None:
    ran = run("-c", "from lastcard import _core; print(_core.CPU)", cpu=_core.CPU)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"{_core.CPU}\n", "")


@pytest.mark.parametrize("command", [["-m", "lastcard", "rules"], ["-c", "import lastcard"]])
def test_a_wrong_code_path_is_one_line(command: list[str]) -> None:
    ran = run(*command, cpu="pentium")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("error: LASTCARD_CPU must be ")
    assert ran.stderr.endswith("not 'pentium'\n")
    assert ran.stderr.count("\n") == 1


def test_other_errors_keep_their_traceback() -> None:
    program = "try:\n import lastcard\nexcept ImportError: pass\nraise KeyError('mine')"
    ran = run("-c", program, cpu="pentium")
    assert ran.returncode == 1
    assert ran.stderr.startswith("Traceback")
    assert ran.stderr.endswith("KeyError: 'mine'\n")
