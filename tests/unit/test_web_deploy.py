"""Promises of the guide to deployment: proxies, limits, health, copies of the store, and the log."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import urllib.request
from contextlib import closing
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from benchmarks.load.history import check_store
from benchmarks.load.player import Player
from benchmarks.load.postgres import find_programs
from benchmarks.load.serving import Served, hold_port, read_line
from lastcard.actions import Action
from lastcard.agents.heuristic import HeuristicAgent
from lastcard.errors import AgentError, RequestError, StoreError
from lastcard.observation import Observation
from lastcard.store import open_store
from lastcard.web.limits import Limits, read_limits
from tests.docs.pages import shell_lines
from tests.postgres import query, start_server
from tests.unit.asgi import Client, Closed, serving
from tests.unit.test_web_game import begin

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = (DOCS / "how-to" / "deploy.md").read_text(encoding="utf-8")
DATABASE = "postgresql://lastcard@db.example/lastcard"
COMMAND = [sys.executable, "-m", "lastcard.cli"]


def test_behind_a_proxy_users_are_who_the_proxy_says(tmp_path: Path) -> None:
    with Served(tmp_path / "web.db", "new_games_per_minute=1") as served:
        wanted = {"pace": 0.0, "opponents": ["beginner"]}
        statuses = [served.ask("/api/games", wanted, user=user)[0] for user in ("192.0.2.1", "192.0.2.1", "192.0.2.2")]
        assert statuses == [201, 429, 201]
        # A client behind the proxy can put anything before its own address, which the proxy adds last.
        assert served.ask("/api/games", wanted, user="192.0.2.9, 192.0.2.1")[0] == 429
        status, health = served.ask("/health")
        assert (status, health["status"], health["games"]) == (200, "ok", 2)
        assert set(health) == {"status", "version", "games"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("games=5", "no limit 'games'; there are: max_simulations"),
        ("max_games", "--limit must be NAME=VALUE, not 'max_games'"),
        ("max_games=", "max_games must be a whole number of at least 0, not ''"),
        ("max_games=many", "max_games must be a whole number"),
        ("max_games=-1", "of at least 0"),
        ("max_seconds=nan", "max_seconds must be a number of at least 0, not 'nan'"),
        ("max_seconds=inf", "must be a number"),
        ("bot_threads=0", "bot_threads must be a whole number of at least 1, not '0'"),
        ("requests_per_second=0", "requests_per_second must be a number of at least 1, not '0'"),
    ],
)
def test_a_limit_that_is_none_is_refused(change: str, words: str) -> None:
    with pytest.raises(RequestError, match=re.escape(words)):
        read_limits([change])


def test_options_that_make_no_sense_are_refused_in_a_line() -> None:
    for options, words in (
        ("--limit games=5", "no limit 'games'"),
        ("--proxy nowhere", "--proxy must be an address"),
        ("--private 0.0.0.0", "--private must be an address such as 10.0.0.5"),
    ):
        command = [*COMMAND, "serve", *options.split()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert words in done.stderr


def test_the_guide_names_options_and_limits_that_there_are() -> None:
    from typer.testing import CliRunner

    from lastcard.cli.commands import app

    shown = CliRunner().invoke(app, ["serve", "--help"]).output
    commands = [line.partition("lastcard serve")[2] for line in GUIDE.splitlines()]
    options = {word for line in commands for word in line.split() if word.startswith("--")}
    assert options >= {"--origin", "--proxy", "--limit", "--store"}
    assert [option for option in options if option not in shown] == []
    named = set(re.findall(r"--limit (\w+)=", GUIDE)) | {
        name
        for row in GUIDE.splitlines()
        if row.startswith(("| `max", "| `bot", "| `replay"))
        for name in re.findall(r"`(\w+)`", row)
    }
    assert len(named) > 8
    assert named <= {field.name for field in fields(Limits)}


def test_systemd_understands_the_unit_of_the_guide(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    [unit] = re.findall(r"```ini\n(.*?)```", GUIDE, re.DOTALL)
    file = tmp_path / "lastcard.service"
    file.write_text(unit.replace("/opt/lastcard/bin/lastcard", "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", str(file)], capture_output=True, text=True, check=False)
    assert [line for line in done.stderr.splitlines() if file.name in line] == []
    assert done.returncode == 0, done.stderr


MARK = "not run by tests"
PROGRAMS = ("lastcard", "createuser", "createdb", "curl")
"""Programs of the guide that its test runs; those that restore a backup belong to a test of their own."""


def guide_lines() -> list[str]:
    """Commands of the guide that can be run anywhere, without those that restore a backup."""
    return [line for line in shell_lines(GUIDE) if line.split()[0] in PROGRAMS and "2026-11-16" not in line]


@pytest.mark.long
def test_every_command_of_the_guide_runs(tmp_path: Path) -> None:
    """Runs them in the order of the page, with other paths, databases and ports; servers are asked and stopped."""
    lines, name = guide_lines(), f"cards{os.getpid()}"
    assert len(lines) >= 12
    with hold_port() as held:
        metrics = str(held.getsockname()[1])
    database = f"postgresql://{name}@/{name}?host={start_server().folder}"
    for line, following in pairwise([*lines, ""]):
        url = start_server().make_url() if " migrate " in line else database  # it fills an empty database
        here = re.sub(r"/var/(backups|lib)/lastcard", str(tmp_path), line).replace(DATABASE, shlex.quote(url))
        here = here.replace("9464", metrics)
        if line.startswith("lastcard serve"):
            asked = following.replace("9464", metrics) if following.startswith("curl ") else "true"
            serve_and_stop(f"{here} --port 0".replace("lastcard ", f"exec {shlex.join(COMMAND)} ", 1), tmp_path, asked)
        elif line.startswith("lastcard "):
            command = here.replace("lastcard ", f"exec {shlex.join(COMMAND)} ", 1)
            subprocess.run(command, check=True, shell=True, capture_output=True, env=home(tmp_path))
        elif line.startswith("create"):
            command = f"{find_programs()}/{here.replace('lastcard', name)}"
            subprocess.run(command, check=True, shell=True, capture_output=True, env=start_server().environment)
    assert (tmp_path / "web.db").exists()
    assert len(list(tmp_path.glob("20*.db"))) == 1, "a backup with the date of today"


def serve_and_stop(command: str, folder: Path, asked: str) -> None:
    """Starts a server, looks whether it answers, and runs what is asked for while it does."""
    with subprocess.Popen(command, shell=True, stdout=subprocess.PIPE, text=True, env=home(folder)) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:\d+", read_line(process.stdout))
            assert found, command
            with urllib.request.urlopen(f"{found[0]}/health/live", timeout=60) as reply:
                assert reply.status == 200
            told = subprocess.run(asked, check=True, shell=True, capture_output=True, text=True).stdout
            assert not asked.startswith("curl") or "lastcard_games 0.0" in told
            process.terminate()
            assert process.wait(60) == 0, command
        finally:
            process.kill()


def home(folder: Path) -> dict[str, str]:
    """Environment in which files of the user are in that folder."""
    return {**os.environ, "HOME": str(folder), "XDG_STATE_HOME": str(folder)}


@pytest.mark.parametrize("place", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)], indirect=True)
def test_a_backup_is_restored_as_the_guide_says(place: str, tmp_path: Path) -> None:
    """Runs the commands of the guide, with other paths; the test starts and stops the server itself."""
    roll_back, restore = re.findall(r"```sh\n(systemctl stop.*?)```", GUIDE, re.DOTALL)
    copy, target = tmp_path / "2026-11-16.db", tmp_path / "web.db"
    with Served(place) as served:
        status, game = served.ask("/api/games", {"players": 2, "pace": 0.0, "window": 600.0, "opponents": ["easy"]})
        assert status == 201
        path, view = f"/api/games/{game['game']}", game["view"]
        while not view["legal"]:  # the opponent begins, and may make the person draw
            view = served.ask(path, None, game["token"])[1]["view"]
        backup = [*COMMAND, "store", "backup", str(copy), "--store", place]
        subprocess.run(backup, check=True, capture_output=True)
        served.ask("/api/games", {"players": 2})  # is lost with the disk
    shutil.copy(copy, tmp_path / "before-update.db")
    for block in (roll_back, restore):
        target.write_bytes(b"what is left of the store")
        for line in block.splitlines():
            here = re.sub(r"/var/(backups|lib)/lastcard", str(tmp_path), line)
            if here.startswith("lastcard "):
                subprocess.run([*COMMAND, *shlex.split(here)[1:]], check=True, capture_output=True)
            elif MARK not in here:
                subprocess.run(here, check=True, shell=True)
        assert target.stat().st_mode & 0o077 == 0
        with open_store(target, read_only=True) as store:
            assert store.count_games() == 1
    with Served(target) as served:
        status, answer = served.ask(path, None, game["token"])
        assert (status, answer["view"]["hand"]) == (200, view["hand"])


def test_the_guide_marks_the_commands_that_no_test_runs() -> None:
    restoring = ("mkdir", "mv", "install")
    for line in shell_lines(GUIDE):
        program = line.split()[0]
        is_run = program in (*PROGRAMS, *restoring) or line.startswith("python -m benchmarks.")
        assert is_run != (MARK in line), line


@pytest.mark.parametrize("place", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)], indirect=True)
def test_a_store_is_copied_while_games_are_played_in_it(place: str, tmp_path: Path) -> None:
    """The copy has everything that was acknowledged before it was begun."""
    copy = tmp_path / "copy.db"
    with Served(place, "requests_per_second=1e6") as served:
        players = [Player(served, f"10.0.0.{number}", number) for number in range(4)]

        async def main() -> list[int]:
            is_over = False
            tasks = [asyncio.create_task(player.play(lambda: is_over, every_seconds=0.01)) for player in players]
            while min(len(player.ledger.acknowledged) for player in players) < 3:
                await asyncio.sleep(0.01)
            known = [len(player.ledger.acknowledged) for player in players]
            command = [*COMMAND, "store", "backup", str(copy), "--store", served.store]
            done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stdout.endswith(f" to {copy}\n")) == (0, True), done.stderr
            is_over = True
            await asyncio.gather(*tasks)
            return known

        known = asyncio.run(main())
        acknowledged = check_store(served.store, [player.ledger for player in players])
    assert acknowledged >= sum(known)
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.db"]
    assert copy.stat().st_mode & 0o077 == 0
    with open_store(copy, read_only=True) as store:
        kept = {game.key: store.read_record(game.number) for game in store.list_games()}
    for player, least in zip(players, known, strict=True):
        record = kept[player.game]
        own = sum(state.seat == 0 for index in range(len(record.rounds)) for state in list(record.states(index))[:-1])
        assert own >= least
        assert own <= len(player.ledger.sent)
    with pytest.raises(StoreError, match="File exists"), open_store(copy, read_only=True) as store:
        store.copy_to(copy)
    with closing(sqlite3.connect(copy)) as connection, connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_nothing_private_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever goes wrong: an agent, the store, a route, a socket."""
    caplog.set_level("DEBUG")
    secrets: list[str] = ["someone's name", "192.0.2.77"]

    def fail(self: HeuristicAgent, observation: Observation) -> Action:
        raise AgentError(f"I hold {' '.join(map(str, observation.hand))}")

    def break_off(self: object, *_: object) -> Any:
        raise ValueError(f"{secrets}")

    async def scenario(client: Client) -> None:
        client = Client(client.app, client.service, "192.0.2.77")
        game, token, view = await begin(client, name="someone's name")
        live, _ = await client.service.find(game, token, "someone")
        secrets.extend([token, game])
        with monkeypatch.context() as patch:
            patch.setattr(HeuristicAgent, "choose", fail)
            async with client.joined(game, token) as socket:
                while True:
                    socket.send({"type": "act", "id": 1, "ply": view["ply"], "action": view["legal"][-1]})
                    message = await socket.receive()
                    while message["type"] != "view" and message["type"] != "error":
                        message = await socket.receive()
                    if message["type"] == "error" or not message["view"]["legal"]:
                        break
                    view = message["view"]
                if message["type"] != "error":
                    await socket.receive("error")
                with pytest.raises(Closed):
                    await socket.receive()
        with monkeypatch.context() as patch:
            patch.setattr("lastcard.web.games.live_game.LiveGame.view", break_off)
            assert (await client.get(f"/api/games/{game}", token)).status == 500
        assert live.failure

    async def main() -> None:
        async with serving(tmp_path) as client:
            await scenario(client)

    asyncio.run(main())
    lines = [record.getMessage() + str(record.exc_info) for record in caplog.records if "lastcard" in record.name]
    [stopped] = [line for line in lines if "stopped" in line]
    assert re.fullmatch(r"game \d+ stopped: AgentError in .*choose \(.*fail \(test_web_deploy.py:\d+\)None", stopped)
    assert any(line.startswith("/api/games/{game} failed: ValueError in ") for line in lines)
    told = "\n".join(lines)
    assert [secret for secret in secrets if secret in told] == []
    assert not re.search(r"\b[rygb](\d|S|R|\+2)\b|\bw(\+4)?\b", told), "no card"


DAMAGES = {
    "UPDATE sittings SET settings = 'a secret'": r"the sitting of game \d+ is damaged; restore it from a backup",
    "UPDATE actions SET action = 'a secret'": r"game \d+ is damaged; restore it from a backup",
}


@pytest.mark.parametrize("statement", DAMAGES)
def test_a_damaged_game_is_logged_without_what_it_holds(
    statement: str, place: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> tuple[str, str]:
        async with serving(place) as client:
            game, token, view = await begin(client)
            await client.post(f"/api/games/{game}/actions", {"ply": view["ply"], "action": view["legal"][0]}, token)
            client.service.games.forget(game)
            await asyncio.to_thread(query, place, statement)
            reply = await client.get(f"/api/games/{game}", token)
            assert (reply.status, reply.json["error"]["code"]) == (503, "store_away")
            async with client.joined(game, token) as socket:
                assert (await socket.receive("error"))["error"]["code"] == "store_away"
                with pytest.raises(Closed):
                    await socket.receive()
            return game, token

    secrets = asyncio.run(main())
    lines = [record.getMessage() for record in caplog.records if "lastcard" in record.name]
    assert len(lines) == 2, "once for each request"
    assert all(re.fullmatch(f"the store failed: {DAMAGES[statement]}", line) for line in lines)
    assert not any(secret in line for line in lines for secret in ("a secret", *secrets))
