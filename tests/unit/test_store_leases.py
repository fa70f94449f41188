"""Several processes write a store in PostgreSQL, and each game belongs to one of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from typing import Any

import pytest
from sqlalchemy import Connection, text

from lastcard.errors import StoreError
from lastcard.rules import Rules
from lastcard.store import lease_rows, open_store
from lastcard.store.lease_rows import LostLeaseError
from lastcard.store.store import Store
from lastcard.store.utc import now
from lastcard.table import Table
from tests.postgres import start_server
from tests.unit.test_store_postgres import held_up

MINI = Rules.preset("mini")
NAMES = ("human", "random")


@pytest.fixture
def url() -> str:
    return start_server().make_url()


@pytest.fixture
def both(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Store, Store]]:
    """Two processes that share a store. A lease runs out when a test says so, however slow the machine is."""
    hour = lease_rows._LATER.replace(f"{lease_rows.LEASE_SECONDS} seconds", "1 hour")
    monkeypatch.setattr(lease_rows, "_LATER", hour)
    with open_store(url) as one, open_store(url) as other:
        for number, store in enumerate((one, other)):
            store.owner = store.register(f"127.0.0.1:{number}", f"secret {number}").result()
        yield one, other


def begin(store: Store, key: str = "game") -> int:
    beginning = store.begin_sitting(MINI, NAMES, 7, seat=0, key=key, token_hash="hash", settings={}, people=(0,))
    return beginning.result()


def act(store: Store, game: int, number: int = 1) -> Future[bool]:
    """Stores an action of the game, which the table of the seed has."""
    table = Table(MINI, ["random", "random"], seed=7)
    for _ in range(1, number):
        table.apply(table.state.legal_actions[0])
    seat, action = table.state.seat, table.state.legal_actions[0]
    assert seat is not None
    return store.append_action(game, action, round_number=1, number=number, seat=seat)


def expire(url: str, store: Store) -> None:
    """Lets a process seem silent for longer than its lease."""
    start_server().query(f"UPDATE processes SET expires = timestamp '2000-01-01' WHERE id = {store.owner}", url)


def test_a_game_belongs_to_the_process_that_began_it(both: tuple[Store, Store]) -> None:
    one, other = both
    game = begin(one)
    assert not other.claim(game).result()
    assert one.claim(game).result()
    assert other.find_peers(["game"])["game"].secret == "secret 0"
    assert one.find_peers(["game"]) == {}
    assert act(one, game).result()
    for number in (1, 2):
        with pytest.raises(LostLeaseError):
            act(other, game, number).result()
    assert act(one, game, 2).result()


WRITES: dict[str, Callable[[Store, int], Future[Any]]] = {
    "first action": act,
    "next action": lambda store, game: act(store, game, 2),
    "round": lambda store, game: store.note_round(game, 1),
    "seat taken": lambda store, game: store.take_seat(game, 1, token_hash="other", name="Ada"),
    "seat given up": lambda store, game: store.give_up_seat(game, 0, token_hash="hash", how="left"),
    "end": lambda store, game: store.finish_game(game, Table(MINI, ["random", "random"], 7).play_round()),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_process_that_lost_its_lease_writes_nothing(
    url: str, both: tuple[Store, Store], write: Callable[[Store, int], Future[Any]]
) -> None:
    one, other = both
    game = begin(one)
    assert act(one, game).result()
    expire(url, one)
    assert other.claim(game).result()
    with pytest.raises(LostLeaseError):
        write(one, game).result()
    assert act(other, game, 2).result()
    assert one.renew().result() is None
    assert other.renew("{}").result() == {other.owner: "{}"}


def test_a_write_that_is_not_committed_keeps_the_lease_until_it_is_undone(url: str, both: tuple[Store, Store]) -> None:
    """A process may be paused between an action and its commit."""
    one, other = both
    game = begin(one)
    assert act(one, game).result()
    entered, gate = threading.Event(), threading.Event()

    def pause(_: Connection) -> None:
        entered.set()
        gate.wait(30)

    with held_up(one):  # so that both are of one transaction
        acting, pausing = act(one, game, 2), one._submit(pause)
    assert entered.wait(30)
    try:
        expire(url, one)
        assert other.claim(game).result()  # PostgreSQL ends the transaction of the one that is paused
    finally:
        gate.set()
    for written in (acting, pausing):
        with pytest.raises(StoreError):
            written.result()
    with pytest.raises(LostLeaseError):
        act(one, game, 2).result()
    assert act(other, game, 2).result()


def test_a_process_does_not_wait_for_a_transaction_of_another(both: tuple[Store, Store]) -> None:
    """Whatever one writes about its own games stays open, and the other writes the same about its own."""
    one, other = both
    games = {store: [begin(store, f"{store.owner} {number}") for number in range(3)] for store in both}

    def write(store: Store) -> list[Future[Any]]:
        played, departed, _ = games[store]
        keys = [f"{store.owner} again", f"{store.owner} imported"]
        writing: list[Future[Any]] = [
            act(store, played),
            act(store, played, 2),
            store.take_seat(departed, 1, token_hash=f"other {store.owner}", name="Ada"),
            store.give_up_seat(departed, 0, token_hash="hash", how="left"),
            store.note_round(played, 1),
            store.begin_sitting(MINI, NAMES, 7, seat=0, key=keys[0], token_hash="hash", settings={}, people=(0,)),
            store.import_game(Table(MINI, ["random", "random"], 7).play_round(), keys[1], "hash"),
            store.claim(games[store][2]),
            store.renew("{}"),
            store.probe(),
        ]
        store.release(games[store][2])
        return writing

    begun, gate = threading.Event(), threading.Event()

    def pause(connection: Connection) -> None:
        connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        begun.set()
        gate.wait()

    waits = start_server().count_lock_waits()
    with held_up(one):  # so that all are of one transaction
        pending = [*write(one), one._submit(pause)]
    begun.wait()
    try:
        writing = write(other)
        while wait(writing, timeout=0.02).not_done:
            assert start_server().count_lock_waits() == waits, "they wait for the transaction"
        for written in writing:
            written.result()
        assert not any(each.done() for each in pending), "they were written while the transaction was open"
    finally:
        gate.set()
    for each in pending:
        each.result()
    assert start_server().count_lock_waits() == waits


def test_a_process_that_is_late_keeps_its_games_until_another_looks(url: str, both: tuple[Store, Store]) -> None:
    one, other = both
    game = begin(one)
    expire(url, one)
    second = begin(one, "second")
    assert one.claim(game).result()
    assert act(one, second).result()
    expire(url, one)
    assert other.claim(game).result()
    with pytest.raises(LostLeaseError):
        begin(one, "third")


def test_games_are_free_when_their_process_ends(both: tuple[Store, Store]) -> None:
    one, other = both
    first, second = begin(one), begin(one, "second")
    one.release(first)
    one.flush()
    assert other.claim(first).result()
    assert not other.claim(second).result()
    one.retire().result()
    assert other.claim(second).result()


def test_games_of_other_processes_are_not_pruned(both: tuple[Store, Store]) -> None:
    one, other = both
    begin(one)
    assert other.prune(now()) == 0
    one.retire().result()
    assert other.prune(now()) == 1
