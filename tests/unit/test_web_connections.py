"""Connections that send nothing whole are few per address, and are closed in time."""

from __future__ import annotations

import resource
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest

from benchmarks.load.serving import Restarted, Served

HALF = b"GET /api/catalog HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: "
PATIENCE_SECONDS = 60.0
REQUEST_SECONDS = 2


class Direct(Restarted):
    """A server without a proxy before it: addresses are those of the connections."""

    OPTIONS = ()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Direct(tmp_path_factory.mktemp("server") / "web.db", f"request_seconds={REQUEST_SECONDS}") as server:
        yield server


@contextmanager
def many_files(count: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, count), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def connect(served: Served, source: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", served.port), PATIENCE_SECONDS, (source, 0))


def ask(served: Served, source: str) -> bytes:
    """The first line of an answer."""
    with connect(served, source) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        return connection.makefile("rb").readline()


def is_closed(connection: socket.socket) -> bool:
    """Waits until the server has closed it, and tells whether it did."""
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


def test_half_sent_requests_disturb_nobody_and_are_closed(served: Served) -> None:
    with many_files(4_096), ExitStack() as opened:
        half_sent = []
        for _ in range(2_300):
            try:
                connection = opened.enter_context(connect(served))
                connection.sendall(HALF)
            except ConnectionError:
                continue
            half_sent.append(connection)
        assert ask(served, "127.0.0.2").startswith(b"HTTP/1.1 200")
        assert all(map(is_closed, half_sent))
    assert ask(served, "127.0.0.1").startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "sent", [b"", HALF, b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"]
)
def test_a_request_that_does_not_arrive_in_time_is_closed(served: Served, sent: bytes) -> None:
    with connect(served) as connection:
        begun = time.monotonic()
        with suppress(ConnectionError):  # closed already, on a busy machine
            connection.sendall(sent)
            while time.monotonic() - begun < 1.0:  # a byte now and then does not prolong it
                time.sleep(0.1)
                if sent:
                    connection.sendall(b"x")
        assert is_closed(connection)


def test_a_connection_may_be_used_for_longer_than_a_request_may_take(served: Served) -> None:
    while not use_for_three_seconds(served):
        pass


def use_for_three_seconds(served: Served) -> bool:
    """Asks every half second; False if the server, or this test, was late, and the connection therefore closed."""
    with connect(served) as connection:
        replies = connection.makefile("rb")
        begun = asked = time.monotonic()
        while time.monotonic() - begun < 3.0:
            before, asked = asked, time.monotonic()
            try:
                connection.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                line = replies.readline()
            except ConnectionError:
                line = b""
            if not line:
                assert time.monotonic() - before >= REQUEST_SECONDS, "it was in use all the time"
                return False
            assert line.startswith(b"HTTP/1.1 200")
            length = 0
            while (line := replies.readline().strip()) != b"":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.partition(b":")[2])
            replies.read(length)
            time.sleep(0.5)
    return True
