"""Plays chunks on a Ray cluster: the same results as here, on as many machines as there are."""

from __future__ import annotations

import logging
import signal
import socket
import sys
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager, redirect_stdout
from importlib.util import find_spec
from typing import Any, Final, TextIO, cast

from lastcard.arena.chunks import play_chunk
from lastcard.arena.results import ChunkResult
from lastcard.arena.schedule import Chunk, Tournament, pack_tournament, unpack_tournament
from lastcard.errors import AgentError, LastcardError
from lastcard.shell import install_extra
from lastcard.version import __version__

_MOST_DEATHS: Final = 20
"""Maximum number of retries of a chunk whose machine or process died; beyond that, the chunk itself may be the cause.
"""
_AHEAD: Final = 2
"""Chunks handed out for each core: the next one is there when one is finished."""
_ANSWER_SECONDS: Final = 10.0
_LOOK_SECONDS: Final = 1.0  # machines join and leave: so often are the cores counted again


def check_ray() -> None:
    """Makes sure that Ray is there, before anything else is done.

    Raises:
        AgentError: if it is not installed.
    """
    if find_spec("ray") is None:
        raise AgentError(f"playing on a cluster needs Ray: {install_extra('ray')}")


def play_on_cluster(
    tournament: Tournament, pending: Iterator[Chunk], address: str, *, keep_games: bool = False
) -> Iterator[ChunkResult]:
    """Plays the chunks on the cluster at the address, `auto` for the one this machine belongs to.

    A chunk whose machine dies is played again elsewhere: each comes back once.

    Raises:
        AgentError: if Ray or the cluster is not there, or a chunk cannot be played.
    """
    check_ray()
    import ray

    packed = pack_tournament(tournament)
    with _connected(address):
        play = ray.remote(num_cpus=1, max_retries=_MOST_DEATHS)(_play)
        running: list[Any] = []
        try:
            while True:
                room = _AHEAD * int(ray.cluster_resources().get("CPU", 1)) - len(running)
                running += [play.remote(__version__, packed, chunk, keep_games) for chunk in _take(pending, room)]
                if not running:
                    return
                done, running = ray.wait(running, timeout=_LOOK_SECONDS)
                for task in done:
                    yield _fetch(task)
        finally:
            for task in running:
                ray.cancel(task)


def _take(pending: Iterator[Chunk], count: int) -> Iterator[Chunk]:
    for _ in range(count):
        chunk = next(pending, None)
        if chunk is None:
            return
        yield chunk


def _fetch(task: Any) -> ChunkResult:
    import ray

    try:
        answer = ray.get(task)
    except ray.exceptions.RayError as error:
        reason = str(error).strip().splitlines()[0]
        raise AgentError(f"a chunk could not be played on the cluster; finished chunks are stored: {reason}") from None
    if isinstance(answer, ChunkResult):
        return answer
    assert isinstance(answer, LastcardError)
    raise answer


def _play(asked: str, packed: bytes, chunk: Chunk, keep_games: bool) -> ChunkResult | LastcardError:
    """Runs on a machine of the cluster."""
    if asked != __version__:
        return AgentError(
            f"a machine of the cluster has lastcard {__version__}, not {asked}: the results would not be the same"
        )
    try:
        return play_chunk(unpack_tournament(packed), chunk, keep_games=keep_games)
    except LastcardError as error:
        return error


@contextmanager
def _connected(address: str) -> Iterator[None]:
    import ray

    if ray.is_initialized():  # by the caller, who also shuts it down
        yield
        return
    before = set(threading.enumerate())
    terminate = signal.getsignal(signal.SIGTERM)
    _check_address(address)
    try:
        with redirect_stdout(sys.stderr):
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise _no_cluster(address, str(error).strip().splitlines()[0]) from None
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, terminate)  # Ray's own handler would end this process without its results
    outer = sys.stdout
    inner = sys.stdout = cast(TextIO, _WithoutRay(outer, set(threading.enumerate()) - before))
    try:
        yield
    finally:
        with redirect_stdout(sys.stderr):
            ray.shutdown()
        if sys.stdout is inner:
            sys.stdout = outer


def _check_address(address: str) -> None:
    """Makes sure that something listens there: Ray itself would wait for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not port.isdecimal():
        return  # `auto` and `local`
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_ANSWER_SECONDS).close()
    except (OSError, OverflowError, UnicodeError) as error:
        raise _no_cluster(address, str(error)) from None


def _no_cluster(address: str, reason: str) -> AgentError:
    return AgentError(f"no Ray cluster at {address}; `ray start --head` starts one on this machine ({reason})")


class _WithoutRay:
    """Standard output without Ray's own threads: their messages go to standard error.

    They report dead workers and machines, and these messages would end up in the middle of the JSON output.
    """

    def __init__(self, stream: TextIO, threads: Collection[threading.Thread]) -> None:
        self._stream = stream
        self._threads = threads

    def __getattr__(self, name: str) -> Any:
        is_rays = threading.current_thread() in self._threads
        return getattr(sys.stderr if is_rays else self._stream, name)
