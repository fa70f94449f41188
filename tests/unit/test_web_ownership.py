"""Servers in one event loop that share a store in PostgreSQL: leases, limits and people who wait."""

from __future__ import annotations

import asyncio
import dataclasses
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from lastcard.errors import RequestError, StoreError
from lastcard.store import lease_rows
from lastcard.store.pairing_rows import Waiting
from lastcard.store.utc import now
from lastcard.web import lease, ownership
from lastcard.web.contract.people import PairingBody
from lastcard.web.limits import Limits, Rate, Share
from lastcard.web.people.pairing import Pairing
from tests.postgres import start_server
from tests.unit.asgi import FREE, Closed
from tests.unit.tcp import WireClient, serving_tcp

Scenario = Callable[[WireClient, WireClient], Awaitable[None]]


LONG_SECONDS = 3_600.0


@pytest.fixture(autouse=True)
def leases_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process is late, however busy the machine is, and each beats only when a test lets it."""
    monkeypatch.setattr(lease_rows, "_LATER", f"{lease_rows._NOW} + interval '{LONG_SECONDS} seconds'")
    monkeypatch.setattr(lease, "LEASE_SECONDS", LONG_SECONDS)
    monkeypatch.setattr(ownership, "_BEAT_SECONDS", LONG_SECONDS)


@pytest.fixture
def url() -> str:
    return start_server().make_url()


def run(url: str, scenario: Scenario, limits: Limits = FREE) -> None:
    async def main() -> None:
        async with AsyncExitStack() as stack:
            await scenario(*[await stack.enter_async_context(serving_tcp(url, limits)) for _ in range(2)])

    asyncio.run(main())


async def beat(*clients: WireClient) -> None:
    """Lets processes tell each other how they are."""
    for _ in range(2):
        for client in clients:
            await client.service.ownership._renew()


async def begin(client: WireClient) -> tuple[str, str]:
    reply = await client.post("/api/games", {"players": 2, "pace": 0.0})
    assert reply.status == 201, reply.body
    return reply.json["game"], reply.json["token"]


def test_new_games_are_counted_across_processes(url: str) -> None:
    async def scenario(one: WireClient, other: WireClient) -> None:
        await begin(one)
        await begin(other)
        await begin(one)
        await beat(one, other)
        for client in (one, other):
            assert (await client.post("/api/games", {})).status == 429

    run(url, scenario, dataclasses.replace(FREE, new_games_per_minute=3.0))


def test_a_process_that_cannot_ask_who_has_a_game_says_so(
    url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: object) -> None:
        raise StoreError("cannot read the store") from OSError("connection refused")

    async def scenario(one: WireClient, other: WireClient) -> None:
        game, token = await begin(one)
        monkeypatch.setattr(other.service.store, "find_peers", fail)
        reply = await other.get(f"/api/games/{game}", token)
        assert (reply.status, reply.json["error"]["code"]) == (503, "store_away")

    run(url, scenario)
    assert caplog.messages == ["the store failed: cannot read the store"]


def test_games_in_memory_are_counted_across_processes(url: str) -> None:
    async def scenario(one: WireClient, other: WireClient) -> None:
        await begin(one)
        await begin(other)
        await beat(one, other)
        for client in (one, other):
            assert (await client.post("/api/games", {})).status == 429

    run(url, scenario, dataclasses.replace(FREE, max_games_per_user=2))


def test_each_process_has_room_for_as_many_games_as_the_limit_says(url: str) -> None:
    async def scenario(one: WireClient, other: WireClient) -> None:
        for client in (one, other):
            await begin(client)
            await beat(one, other)
        for client in (one, other):
            refused = await client.post("/api/games", {})
            assert (refused.status, "on this server" in refused.message) == (429, True)

    run(url, scenario, dataclasses.replace(FREE, max_games=1))


def test_sockets_are_counted_across_processes(url: str) -> None:
    async def scenario(one: WireClient, other: WireClient) -> None:
        game, token = await begin(one)
        async with one.joined(game, token) as socket:
            await socket.receive_text()
            await beat(one, other)
            async with other.joined(*await begin(other)) as refused:
                assert "too many connections of yours" in await refused.receive_text()

    run(url, scenario, dataclasses.replace(FREE, max_sockets_per_user=1))


def test_a_socket_that_is_relayed_counts_once(url: str) -> None:
    async def scenario(one: WireClient, other: WireClient) -> None:
        game, token = await begin(one)
        async with other.joined(game, token) as socket:
            await socket.receive_text()
            await beat(one, other)
            assert [client.service.sockets.total for client in (one, other)] == [0, 1]
            async with other.joined(game, token) as second:
                assert '"view"' in await second.receive_text()

    run(url, scenario, dataclasses.replace(FREE, max_sockets_per_user=2))


def test_a_report_counts_once() -> None:
    rate, share = Rate("games", 1 / 60, 10, lambda: 0.0), Share("sockets", 100, 3)
    for _ in range(3):
        rate.note({7: {next(iter(taken_by("Ada"))): 4.0}})
        share.note({7: {next(iter(taken_by("Ada"))): 2.0}})
    rate.take("Ada", 6.0)
    share.take("Ada")
    for full in (rate, share):
        with pytest.raises(Exception, match="too many"):
            full.take("Ada")
    rate.take("Ben", 10.0)
    rate.note({})
    share.note({})
    share.take("Ada")


def taken_by(user: str) -> dict[str, float]:
    share = Share("sockets", 1, 1)
    share.take(user)
    return dict(share.report())


def test_a_report_forgets_what_was_taken_before_the_bucket_was_full_again() -> None:
    times = iter(range(0, 10_000, 100))
    rate = Rate("games", 0.1, 10.0, lambda: float(next(times)))
    for _ in range(20):
        rate.take("Ada", 5.0)
    assert not rate.report()
    assert list(rate._taken.values()) == [5.0]


def test_users_who_take_little_are_not_reported() -> None:
    rate, share = Rate("requests", 50.0, 200.0, lambda: 0.0), Share("sockets", 100, 50)
    rate.take("Ada", 5.0)
    share.take("Ada")
    assert not rate.report()
    assert not share.report()
    rate.take("Ada", 6.0)
    assert list(rate.report().values()) == [11.0]


def test_a_process_that_counted_as_dead_drops_its_games_and_begins_again(url: str) -> None:
    async def scenario(one: WireClient, other: WireClient) -> None:
        game, token = await begin(one)
        before = one.service.store.owner
        async with one.joined(game, token) as socket:
            await socket.receive_text()
            # As another process does that finds it expired.
            start_server().query(f"DELETE FROM processes WHERE id = {before}", url)
            assert (await other.get(f"/api/games/{game}", token)).status == 200
            assert other.service.games.has(game)
            await one.service.ownership._renew()
            with pytest.raises(Closed, match="1012"):
                await socket.receive_text()
        assert not one.service.games.has(game)
        assert one.service.store.owner > before
        async with one.joined(game, token) as socket:
            assert '"view"' in await socket.receive_text()
        assert other.service.games.has(game)

    run(url, scenario)


def test_a_process_that_was_paused_shows_nothing_before_it_knows_that_its_games_are_its_own(url: str) -> None:
    async def scenario(one: WireClient, other: WireClient) -> None:
        game, token = await begin(one)
        live, held = one.service.games.peek(game), one.service.lease
        assert live is not None
        start_server().query(f"DELETE FROM processes WHERE id = {one.service.store.owner}", url)
        view = (await other.get(f"/api/games/{game}", token)).json["view"]
        while not view["legal"]:  # the agent begins
            view = (await other.get(f"/api/games/{game}", token)).json["view"]
        action = {"ply": view["ply"], "action": view["legal"][0]}
        after = (await other.post(f"/api/games/{game}/actions", action, token)).json["view"]
        usual = held.now
        held.now = lambda: usual() + LONG_SECONDS
        with pytest.raises(RequestError, match="moving"):
            live.view(0)
        assert (await one.get(f"/api/games/{game}", token)).json["view"]["ply"] >= after["ply"] > view["ply"]
        assert not one.service.games.has(game)

    run(url, scenario)


def test_a_process_that_was_only_late_keeps_its_games_and_their_sockets(url: str) -> None:
    async def scenario(one: WireClient, _: WireClient) -> None:
        game, token = await begin(one)
        live, held = one.service.games.peek(game), one.service.lease
        assert live is not None
        async with one.joined(game, token) as socket:
            await socket.receive_text()
            usual = held.now
            held.now = lambda: usual() + LONG_SECONDS
            live.broadcast.notify()
            await one.service.ownership._renew()
            assert '"view"' in await socket.receive_text()
        assert held.is_sure
        assert one.service.games.has(game)

    run(url, scenario)


def test_an_action_at_a_process_without_the_lease_moves_its_clients(url: str) -> None:
    async def scenario(one: WireClient, other: WireClient) -> None:
        game, token = await begin(one)
        live = one.service.games.peek(game)
        assert live is not None
        async with one.joined(game, token) as socket:
            await socket.receive_text()
            start_server().query(f"UPDATE leases SET process_id = {other.service.store.owner}", url)
            view = live.view(0)
            socket.send({"type": "act", "id": 1, "ply": view["ply"], "action": view["legal"][0]})
            with pytest.raises(Closed, match="1012"):
                await socket.receive_text()
        reply = await one.post(f"/api/games/{game}/actions", {"ply": view["ply"], "action": view["legal"][0]}, token)
        assert reply.status == 200
        assert other.service.games.has(game)
        assert not one.service.games.has(game)

    run(url, scenario)


def test_another_program_in_the_place_of_a_process_is_not_believed(url: str, tmp_path: Path) -> None:
    """The port of a process that has died may be given to a server that knows nothing of its games."""

    async def scenario(one: WireClient, other: WireClient) -> None:
        game, token = await begin(one)
        async with serving_tcp(tmp_path) as stranger:
            address = f"address = '127.0.0.1:{stranger.port}'"
            start_server().query(f"UPDATE processes SET {address} WHERE id = {one.service.store.owner}", url)
            reply = await other.get(f"/api/games/{game}", token)
            assert (reply.status, reply.json["error"]["code"]) == (503, "moving")
            async with other.joined(game, token) as socket:
                with pytest.raises(Closed, match="1012"):
                    await socket.receive_text()

    run(url, scenario)


def test_games_of_another_process_are_described_by_it(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store knows of windows that no player was shown yet."""

    async def scenario(one: WireClient, other: WireClient) -> None:
        game, token = await begin(one)
        monkeypatch.setattr(other.service.store, "find_sitting", lambda _: None)
        reply = await other.post("/api/mine", {"seats": [{"game": game, "token": token}]})
        assert reply.json["games"][0]["state"] == "open"

    run(url, scenario)


def test_people_who_ask_different_processes_at_the_same_moment_get_one_seat_each(url: str) -> None:
    async def scenario(one: WireClient, other: WireClient) -> None:
        people = [Waiting(f"hash {number}", "medium", f"Person {number}") for number in range(40)]
        pairings: list[Pairing] = [one.service.pairing, other.service.pairing]
        later = now() + timedelta(minutes=1)
        for who in people:
            await asyncio.wrap_future(one.service.store.add_waiting(who, "{}", later, later))
        stores = (one.service.store, other.service.store)

        def poll(who: Waiting, place: int) -> Awaitable[object]:
            make_game = partial(pairings[place]._make_game, PairingBody(players=2))
            return asyncio.wrap_future(stores[place].poll_waiting(who.token_hash, later, 2, make_game))

        await asyncio.gather(*(poll(who, place) for who in people for place in (0, 1)))
        rows = start_server().query("SELECT game_id, seat FROM waiting", url)
        assert len(set(rows)) == len(people)
        assert set(Counter(game for game, _ in rows).values()) == {2}
        assert start_server().query("SELECT count(*) FROM games", url) == [(len(people) // 2,)]

    run(url, scenario)
