"""Nothing that a command starts outlives it, whatever ends the command."""

from __future__ import annotations

import os
import re
import secrets
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import lastcard
from benchmarks.speed.stopping import spent_seconds
from tests.unit.test_engine import BAD, is_running

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")

PATIENCE_SECONDS = 300.0
"""Ends a hang; nothing here is a question of time."""
SLOW = "halving:simulations=10000000"
ENGINE = ("--engine", "{engine}")
COMMANDS = {
    "arena with two processes": ("arena", SLOW, "random", "--games", "64", "--jobs", "2"),
    "arena with an engine": ("arena", "random", *ENGINE),
    "arena with an engine and two processes": ("arena", "random", *ENGINE, "--jobs", "2"),
    "watch": ("watch", "random", *ENGINE),
    "play": ("play", *ENGINE),
    "exploit with two processes": (
        *("exploit", "heuristic", "--start", "scratch", "--start", "scratch", "--jobs", "2"),
        *("--num-envs", "64", "--hidden", "16", "--out", "responses"),
    ),
}
STARTERS = {"arena/tournament_run.py", "engine/program.py", "learning/side_by_side.py", "processes.py"}
"""The modules that start processes; all have them guarded by the last."""


def wait_for(happened: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not happened():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def find_processes(token: str) -> list[int]:
    """Those that run in an environment with the token."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if token.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


@contextmanager
def started(words: tuple[str, ...], token: str, folder: Path, how: signal.Signals) -> Iterator[subprocess.Popen[str]]:
    """Runs a command, which hears the signal even where this process does not."""
    process = subprocess.Popen(
        [sys.executable, "-m", "lastcard.cli", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env={**os.environ, "TOKEN": token, "XDG_STATE_HOME": str(folder)},
        start_new_session=True,
        preexec_fn=lambda: how is signal.SIGKILL or signal.signal(how, signal.SIG_DFL),  # noqa: PLW1509
    )
    with process:
        try:
            yield process
        finally:
            process.kill()
            process.communicate()


def is_at_work(process: subprocess.Popen[str], name: str, note: Path, token: str) -> bool:
    assert process.poll() is None, process.communicate()[0]
    if "{engine}" in COMMANDS[name]:
        engines = 2 if "two" in name else 1
        return note.exists() and note.read_text().count("\n") >= engines + ("arena" in name)  # it is tried once before
    workers = [pid for pid in find_processes(token) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    return sum(spent_seconds(pid) > 1.5 for pid in workers) == 2


@pytest.mark.parametrize(
    "how",
    [
        signal.SIGKILL,
        signal.SIGTERM,
        pytest.param(signal.SIGHUP, marks=pytest.mark.long),
        pytest.param(signal.SIGINT, marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_outlives_a_command(name: str, how: signal.Signals, tmp_path: Path) -> None:
    note, token = tmp_path / "pids", secrets.token_hex()
    engine = shlex.join([*BAD, "lost", str(note)])
    words = tuple(word.format(engine=engine) for word in COMMANDS[name])
    with started(words, token, tmp_path, how) as process:
        wait_for(lambda: is_at_work(process, name, note, token), f"{name} does not work")
        process.send_signal(how)
        output = process.communicate(timeout=PATIENCE_SECONDS)[0]
    assert "Traceback" not in output
    wait_for(lambda: not find_processes(token), f"{find_processes(token)} outlive it")
    pids = list(map(int, note.read_text().split() if note.exists() else ()))
    wait_for(lambda: not any(map(is_running, pids)), f"some of {pids} outlive it")


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_arena_that_is_terminated_prints_the_table_so_far(jobs: int, tmp_path: Path) -> None:
    file = tmp_path / "cup.jsonl"
    words = ("arena", "heuristic", "random", "--games", "10000000", "--jobs", str(jobs), "--out", str(file))
    with started(words, "", tmp_path, signal.SIGTERM) as process:
        wait_for(lambda: file.exists() and file.read_text().count("\n") > 3, "no part is stored")
        os.killpg(process.pid, signal.SIGTERM)  # to the workers as well, as systemd and Slurm do
        output = process.communicate(timeout=PATIENCE_SECONDS)[0]
    assert process.returncode == 130, output
    assert "So far" in output
    assert "A against B: Elo" in output
    assert re.search(r"Stopped early. Resume with: .*lastcard arena --resume", output)


def test_a_fork_does_not_keep_the_children_of_its_parent(tmp_path: Path) -> None:
    """A copy of the guard's pipe would, if the fork held it open."""
    note, token = tmp_path / "pids", secrets.token_hex()
    engine = [*BAD, "lost", str(note)]
    program = f"""
import os, time
from lastcard.engine.client import EngineAgent
agent = EngineAgent({engine!r})
agent.start()
if os.fork() == 0:
    time.sleep(10**6)
os.kill(os.getpid(), 9)
"""
    subprocess.run([sys.executable, "-c", program], env={**os.environ, "TOKEN": token}, check=False)
    wait_for(lambda: len(find_processes(token)) == 1, "the engine outlives its table")
    for pid in find_processes(token):
        os.kill(pid, signal.SIGKILL)


def test_a_guard_that_was_killed_is_replaced(tmp_path: Path) -> None:
    note, token = tmp_path / "pids", secrets.token_hex()
    engine = [*BAD, "lost", str(note)]
    program = f"""
import os
from lastcard.engine.client import EngineAgent
from lastcard.processes import guard
first, second = (EngineAgent({engine!r}) for _ in range(2))
first.start()
guard._process.kill()
guard._process.wait()
second.start()
os.kill(os.getpid(), 9)
"""
    subprocess.run([sys.executable, "-c", program], env={**os.environ, "TOKEN": token}, check=False)
    wait_for(lambda: not find_processes(token), "an engine outlives its table")
    assert note.read_text().count("\n") == 2


def test_processes_are_started_in_known_places_only() -> None:
    starts = re.compile(
        r"\b(subprocess|multiprocessing|ProcessPoolExecutor|os\.(fork|spawn|posix_spawn|system|popen))\b"
    )
    root = Path(lastcard.__file__).parent
    assert {str(path.relative_to(root)) for path in root.rglob("*.py") if starts.search(path.read_text())} == STARTERS
