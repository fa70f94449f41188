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

from benchmarks.speed.stopping import (
    COMMANDS,
    ENGINE_LINES,
    MANY,
    PATIENCE_SECONDS,
    TRAININGS,
    hear_ctrl_c,
    interrupt_command,
    spent_seconds,
)
from lastcard.arena.core_match import HeuristicContestant, RandomContestant, play_match
from lastcard.errors import StoppedError
from lastcard.observation import Observation, observe
from lastcard.rules import Rules
from lastcard.search import HalvingConfig, IsmctsConfig, StopFlag, search_by_halving, search_by_ismcts, stopped_by
from lastcard.search.priority import give_way
from lastcard.state import deal
from lastcard.table import Table

OFFICIAL = Rules.preset("official")
FOREVER = HalvingConfig(simulations=MANY)
"""Takes minutes, and on a busy machine longer; `benchmarks.speed.stopping` measures how soon a search stops."""

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


@pytest.fixture
def seen() -> Observation:
    return observe(deal(OFFICIAL, seed=5), 0)


def test_a_signal_ends_every_search_and_the_next_one_works() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.speed.stopping", "--searches"],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)) == 16


def test_a_flag_ends_a_search_in_another_thread(seen: Observation) -> None:
    flag = StopFlag()
    threading.Timer(0.1, flag.set).start()
    with pytest.raises(StoppedError), stopped_by(flag):
        search_by_halving(seen, FOREVER)
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
    flag, ended = StopFlag(), threading.Event()

    def work() -> None:
        if gives_way:
            give_way()
        with pytest.raises(StoppedError), stopped_by(flag):
            search_by_halving(seen, HalvingConfig(simulations=MANY, threads=2))
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.1)
    flag.set()
    thread.join()
    assert ended.is_set()


# Commands


@LINUX
@pytest.mark.parametrize(
    "name",
    [
        "advise by time",
        "watch",
        "arena",
        "explain",
        *(
            pytest.param(name, marks=pytest.mark.long)
            for name in ("arena with two processes", "bench", "tune", *TRAININGS)
        ),
    ],
)
def test_ctrl_c_ends_a_command(name: str, tmp_path: Path) -> None:
    arguments, at_seconds = {**COMMANDS, **TRAININGS}[name]
    code, output, _ = interrupt_command(arguments, at_seconds, tmp_path)
    assert code == 130, output
    assert "Traceback" not in output


@LINUX
def test_ctrl_c_ends_an_engine_that_thinks(tmp_path: Path) -> None:
    code, output, _ = interrupt_command(*COMMANDS["engine"], tmp_path)
    assert code == 130, output
    assert "info" in output


SLOW_TO_END = """
import builtins, time
class Slow:
    def __del__(self, sleep=time.sleep):
        sleep(5)
builtins.slow = Slow()
"""
"""Python ends slowly here, and ends every thread that comes back from the core meanwhile."""
SEARCH_ASIDE = """
import threading
from lastcard.observation import observe
from lastcard.rules import Rules
from lastcard.search import HalvingConfig, search_by_halving
from lastcard.state import deal
seen = observe(deal(Rules.preset("official"), seed=5), 0)
threading.Thread(target=search_by_halving, args=(seen, HalvingConfig(seconds=3)), daemon=True).start()
time.sleep(0.5)
"""


@LINUX
def test_a_program_ends_while_a_thread_of_it_searches() -> None:
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", SLOW_TO_END + SEARCH_ASIDE],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert time.monotonic() - start > 5, "Python ended before the search could come back"


@LINUX
def test_a_fork_does_not_wait_for_a_search_of_its_parent() -> None:
    fork = "import os, sys\nif os.fork() == 0: sys.exit(3)\nstatus = os.wait()[1]\n"
    told = "print(os.waitstatus_to_exitcode(status), threading.active_count())"
    aside = SEARCH_ASIDE.replace("seconds=3", f"simulations={MANY}")
    done = subprocess.run(
        [sys.executable, "-c", "import time" + aside + fork + told],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["3", "2"], "the parent still searches when the child has ended"


@LINUX
def test_ctrl_c_ends_an_engine_whose_search_is_almost_done() -> None:
    with subprocess.Popen(
        [
            sys.executable,
            "-c",
            SLOW_TO_END + "from lastcard.cli.commands import main; main()",
            "engine",
            "--agent",
            "halving",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_ctrl_c,  # noqa: PLW1509
    ) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        assert engine.stderr is not None
        engine.stdin.writelines(f"{line}\n" for line in (*ENGINE_LINES[:-1], "go seconds 3"))
        engine.stdin.flush()
        assert any(line.startswith("info") for line in engine.stdout)
        engine.send_signal(signal.SIGINT)
        assert engine.wait(PATIENCE_SECONDS) == 130, engine.stderr.read()


@LINUX
def test_ctrl_c_saves_a_game_while_an_opponent_thinks(tmp_path: Path) -> None:
    terminal, end = os.openpty()
    command = [sys.executable, "-m", "lastcard.cli", "play", "--against", f"halving:simulations={MANY}", "--seed", "1"]
    environment = {**os.environ, "TERM": "dumb", "XDG_STATE_HOME": str(tmp_path)}
    with subprocess.Popen(
        command,
        stdin=end,
        stdout=end,
        stderr=end,
        start_new_session=True,
        env=environment,
        preexec_fn=hear_ctrl_c,  # noqa: PLW1509
    ) as game:
        os.write(terminal, b"1\n")
        while spent_seconds(game.pid) < 2 and game.poll() is None:
            time.sleep(0.02)
        os.killpg(game.pid, signal.SIGINT)
        assert game.wait(PATIENCE_SECONDS) == 0
    assert "Saved. Resume with" in os.read(terminal, 65_536).decode()
    assert "y5" in (tmp_path / "lastcard" / "left.txt").read_text()
    os.close(terminal)
    os.close(end)


@LINUX
def test_ctrl_c_ends_an_analysis_with_what_was_judged(tmp_path: Path) -> None:
    Table(OFFICIAL, ["heuristic", "random"], seed=5).play_round().save(tmp_path / "round.txt")
    code, output, _ = interrupt_command(*COMMANDS["analyse"], tmp_path)
    assert code == 130, output
    assert "Stopped: 0 of " in output
