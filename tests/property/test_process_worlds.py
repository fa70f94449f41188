"""Two worlds, each on two real processes: no byte that a player is sent tells them apart.

The player is connected to one process of each world, and the other has the game. The tests in test_web_worlds.py also
compare the times, by a clock that stands still, which real processes do not have.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.load.serving import Cluster
from lastcard.actions import Action
from lastcard.record import Record, RoundRecord
from lastcard.rules import Rules, format_rules
from lastcard.state import deal, deck_order
from lastcard.store import open_store
from lastcard.table import Table
from lastcard.web.contract.games import NewGame
from lastcard.web.games.presence import Holder
from lastcard.web.games.seating import SeatInfo, seat_opponents
from lastcard.web.games.setup import seat_agents, to_stored
from lastcard.web.hashes import hash_token
from lastcard.web.limits import Limits
from tests.postgres import start_server
from tests.property.web_worlds import exchange, look_alike
from tests.unit.tcp import WireClient

RULES = Rules.preset("official", players=3)
WANTED = NewGame(players=3, opponents=["first_legal"], rules=format_rules(RULES), length="round", pace=0.0)
TOKEN, INVITE = "the person's token", "the invitation"
PAIRS, LEAST_ACTIONS, MOST_ACTIONS = 10, 2, 6


@dataclass(frozen=True)
class Pair:
    """A game in two worlds, and what the person does in both."""

    key: str
    records: tuple[Record, ...]
    actions: tuple[Action, ...]


def make_pairs(seats: Sequence[SeatInfo]) -> Iterator[Pair]:
    """Games in which the person sees the same for a few turns, though the others hold other cards."""
    rng, made = random.Random(7), 0
    while made < PAIRS:
        seed = rng.randrange(1 << 64)
        deck = deck_order(RULES, seed)
        decks = (deck, exchange(deck, RULES, rng))
        dealt = [deal(RULES, deck=cards, bots=[False, True, True]) for cards in decks]
        names = tuple(info.agent for info in seats)
        rounds = [RoundRecord.of(state, cards, (), None) for state, cards in zip(dealt, decks, strict=True)]
        records = tuple(Record(RULES, names, (played,), seed, (0,)) for played in rounds)
        actions = find_actions([Table.resume(record, seat_agents(seats), (0,)) for record in records], rng)
        if dealt[0] != dealt[1] and len(actions) >= LEAST_ACTIONS:
            made += 1
            yield Pair(f"game-{made}", records, tuple(actions))


def find_actions(tables: Sequence[Table], rng: random.Random) -> list[Action]:
    """Actions of the person after which the worlds still look alike."""
    found: list[Action] = []
    action: Action | None = None
    while let_agents_play(tables) and len(found) < MOST_ACTIONS:
        if action is not None:
            found.append(action)
        action = rng.choice(tables[0].state.legal_actions)
        for table in tables:
            table.apply(action)
    return found


def let_agents_play(tables: Sequence[Table]) -> bool:
    """Plays until the person is asked; False if the worlds can be told apart there, or a round is over."""
    for table in tables:
        while not table.state.is_over and table.state.seat != 0:
            table.play_ply()
    states = [table.state for table in tables]
    return not any(state.is_over for state in states) and look_alike(states, 0)


async def play(client: WireClient, pair: Pair) -> list[str]:
    """Plays a game, and notes every byte."""
    path, seen = f"/api/games/{pair.key}", list[str]()
    async with client.joined(pair.key, TOKEN) as socket:
        seen.append(socket.welcome)
        for action in (*pair.actions, None):
            message: dict[str, Any] = {"type": ""}
            while message["type"] != "view" or not message["view"]["legal"]:
                text = await socket.receive_text()
                seen.append(text)
                message = json.loads(text)
            ply = message["view"]["ply"]
            for reply in (
                await client.get(path, TOKEN),
                await client.post(f"{path}/actions", {"ply": ply + 1, "action": "draw"}, TOKEN),
                await client.post("/api/mine", {"seats": [{"game": pair.key, "token": TOKEN}]}),
            ):
                seen.append(f"{reply.status} {reply.headers} {reply.body!r}")
            if action is not None:
                socket.send({"type": "act", "id": ply, "ply": ply, "action": action.text})
    return seen


def watch_world(pairs: Sequence[Pair], seats: Sequence[SeatInfo], side: int) -> list[list[str]]:
    """Plays all games in one world, through the process that does not have them."""
    url = start_server().make_url()
    settings = to_stored(WANTED, seats, Holder("Player", ""), INVITE)
    with open_store(url) as store:
        for pair in pairs:
            token_hash = hash_token(TOKEN)
            store.begin_branch(
                pair.records[side], seat=0, key=pair.key, token_hash=token_hash, settings=settings
            ).result()
    with Cluster(url, "requests_per_second=1000000") as cluster:
        owner, other = cluster.processes
        for pair in pairs:
            assert owner.ask(f"/api/games/{pair.key}", None, TOKEN)[0] == 200
        inside: Any = SimpleNamespace(service=SimpleNamespace(clock=time.monotonic))

        async def main() -> list[list[str]]:
            return [await play(WireClient(inside, other.port), pair) for pair in pairs]

        return asyncio.run(main())


@pytest.mark.long
def test_worlds_look_alike_through_another_real_process() -> None:
    seats = seat_opponents(WANTED.opponents, RULES, 0, Limits())
    pairs = list(make_pairs(seats))
    one, other = (watch_world(pairs, seats, side) for side in range(2))
    for pair, seen, seen_too in zip(pairs, one, other, strict=True):
        assert seen == seen_too, pair.key
        assert len(seen) > 4 * len(pair.actions)
