"""Stores that a process left behind when it died: the next process can read and write them.

These are files of SQLite: of a store in PostgreSQL a dead process leaves nothing behind but rows (test_kills.py).
"""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from lastcard import Rules, Table
from lastcard.errors import StoreError
from lastcard.record import Record
from lastcard.store import is_store, open_store


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def play(seed: int = 7) -> Record:
    return Table(Rules.preset("mini"), ["frequency", "random"], seed=seed).play_round()


def die_in_a_transaction(file: Path, statement: str) -> None:
    """Leaves a database half written, and the journal that undoes it."""
    code = f"""
import os, signal, sqlite3
connection = sqlite3.connect({str(file)!r}, isolation_level=None)
connection.execute("PRAGMA cache_size = 1")  # so that pages are written before the commit
connection.execute("BEGIN")
connection.execute("{statement}")
connection.execute("CREATE TABLE large (text)")
for _ in range(20):
    connection.execute("INSERT INTO large VALUES (randomblob(20000))")
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    assert file.with_name("games.db-journal").stat().st_size > 0


@pytest.mark.parametrize("read_only", [True, False])
def test_a_transaction_of_the_dead_is_undone(read_only: bool, file: Path) -> None:
    with open_store(file) as store:
        store.add_game(play()).result()
    die_in_a_transaction(file, "DELETE FROM actions")
    with open_store(file, read_only=read_only) as store:
        assert store.read_record(1) == play()
        assert len(list(store.list_games())) == 1
    assert os.listdir(file.parent) == [file.name]


def test_a_store_that_was_half_created_is_none_yet(file: Path) -> None:
    die_in_a_transaction(file, "CREATE TABLE store (version INTEGER)")
    assert file.stat().st_size > 0
    assert is_store(str(file))
    for options in ({"read_only": True}, {"create": False}):
        with pytest.raises(StoreError, match="there is no store at"):
            open_store(file, **options)
    with open_store(file) as store:
        assert store.add_game(play()).result() == 1


def test_another_database_that_died_stays_as_it_is(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE precious (id INTEGER)")
    die_in_a_transaction(file, "DELETE FROM precious")
    names = sorted(os.listdir(file.parent))
    for read_only in (True, False):
        with pytest.raises(StoreError, match="not a store of lastcard's"):
            open_store(file, read_only=read_only)
    assert sorted(os.listdir(file.parent)) == names


def test_looking_at_an_open_store_keeps_its_locks(file: Path) -> None:
    with open_store(file) as store:
        store.add_game(play()).result()
        assert is_store(str(file))
        with pytest.raises(StoreError, match="in use by another lastcard"):
            open_store(file)
        open_store(file, read_only=True).close()
        # Another process could only leave the log's mode if this one had lost its locks.
        code = f"""
import sqlite3
connection = sqlite3.connect({str(file)!r}, timeout=0)
print(*connection.execute("PRAGMA journal_mode = DELETE").fetchone())
"""
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert "database is locked" in ran.stderr


def test_a_copy_that_died_does_not_stop_the_next(file: Path, tmp_path: Path) -> None:
    with open_store(file) as store:
        store.add_game(play()).result()
        for name in ("copy.db-part", "copy.db.part"):
            shutil.copy(file, tmp_path / name)
        store.copy_to(tmp_path / "copy.db")
        with pytest.raises(StoreError, match=r"cannot write .*copy.db: File exists"):
            store.copy_to(tmp_path / "copy.db")
    with open_store(tmp_path / "copy.db", read_only=True) as copy:
        assert copy.read_record(1) == play()
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600
