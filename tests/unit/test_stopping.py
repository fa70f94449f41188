"""Ctrl-C and stop flags end a search within a moment, in Python and in every command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from lastcard.arena.core_match import HeuristicContestant, RandomContestant, play_match
from lastcard.errors import StoppedError
from lastcard.observation import Observation, observe
from lastcard.rules import Rules
from lastcard.search import HalvingConfig, IsmctsConfig, StopFlag, search_by_halving, search_by_ismcts, stopped_by
from lastcard.search.priority import give_way
from lastcard.state import deal
from lastcard.table import Table

OFFICIAL = Rules.preset("official")
FOREVER = HalvingConfig(seconds=60)
PROMPT_SECONDS = 10.0
"""A tenth of a second is usual; a busy machine may take longer, and none takes as long as the searches ask for."""
IDLE_SECONDS = 20.0
"""Time for a thread at idle priority, which runs when no other wants to and so notices late on a busy machine."""

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


@pytest.fixture
def seen() -> Observation:
    return observe(deal(OFFICIAL, seed=5), 0)


def test_a_signal_ends_every_search_and_the_next_one_works() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.unit.interrupted"], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr
    seconds = json.loads(done.stdout)
    assert len(seconds) == 16
    assert max(seconds.values()) < PROMPT_SECONDS, seconds


def test_a_flag_ends_a_search_in_another_thread(seen: Observation) -> None:
    flag = StopFlag()
    threading.Timer(0.1, flag.set).start()
    start = time.monotonic()
    with pytest.raises(StoppedError), stopped_by(flag):
        search_by_halving(seen, FOREVER)
    assert time.monotonic() - start < PROMPT_SECONDS
    assert flag.is_set
    assert search_by_halving(seen).best is search_by_halving(seen).best


def test_a_flag_that_is_set_ends_what_begins_later(seen: Observation) -> None:
    flag = StopFlag()
    flag.set()
    with pytest.raises(StoppedError), stopped_by(flag):
        search_by_halving(seen, FOREVER)


def test_a_flag_ends_a_search_that_has_tried_nothing_yet(seen: Observation) -> None:
    """More trees than simulations: the first ones stay empty."""
    flag = StopFlag()
    flag.set()
    with pytest.raises(StoppedError), stopped_by(flag):
        search_by_ismcts(seen, IsmctsConfig(simulations=1, trees=64))


def test_flags_nest_and_end_only_their_own(seen: Observation) -> None:
    outer, inner = StopFlag(), StopFlag()
    inner.set()
    with stopped_by(outer):
        with pytest.raises(StoppedError), stopped_by(inner):
            play_match(OFFICIAL, [HeuristicContestant(), RandomContestant()], 10**8)
        assert search_by_halving(seen).best in seen.legal_actions
    assert not outer.is_set


@pytest.mark.parametrize("gives_way", [False, True])
def test_a_flag_ends_a_search_whatever_its_priority(gives_way: bool, seen: Observation) -> None:
    flag, ended = StopFlag(), list[float]()

    def work() -> None:
        if gives_way:
            give_way()
        with pytest.raises(StoppedError), stopped_by(flag):
            search_by_halving(seen, HalvingConfig(seconds=40, threads=2))
        ended.append(time.monotonic())

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.1)
    start = time.monotonic()
    flag.set()
    thread.join(30)
    assert ended[0] - start < (IDLE_SECONDS if gives_way else PROMPT_SECONDS)


# Commands


def spent_seconds(pid: int) -> float:
    """CPU time of a process and the children it has now."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(spent_seconds(int(child)) for child in children)


def interrupt(arguments: list[str], at_seconds: float) -> tuple[int, str, float]:
    """Runs a command, sends Ctrl-C to all its processes once they have worked that long: exit code, output, seconds."""
    process = subprocess.Popen(
        [sys.executable, "-m", "lastcard.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        # A shell's background jobs ignore Ctrl-C, and so would what they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    deadline = time.monotonic() + 60
    while spent_seconds(process.pid) < at_seconds and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.02)
    start = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    return process.returncode, output, time.monotonic() - start


@LINUX
@pytest.mark.parametrize(
    ("command", "at_seconds"),
    [
        (["advise", "--hand", "r5 bR y+2", "--top", "r7", "--opponents", "7", "--seconds", "40"], 1.2),
        (["watch", "halving:seconds=40", "random"], 1.2),
        (["arena", "halving:seconds=40", "random", "--games", "4"], 1.2),
        (["arena", "halving:seconds=40", "random", "--games", "4", "--jobs", "2"], 2.5),
        (["explain", "halving:simulations=10000000", "-p", "top r5 | seat 0: r7 b5 g7 y1 | seat 1: g1 g2 g3"], 1.2),
    ],
)
def test_ctrl_c_ends_a_command_that_searches(command: list[str], at_seconds: float) -> None:
    code, output, seconds = interrupt(command, at_seconds)
    assert code == 130, output
    assert "Traceback" not in output
    assert seconds < PROMPT_SECONDS


@LINUX
def test_ctrl_c_ends_an_analysis_with_what_was_judged(tmp_path: Path) -> None:
    file = tmp_path / "round.txt"
    Table(OFFICIAL, ["heuristic", "random"], seed=5).play_round().save(file)
    code, output, seconds = interrupt(["analyse", str(file), "--agent", "halving:simulations=10000000"], 1.2)
    assert code == 130, output
    assert "Stopped: 0 of " in output
    assert seconds < PROMPT_SECONDS
