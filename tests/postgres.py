"""The PostgreSQL of the tests: started when one first needs it, stopped when they end. Statements past the store."""

from __future__ import annotations

import atexit
import functools
import sqlite3
from contextlib import closing

import pytest

from benchmarks.load.postgres import Server, find_programs


@functools.cache
def start_server() -> Server:
    """The server of this process, started on the first call; skips the test where PostgreSQL is not installed."""
    if find_programs() is None:
        pytest.skip("PostgreSQL is not installed; on Debian: apt-get install postgresql")
    server = Server(is_durable=False)  # tests kill lastcard, and cut no power
    atexit.register(server.stop)
    return server


def query(place: str, text: str) -> list[tuple[object, ...]]:
    """Runs a statement on the tables of a store at a path or URL, past lastcard; returns its rows."""
    if place.startswith("postgresql:"):
        return start_server().query(text, place)
    with closing(sqlite3.connect(f"file:{place}?mode=rw", uri=True)) as connection, connection:
        return connection.execute(text).fetchall()
