"""Old games of a server go, and everything else stays; a full store takes no more."""

from __future__ import annotations

import asyncio
import dataclasses
import sqlite3
import time
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from lastcard.rules import Rules
from lastcard.store import open_store
from lastcard.store.clock import now
from lastcard.store.store import Store
from lastcard.table import Table
from tests.unit.asgi import FREE, Client, serving
from tests.unit.test_cli_commands import run as run_command

MINI = Rules.preset("mini")
GAME = {"pace": 0.0, "opponents": ["beginner"], "length": "round"}
DAY = timedelta(days=1)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "web.db"


def begin(store: Store, key: str) -> int:
    names = ["person", "random"]
    return store.begin_sitting(MINI, names, 1, seat=0, key=key, token_hash="0" * 64, settings={}).result()


def make_old(file: Path, *games: int) -> None:
    """Lets games be two hundred days old."""
    when = (now() - 200 * DAY).isoformat(" ")
    with closing(sqlite3.connect(file)) as connection, connection:
        for game in games:
            connection.execute("UPDATE games SET began = ?, finished = finished AND ? WHERE id = ?", (when, when, game))
            connection.execute("UPDATE games SET finished = ? WHERE id = ? AND finished IS NOT NULL", (when, game))


def test_old_games_of_a_server_are_deleted_and_nothing_else(file: Path) -> None:
    record = Table(MINI, ["frequency", "random"], 7).play_round()
    with open_store(file) as store:
        left, loaded, new = begin(store, "left"), begin(store, "loaded"), begin(store, "new")
        uploaded = store.import_game(record, "uploaded", "1" * 64).result()
        plain = store.add_game(record, "plain").result()
    make_old(file, left, loaded, uploaded, plain)
    with open_store(file) as store:
        assert store.prune_some(now() - 300 * DAY).result() == 0
        assert store.prune_some(now() - 100 * DAY, ["loaded"]).result() == 2
        assert sorted(game.number for game in store.list_games()) == sorted([loaded, new, plain])
        assert store.prune(now() - 100 * DAY) == 1
        assert list(store.find_damage()) == []
    with closing(sqlite3.connect(file)) as connection:
        rows = {
            name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("seats", "sittings")
        }
    assert rows == {"seats": 4, "sittings": 1}


def test_a_server_prunes_what_is_old_and_not_in_memory(file: Path) -> None:
    with open_store(file) as store:
        begin(store, "left")
    make_old(file, 1)

    async def main() -> None:
        limits = dataclasses.replace(FREE, keep_days=100.0)
        async with serving(file.parent, limits, time.monotonic) as client:
            begun = await client.post("/api/games", GAME)
            await asyncio.to_thread(client.service.store.flush)
            make_old(file, 2)
            assert await client.service.retention.prune() <= 1
            kept = [game.key for game in client.service.store.list_games()]
            assert kept == [begun.json["game"]]

    asyncio.run(main())


def test_a_full_store_takes_no_more_games_and_no_uploads(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path, dataclasses.replace(FREE, max_store_mb=0.0), time.monotonic) as client:
            for path, body in (("/api/games", GAME), ("/api/studies", {"record": "[Lastcard 1]"})):
                refused = await client.post(path, body)
                assert (refused.status, refused.message) == (
                    503,
                    "the server has no room for more games; try again later",
                )

    asyncio.run(main())


def test_a_user_uploads_so_much_in_a_day(tmp_path: Path) -> None:
    text = Table(MINI, ["frequency", "random"], 7).play_round().to_text()
    size = len(text.encode()) / 1e6

    async def main() -> None:
        limits = dataclasses.replace(FREE, upload_mb_per_day=2.5 * size)
        async with serving(tmp_path, limits, time.monotonic) as client:
            upload = {"record": text}
            assert [(await client.post("/api/studies", upload)).status for _ in range(3)] == [201, 201, 429]
            other = Client(client.app, client.service, "192.0.2.9")
            assert (await other.post("/api/studies", upload)).status == 201

    asyncio.run(main())


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str]:
    code, out, err = run_command(capsys, monkeypatch, "store", *arguments)
    return code, out + err


def test_the_command_checks_prunes_and_backs_up(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(file) as store:
        begin(store, "left")
        store.import_game(Table(MINI, ["frequency", "random"], 7).play_round(), "uploaded", "1" * 64).result()
    make_old(file, 1)
    at = ("--store", str(file))
    assert run(capsys, monkeypatch, "check", *at) == (0, f"{file}: 2 games, no damage\n")
    copy = file.with_name("copy.db")
    assert run(capsys, monkeypatch, "backup", str(copy), *at) == (0, f"copied {file} to {copy}\n")
    code, said = run(capsys, monkeypatch, "prune", "--days", "100", *at)
    assert (code, said.startswith(f"{file}: 1 games deleted, ")) == (0, True)
    assert run(capsys, monkeypatch, "check", *at) == (0, f"{file}: 1 games, no damage\n")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE games SET record = 'nonsense'")
    code, said = run(capsys, monkeypatch, "check", *at)
    assert code != 0
    assert "game 2" in said
    assert "1 problems; restore the store from a backup" in said


def test_what_is_no_store_is_not_made_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, said = run(capsys, monkeypatch, "prune", "--days", "1", "--store", str(tmp_path / "none.db"))
    assert code != 0
    assert "there is no store at" in said
    assert list(tmp_path.iterdir()) == []
