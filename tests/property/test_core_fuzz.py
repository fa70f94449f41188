"""Nothing that Python passes to `_core` ends the interpreter."""

import subprocess
import sys

import pytest

from lastcard import _core
from lastcard.rules import Rules
from lastcard.seeds import seed_bytes

NUM_CALLS = 3_000


def test_no_call_crashes_the_interpreter() -> None:
    command = [sys.executable, "-m", "tests.property.core_fuzz", "--calls", str(NUM_CALLS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith(f"{NUM_CALLS:,} calls: ")
    assert "'returned': " in done.stdout, "some calls get past the checks"


@pytest.mark.parametrize("number", [-1, 81, 255, 65_535, 2**31 - 1])
def test_a_number_of_no_action_is_refused(number: int) -> None:
    referee = _core.Referee(rules=Rules.preset("mini")._compiled, seed=seed_bytes(1), tells_seed=True)
    with pytest.raises(ValueError, match="there is no such action"):
        referee.apply(number)
    assert _core.explain_refusal(referee.round, number) == "there is no such action"
