"""Tries tokens that are guessed, stale or from other games on a server, and checks that they show nothing private."""

from __future__ import annotations

import hashlib
import http.client
import json
import random
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from websockets.sync.client import connect

from benchmarks.load.player import Player
from benchmarks.load.serving import PATIENCE_SECONDS, Served, ask, patiently
from lastcard.rules import Rules
from lastcard.table import Table

REFUSALS: Final = {
    401: {"Authorization must be Bearer and the token of the game"},
    403: {"the token belongs to another game", "only players at the table can do that"},
    404: {"there is no such game"},
    409: {"the game is over", "the record is available when the game is over"},
}
"""Error messages that a client without a seat may get."""
PUBLIC: Final[tuple[Any, ...]] = (None, [], [], None, None, None)
"""Private fields of a view as spectators see them: seat, hand, legal, drawn card, deadline, hands."""


SOCKET: Final = "/ws"
SOCKETS: Final = 0.1
"""Share of the attempts that open a socket."""
USER: Final = "192.0.2.7"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A token, and what is asked for with it."""

    kind: str
    game: str
    token: str | None
    path: str
    body: Any


@dataclass(frozen=True, slots=True)
class Stale:
    """A game that was deleted, and the token that was its owner's."""

    game: str
    token: str


def make_stale(served: Served) -> Stale:
    """Uploads a record and deletes it."""
    record = Table(Rules.preset("mini"), ["random", "random"], seed=7).play_round().to_text()
    status, brought = patiently(lambda: served.ask("/api/studies", {"record": record}))
    assert status == 201, brought
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    path, token = f"/api/studies/{brought['game']}", brought["token"]
    connection.request("DELETE", path, headers={"Authorization": f"Bearer {token}"})
    assert connection.getresponse().status == 204
    connection.close()
    return Stale(brought["game"], token)


def make_attempts(victim: Player, other: Player, stale: Stale, rng: random.Random) -> Iterator[Attempt]:
    """Yields attempts without end."""
    requests: list[tuple[str, Any]] = [
        ("", None),
        ("?since=0", None),
        ("/record", None),
        ("/next", {}),
        ("/rematch", {}),
        ("/actions", {"ply": victim.view["ply"], "action": "draw"}),
    ]
    token = victim.token
    kinds: dict[str, Callable[[], str | None]] = {
        "guessed": lambda: secrets.token_urlsafe(32),
        "short": lambda: token[: rng.randrange(1, len(token))],
        "long": lambda: token + rng.choice("abc_-"),
        "changed": lambda: _change(token, rng),
        "hash": lambda: hashlib.sha256(token.encode()).hexdigest(),
        "stale": lambda: stale.token,
        "other game's": lambda: other.token,
        "other game's invitation": lambda: other.invite,
        "game's own name": lambda: victim.game,
        "none": lambda: None,
        "invitation": lambda: victim.invite,
    }
    while True:
        kind = rng.choice(list(kinds))
        path, body = (SOCKET, None) if rng.random() < SOCKETS else rng.choice(requests)
        if kind == "stale" and rng.random() < 0.5:
            game = stale.game
        else:
            game = secrets.token_urlsafe(9) if rng.random() < 0.1 else victim.game
        yield Attempt(kind, game, kinds[kind](), path, body)


def _change(token: str, rng: random.Random) -> str:
    place = rng.randrange(len(token))
    return token[:place] + chr((ord(token[place]) - 32) % 94 + 33) + token[place + 1 :]


def check_answer(attempt: Attempt, status: int, answer: Any) -> None:
    """Checks that an answer shows nothing private.

    Raises:
        AssertionError: if it does.
    """
    where = f"{attempt.kind} token at {attempt.path or '/'}: {status}"
    if status == 200:
        check_view(attempt, answer["view"], where)
    else:
        assert answer["error"]["message"] in REFUSALS.get(status, ()), f"{where}: {answer}"


def check_message(attempt: Attempt, message: Any) -> None:
    """Checks that the first message of a socket shows nothing private.

    Raises:
        AssertionError: if it does.
    """
    where = f"{attempt.kind} token at the socket"
    if message["type"] == "view":
        check_view(attempt, message["view"], where)
    else:
        refused = (message["type"], message["error"]["message"])
        known = {("error", words) for status in (403, 404) for words in REFUSALS[status]}
        if attempt.token is None:
            known.add(("error", "Input should be a valid string"))
        assert refused in known, f"{where}: {message}"


def check_view(attempt: Attempt, view: Any, where: str) -> None:
    """Checks that a view is one for invited spectators.

    Raises:
        AssertionError: if it is not.
    """
    assert attempt.kind == "invitation", where
    private = (view["seat"], view["hand"], view["legal"], view["drawn_card"], view["deadline"], view["hands"])
    assert private == PUBLIC, where
    assert not any("cards" in event for event in view["log"]), where


def wait_for_turn(served: Served, player: Player) -> dict[str, Any]:
    """The view of a player who has to decide; opponents may act first when a round begins."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        status, answer = patiently(lambda: served.ask(f"/api/games/{player.game}", token=player.token))
        assert status == 200, answer
        view: dict[str, Any] = answer["view"]
        if view["legal"]:
            return view
        assert time.monotonic() < deadline, view
        time.sleep(0.01)


def join(served: Served, attempt: Attempt) -> Any:
    """The first message of a socket that joins with the token."""
    headers = {"X-Forwarded-For": USER}
    address = f"ws://127.0.0.1:{served.port}/ws"
    with connect(address, additional_headers=headers, compression=None) as socket:
        socket.send(json.dumps({"type": "join", "game": attempt.game, "token": attempt.token}))
        return json.loads(socket.recv(timeout=60))


def check_tokens(served: Served, attempts: int, tell: Callable[[str], None], seed: int = 1) -> dict[str, Any]:
    """Makes so many attempts; returns how often each status came.

    Raises:
        AssertionError: if one shows anything private.
    """
    rng = random.Random(seed)
    victim, other = (Player(served, f"10.1.0.{number}", number) for number in (1, 2))
    victim.view = before = wait_for_turn(served, victim)
    statuses: Counter[str] = Counter()
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    made = make_attempts(victim, other, make_stale(served), rng)
    for number, attempt in zip(range(1, attempts + 1), made, strict=False):
        if attempt.path == SOCKET:
            status = "socket"
            check_message(attempt, join(served, attempt))
        else:
            path = f"/api/games/{attempt.game}{attempt.path}"
            code, answer = patiently(partial(ask, connection, path, attempt.body, attempt.token, USER))
            check_answer(attempt, code, answer)
            status = str(code)
        statuses[status] += 1
        if number % 1000 == 0:
            tell(f"{number} of {attempts} tokens")
    connection.close()
    after = wait_for_turn(served, victim)
    assert (after["ply"], after["hand"]) == (before["ply"], before["hand"]), "nothing happened to the game"
    return {"attempts": attempts, "statuses": dict(sorted(statuses.items()))}


def try_tokens(store: str | Path, attempts: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """Runs `check_tokens` on a server without limits on how often one may ask."""
    with Served(store, "requests_per_second=1000000") as served:
        return check_tokens(served, attempts, tell)
