"""Copies a store where the disk is too small, or fails at a chosen call: the copy is whole, or there is none.

`check_copies` runs this module as a program with the injector of `faults.py`; each copy is made and read in forks.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import itertools
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from tests.property.faults import Fault, fork, run_program, say

WAYS: Final = {
    "migrate": ("store", "migrate", "{source}", "{target}"),
    "backup": ("store", "backup", "{target}", "--store", "{source}"),
    "export": ("games", "--store", "{source}", "--limit", "1000", "--export", "{target}"),
}
_FAULTS: Final = (Fault.FAIL, Fault.FULL, Fault.KILL)
_GAMES: Final = 64
_SMALLEST, _LARGEST = 0.5, 2.0
"""Sizes of disks, as parts of the size of the copy."""


def fill_source(place: str) -> None:
    """Puts games in a store, which can then be copied."""
    from lastcard import Rules, Table
    from lastcard.store import open_store

    with open_store(place) as store:
        for seed in range(_GAMES):
            store.add_game(Table(Rules.preset("mini"), ["frequency", "random"], seed).play_round()).result()


def check_copies(folder: Path, source: str, count: int, progress: Callable[[int], None] | None = None) -> int:
    """Copies a store in every way, on so many sizes of disks and with so many faults; returns how many copies.

    Raises:
        AssertionError: if one that was called good is not the same, or one that failed left something behind.
    """
    return run_program(__name__, folder, source, str(count), progress=progress)


# The program


class Copier:
    """Copies a store in one way, and looks at what became of it."""

    def __init__(self, folder: Path, source: str, way: str) -> None:
        self._folder = folder
        self._disk = folder / "disk"
        self._disk.mkdir(exist_ok=True)
        self._target = self._disk / "copy"
        self._words = [word.format(source=source, target=self._target) for word in WAYS[way]]
        self._read = Path.read_bytes if way == "export" else _read_rows
        self._shim = ctypes.CDLL(None)
        log = folder / "calls"
        code, _, err = self._copy(partial(self._arm, 0, 0, log))
        assert code == 0, err
        self._expected = self._read(self._target)
        assert way == "export" or self._expected == _read_rows(source), "not the rows of the source"
        self._size = self._target.stat().st_size
        self._target.unlink()
        self._calls = [line.split()[0] for line in log.read_text().splitlines()]

    def checks(self, count: int) -> Iterator[tuple[str, Callable[[], None]]]:
        """Yields a name and a check for each size, and for each fault where they can be injected."""
        for size in _spread(int(_SMALLEST * self._size), int(_LARGEST * self._size), count):
            yield f"{size} bytes", partial(self._try_size, size)
        if sys.platform == "linux":
            for call, fault in zip(_spread(1, len(self._calls), count), itertools.cycle(_FAULTS), strict=False):
                name = f"{fault.name} at {self._calls[call - 1]}, call {call} of {len(self._calls)}"
                yield name, partial(self._try_fault, call, fault)

    def _try_size(self, size: int) -> None:
        with _small_disk(self._disk, size) as limit:
            self._judge(*self._copy(limit))

    def _try_fault(self, call: int, fault: Fault) -> None:
        code, out, err = self._copy(partial(self._arm, call, fault, None))
        # What cannot be removed stays: a killed process removes nothing.
        is_tidy = fault != Fault.KILL and self._calls[call - 1] != "unlink"
        self._judge(code, out, err, is_killed=fault == Fault.KILL, is_tidy=is_tidy)

    def _judge(self, code: int, out: str, err: str, *, is_killed: bool = False, is_tidy: bool = True) -> None:
        found = os.listdir(self._disk)
        if code == 0 or (is_killed and self._target.exists()):
            code, _, told = fork(self._folder, self._compare)
            assert code == 0, f"called good: {out}{told}"
            assert not is_tidy or found == [self._target.name], f"left beside the copy: {found}"
        elif not is_killed:
            assert code == 2, err
            assert err.startswith("error: "), err
            assert len(err.splitlines()) == 1, err
            assert self._target.name not in found, f"a copy in spite of {err}"
            assert not is_tidy or not found, f"left behind: {found}"
        for name in os.listdir(self._disk):
            (self._disk / name).unlink()

    def _compare(self) -> int:
        if self._read is _read_rows:
            code, out, err = say("store", "check", "--store", str(self._target))
            assert code == 0, out + err
        assert self._read(self._target) == self._expected, "not the rows of the source"
        return 0

    def _copy(self, prepare: Callable[[], object]) -> tuple[int, str, str]:
        def work() -> int:
            prepare()
            code, out, err = say(*self._words)
            print(out, end="")
            print(err, end="", file=sys.stderr)
            return code

        return fork(self._folder, work)

    def _arm(self, call: int, fault: int, log: Path | None) -> None:
        told = None if log is None else str(log).encode()
        if sys.platform == "linux":
            self._shim.fault_arm(str(self._disk).encode(), ctypes.c_long(call), int(fault), told)
        elif log:
            log.touch()


def _spread(first: int, last: int, count: int) -> Iterator[int]:
    """Numbers from the first to the last, both included."""
    for index in range(count):
        yield first + index * (last - first) // max(count - 1, 1)


@contextlib.contextmanager
def _small_disk(folder: Path, size: int) -> Iterator[Callable[[], object]]:
    """Lets the folder be a disk of that size, or gives what limits the size of a process's files."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "lastcard", str(folder)]
    if sys.platform != "linux" or os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        yield lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        return
    try:
        yield lambda: None
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def _read_rows(place: str | Path) -> Any:
    """Every row of every table."""
    from sqlalchemy import Connection, select

    from lastcard.store import open_store
    from lastcard.store.schema import METADATA

    def read(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
        tables = METADATA.sorted_tables
        return {table.name: sorted(map(tuple, connection.execute(select(table))), key=repr) for table in tables}

    with open_store(place, read_only=True) as store:
        return store._read(read)


def main() -> None:
    """Makes the copies and prints a JSON line for each: what failed, or null."""
    folder, source, count = sys.argv[1:]
    say("store", "check", "--store", source)  # what this loads, no fork needs to load again
    gc.freeze()
    for way in WAYS:
        for name, check in Copier(Path(folder), source, way).checks(int(count)):
            try:
                check()
                print("null")
            except AssertionError as error:
                print(json.dumps(f"{way}, {name}: {error}"))


if __name__ == "__main__":
    main()
