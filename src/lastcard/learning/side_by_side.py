"""Trainings in several processes, which one GPU serves side by side: it waits for the CPU half of the time."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, TypeVar

from lastcard.errors import AgentError, LastcardError
from lastcard.learning.session import Tick
from lastcard.processes import guard

_Result = TypeVar("_Result")
Training = Callable[[Callable[[Any], None], Callable[[Tick], None]], _Result]
"""A function that trains, tells its points and ticks, and returns a result. It can be pickled."""


def play_side_by_side(
    trainings: Sequence[Training[_Result]], jobs: int, progress: Callable[[Any], None], tick: Callable[[Tick], None]
) -> list[_Result]:
    """Runs trainings, at most `jobs` at a time; `progress` gets their points and results as they come.

    Raises:
        LastcardError: what a training raised; the others are stopped, and have saved their work.
    """
    results: dict[int, _Result] = {}
    if jobs == 1:
        for number, training in enumerate(trainings):
            results[number] = training(progress, tick)
            progress(results[number])
        return list(results.values())
    waiting = list(enumerate(trainings))
    working: dict[Connection, tuple[int, SpawnProcess]] = {}
    try:
        while waiting or working:
            while waiting and len(working) < jobs:
                number, training = waiting.pop(0)
                connection, process = _start(training)
                working[connection] = (number, process)
            ready = wait(list(working))
            for connection in [each for each in working if each in ready]:
                number, process = working[connection]
                kind, told = _receive(connection)
                if kind == "tick" and number == min(first for first, _ in working.values()):
                    tick(told)
                elif kind == "point":
                    progress(told)
                elif kind == "result":
                    _end(process)
                    del working[connection]
                    results[number] = told
                    progress(told)
                elif kind == "error":
                    raise told
    finally:
        for _, process in working.values():
            process.terminate()
        for _, process in working.values():
            _end(process)
    return [results[number] for number in sorted(results)]


def _start(training: Training[_Result]) -> tuple[Connection, SpawnProcess]:
    # Spawned, not forked: CUDA and torch's threads do not survive a fork.
    context = multiprocessing.get_context("spawn")
    connection, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(training, theirs), daemon=True)
    guard.start()
    process.start()
    assert process.pid is not None
    guard.watch(process.pid)
    theirs.close()  # so that the end of the process is the end of the pipe
    return connection, process


def _end(process: SpawnProcess) -> None:
    """Waits for a training to end; the guard forgets it before another process can get its number."""
    wait([process.sentinel])
    guard.forget(process.pid or 0)
    process.join()


def _receive(connection: Connection) -> tuple[str, Any]:
    try:
        kind, told = connection.recv()
    except EOFError:
        return "error", AgentError("a training ended without a result; continue with --resume, or with fewer --jobs")
    return kind, told


def _work(training: Training[_Result], connection: Connection) -> None:
    """Trains in a process of its own, which stops when the first process says so."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    # Ctrl-C reaches every process of the terminal: only the first one takes it, so that none is stopped twice.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, stop)
    try:
        result = training(lambda point: connection.send(("point", point)), lambda tick: connection.send(("tick", tick)))
        connection.send(("result", result))
    except LastcardError as error:
        connection.send(("error", error))
    except (KeyboardInterrupt, BrokenPipeError):
        pass  # nobody waits for the result any more
