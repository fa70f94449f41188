"""Plays a tournament to its end, in any number of processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Final, Protocol

from lastcard.arena.chunks import play_chunk
from lastcard.arena.cluster import play_on_cluster
from lastcard.arena.results import ChunkResult, Results
from lastcard.arena.schedule import Chunk, Tournament, pack_tournament, unpack_tournament
from lastcard.errors import AgentError, LastcardError, require_int
from lastcard.processes import MARK, Family, guard, mark_environment

_STOPS: Final = (signal.SIGINT, signal.SIGTERM)
_DEATH: Final = "a process that played has died; finished chunks are stored"


class Keeper(Protocol):
    """A place for finished chunks: a `Ledger`, or a `KeptMatch` in a store."""

    @property
    def chunks(self) -> list[ChunkResult]:
        """Chunks played before."""

    @property
    def keeps_games(self) -> bool:
        """True if it wants the games."""

    def append(self, chunk: ChunkResult) -> None:
        """Keeps a chunk for good before it returns."""


def run_tournament(
    tournament: Tournament,
    jobs: int = 1,
    ledger: Keeper | None = None,
    progress: Callable[[Results], None] | None = None,
    ray: str | None = None,
) -> Results:
    """Plays all chunks that the ledger does not hold yet; Ctrl-C stops early and returns the results so far.

    Args:
        tournament: The tournament to play.
        jobs: Processes to play in; the results do not depend on it.
        ledger: Store of finished chunks, including those played before.
        progress: Called after each chunk with the results so far.
        ray: The address of a Ray cluster to play on instead of here, or `auto`; the results do not depend on it either.

    Raises:
        AgentError: if an agent answers with something illegal, or a process dies; the ledger keeps what was finished.

    >>> from lastcard.rules import Rules
    >>> results = run_tournament(Tournament(("heuristic", "random"), Rules.preset("official"), num_deals=200))
    >>> results.is_complete, results.num_deals
    (True, 200)
    """
    require_int("jobs", jobs, 1, 1024, AgentError)
    chunks = list(ledger.chunks) if ledger else []
    results = Results(tournament, chunks)
    pending = (chunk for chunk in tournament.chunks if not results.has(chunk))
    try:
        keep_games = bool(ledger and ledger.keeps_games)
        playing = (
            _play_all(tournament, pending, jobs, keep_games=keep_games)
            if ray is None
            else play_on_cluster(tournament, pending, ray, keep_games=keep_games)
        )
        for finished in playing:
            if ledger:
                ledger.append(finished)
            counted = finished.without_games()  # a long match would fill the memory with games
            chunks.append(counted)
            results.add(counted)
            if progress:
                progress(results)
    except KeyboardInterrupt:
        # Count again: the interrupt may have come in the middle of counting.
        results = Results(tournament, chunks)
        results.was_stopped = True
    return results


def _play_all(
    tournament: Tournament, pending: Iterator[Chunk], jobs: int, *, keep_games: bool
) -> Iterator[ChunkResult]:
    if jobs == 1:
        for chunk in pending:
            yield play_chunk(tournament, chunk, keep_games=keep_games)
        return
    packed = pack_tournament(tournament)
    with _workers(packed, min(jobs, len(tournament.chunks)), keep_games) as connections:
        idle, busy = connections, list[Connection]()
        while True:
            for connection, chunk in _hand_out(idle, pending):
                _send(connection, chunk)
                busy.append(connection)
            if not busy:
                return
            idle = [connection for connection in wait(busy) if isinstance(connection, Connection)]
            for connection in idle:
                busy.remove(connection)
                yield _receive(connection)


def _hand_out(idle: Iterable[Connection], pending: Iterator[Chunk]) -> Iterator[tuple[Connection, Chunk]]:
    for connection in idle:
        chunk = next(pending, None)
        if chunk is None:
            return
        yield connection, chunk


def _send(connection: Connection, chunk: Chunk) -> None:
    try:
        connection.send(chunk)
    except OSError:
        raise AgentError(_DEATH) from None


def _receive(connection: Connection) -> ChunkResult:
    try:
        answer = connection.recv()
    except (EOFError, OSError):
        raise AgentError(_DEATH) from None
    if isinstance(answer, ChunkResult):
        return answer
    assert isinstance(answer, LastcardError)
    raise answer


@contextmanager
def _workers(packed: bytes, jobs: int, keep_games: bool) -> Iterator[list[Connection]]:
    """Processes that play what they are sent. None outlives the block, nor this process."""
    # Not fork: a child would inherit the locks of threads in the core and in the caller.
    context = multiprocessing.get_context("spawn")
    processes: list[BaseProcess] = []
    connections: list[Connection] = []
    mark, environment = mark_environment()
    try:
        with _stops_blocked():
            for _ in range(jobs):
                ours, theirs = context.Pipe()
                given = (theirs, packed, keep_games, environment[MARK])
                process: BaseProcess = context.Process(target=_work, args=given, daemon=True)
                process.start()
                assert process.pid is not None
                guard.watch(process.pid)
                theirs.close()  # else reading would not end when the process dies
                processes.append(process)
                connections.append(ours)
        yield connections
    finally:
        Family([process.pid for process in processes if process.pid and process.is_alive()], mark).kill()
        for process in processes:
            guard.forget(process.pid or 0)
            process.join()
        for connection in connections:
            connection.close()


@contextmanager
def _stops_blocked() -> Iterator[None]:
    """Keeps what stops a command from the processes started within: all are sent it, but only the parent handles it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # started with the first process, it would unblock them
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(connection: Connection, packed: bytes, keep_games: bool, marks: str) -> None:
    for number in _STOPS:
        signal.signal(number, lambda *_: None)  # not SIG_IGN, which programs started from here would inherit
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
    os.environ[MARK] = marks
    tournament: Tournament | LastcardError
    try:
        tournament = unpack_tournament(packed)
    except LastcardError as error:
        tournament = error
    while True:
        try:
            connection.send(_answer(tournament, connection.recv(), keep_games))
        except (EOFError, OSError):
            return  # the parent process is gone


def _answer(tournament: Tournament | LastcardError, chunk: Chunk, keep_games: bool) -> ChunkResult | LastcardError:
    if isinstance(tournament, LastcardError):
        return tournament
    try:
        return play_chunk(tournament, chunk, keep_games=keep_games)
    except LastcardError as error:
        return error
