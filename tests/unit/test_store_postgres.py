"""Behavior of a store in PostgreSQL that SQLite does not share."""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from lastcard.actions import Action
from lastcard.errors import StoreError
from lastcard.observation import Observation
from lastcard.record import Record
from lastcard.rules import Rules
from lastcard.shell import install_extra
from lastcard.store import open_store
from lastcard.store.store import Store
from lastcard.store.urls import find_database
from lastcard.table import Table
from tests.postgres import start_server

MINI = Rules.preset("mini")


@pytest.fixture
def url() -> str:
    return start_server().make_url()


def play(*agents: str, seed: int = 7) -> Record:
    return Table(MINI, list(agents) or ["frequency", "random"], seed).play_round()


class Named:
    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, observation: Observation) -> Action:
        return observation.legal_actions[0]


@contextmanager
def held_up(store: Store) -> Iterator[None]:
    """Keeps the writer busy meanwhile."""
    entered, gate = threading.Event(), threading.Event()

    def wait(_: Connection) -> None:
        entered.set()
        gate.wait()

    store._submit(wait)
    entered.wait()
    try:
        yield
    finally:
        gate.set()


@pytest.mark.parametrize("name", ["a\0b", "x" * 100_000, os.urandom(9_000).hex()])
def test_a_value_that_does_not_fit_harms_nothing_beside_it(url: str, name: str) -> None:
    unfit = Table(MINI, [Named(name), Named("b")], seed=1).play_round()
    with open_store(url) as store:
        with held_up(store):
            games = [store.add_game(play()), store.add_game(unfit), store.add_game(play(seed=8))]
        assert store.read_record(games[0].result()) == play()
        assert store.read_record(games[2].result()) == play(seed=8)
        refusal = games[1].exception()
        assert refusal is None or "cannot hold this" in str(refusal)


def test_lost_connections_are_made_again(url: str) -> None:
    with open_store(url) as store:
        first = store.add_game(play()).result()
        start_server().drop_connections()
        second = store.add_game(play(seed=8), key="again").result()
        assert [store.read_record(game) for game in (first, second)] == [play(), play(seed=8)]
        assert store.count_games() == 2


def test_a_transaction_whose_connection_ends_is_tried_again(url: str) -> None:
    tries = []

    def work(connection: Connection) -> None:
        tries.append(connection.execute(text("UPDATE games SET plies = plies + 1")))
        if len(tries) == 1:
            start_server().drop_connections()  # as PostgreSQL itself does after a long pause
        connection.execute(text("UPDATE games SET plies = plies + 1"))

    with open_store(url) as store:
        store.add_game(play()).result()
        [(before,)] = start_server().query("SELECT plies FROM games", url)
        assert isinstance(before, int)
        store._submit(work).result()
        assert len(tries) == 2
        assert start_server().query("SELECT plies FROM games", url) == [(before + 2,)]


def test_a_transaction_that_postgresql_undoes_at_its_commit_is_not_taken_for_stored(url: str) -> None:
    """COMMIT is no error after a statement that has failed, even if the failure went unnoticed."""

    def fail(connection: Connection) -> None:
        with suppress(DBAPIError):
            connection.execute(text("SELECT 1 / 0"))

    with open_store(url) as store:
        with held_up(store):  # so that all are of one transaction
            works: list[Future[Any]] = [store.add_game(play(), key="lost"), store._submit(fail)]
        for work in works:
            with pytest.raises(StoreError, match="cannot write"):
                work.result()
        assert store.count_games() == 0
        store.add_game(play()).result()
        assert store.count_games() == 1


def test_several_processes_write(url: str) -> None:
    with open_store(url) as one, open_store(url) as other:
        games = [store.add_game(play(seed=seed)) for seed in range(20) for store in (one, other)]
        assert len({game.result() for game in games}) == 40
        assert one.count_games() == other.count_games() == 40


def test_transactions_that_meet_in_a_deadlock_are_tried_again(url: str) -> None:
    barrier = threading.Barrier(2)

    def touch(first: int, second: int) -> Callable[[Connection], None]:
        tries = []

        def work(connection: Connection) -> None:
            tries.append(first)
            connection.execute(text(f"UPDATE games SET plies = plies + 1 WHERE id = {first}"))
            if len(tries) == 1:
                barrier.wait(30)
            connection.execute(text(f"UPDATE games SET plies = plies + 1 WHERE id = {second}"))

        return work

    with open_store(url) as one, open_store(url) as other:
        games = [one.add_game(play(seed=seed)).result() for seed in (1, 2)]
        [(before,)] = start_server().query("SELECT sum(plies) FROM games", url)
        assert isinstance(before, int)
        works = [one._submit(touch(*games)), other._submit(touch(*reversed(games)))]
        for work in works:
            work.result()
        assert start_server().query("SELECT sum(plies) FROM games", url) == [(before + 4,)]


def test_a_database_of_another_program_stays_as_it_is(url: str) -> None:
    server = start_server()
    server.query("CREATE TABLE games (id integer)", url)
    for read_only in (False, True):
        with pytest.raises(StoreError, match="a database, but not a store of lastcard's; it stays as it is"):
            open_store(url, read_only=read_only)
    assert server.query(
        "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema()", url
    ) == [(1,)]


def test_a_store_of_another_version_is_refused(url: str) -> None:
    open_store(url).close()
    start_server().query("UPDATE store SET version = 99", url)
    with pytest.raises(StoreError, match="a store of version 99, and this lastcard reads version"):
        open_store(url)


def test_only_reading_cannot_write(url: str) -> None:
    open_store(url).close()
    with open_store(url, read_only=True) as store, pytest.raises(StoreError, match="read-only transaction"):
        store._read(lambda connection: connection.exec_driver_sql("DELETE FROM games").close())


def test_messages_hide_the_password() -> None:
    assert find_database("postgresql://cards:geheim@db.example/cards").name == "postgresql://cards:***@db.example/cards"


def test_without_psycopg_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "lastcard.store.postgres", raising=False)
    for name in [name for name in sys.modules if name.partition(".")[0] == "psycopg"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=re.escape(install_extra("postgres"))):
        open_store("postgresql://localhost/games")


def test_its_size_is_measured_and_its_rows_are_checked(url: str) -> None:
    with open_store(url) as store:
        empty = store.measure_bytes()
        for seed in range(60):
            store.add_game(play(seed=seed))
        store.flush()
        assert store.measure_bytes() > empty > 0
        assert store.measure_free_bytes() is None
        assert list(store.find_damage()) == []
        store.compact()
