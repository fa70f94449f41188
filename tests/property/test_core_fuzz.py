"""Nothing that Python passes to `_core` ends the interpreter."""

import subprocess
import sys

NUM_CALLS = 3_000


def test_no_call_crashes_the_interpreter() -> None:
    command = [sys.executable, "-m", "tests.property.core_fuzz", "--calls", str(NUM_CALLS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith(f"{NUM_CALLS:,} calls: ")
    assert "'returned': " in done.stdout, "some calls get past the checks"
