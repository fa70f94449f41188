"""The command `lastcard serve`, as a process of its own."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import websockets

from lastcard.agents import LEVELS
from lastcard.errors import RequestError
from lastcard.store import open_store
from lastcard.web import addresses
from lastcard.web.addresses import address_of, list_addresses
from lastcard.web.server import _hosts, bind, describe_address

COMMAND = [sys.executable, "-m", "lastcard.cli", "serve"]
GAME = {"players": 3, "pace": 0.0, "opponents": ["hard"], "rules": "tournament", "length": "round", "window": 0.0}


@contextmanager
def running(file: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [*COMMAND, "--port", "0", "--store", f"sqlite:///{file}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline()
        finally:
            process.kill()


def post(address: str, body: object) -> Any:
    request = urllib.request.Request(
        f"{address}/api/games", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as reply:
        return json.load(reply)


async def play(address: str, begun: dict[str, Any]) -> list[dict[str, Any]]:
    """Plays a round over a real socket; returns every view."""
    views: list[dict[str, Any]] = []
    async with websockets.connect(f"{address.replace('http', 'ws')}/ws", origin=address) as connection:  # type: ignore[arg-type]
        await connection.send(json.dumps({"type": "join", "game": begun["game"], "token": begun["token"]}))
        while not views or views[-1]["phase"] != "over":
            message = json.loads(await asyncio.wait_for(connection.recv(), 60))
            if message["type"] == "view":
                views.append(message["view"])
                if views[-1]["legal"]:
                    act = {"type": "act", "id": 1, "ply": views[-1]["ply"], "action": views[-1]["legal"][0]}
                    await connection.send(json.dumps(act))
    return views


async def is_refused(address: str, origin: str) -> bool:
    try:
        async with websockets.connect(f"{address.replace('http', 'ws')}/ws", origin=origin):  # type: ignore[arg-type]
            return False
    except websockets.InvalidStatus as refused:
        return refused.response.status_code == 403


async def close_code_of_a_long_frame(address: str) -> int | None:
    async with websockets.connect(f"{address.replace('http', 'ws')}/ws") as connection:
        await connection.send("x" * 5000)
        await connection.wait_closed()
        return connection.close_code


def test_a_served_game_leaves_no_trace_of_hidden_cards_or_tokens_in_the_logs(tmp_path: Path) -> None:
    with running(tmp_path / "web.db") as (process, line):
        words = line.split()
        assert words[:3] == ["lastcard", "is", "at"]
        address = words[3]
        assert address.startswith("http://127.0.0.1:")
        begun = post(address, GAME)
        views = asyncio.run(play(address, begun))
        assert asyncio.run(is_refused(address, "http://evil.example"))
        assert asyncio.run(close_code_of_a_long_frame(address)) == 1009
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=60)
    assert (process.returncode, output, errors) == (0, "", "")
    assert views[-1]["hands"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["web.db"], "closed, not broken off"
    with open_store(tmp_path / "web.db", read_only=True) as store:
        [game] = store.list_games()
        assert game.key == begun["game"]
        assert str(game.seed) == views[-1]["seed"]
        assert [seat.is_person for seat in game.seats] == [True, False, False]
        assert [seat.name for seat in game.seats][1:] == [LEVELS["hard"].agent] * 2
        assert store.read_record(game.number).rounds[0].outcome


def test_it_stays_on_this_machine_unless_told_otherwise() -> None:
    with bind("127.0.0.1", 0) as listening:
        assert address_of(listening) == f"http://127.0.0.1:{listening.getsockname()[1]}"
        assert "localhost" in _hosts(listening, ())
        assert "cards.example" in _hosts(listening, ["https://cards.example"])
        with pytest.raises(RequestError, match=r"cannot listen on 127\.0\.0\.1 port"):
            bind("127.0.0.1", listening.getsockname()[1])
        assert list_addresses(listening) == []
        assert describe_address(listening) == address_of(listening)
        assert list_addresses(listening, ["https://cards.example/"]) == ["https://cards.example"]
    with bind("0.0.0.0", 0) as listening:
        assert _hosts(listening, ()) == ()
        port = listening.getsockname()[1]
        assert address_of(listening) == f"http://127.0.0.1:{port}"
        for address in list_addresses(listening):
            assert address.endswith(f":{port}")
            assert not address.startswith(("http://0.0.0.0", "http://127."))
        words = describe_address(listening)
        assert "0.0.0.0" not in words
        assert words.startswith(f"http://127.0.0.1:{port} ")


def test_a_machine_without_a_network_has_no_address_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_find_own_address", lambda family: None)
    with bind("0.0.0.0", 0) as listening:
        assert list_addresses(listening) == []
        assert "no address that others can reach" in describe_address(listening)
    monkeypatch.setattr(addresses, "_find_own_address", lambda family: "192.0.2.7")
    with bind("0.0.0.0", 0) as listening:
        port = listening.getsockname()[1]
        assert describe_address(listening) == f"http://127.0.0.1:{port} and for others at http://192.0.2.7:{port}"


def test_an_origin_is_a_site() -> None:
    command = [*COMMAND, "--origin", "cards.example"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr == "error: --origin must be an origin such as https://cards.example, not cards.example\n"


def test_what_goes_wrong_is_said_in_a_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        command = [*COMMAND, "--port", port, "--store", str(tmp_path / "web.db")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: cannot listen on 127.0.0.1 port {port}")
    assert done.stderr.count("\n") == 1
