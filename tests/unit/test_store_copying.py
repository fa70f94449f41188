"""A store moves from one database to another, row by row, or not at all."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, select
from sqlalchemy import Table as Tables
from typer.testing import CliRunner

from lastcard.cli.commands import app
from lastcard.errors import StoreError
from lastcard.record import Record
from lastcard.rules import Rules
from lastcard.store import copying, migrate_store, open_store, postgres, sqlite_file
from lastcard.store.entry import GameEntry
from lastcard.store.schema import GAMES, METADATA
from lastcard.store.store import Store
from lastcard.store.urls import find_database
from lastcard.table import Table
from tests.old_judgements import put_judgement
from tests.postgres import start_server


def play(seed: int = 7) -> Record:
    return Table(Rules.preset("official"), ["random", "heuristic"], seed).play_round()


def fill(store: Store) -> None:
    """Puts a row in most tables."""
    store.add_game(play(), key="whole")
    match = store.begin_match({"rules": "official", "players": 2, "seed": 1}, ["random", "heuristic"]).result()
    store.add_chunk(match, 0, 0, {"x": 1}, [GameEntry.of(play(8))]).result()
    store.rate_match(match, [(1500.1, 0.3), None], is_complete=True).result()
    uploaded = store.import_game(play(9), "up", "ff").result()
    for analyst in ("judge", "Judge", "Älter", "_"):  # sorted otherwise in most languages
        put_judgement(store, uploaded, analyst, {"round": 1, "name": "Zoë"})
    agents = ("human", "random")
    rules = Rules.preset("official")
    told = {"seat": 0, "key": "live", "token_hash": "aa", "settings": {}}
    game = store.begin_sitting(rules, agents, 2**255 + 1, people=(0, 1), **told).result()  # type: ignore[arg-type]
    store.take_seat(game, 1, token_hash="bb", name="Eve").result()
    table = Table(rules, ["random", "random"], 2**255 + 1)
    seat = table.state.seat
    assert seat is not None
    store.append_action(game, table.play_ply(), round_number=1, number=1, seat=seat).result()


def dump(place: str) -> dict[str, list[tuple[object, ...]]]:
    found = {}
    with open_store(place, read_only=True) as store:
        for table in METADATA.sorted_tables:
            found[table.name] = sorted(store._read(partial(read_rows, table)), key=repr)
    return found


def read_rows(table: Tables, connection: Connection) -> list[tuple[object, ...]]:
    return [tuple(row) for row in connection.execute(select(table))]


@pytest.fixture
def source(tmp_path: Path) -> str:
    file = str(tmp_path / "games.db")
    with open_store(file) as store:
        fill(store)
    return file


def test_a_store_goes_to_postgresql_and_back(source: str, tmp_path: Path) -> None:
    target, back = start_server().make_url(), str(tmp_path / "back.db")
    result = CliRunner().invoke(app, ["store", "migrate", source, target])
    rows = dump(source)
    count = sum(map(len, rows.values()))
    assert result.stdout == f"copied {source} to {find_database(target).name}: {count:,} rows, all the same\n", (
        result.output
    )
    assert dump(target) == rows
    assert migrate_store(target, back)[2] == count
    assert dump(back) == rows
    assert sorted(path.name for path in tmp_path.iterdir()) == ["back.db", "games.db"]
    assert Path(back).stat().st_mode & 0o777 == 0o600


def test_new_games_are_numbered_after_the_copied_ones(source: str) -> None:
    target = start_server().make_url()
    migrate_store(source, target)
    with open_store(target) as store:
        last = max(game.number for game in store.list_games())
        assert store.add_game(play(10)).result() == last + 1
        assert store.read_record(1) == play()


def test_a_backup_of_a_store_in_use_is_a_store(source: str, tmp_path: Path) -> None:
    target, copy = start_server().make_url(), tmp_path / "copy.db"
    migrate_store(source, target)
    with open_store(target) as store:
        store.copy_to(copy)
        assert dump(str(copy)) == dump(target)
        with pytest.raises(StoreError, match=r"there is a store at .*copy.db; it stays as it is"):
            store.copy_to(copy)


def test_a_store_in_use_or_over_another_is_refused(source: str, tmp_path: Path) -> None:
    target = start_server().make_url()
    with open_store(source), pytest.raises(StoreError, match="in use"):
        migrate_store(source, target)
    with pytest.raises(StoreError, match="there is no store at"):
        migrate_store(tmp_path / "none.db", target)
    open_store(target).close()
    before = dump(target)
    with pytest.raises(StoreError, match="there is a store at"):
        migrate_store(source, target)
    assert dump(target) == before


@pytest.mark.parametrize("end", ["-wal", "-journal"])
def test_what_is_left_of_a_store_that_was_there_does_not_get_into_the_copy(
    end: str, place: str, tmp_path: Path
) -> None:
    target, other = tmp_path / "copy.db", tmp_path / "other.db"
    left = tmp_path / f"copy.db{end}"
    with open_store(other) as store:
        store.add_game(play()).result()
        left.write_bytes((tmp_path / "other.db-wal").read_bytes())
    content = left.read_bytes()
    with open_store(place) as store:
        fill(store)
        with pytest.raises(StoreError, match=rf"copy.db{end} is left of another store; move it away"):
            store.copy_to(target)
    with pytest.raises(StoreError, match="is left of another store"):
        migrate_store(place, target)
    assert not target.exists()
    assert left.read_bytes() == content


def test_a_copy_may_take_longer_than_a_process_may_hold_rows(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, usual = start_server().make_url(), sqlite_file.find_corruption
    migrate_store(source, database)

    def check(connection: Connection) -> list[str]:
        time.sleep(postgres._PAUSE_SECONDS * 1.5)  # PostgreSQL's patience; on a slow machine, it is longer yet
        return usual(connection)

    monkeypatch.setattr(sqlite_file, "find_corruption", check)
    migrate_store(database, tmp_path / "copy.db")
    assert dump(str(tmp_path / "copy.db")) == dump(source)


def test_a_source_that_ends_before_the_copy_is_complete_leaves_nothing(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, usual = start_server(), copying._compare
    database = server.make_url()
    migrate_store(source, database)

    def compare(one: Connection, other: Connection) -> int:
        total = usual(one, other)
        pid = one.exec_driver_sql("SELECT pg_backend_pid()").scalar()
        server.query(f"SELECT pg_terminate_backend({pid}, 60000)")
        return total

    monkeypatch.setattr(copying, "_compare", compare)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(StoreError, match="terminating connection"):
        migrate_store(database, tmp_path / "copy.db")
    assert sorted(tmp_path.iterdir()) == before


def test_a_row_that_cannot_be_stored_leaves_nothing_at_the_target(source: str) -> None:
    target = start_server().make_url()
    with open_store(source) as store:
        bad = {"rules": "a\0b", "players": 2, "rounds": 0, "plies": 0, "began": store.find_game(1).began}
        store._submit(lambda connection: connection.execute(insert(GAMES).values(bad)).close()).result()
    with pytest.raises(StoreError, match=r"cannot copy table games of .*games.db: .*NUL"):
        migrate_store(source, target)
    with pytest.raises(StoreError, match="there is no store at"):
        open_store(target, read_only=True)


def test_a_row_that_differs_is_found(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    target = start_server().make_url()
    monkeypatch.setattr(copying, "_continue_numbers", lambda connection, table: spoil(connection, table.name))

    def spoil(connection: object, name: str) -> None:
        if name == "agents":  # copied before games
            connection.execute(insert(GAMES).values(id=99, began=began, rules="", players=2, rounds=0, plies=0))  # type: ignore[attr-defined]

    with open_store(source, read_only=True) as store:
        began = store.find_game(1).began
    with pytest.raises(StoreError, match="of table games is not the same in the copy"):
        migrate_store(source, target)
