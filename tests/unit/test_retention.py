"""Old games of a server go, and everything else stays; a full store takes no more."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from lastcard.rules import Rules
from lastcard.store import open_store
from lastcard.store.store import Store
from lastcard.store.utc import now
from lastcard.table import Table
from lastcard.web.retention import Retention
from tests.postgres import query
from tests.unit.asgi import FREE, Client, serving
from tests.unit.test_cli_commands import run as run_command

MINI = Rules.preset("mini")
RECORD = Table(MINI, ["frequency", "random"], 7).play_round()
BRANCH = {"round": 1, "ply": 1, "seat": 0, "opponents": ["beginner"]}
GAME = {"pace": 0.0, "opponents": ["beginner"], "length": "round"}
DAY = timedelta(days=1)


def begin(store: Store, key: str) -> int:
    names = ["person", "random"]
    return store.begin_sitting(MINI, names, 1, seat=0, key=key, token_hash="0" * 64, settings={}).result()


def make_old(place: str, *games: int) -> None:
    """Lets games be two hundred days old."""
    when = f"'{(now() - 200 * DAY).isoformat(' ')}'"
    for game in games:
        query(place, f"UPDATE games SET began = {when} WHERE id = {game}")
        query(place, f"UPDATE games SET finished = {when} WHERE id = {game} AND finished IS NOT NULL")


def test_old_games_of_a_server_are_deleted_and_nothing_else(place: str) -> None:
    with open_store(place) as store:
        left, loaded = begin(store, "left"), begin(store, "loaded")
        uploaded = store.import_game(RECORD, "uploaded", "1" * 64).result()
        plain, new = store.add_game(RECORD, "plain").result(), begin(store, "new")
    make_old(place, left, loaded, uploaded, plain)
    with open_store(place) as store:
        assert store.prune_some(now() - 300 * DAY).result() == 0
        assert store.prune_some(now() - 100 * DAY, ["loaded"]).result() == 2
        assert sorted(game.number for game in store.list_games()) == sorted([loaded, new, plain])
        assert store.prune(now() - 100 * DAY) == 1
        assert list(store.find_damage()) == []
    rows = {name: query(place, f"SELECT count(*) FROM {name}") for name in ("seats", "sittings")}
    assert rows == {"seats": [(4,)], "sittings": [(1,)]}


def move_game(place: str, store: Store, days: int) -> None:
    """Lets the newest game begin so many days from now."""
    when = (now() + days * DAY).isoformat(" ")
    query(place, f"UPDATE games SET began = '{when}' WHERE id = {max(game.number for game in store.list_games())}")


class Clocks:
    """The clock that nobody sets, and the time of day."""

    def __init__(self, wrong: timedelta = timedelta()) -> None:
        self.seconds = 1_000.0
        self.wrong = wrong
        """Error of the time of day."""

    def read(self) -> float:
        return self.seconds

    def read_time(self) -> datetime:
        return now() + timedelta(seconds=self.seconds - 1_000) + self.wrong


def watch(store: Store, clocks: Clocks, loaded: Sequence[str] = (), keep_days: float = 100.0) -> Retention:
    """Starts a server's part that prunes."""
    limits = dataclasses.replace(FREE, keep_days=keep_days)
    return Retention(store, limits, clocks.read, lambda: loaded, clocks.read_time)


def prune(
    store: Store,
    clocks: Clocks,
    *,
    loaded: Sequence[str] = (),
    hours: int = 4,
    step: timedelta = timedelta(hours=1),
    keep_days: float = 100.0,
) -> int:
    """Prunes every hour, or at another step, from a start on; returns how many games are gone."""
    retention = watch(store, clocks, loaded, keep_days)

    async def main() -> int:
        deleted = await retention.prune()
        for _ in range(hours):
            clocks.seconds += step.total_seconds()
            deleted += await retention.prune()
        return deleted

    return asyncio.run(main())


def test_a_server_says_an_hour_before_what_it_deletes(place: str, caplog: pytest.LogCaptureFixture) -> None:
    with open_store(place) as store:
        for key in ("left", "loaded"):
            begin(store, key)
        store.import_game(RECORD, "uploaded", "1" * 64).result()
        make_old(place, 1, 2, 3)
        for days in range(-175, 0, 25):  # a longer gap would be in doubt
            store.add_game(RECORD).result()
            move_game(place, store, days)
        begin(store, "new")
        assert prune(store, Clocks(), loaded=["loaded"], hours=0) == 0
        announced = "2 games older than 100 days will be deleted in an hour, 1 of them never finished"
        assert caplog.messages == [announced]
        assert prune(store, Clocks(), loaded=["loaded"], hours=1) == 2
        assert caplog.messages == [announced, announced, "2 games older than 100 days deleted"]
        assert {game.key for game in store.list_games()} >= {"loaded", "new"}


@pytest.mark.parametrize("keep_days", [20, 365])
def test_a_wrong_clock_deletes_nothing_however_often_the_server_starts_and_games_begin(
    keep_days: float, place: str
) -> None:
    with open_store(place) as store:
        begin(store, "right")
        for number in range(4):
            begin(store, f"game {number}")
            move_game(place, store, 400)
            assert prune(store, Clocks(400 * DAY), keep_days=keep_days) == 0
        begin(store, "right again")
        assert prune(store, Clocks(), keep_days=keep_days) == 0


def test_a_server_that_runs_without_new_games_deletes_those_it_has(place: str) -> None:
    with open_store(place) as store:
        begin(store, "game")
        assert prune(store, Clocks(), step=timedelta(days=60)) == 1


@pytest.mark.parametrize("days", [400, -3652])
def test_a_wrong_clock_at_a_start_deletes_nothing(days: int, place: str, caplog: pytest.LogCaptureFixture) -> None:
    with open_store(place) as store:
        for number in range(3):
            begin(store, f"game {number}")
            store.import_game(RECORD, f"record {number}", "1" * 64).result()
        for _ in range(2):  # and again, as after a crash
            clocks = Clocks(timedelta(days=days))
            assert prune(store, clocks) == 0
            clocks.wrong = timedelta()
            assert prune(store, clocks) == 0
        assert [message.partition(",")[0] for message in caplog.messages] == [
            f"no old games are deleted: the clock says {now() + timedelta(days=days):%Y-%m-%d}"
        ] * 2
        assert store.count_games() == 6


def test_a_clock_that_is_set_while_the_server_runs_deletes_nothing(place: str) -> None:
    with open_store(place) as store:
        clocks = Clocks()
        retention = watch(store, clocks)
        begin(store, "game")  # in a store that had none at the start

        async def main() -> None:
            for days in (0, 400, 400, -3652, -3652, 0, 0):
                clocks.wrong = timedelta(days=days)
                assert await retention.prune() == 0
                clocks.seconds += 3_600

        asyncio.run(main())
        assert store.count_games() == 1


def test_games_of_a_start_with_a_wrong_clock_are_as_old_as_the_games_before(place: str) -> None:
    with open_store(place) as store:
        begin(store, "before")
        begin(store, "in the past")
        make_old(place, 2)  # by a clock that was behind
        begin(store, "after")
        assert prune(store, Clocks()) == 0
        assert store.count_games() == 3


def test_a_store_without_rows_is_left_alone(place: str, caplog: pytest.LogCaptureFixture) -> None:
    with open_store(place) as store:
        for days in (0, 400, -3652):
            assert prune(store, Clocks(timedelta(days=days))) == 0
    assert caplog.messages == []


def test_a_full_store_takes_no_more_games_branches_and_uploads(place: str) -> None:
    async def main() -> None:
        async with serving(place) as client:
            game = (await client.post("/api/studies", {"record": RECORD.to_text()})).json["game"]
        async with serving(place, dataclasses.replace(FREE, max_store_mb=0.0)) as client:
            for path, body in (
                ("/api/games", GAME),
                (f"/api/studies/{game}/branch", BRANCH),
                ("/api/studies", {"record": "[Lastcard 1]"}),
            ):
                refused = await client.post(path, body)
                assert (refused.status, refused.message) == (
                    503,
                    "the server has no room for more games; try again later",
                )
            assert client.service.store.count_games() == 1

    asyncio.run(main())


def test_a_user_uploads_and_branches_off_so_much_in_a_day(tmp_path: Path) -> None:
    text = RECORD.to_text()
    size = len(text.encode()) / 1e6

    async def main() -> None:
        limits = dataclasses.replace(FREE, upload_mb_per_day=2.5 * size)
        async with serving(tmp_path, limits, time.monotonic) as client:
            upload = {"record": text}
            assert [(await client.post("/api/studies", upload)).status for _ in range(3)] == [201, 201, 429]
            other = Client(client.app, client.service, "192.0.2.9")
            game = (await other.post("/api/studies", upload)).json["game"]
            # Each branch stores the part of the record that it continues.
            statuses = [(await other.post(f"/api/studies/{game}/branch", BRANCH)).status for _ in range(9)]
            assert statuses[0] == 201
            assert statuses[-1] == 429

    asyncio.run(main())


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str]:
    code, out, err = run_command(capsys, monkeypatch, "store", *arguments)
    return code, out + err


def test_the_command_checks_prunes_and_backs_up(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(place) as store:
        name = store.name
        begin(store, "left")
        store.import_game(RECORD, "uploaded", "1" * 64).result()
    make_old(place, 1)
    at = ("--store", place)
    assert run(capsys, monkeypatch, "check", *at) == (0, f"{name}: 2 games, no damage\n")
    copy = tmp_path / "copy.db"
    assert run(capsys, monkeypatch, "backup", str(copy), *at) == (0, f"copied {name} to {copy}\n")
    code, said = run(capsys, monkeypatch, "prune", "--days", "100", *at)
    assert (code, said.startswith(f"{name}: 1 games deleted, ")) == (0, True)
    assert run(capsys, monkeypatch, "check", *at) == (0, f"{name}: 1 games, no damage\n")
    query(place, "UPDATE games SET record = 'nonsense'")
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
