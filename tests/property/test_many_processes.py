"""Several servers on one PostgreSQL: any of them answers for every game, and a game survives the one that has it."""

from __future__ import annotations

import asyncio
import hmac
import http.client
import json
import os
import signal
import time
from collections.abc import Iterator
from typing import Any, Final

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from benchmarks.load import measures
from benchmarks.load.history import Ledger, check_store
from benchmarks.load.measures import measure_latency, name_user, take_over
from benchmarks.load.player import Player
from benchmarks.load.serving import Cluster, Served
from tests.postgres import start_server

LIMITS: Final = ("cover_seconds=0", "requests_per_second=1e6", "new_games_per_minute=1e6")
WANTED: Final = {
    "rules": "official hand_size=20",  # nobody goes out within the few turns of a test
    "players": 2,
    "pace": 0.0,
    "window": 600.0,
    "opponents": ["medium"],
    "length": "game",
}
PATIENCE_SECONDS: Final = 60.0


@pytest.fixture(scope="module")
def both() -> Iterator[Cluster]:
    with Cluster(start_server().make_url(), *LIMITS) as running:
        yield running


@pytest.fixture
def cluster(both: Cluster) -> Iterator[Cluster]:
    yield both
    both.restore()


class Person:
    """Plays one game on any server."""

    def __init__(self, served: Served, **wanted: Any) -> None:
        status, self.game = served.ask("/api/games", {**WANTED, **wanted})
        assert status == 201, self.game
        self.ledger = Ledger(self.game["game"], self.game["seat"])

    def ask(self, served: Served, path: str = "", body: object = None) -> tuple[int, Any]:
        """Asks again while the game moves, as a client does."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            answer = served.ask(f"/api/games/{self.game['game']}{path}", body, self.game["token"])
            if answer[0] != 503 or time.monotonic() > deadline:
                return answer
            time.sleep(0.1)

    def see(self, served: Served) -> dict[str, Any]:
        status, answer = self.ask(served)
        assert status == 200, answer
        view: dict[str, Any] = answer["view"]
        return view

    def act(self, served: Served) -> int:
        """Does the first legal action and returns the status of the answer."""
        view = self.wait_for_turn(served)
        return self.send(served, view["ply"], view["legal"][0])

    def wait_for_turn(self, served: Served) -> dict[str, Any]:
        """Returns the view in which the person is asked; nothing happens until there is an answer."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (view := self.see(served))["legal"]:
            assert time.monotonic() < deadline, view
            if view["phase"] == "over":
                self.ask(served, "/next", {})
            time.sleep(0.01)
        return view

    def send(self, served: Served, ply: int, action: str) -> int:
        self.ledger.send(ply, action)
        status, _ = self.ask(served, "/actions", {"ply": ply, "action": action})
        if status == 200:
            self.ledger.acknowledge(ply, action)
        return status


def test_any_process_answers_for_every_game(cluster: Cluster) -> None:
    one, other = cluster.processes
    person = Person(one)
    person.wait_for_turn(one)
    assert person.see(other) == person.see(one)
    for served in (other, one, other):
        assert person.act(served) == 200
    with connect(f"ws://127.0.0.1:{other.port}/ws") as socket:
        socket.send(json.dumps({"type": "join", "game": person.game["game"], "token": person.game["token"]}))
        view = json.loads(socket.recv(PATIENCE_SECONDS))["view"]
        assert view["seats"][0]["connected"]
        while not view["legal"]:  # the agents are still at it
            view = json.loads(socket.recv(PATIENCE_SECONDS)).get("view", view)
        socket.send(json.dumps({"type": "act", "id": 1, "ply": view["ply"], "action": view["legal"][0]}))
        person.ledger.send(view["ply"], view["legal"][0])
        assert json.loads(socket.recv(PATIENCE_SECONDS)) == {"type": "ack", "id": 1, "ply": view["ply"]}
        person.ledger.acknowledge(view["ply"], view["legal"][0])
    assert check_store(cluster.store, [person.ledger]) == 4


def test_refusals_are_passed_on(cluster: Cluster) -> None:
    one, other = cluster.processes
    person = Person(one)
    for served in (one, other):
        assert person.ask(served, "/actions", {"ply": 999, "action": "draw"})[0] == 409
        assert person.ask(served, "/actions", {"ply": "x"})[0] == 422
        assert served.ask(f"/api/games/{person.game['game']}", None, "a guess")[0] == 403
        assert served.ask("/api/games/nothing", None, "a guess")[0] == 404


def test_friends_and_spectators_may_be_on_any_process(cluster: Cluster) -> None:
    one, other = cluster.processes
    person = Person(one, players=3, friends=1)
    key, invite = person.game["game"], person.game["invite"]
    assert other.ask(f"/api/games/{key}", None, invite)[1]["view"]["seat"] is None
    status, friend = other.ask(f"/api/games/{key}/seats", {"name": "Ada"}, invite)
    assert (status, friend["seat"]) == (201, 1)
    sockets = [connect(f"ws://127.0.0.1:{served.port}/ws") for served in (one, other)]
    try:
        for socket, token in zip(sockets, (person.game["token"], friend["token"]), strict=True):
            socket.send(json.dumps({"type": "join", "game": key, "token": token}))
            assert json.loads(socket.recv(PATIENCE_SECONDS))["type"] == "view"
        sockets[1].send(json.dumps({"type": "react", "reaction": "hello"}))
        while (message := json.loads(sockets[0].recv(PATIENCE_SECONDS)))["type"] != "reaction":
            pass
        assert message["seat"] == 1
    finally:
        for socket in sockets:
            socket.close()


def test_all_games_of_a_person_are_found_on_any_process(cluster: Cluster) -> None:
    one, other = cluster.processes
    people = [Person(one), Person(other)]
    seats = {"seats": [{"game": person.game["game"], "token": person.game["token"]} for person in people]}
    for served in (one, other):
        status, answer = served.ask("/api/mine", seats)
        assert status == 200, answer
        assert [game["state"] for game in answer["games"]] == ["open", "open"]
        assert len(served.ask("/api/mine/export", seats)[1]["games"]) == 2
    secret = other.ask("/api/links", seats)[1]["secret"]
    carried = other.ask("/api/links/use", {}, secret)[1]["seats"]
    for served in (one, other):
        for each in carried:
            assert served.ask(f"/api/games/{each['game']}", None, each["token"])[0] == 200
    assert other.ask("/api/mine/erase", seats)[1] == {"deleted": 2, "erased": 0}
    for served in (one, other):
        assert {game["state"] for game in served.ask("/api/mine", seats)[1]["games"]} == {"gone"}


def test_a_finished_game_that_one_process_deletes_is_gone_on_all(cluster: Cluster) -> None:
    one, other = cluster.processes
    person = Person(one, length="round", rules="mini")
    while person.see(one)["phase"] != "over":
        person.act(one)
    key = person.game["game"]
    for served in (one, other):
        assert served.ask(f"/api/studies/{key}")[0] == 200
    connection = http.client.HTTPConnection("127.0.0.1", other.port)
    connection.request("DELETE", f"/api/studies/{key}", headers={"Authorization": f"Bearer {person.game['token']}"})
    assert connection.getresponse().status == 204
    connection.close()
    for served in (one, other):
        assert served.ask(f"/api/studies/{key}")[0] == 404
        assert person.ask(served)[0] == 404


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP], ids=lambda end: end.name)
def test_games_continue_when_their_process_ends_or_falls_silent(cluster: Cluster, end: signal.Signals) -> None:
    one, other = cluster.processes
    person = Person(one)
    for _ in range(3):
        assert person.act(one) == 200
    seen = person.wait_for_turn(one)
    cluster.end(one, end)
    for ply, action in person.ledger.acknowledged.items():
        assert person.ask(other, "/actions", {"ply": ply, "action": action})[0] == 200
    assert person.see(other)["hand"] == seen["hand"]
    if end == signal.SIGSTOP:
        # The other has the game, and has not written since: only the lease keeps the first from writing.
        os.kill(one.pid, signal.SIGCONT)
        status = person.send(one, seen["ply"], seen["legal"][0])
        assert (person.see(other)["ply"] > seen["ply"]) == (status == 200)
    for _ in range(3):
        assert person.act(other) == 200
    assert check_store(cluster.store, [person.ledger]) >= 6


def test_a_process_that_continues_after_a_pause_shows_nothing_old(cluster: Cluster) -> None:
    """Requests wait at its door, and are read at the same moment as its clock."""
    one, other = cluster.processes
    people = [Person(one) for _ in range(4)]
    for person in people:
        person.wait_for_turn(one)
    cluster.end(one, signal.SIGSTOP)
    for person in people:
        assert person.act(other) == 200
    waiting = []
    for person in people * 3:
        connection = http.client.HTTPConnection("127.0.0.1", one.port, timeout=PATIENCE_SECONDS)
        headers = {"Authorization": f"Bearer {person.game['token']}"}
        connection.request("GET", f"/api/games/{person.game['game']}", headers=headers)
        waiting.append((person, connection))
    os.kill(one.pid, signal.SIGCONT)
    for person, connection in waiting:
        reply = connection.getresponse()
        told = json.load(reply)
        assert reply.status == 503 or told["view"]["ply"] > max(person.ledger.acknowledged)
        connection.close()


@pytest.mark.parametrize(("how", "often"), [(signal.SIGKILL, 5), (signal.SIGTERM, 2)], ids=["killed", "restarted"])
def test_processes_that_end_under_load_lose_nothing(cluster: Cluster, how: signal.Signals, often: int) -> None:
    found = take_over(cluster, often, games=3, tell=lambda _: None, how=how)
    assert found["acknowledged"] > 0


def test_neither_process_waits_for_locks_of_the_other(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "WARM_SECONDS", 0.1)
    players = [Player(cluster.processes[number % 2], name_user(number), number) for number in range(8)]
    asyncio.run(measure_latency(players, 0.5))  # the first to meet an agent enters it for all
    waits = start_server().count_lock_waits()
    players += [Player(cluster.processes[number % 2], name_user(number), number) for number in range(8, 12)]
    asyncio.run(measure_latency(players, 3.0, every_seconds=0.05))
    assert start_server().count_lock_waits() == waits
    assert check_store(cluster.store, [player.ledger for player in players]) > 100


def test_strangers_on_different_processes_meet(cluster: Cluster) -> None:
    tokens = []
    for served in cluster.processes:
        status, waiting = served.ask("/api/pairing", {"wait": 60})
        assert status == 201, waiting
        tokens.append(waiting["token"])
    found = [
        served.ask("/api/pairing", None, token)[1] for served, token in zip(cluster.processes, tokens, strict=True)
    ]
    assert found[0]["game"] == found[1]["game"] is not None
    assert sorted(each["seat"] for each in found) == [0, 1]
    for served in cluster.processes:
        for each, token in zip(found, tokens, strict=True):
            view = served.ask(f"/api/games/{each['game']}", None, token)[1]["view"]
            assert view["seat"] == each["seat"]


def test_the_private_address_answers_only_those_who_know_the_secret(cluster: Cluster) -> None:
    living = "SELECT address, secret FROM processes WHERE expires > timezone('utc', now())"
    person = Person(cluster.processes[0])
    path, token = f"/api/games/{person.game['game']}", person.game["token"]
    deadline = time.monotonic() + PATIENCE_SECONDS
    # A process that an earlier test has ended counts as alive for a moment.
    while len(found := start_server().query(living, cluster.store)) != len(cluster.processes):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    for address, secret in found:
        host, _, port = str(address).partition(":")
        keys = {
            None: 403,
            "a guess": 403,
            str(secret): 403,  # never sent as it is
            make_key(str(secret), "192.0.2.2"): 403,  # made for another user
            make_key(str(secret), "192.0.2.1"): 200,
        }
        for key, status in keys.items():
            assert ask_privately(host, int(port), path, token, key) == status
    for served in cluster.processes:  # elsewhere, the key is a header like any other
        assert ask_privately("127.0.0.1", served.port, path, token, "a guess") == 200


def make_key(secret: str, user: str) -> str:
    """The key of a request for the user, as another process makes it."""
    return f"n {hmac.new(secret.encode(), f'ask{chr(10)}n{chr(10)}{user}'.encode(), 'sha256').hexdigest()}"


def ask_privately(host: str, port: int, path: str, token: str, key: str | None) -> int:
    connection = http.client.HTTPConnection(host, port, timeout=PATIENCE_SECONDS)
    headers = {"Authorization": f"Bearer {token}", "lastcard-user": "192.0.2.1"}
    connection.request("GET", path, headers={**headers, **({"lastcard-key": key} if key else {})})
    status = connection.getresponse().status
    connection.close()
    return status


def hear_to_the_end(socket: Connection) -> None:
    """Hears what an agent may have done just before, until the connection ends."""
    while True:
        socket.recv(PATIENCE_SECONDS)


def test_a_client_of_a_dead_process_is_not_kept_waiting(cluster: Cluster) -> None:
    """A socket that goes through another process ends with the lease of the one that is paused."""
    one, other = cluster.processes
    person = Person(one)
    with connect(f"ws://127.0.0.1:{other.port}/ws") as socket:
        socket.send(json.dumps({"type": "join", "game": person.game["game"], "token": person.game["token"]}))
        assert json.loads(socket.recv(PATIENCE_SECONDS))["type"] == "view"
        cluster.end(one, signal.SIGSTOP)
        try:
            with pytest.raises(ConnectionClosed, match="1012"):
                hear_to_the_end(socket)
        finally:
            os.kill(one.pid, signal.SIGCONT)
    assert person.act(other) == 200
