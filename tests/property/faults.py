"""Kills an arena run, or fails one of its calls, at chosen writes, syncs and removals of its store's files.

`check_faults` compiles `faults.cpp`, which counts and disturbs the calls, and runs this module as a program with it.
The program loads everything once and does the rest in forks.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import io
import itertools
import json
import os
import shlex
import shutil
import subprocess
import sys
import traceback
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any, Final

AGENTS: Final = ("frequency", "first_legal")
SEED: Final = 1
SHORT: Final = 32
"""Games of a match whose only checkpoint, which moves SQLite's log into the database, is the one when it closes."""
LONG: Final = 720
"""Games of a match that has one while it runs as well."""
_SERVED: Final = 30
"""One store in so many is opened by `lastcard serve` itself, which takes a second to start."""
_EVERYTHING: Final = ("--json", "--limit", "1000000")


class Fault(IntEnum):
    """Event at the chosen call; the numbers are those of `faults.cpp`."""

    KILL = 1
    """The process is killed before it."""
    TEAR = 2
    """The process is killed after half of a write, or right after another call."""
    FAIL = 3
    """The call fails with EIO, once."""
    FULL = 4
    """Every write from there on fails with ENOSPC."""


@dataclass(frozen=True)
class Point:
    """A call of a run, and what happens there."""

    phase: str
    call: int
    fault: Fault


def check_faults(folder: Path, num_games: int, num_points: int, progress: Callable[[int], None] | None = None) -> int:
    """Disturbs a match of so many games at points spread over its phases, and returns how many there were.

    Raises:
        AssertionError: if a store cannot be opened afterwards, or its table is not that of an undisturbed run.
    """
    return run_program(__name__, folder, str(num_games), str(num_points), progress=progress)


def run_program(name: str, folder: Path, *arguments: str, progress: Callable[[int], None] | None = None) -> int:
    """Runs a module with the injector, which prints what failed, or null, at each point; returns how many there were.

    Raises:
        AssertionError: if anything failed.
    """
    command = [sys.executable, "-m", name, str(folder), *arguments]
    injector = {"LD_PRELOAD": str(_compile(folder))} if sys.platform == "linux" else {}
    environment = {**os.environ, **injector, "PYTHONUNBUFFERED": "1"}
    root = Path(__file__).parents[2]
    failures: list[str] = []
    num_done = 0
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=root, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for num_done, line in enumerate(process.stdout, 1):
            failures += filter(None, [json.loads(line)])
            if progress:
                progress(num_done)
        complaint = process.stderr.read()
    assert process.returncode == 0, complaint
    assert not failures, f"{len(failures)} of {num_done}:\n" + "\n".join(failures)
    return num_done


def _compile(folder: Path) -> Path:
    found = os.environ.get("CXX") or next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), "")
    assert found, "the fault injector takes a C++ compiler, as the core does"
    library = folder / "faults.so"
    source = Path(__file__).with_name("faults.cpp")
    command = [*shlex.split(found), "-std=c++20", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"]
    subprocess.run(command, check=True)
    return library


# The program


class Disturber:
    """Runs a match in forks and disturbs it."""

    def __init__(self, folder: Path, num_games: int) -> None:
        self._folder = folder
        self._num_games = num_games
        self._numbers = itertools.count(1)
        self._shim = ctypes.CDLL(None)
        file = self._file("undisturbed")
        log = folder / "calls"
        self._shim.fault_arm(str(file).encode(), 0, 0, str(log).encode())
        code, out, err = say(*self._begin(file))  # not in a fork: what it loads, no fork needs to load again
        self._shim.fault_arm(b"", 0, 0, None)
        assert code == 0, err
        self.table = _without_times(out)
        calls = [line.split() for line in log.read_text().splitlines()]
        self._phases = _find_phases([(call, path.removeprefix(str(file))) for call, path in calls])

    def points(self, count: int) -> Iterator[Point]:
        """Yields that many points, spread over the phases of the match and over the kinds of faults."""
        faults = itertools.cycle(Fault)
        for number, (phase, calls) in enumerate(self._phases.items()):
            share = (count + number) // len(self._phases)
            for index in range(share):
                # From the first call to the last, both included.
                yield Point(phase, calls[index * (len(calls) - 1) // max(share - 1, 1)], next(faults))

    def disturb(self, point: Point) -> None:
        """Disturbs a run, opens what it left, and finishes it.

        Raises:
            AssertionError: if something cannot be opened, or the table is not that of an undisturbed run.
        """
        number = next(self._numbers)
        file = self._file(f"{number}-{point.phase}-{point.call}-{point.fault.name}")
        arm = (str(file).encode(), ctypes.c_long(point.call), int(point.fault), None)
        code, out, err = self._play(file, lambda: self._shim.fault_arm(*arm))
        if point.fault in (Fault.KILL, Fault.TEAR):
            assert code == -9, "the run was not killed"
        elif code == 0:
            assert _without_times(out) == self.table, "another table"
        else:
            assert code == 2, err
            last = err.splitlines()[-1]
            assert last.startswith("error: "), err
            assert str(file) in last, err
        is_served = number % _SERVED == _SERVED // 2
        code, _, err = fork(self._folder, lambda: self._recover(file, point.phase != "creation", is_served))
        assert code == 0, err
        shutil.rmtree(file.parent)

    def _recover(self, file: Path, is_begun: bool, is_served: bool) -> int:
        """Opens the store in every way, finishes the match and looks whether everything is there."""
        copy = self._file(f"{file.parent.name}-served")
        shutil.copytree(file.parent, copy.parent, dirs_exist_ok=True)
        (_serve if is_served else _open_as_server)(copy)
        shutil.rmtree(copy.parent)
        code, out, err = say("games", "--store", str(file), *_EVERYTHING)
        assert code == 0 or ("there is no store" in err and not is_begun), f"games: {err}"
        before = out.splitlines()
        has_match = code == 0 and bool(say("games", "--store", str(file), "matches", "--json")[1])
        assert has_match or not is_begun, "the match is gone"
        resume = ("arena", "--resume", str(file), "--match", "1", "--json")
        code, out, err = say(*resume) if has_match else say(*self._begin(file))
        assert code == 0, f"resume: {err}"
        assert _without_times(out) == self.table, "another table after resuming"
        after = say("games", "--store", str(file), *_EVERYTHING)[1].splitlines()
        assert len(after) == self._num_games, f"{len(after)} games"
        assert after[len(after) - len(before) :] == before, "a game was lost or changed"
        assert os.listdir(file.parent) == [file.name], f"left behind: {os.listdir(file.parent)}"
        return 0

    def _begin(self, file: Path) -> tuple[str, ...]:
        games = ("--rules", "mini", "--games", str(self._num_games), "--seed", str(SEED))
        return ("arena", *AGENTS, *games, "--store", str(file), "--json")

    def _play(self, file: Path, arm: Callable[[], object]) -> tuple[int, str, str]:
        """Plays the match in a fork, from the start."""

        def play() -> int:
            arm()
            code, out, err = say(*self._begin(file))
            print(out, end="")
            print(err, end="", file=sys.stderr)
            return code

        return fork(self._folder, play)

    def _file(self, name: str) -> Path:
        folder = self._folder / name
        folder.mkdir()
        return folder / "games.db"


def fork(folder: Path, work: Callable[[], int]) -> tuple[int, str, str]:
    """Exit code (negative: the signal), standard output and standard error of work done in a fork."""
    out, err = folder / "out", folder / "err"
    child = os.fork()
    if child == 0:
        for stream, path in ((1, out), (2, err)):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
        try:
            code = work()
        except AssertionError as error:
            code = 1
            print(error, file=sys.stderr)
        except BaseException:  # a fork must not continue the work of its parent
            code = 1
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), out.read_text(), err.read_text()


def say(*arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of `lastcard` with the arguments."""
    from lastcard.cli.commands import main

    sys.argv = ["lastcard", *arguments]
    code: object = 0
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            main()
        except SystemExit as end:
            code = end.code
    return int(str(code or 0)), out.getvalue(), err.getvalue()


def _open_as_server(file: Path) -> None:
    from lastcard.errors import StoreError
    from lastcard.store import open_store

    try:
        with open_store(file) as store:
            for game in store.list_games(limit=3):
                store.read_record(game.number)
    except StoreError as error:
        raise AssertionError(f"serve: {error}") from None


def _serve(file: Path) -> None:
    """Starts the real server on a store and asks for its health."""
    command = [sys.executable, "-m", "lastcard.cli", "serve", "--port", "0", "--store", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        assert server.stdout is not None
        words = server.stdout.readline().split()
        try:
            assert words[:3] == ["lastcard", "is", "at"], f"serve: {' '.join(words)}"
            for check, status in (("health", "ok"), ("health/ready", "ready")):
                with urllib.request.urlopen(f"{words[3].rstrip('/')}/{check}", timeout=60) as reply:
                    assert json.load(reply)["status"] == status, f"serve: not {status}"
        finally:
            server.terminate()
    assert os.listdir(file.parent) == [file.name], f"serve left behind: {os.listdir(file.parent)}"


def _without_times(out: str) -> dict[str, Any]:
    table: dict[str, Any] = json.loads(out)
    del table["timing"]
    return table


def _find_phases(calls: list[tuple[str, str]]) -> dict[str, list[int]]:
    """The numbers, from 1, of the calls of each phase; the file that a call is on tells the phase."""
    synced = [number for number, each in enumerate(calls, 1) if each == ("fdatasync", "-wal")]
    # The log's own header is synced first, then what begins the match.
    begun = synced[1]
    ended = calls.index(("unlink", "-wal")) + 1
    phases: dict[str, list[int]] = {"creation": [], "running": [], "checkpoint": [], "closing": []}
    for number, (_, file) in enumerate(calls, 1):
        if number <= begun:
            phases["creation"].append(number)
        elif number >= ended:
            phases["closing"].append(number)
        else:
            phases["checkpoint" if file == "" else "running"].append(number)
    return phases


def main() -> None:
    """Disturbs a match and prints a JSON line for each point: what failed, or null."""
    folder, num_games, num_points = sys.argv[1:]
    disturber = Disturber(Path(folder), int(num_games))
    gc.freeze()  # forks that look for garbage would copy every page
    for point in disturber.points(int(num_points)):
        try:
            disturber.disturb(point)
            print("null")
        except AssertionError as error:
            print(json.dumps(f"{point}: {error}"))


if __name__ == "__main__":
    main()
