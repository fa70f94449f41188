"""Requests that the server refuses: too much, too often, from elsewhere."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from lastcard.errors import RequestError
from lastcard.web.api import app
from lastcard.web.api.app import create_app
from lastcard.web.api.guard import SECURITY_HEADERS
from lastcard.web.limits import Limits, Rate, Share, check_agent, make_window_agent, user_of
from tests.unit.asgi import FREE, HOST, Client, Closed, serving

GAME = {"pace": 0.0, "opponents": ["beginner"], "length": "round"}


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def run(
    folder: Path, scenario: Callable[[Client], Awaitable[None]], clock: Clock | None = None, **limits: object
) -> None:
    async def main() -> None:
        allowed = dataclasses.replace(FREE, **limits)  # type: ignore[arg-type]
        async with serving(folder, allowed, clock or time.monotonic) as client:
            await scenario(client)

    asyncio.run(main())


def test_a_rate_fills_up_again() -> None:
    clock = Clock()
    rate = Rate("actions", per_second=2.0, burst=3, clock=clock)
    for _ in range(3):
        rate.take("a")
    rate.take("b")
    with pytest.raises(RequestError, match="too many actions; try again in 1 s") as refused:
        rate.take("a")
    assert (refused.value.status, refused.value.retry_after_seconds) == (429, 0.5)
    clock.now = 0.5
    rate.take("a")
    with pytest.raises(RequestError):
        rate.take("a")


def test_a_share_is_bounded_for_each_and_for_all() -> None:
    share = Share("searches", most=3, most_per_user=2)
    for user in ("a", "a", "b"):
        share.take(user)
    with pytest.raises(RequestError, match="searches of yours at a time"):
        share.take("a")
    with pytest.raises(RequestError, match="searches on this server at a time"):
        share.take("c")
    share.give_back("a")
    share.take("c")
    assert share.total == 3


def test_a_user_is_an_address_or_a_network_of_ipv6() -> None:
    assert user_of("192.0.2.1") != user_of("192.0.2.2")
    assert user_of("2001:db8::1") == user_of("2001:db8::ffff")
    assert user_of("2001:db8:1::1") != user_of("2001:db8:2::1")
    assert user_of("::ffff:192.0.2.1") != user_of("::ffff:192.0.2.2")
    assert user_of(None) == "unknown"


def test_too_many_requests_are_refused_for_a_while(tmp_path: Path) -> None:
    clock = Clock()

    async def scenario(client: Client) -> None:
        for _ in range(40):
            assert (await client.get("/health")).status == 200
        refused = await client.get("/health")
        assert (refused.status, refused.headers["retry-after"]) == (429, "1")
        assert "too many requests" in refused.message
        assert (await Client(client.app, client.service, "192.0.2.9").get("/health")).status == 200
        clock.now = 1.0
        assert (await client.get("/health")).status == 200

    run(tmp_path, scenario, clock, requests_per_second=10.0)


def test_a_client_over_its_limit_waits_for_the_refusal_and_nobody_else_does(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        begun = (await client.post("/api/games", GAME)).json
        async with client.joined(begun["game"], begun["token"]) as socket:
            await socket.receive("view")
            for _ in range(40):
                socket.send({"type": "ping"})
            waiting = asyncio.create_task(client.get("/health"))
            assert (await Client(client.app, client.service, "192.0.2.9").get("/health")).status == 200
            while client.service._refusals.total < 2:
                await asyncio.sleep(0)
            assert not waiting.done()
            # More than so many do not wait: they could be many.
            assert (await client.get("/health")).status == 429
            waiting.cancel()

    run(tmp_path, scenario, Clock(), requests_per_second=10.0, refusal_seconds=2.0, max_refusals_per_user=2)


def test_opening_sockets_counts_as_asking(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        for _ in range(4):
            async with client.socket():
                pass
        with pytest.raises(Closed, match="1008"):
            async with client.socket():
                pass

    run(tmp_path, scenario, Clock(), requests_per_second=1.0)


def test_too_many_new_games_are_refused_for_a_while(tmp_path: Path) -> None:
    clock = Clock()

    async def scenario(client: Client) -> None:
        assert [(await client.post("/api/games", GAME)).status for _ in range(3)] == [201, 201, 429]
        clock.now = 30.0
        assert (await client.post("/api/games", GAME)).status == 201

    run(tmp_path, scenario, clock, new_games_per_minute=2.0)


def test_games_that_nobody_looks_at_make_room_and_come_back(tmp_path: Path) -> None:
    clock = Clock()

    async def scenario(client: Client) -> None:
        first = (await client.post("/api/games", {**GAME, "pace": 10.0})).json
        second = (await client.post("/api/games", GAME)).json
        refused = await client.post("/api/games", GAME)
        assert (refused.status, refused.headers["retry-after"]) == (429, "30")
        # A game in which an action is being stored is not put away.
        clock.now = 1.0
        live, _ = await client.service.find(second["game"], second["token"], "someone")
        while live.referee.lock.locked() or not live.view(0)["legal"]:
            await asyncio.sleep(0.01)
        clock.now = 10.0
        assert (await client.post("/api/games", GAME)).status == 201
        assert first["game"] not in client.service.games
        again = await client.get(f"/api/games/{first['game']}", first["token"])
        assert again.json["view"] == first["view"]
        assert (await client.get(f"/api/games/{first['game']}", "wrong")).status == 403

    run(tmp_path, scenario, clock, max_games_per_user=2)


def test_the_server_holds_so_many_games(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        assert (await client.post("/api/games", GAME)).status == 201
        other = Client(client.app, client.service, "192.0.2.9")
        refused = await other.post("/api/games", GAME)
        assert (refused.status, refused.message) == (429, "too many games on this server at a time; try again in 30 s")

    run(tmp_path, scenario, max_games=1)


def test_sockets_are_limited(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        async with client.socket(), client.socket() as second:
            assert "too many connections" in (await second.receive())["error"]["message"]
            with pytest.raises(Closed, match="1013"):
                await second.receive()
        async with client.socket() as third:
            third.send("{}")
            assert "type" in str(await third.receive())

    run(tmp_path, scenario, max_sockets_per_user=1)


def test_a_socket_that_talks_too_much_is_left(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        begun = (await client.post("/api/games", GAME)).json
        async with client.joined(begun["game"], begun["token"]) as socket:
            for _ in range(10):
                socket.send({"type": "ping"})
            assert "too many requests" in (await socket.receive("error"))["error"]["message"]
            with pytest.raises(Closed, match="1013"):
                await socket.receive()

    run(tmp_path, scenario, Clock(), requests_per_second=1.0)


def test_a_socket_has_to_join_soon(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        async with client.socket() as socket:
            assert (await socket.receive())["error"] == {"message": "expected a join first"}
            with pytest.raises(Closed, match="1008"):
                await socket.receive()

    run(tmp_path, scenario, join_seconds=0.01)


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"players": 1}, "players"),
        ({"players": 11}, "players"),
        ({"players": True}, "players"),
        ({"opponents": []}, "opponents"),
        ({"opponents": ["easy", "easy"]}, "opponents"),
        ({"opponents": ["nobody"]}, "opponents"),
        ({"opponents": ["halving:threads=8"]}, "opponents"),
        ({"opponents": ["halving:weights=/etc/passwd"]}, "opponents"),
        ({"opponents": ["halving:hypotheses=100000"]}, "opponents"),
        ({"opponents": ["halving:simulations=1000000"]}, "opponents"),
        ({"opponents": ["halving:seconds=30"]}, "opponents"),
        ({"opponents": ["halving:simulations=ten"]}, "opponents"),
        ({"opponents": ["net:/etc/passwd"]}, "opponents"),
        ({"opponents": ["net:file=/etc/passwd"]}, "opponents"),
        ({"opponents": ["net:simulations=/etc/passwd"]}, "opponents"),
        ({"opponents": ["champion"], "rules": "house"}, "opponents"),
        ({"opponents": ["expectiminimax:depth=32"]}, "opponents"),
        ({"rules": "poker"}, "rules"),
        ({"rules": "mini", "players": 10}, "rules"),
        ({"rules": "official players=3"}, "players"),
        ({"length": "match"}, "length"),
        ({"pace": -1.0}, "pace"),
        ({"pace": 1e9}, "pace"),
        ({"window": "long"}, "window"),
        ({"seed": 7}, "seed"),
    ],
)
def test_a_game_that_cannot_be_had_is_refused_by_field(wanted: dict[str, Any], field: str, tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        refused = await client.post("/api/games", wanted)
        assert refused.status == 422
        assert refused.json["error"]["field"].partition(".")[0] == field

    run(tmp_path, scenario)


def test_an_agent_for_other_rules_is_refused_with_one_that_plays_by_them(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        for agent, rules in (("champion", "house"), ("net", "mini")):
            refused = await client.post("/api/games", {"opponents": [agent], "rules": rules, "players": 2})
            assert refused.json["error"]["code"] == "agent_rules"
            assert refused.json["error"]["message"].endswith("; choose another opponent, such as hardest")
            begun = await client.post("/api/games", {"opponents": ["hardest"], "rules": rules, "players": 2})
            assert begun.status == 201

    run(tmp_path, scenario)


def test_agents_take_budgets_and_nothing_else() -> None:
    assert check_agent("halving:simulations=5000", Limits(), "opponents") == "halving:simulations=5000"
    assert check_agent("random", Limits(), "opponents") == "random"
    quick: Any = make_window_agent("halving:simulations=100000", 1, Limits())
    assert quick.config.simulations == Limits().window_simulations
    timed: Any = make_window_agent("halving:seconds=2", 1, Limits())
    assert (timed.config.seconds, timed.config.simulations) == (0.0, Limits().window_simulations)
    deep: Any = make_window_agent("expectiminimax", 1, Limits())
    assert deep.config.seconds == Limits().window_seconds


def test_a_request_has_to_be_short(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        long = b" " * 20_000 + b"{}"
        declared = await client.post("/api/games", long, content_length=str(len(long)))
        assert declared.status == 413
        assert (await client.post("/api/games", long)).status == 400
        assert (await client.post("/api/games", b"{" * 10_000)).status in (400, 422)
        assert (await client.post("/api/games", b'{"players": NaN}')).status == 422
        assert (await client.post("/api/games", b'{"\\ud800": 1}')).status == 422

    run(tmp_path, scenario)


def test_pages_of_others_are_refused(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        assert (await client.get("/health", origin=f"http://{HOST}")).status == 200
        for origin in ("http://evil.example", "null", "http://127.0.0.1:9999", "http://[", f"file://{HOST}"):
            refused = await client.post("/api/games", GAME, origin=origin)
            assert refused.status == 403
            with pytest.raises(Closed, match="1008"):
                async with client.socket(origin=origin):
                    pass
        async with client.socket(origin=f"http://{HOST}"):
            pass
        allowed = Client(create_app(client.service, origins=["https://cards.example/"]), client.service)
        assert (await allowed.get("/health", origin="https://cards.example")).status == 200

    run(tmp_path, scenario)


def test_only_its_own_names_are_answered(tmp_path: Path) -> None:
    """No site may point its own name at this machine and read the server's answers."""

    async def scenario(client: Client) -> None:
        assert (await client.get("/health", host="localhost:8000")).status == 200
        refused = await client.get("/health", host="evil.example", origin="http://evil.example")
        assert refused.status == 421
        with pytest.raises(Closed):
            async with client.socket(host="evil.example", origin="http://evil.example"):
                pass

    run(tmp_path, scenario)


def test_every_answer_has_the_headers_of_a_careful_server(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        replies = [await client.get("/health"), await client.get("/api/games/x"), await client.get("/nowhere")]
        replies.append(await client.get("/health", host="evil.example"))
        for reply in replies:
            assert {name.lower(): value for name, value in SECURITY_HEADERS.items()}.items() <= reply.headers.items()
        policy = replies[0].headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")  # compiles WebAssembly, and no JavaScript
        assert replies[1].headers["cache-control"] == "no-store"

    run(tmp_path, scenario)


def test_the_page_comes_from_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html><title>lastcard</title>")
    (static / "assets" / "index-1.js").write_text("1")
    monkeypatch.setattr(app, "STATIC", static)

    async def scenario(client: Client) -> None:
        page = await client.get("/")
        assert (page.status, page.headers["cache-control"]) == (200, "no-cache")
        assert page.headers["content-type"].startswith("text/html")
        assert SECURITY_HEADERS["Content-Security-Policy"] == page.headers["content-security-policy"]
        part = await client.get("/assets/index-1.js")
        assert (part.status, "immutable" in part.headers["cache-control"]) == (200, True)
        for path in ("/nowhere", "/assets/nowhere.js", "/../web.db", "/%2e%2e/web.db"):
            missing = await client.get(path)
            assert missing.status == 404
            assert "immutable" not in missing.headers["cache-control"]

    run(tmp_path, scenario)
