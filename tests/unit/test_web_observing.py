"""Signals for operators: readiness, metrics, and logs without secrets."""

from __future__ import annotations

import asyncio
import dataclasses
import gzip
import json
import logging
import re
import sqlite3
import urllib.request
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import brotli
import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from lastcard.errors import RequestError, StoreError
from lastcard.store import open_store
from lastcard.web.api.app import STATIC
from lastcard.web.gauges import serve_metrics
from lastcard.web.logs import REQUEST_LOG, JsonFormatter, log_failure
from lastcard.web.metrics import REGISTRY, read_address
from tests.unit.asgi import FREE, Client, Closed, serving
from tests.unit.tcp import serving_tcp
from tests.unit.test_web_game import begin
from tests.unit.test_web_limits import Clock

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
GAME = {"pace": 0.0, "opponents": ["hard"], "length": "round"}


def run(folder: Path, scenario: Any, clock: Clock | None = None) -> None:
    async def main() -> None:
        async with serving(folder, FREE, clock or Clock()) as client:
            await scenario(client)

    asyncio.run(main())


def test_a_server_is_ready_while_its_store_takes_writes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()

    async def scenario(client: Client) -> None:
        assert (await client.get("/health/ready")).json == {"status": "ready", "reason": None}
        commits = client.service.store._commits
        assert commits is not None
        working, failing = commits._commit, StoreError("cannot write: disk I/O error")

        def fail(_: object, batch: Any) -> None:
            for _, future in batch:
                future.set_exception(failing)

        monkeypatch.setattr(commits, "_commit", fail)
        assert (await client.get("/health/ready")).status == 200, "checked a moment ago"
        for _ in range(3):
            clock.now += 3.0
            refused = await client.get("/health/ready")
            assert refused.status == 503
            assert refused.json == {"status": "not ready", "reason": "the store cannot be written"}
        assert (await client.get("/health/live")).status == 200
        monkeypatch.setattr(commits, "_commit", working)
        clock.now += 3.0
        assert (await client.get("/health/ready")).status == 200

    run(tmp_path, scenario, clock)
    told = [record.getMessage() for record in caplog.records if record.name == "lastcard.web.readiness"]
    assert told == ["not ready: cannot write: disk I/O error", "ready again"]


def test_an_outage_of_the_store_is_logged_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()

    def fail(*_: object) -> None:
        raise OperationalError("", {}, sqlite3.OperationalError("database or disk is full"))

    async def scenario(client: Client) -> None:
        commits = client.service.store._commits
        assert commits is not None
        for _ in range(2):
            with monkeypatch.context() as full:
                full.setattr(commits, "_commit_together", fail)
                for _ in range(3):
                    clock.now += 3.0
                    assert (await client.post("/api/games", {})).status == 503
                    assert (await client.get("/health/ready")).status == 503
            clock.now += 3.0
            assert (await client.get("/health/ready")).status == 200

    run(tmp_path, scenario, clock)
    cause = f": cannot write {tmp_path / 'web.db'}: database or disk is full"
    assert [message[-len(cause) :] for message in caplog.messages] == [cause, "ready again"] * 2


def test_an_outage_goes_on_while_some_commits_succeed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk, what needs no new page is stored."""

    def fail(*_: object) -> None:
        raise OperationalError("", {}, sqlite3.OperationalError("database or disk is full"))

    async def scenario(client: Client) -> None:
        commits = client.service.store._commits
        assert commits is not None
        for _ in range(3):
            with monkeypatch.context() as full:
                full.setattr(commits, "_commit_together", fail)
                assert (await client.post("/api/games", {})).status == 503
            assert (await client.get("/health/ready")).status == 200

    run(tmp_path, scenario)
    assert len(caplog.messages) == 1


def test_a_server_without_room_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(client: Client) -> None:
        monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=99e6))
        refused = await client.get("/health/ready")
        assert (refused.status, refused.json["reason"]) == (503, "the disk is almost full")

    run(tmp_path, scenario)


def test_a_server_with_a_full_store_is_not_ready(place: str, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        async with serving(place, dataclasses.replace(FREE, max_store_mb=0.001)) as client:
            refused = await client.get("/health/ready")
            assert (refused.status, refused.json["reason"]) == (503, "the store is full")

    asyncio.run(main())
    [told] = caplog.messages
    assert re.fullmatch(r"not ready: the store has \d+ MB, more than 0.001", told)


def test_metrics_can_be_read_while_the_store_cannot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> int:
        raise StoreError("cannot read the store")

    async def scenario(client: Client) -> None:
        monkeypatch.setattr(client.service.store, "measure_bytes", fail)
        with serve_metrics(client.service, "127.0.0.1", 0) as (host, port):
            told = urllib.request.urlopen(f"http://{host}:{port}/metrics", timeout=60).read().decode()
        assert "\nlastcard_store_ready " in told
        assert "lastcard_store_bytes" not in told

    run(tmp_path, scenario)


def test_prometheus_reads_actions_requests_and_gauges(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        begun = await client.post("/api/games", GAME)
        await client.get(f"/api/games/{begun.json['game']}", token=begun.json["token"])
        with serve_metrics(client.service, "127.0.0.1", 0) as (host, port):
            told = urllib.request.urlopen(f"http://{host}:{port}/metrics", timeout=60).read().decode()
        assert 'lastcard_requests_total{route="/api/games",status="201"}' in told
        assert "\nlastcard_games 1.0" in told
        for name in ("actions_total", "commit_seconds_count", "store_bytes", "decisions_waiting", "store_ready"):
            assert f"\nlastcard_{name} " in told
        for secret in (begun.json["game"], begun.json["token"], begun.json["invite"]):
            assert secret not in told

    run(tmp_path, scenario)


def count(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(f"lastcard_{name}", labels) or 0.0


def test_what_sockets_do_is_measured(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        game, token, view = await begin(client)

        def measure() -> tuple[float, ...]:
            return (
                count("action_seconds_count"),
                count("messages_refused_total", status="409"),
                count("sockets_closed_total", code="1008"),
            )

        before = measure()
        async with client.joined(game, token) as socket:
            socket.send({"type": "act", "id": 1, "ply": view["ply"], "action": view["legal"][0]})
            await socket.receive("ack")
            socket.send({"type": "act", "id": 2, "ply": view["ply"] + 99, "action": "draw"})
            await socket.receive("refused")
        async with client.joined(game, "no token") as socket:
            await socket.receive("error")
        with pytest.raises(Closed):
            async with client.socket(origin="https://elsewhere.example"):
                pass
        assert [now - then for now, then in zip(measure(), before, strict=True)] == [1, 1, 2]

    run(tmp_path, scenario)


def test_connections_that_are_closed_without_an_answer_are_counted(tmp_path: Path) -> None:
    async def main() -> None:
        limits = dataclasses.replace(FREE, max_connections_per_user=1, request_seconds=0.05)
        async with serving_tcp(tmp_path, limits) as client:
            before = [count("connections_refused_total", reason=reason) for reason in ("too many", "too slow")]
            first, writer = await asyncio.open_connection("127.0.0.1", client.port)
            second, other = await asyncio.open_connection("127.0.0.1", client.port)
            for reader in (second, first):
                with suppress(ConnectionError):
                    assert await asyncio.wait_for(reader.read(), 60) == b""
            writer.close()
            other.close()
            after = [count("connections_refused_total", reason=reason) for reason in ("too many", "too slow")]
            assert [now - then for now, then in zip(after, before, strict=True)] == [1, 1]

    asyncio.run(main())


def test_the_dashboard_asks_for_metrics_that_exist(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        with serve_metrics(client.service, "127.0.0.1", 0) as (host, port):
            told = urllib.request.urlopen(f"http://{host}:{port}/metrics", timeout=60).read().decode()
        for file in ("grafana.json", "deploy.md"):
            asked = set(re.findall(r"\blastcard_[a-z_]+", (HOW_TO / file).read_text(encoding="utf-8")))
            assert len(asked) >= 8
            assert {name for name in asked if f"# HELP {name.removesuffix('_bucket')} " not in told} == set()

    run(tmp_path, scenario)


@pytest.mark.parametrize("text", ["", "x", "host:", "70000", "1.2.3.4:-1"])
def test_an_address_of_metrics_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(RequestError, match="--metrics must be a port or HOST:PORT such as 9464"):
        read_address(text)


def test_requests_are_logged_by_route_without_keys_tokens_or_addresses(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    secrets: list[str] = []

    async def scenario(client: Client) -> None:
        begun = await client.post("/api/games", GAME)
        secrets.extend(begun.json[name] for name in ("game", "token", "invite"))
        await client.get(f"/api/games/{begun.json['game']}", token=begun.json["token"])
        await client.get(f"/nowhere/{begun.json['token']}")

    with caplog.at_level(logging.INFO, REQUEST_LOG):
        run(tmp_path, scenario)
    lines = [JsonFormatter().format(record) for record in caplog.records if record.name == REQUEST_LOG]
    logged = [json.loads(line) for line in lines]
    assert [(line["method"], line["route"], line["status"]) for line in logged] == [
        ("POST", "/api/games", 201),
        ("GET", "/api/games/{game}", 200),
        ("GET", "refused or page", 404),
    ]
    assert all(line["level"] == "info" and line["ms"] >= 0 for line in logged)
    assert not any(secret in line for secret in [*secrets, "192.0.2"] for line in lines)


def test_a_failure_is_logged_once_with_its_causes_and_places(caplog: pytest.LogCaptureFixture) -> None:
    def read() -> None:
        raise OSError("a secret")

    try:
        try:
            read()
        except OSError:
            raise KeyError("a secret") from None
    except KeyError as error:
        for _ in range(2):
            log_failure(logging.getLogger("lastcard"), "it failed", error)
    [line] = caplog.messages
    here = r"\(test_web_observing.py:\d+\)"
    places = rf"KeyError in test_a_failure\w+ {here}, caused by OSError in test_a_failure\w+ {here} > read {here}"
    assert re.fullmatch(f"it failed: {places}", line)


def test_the_log_says_what_a_database_said_but_not_what_a_row_holds(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def read(statement: str, connection: Connection) -> object:
        return connection.exec_driver_sql(statement).all()

    with open_store(tmp_path / "games.db") as store:
        for statement in ("SELECT 1 FROM nowhere", "SELECT CAST(x'6120736563726574ff' AS TEXT)"):
            with pytest.raises(StoreError) as failed:
                store._read(partial(read, statement))
            log_failure(logging.getLogger("lastcard"), "it failed", failed.value)
    known, hidden = caplog.messages
    assert known == f"it failed: cannot read {tmp_path / 'games.db'}: no such table: nowhere"
    assert "a secret" in str(failed.value)
    assert hidden.startswith("it failed: StoreError in ")
    assert "a secret" not in hidden


def test_the_page_is_sent_in_the_encoding_that_a_browser_takes(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        file = next((STATIC / "assets").glob("*.js"))
        script, whole = f"/assets/{file.name}", file.read_bytes()
        for accepted, encoding, decode in (
            ("gzip, deflate, br", "br", brotli.decompress),
            ("gzip", "gzip", gzip.decompress),
        ):
            reply = await client.get(script, **{"accept-encoding": accepted})
            assert (reply.status, reply.headers.get("content-encoding")) == (200, encoding)
            assert reply.headers["vary"] == "Accept-Encoding"
            assert "immutable" in reply.headers["cache-control"]
            assert decode(reply.body) == whole
            assert len(reply.body) < len(whole) / 2
            again = await client.get(script, **{"if-none-match": reply.headers["etag"], "accept-encoding": accepted})
            assert again.status == 304

    run(tmp_path, scenario)
