"""Nothing that people are sent while they are paired depends on the cards that they will be dealt."""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from lastcard.seeds import SEED_BITS
from lastcard.store import pairing_rows
from lastcard.store.pairing_rows import PairedGame, Waiting
from lastcard.web.contract.people import PairingBody
from lastcard.web.people import pairing
from lastcard.web.people.pairing import Pairing
from tests.property.web_worlds import in_memory
from tests.unit.asgi import Reply, serving

NOON = datetime(2026, 1, 1, 12)  # the store writes times without a zone
WANTED = {"players": 3, "rules": "house", "level": "easy", "length": "round", "wait": 60}


def describe(reply: Reply) -> str:
    return f"{reply.status} {sorted(reply.headers.items())} {reply.body!r}"


async def pair_up(folder: Path, seed: int) -> list[str]:
    """Pairs three people up, and notes every byte that they and a stranger are sent until they sit down."""
    count = itertools.count()
    async with serving(folder, make_secret=lambda _: f"secret {next(count)}") as client:
        meeting: Any = client.service.pairing
        meeting._make_seed = lambda bits: seed % (1 << bits)
        replies = []
        tokens = []
        for _ in range(3):
            replies.append(await client.post("/api/pairing", WANTED))
            assert replies[-1].status == 201, replies[-1].body
            tokens.append(replies[-1].json["token"])
            replies += [await client.get("/api/pairing", token) for token in tokens]
        game = replies[-1].json["game"]
        assert game is not None, "three people who want the same game are paired"
        seats = {"seats": [{"game": game, "token": token} for token in tokens]}
        guesses = {"seats": [{"game": game, "token": "a guess"}]}
        replies.append(await client.post("/api/mine/history", seats))
        replies += [await client.post(f"/api/mine{path}", guesses) for path in ("", "/history", "/export")]
        replies.append(await client.get("/api/pairing", "a guess"))
        replies.append(await client.get(f"/api/games/{game}", "a guess"))
        replies.append(await client.get(f"/api/studies/{game}"))
        return [describe(reply) for reply in replies]


def look_twice(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[str]]:
    """Two worlds with other seeds, in which time stands still and the same names are made."""
    monkeypatch.setattr(pairing_rows, "now", lambda: NOON)
    monkeypatch.setattr(pairing, "now", lambda: NOON)
    numbers = itertools.count()
    monkeypatch.setattr(pairing, "make_name", lambda _: f"Guest {next(numbers) % 3}")
    with in_memory() as one, in_memory() as other:
        return asyncio.run(pair_up(one, 1)), asyncio.run(pair_up(other, (1 << SEED_BITS) - 1))


def test_pairing_tells_nothing_about_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = look_twice(monkeypatch)
    assert one == other


def test_a_leak_in_pairing_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Pairing._make_game

    def make_game(self: Pairing, wanted: PairingBody, rows: Sequence[Waiting]) -> PairedGame:
        made = honest(self, wanted, rows)
        return dataclasses.replace(made, key=f"key-{made.seed % 1000}")

    monkeypatch.setattr(Pairing, "_make_game", make_game)
    one, other = look_twice(monkeypatch)
    assert one != other
