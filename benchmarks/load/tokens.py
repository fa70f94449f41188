"""Tries tokens that are guessed, stale or somebody else's on a server, and looks whether they show anything private."""

from __future__ import annotations

import hashlib
import http.client
import random
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.load.player import Player
from benchmarks.load.serving import Served, ask

REFUSALS: Final = {
    401: {"Authorization must be Bearer and the token of the game"},
    403: {"the token is not of this game", "only those who sit at the table can ask for that"},
    404: {"there is no such game"},
    409: {
        "every seat is taken; you can look on",
        "the game is over",
        "you have a seat at this table",
        "the record is given out when the game is over",
    },
    422: {"'x' is not an action: expected a card (r5, w:g), draw, keep, uno"},
}
"""Everything that may be said to whoever holds no seat."""
PUBLIC: Final[tuple[Any, ...]] = (None, [], [], None, None, None)
"""What a view shows whoever looks on of what is a seat's: seat, hand, legal, drawn card, deadline, hands."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A token, and what is asked for with it."""

    kind: str
    game: str
    token: str | None
    path: str
    body: Any


def make_attempts(victim: Player, other: Player, rng: random.Random) -> Iterator[Attempt]:
    """Attempts without end."""
    requests: list[tuple[str, Any]] = [
        ("", None),
        ("?since=0", None),
        ("/record", None),
        ("/hint", {}),
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
        "other game's": lambda: other.token,
        "other game's invitation": lambda: other.invite,
        "game's own name": lambda: victim.game,
        "none": lambda: None,
        "invitation": lambda: victim.invite,
    }
    while True:
        kind = rng.choice(list(kinds))
        path, body = rng.choice(requests)
        game = secrets.token_urlsafe(9) if rng.random() < 0.1 else victim.game
        yield Attempt(kind, game, kinds[kind](), path, body)


def _change(token: str, rng: random.Random) -> str:
    place = rng.randrange(len(token))
    return token[:place] + chr((ord(token[place]) - 32) % 94 + 33) + token[place + 1 :]


def check_answer(attempt: Attempt, status: int, answer: Any) -> None:
    """Looks whether an answer shows nothing private.

    Raises:
        AssertionError: if it does.
    """
    where = f"{attempt.kind} token at {attempt.path or '/'}: {status}"
    if status == 200:
        assert attempt.kind == "invitation", where
        view = answer["view"]
        private = (view["seat"], view["hand"], view["legal"], view["drawn_card"], view["deadline"], view["hands"])
        assert private == PUBLIC, where
        assert not any("cards" in event for event in view["log"]), where
    else:
        assert answer["error"]["message"] in REFUSALS.get(status, ()), f"{where}: {answer}"


def check_tokens(served: Served, attempts: int, tell: Callable[[str], None], seed: int = 1) -> dict[str, Any]:
    """Makes so many attempts; returns how often each status came.

    Raises:
        AssertionError: if one shows anything private.
    """
    rng = random.Random(seed)
    victim, other = (Player(served, f"10.1.0.{number}", number) for number in (1, 2))
    statuses: Counter[int] = Counter()
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    for number, attempt in zip(range(1, attempts + 1), make_attempts(victim, other, rng), strict=False):
        path = f"/api/games/{attempt.game}{attempt.path}"
        status, answer = ask(connection, path, attempt.body, attempt.token, "192.0.2.7")
        check_answer(attempt, status, answer)
        statuses[status] += 1
        if number % 1000 == 0:
            tell(f"{number} of {attempts} tokens")
    connection.close()
    status, answer = served.ask(f"/api/games/{victim.game}", token=victim.token)
    assert (status, answer["view"]["hand"]) == (200, victim.view["hand"]), "nothing happened to the game"
    return {"attempts": attempts, "statuses": {str(status): count for status, count in sorted(statuses.items())}}


def try_tokens(folder: Path, attempts: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """As `check_tokens`, on a server without limits on how often one may ask."""
    with Served(folder / "web.db", "requests_per_second=1000000", "max_searches_per_user=1000") as served:
        return check_tokens(served, attempts, tell)
