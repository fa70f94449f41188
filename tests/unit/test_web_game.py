"""Games over HTTP and the socket."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from lastcard.actions import Action
from lastcard.agents import make_agent
from lastcard.agents.heuristic import HeuristicAgent
from lastcard.errors import AgentError, StoreError
from lastcard.observation import Observation, observe
from lastcard.record import Record
from lastcard.rules import Rules
from lastcard.web.contract.catalog import Catalog
from lastcard.web.contract.games import NewGameResponse
from lastcard.web.games.driver import Driver
from tests.unit.asgi import Client, Closed, Socket, is_asked, serving

FAST = {"pace": 0.0, "opponents": ["medium"], "length": "round"}
Scenario = Callable[[Client], Awaitable[None]]


def run(folder: Path, scenario: Scenario) -> None:
    async def main() -> None:
        async with serving(folder) as client:
            await scenario(client)

    asyncio.run(main())


async def begin(client: Client, least_legal: int = 1, **wanted: object) -> tuple[str, str, dict[str, Any]]:
    """Begins a game in which the person has something to decide first, whatever card is turned up."""
    while True:
        reply = await client.post("/api/games", {**FAST, **wanted})
        assert reply.status == 201, reply.body
        answer = NewGameResponse.model_validate(reply.json)
        if len(answer.view.legal) >= least_legal:
            return answer.game, answer.token, reply.json["view"]


async def play_round(socket: Socket, choose: Callable[[dict[str, Any]], str]) -> dict[str, Any]:
    """Plays until the round is over, and returns the last view."""
    while True:
        view = await socket.view_when(is_asked)
        if view["phase"] == "over":
            return view
        socket.send({"type": "act", "id": view["ply"], "ply": view["ply"], "action": choose(view)})
        message = await socket.receive()
        assert message == {"type": "ack", "id": view["ply"], "ply": view["ply"]}


def first(view: dict[str, Any]) -> str:
    return str(view["legal"][0])


def after_ply(ply: int) -> Callable[[dict[str, Any]], bool]:
    return lambda view: view["ply"] > ply


def test_the_catalog_says_what_there_is(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        reply = await client.get("/api/catalog")
        catalog = Catalog.model_validate(reply.json)
        assert [preset.name for preset in catalog.presets][:2] == ["official", "family"]
        assert {switch.name for switch in catalog.switches} | {"players"} == set(Rules().to_dict())
        assert "halving" in [analyst.name for analyst in catalog.analysts]
        assert all(hasattr(make_agent(analyst.agent), "search") for analyst in catalog.analysts)
        assert (await client.post("/api/games", reply.json["defaults"])).status == 201

    run(tmp_path, scenario)


@pytest.mark.parametrize("rules", ["official", "tournament", "house"])
def test_a_round_is_played_to_its_end_and_replays(rules: str, tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        game, token, begun = await begin(client, players=3, rules=rules, window=60.0)
        async with client.joined(game, token) as socket:
            view = await play_round(socket, first)
        assert view["outcome"]["winner"] == view["game_outcome"]["winner"]
        assert begun["seed"] is None
        assert begun["hands"] is None
        assert begun["deal_hash"] == hashlib.sha256(view["seed"].encode()).hexdigest()
        reply = await client.get(f"/api/games/{game}/record", token)
        record = Record.from_text(reply.body.decode())
        assert reply.headers["content-type"].startswith("text/plain")
        assert str(record.seed) == view["seed"]
        *_, last = record.states(0)
        assert view["hands"] == [[card.text for card in last.hand(seat)] for seat in range(3)]
        assert view["ply"] == len(observe(last, 0).history)

    run(tmp_path, scenario)


def test_the_seed_commits_to_the_deal(tmp_path: Path) -> None:
    """Anyone who knows the seed can deal the game again."""

    async def scenario(client: Client) -> None:
        from lastcard.table import Table

        game, token, begun = await begin(client)
        async with client.joined(game, token) as socket:
            view = await play_round(socket, first)
        assert int(view["seed"]).bit_length() > 200
        again = Table(Rules.preset("official"), ["random", "random"], int(view["seed"]), [0]).state
        assert [card.text for card in again.hand(0)] == begun["hand"]

    run(tmp_path, scenario)


def test_a_game_goes_on_to_the_target_and_has_a_rematch(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        game, token, view = await begin(client, length="game", rules="official target_score=30", opponents=["beginner"])
        assert (await client.post(f"/api/games/{game}/rematch", token=token)).status == 409
        async with client.joined(game, token) as socket:
            rounds = 0
            while not view["game_outcome"]:
                view = await play_round(socket, first)
                rounds += 1
                assert view["round"] == rounds
                assert (view["seed"] is None) == (view["game_outcome"] is None)
                if not view["game_outcome"]:
                    assert (await client.get(f"/api/games/{game}/record", token)).status == 409
                    socket.send({"type": "next"})
        refused = await client.post(f"/api/games/{game}/next", token=token)
        assert (refused.status, refused.message) == (409, "the game is over; ask for a rematch")
        rematch = await client.post(f"/api/games/{game}/rematch", token=token)
        assert rematch.status == 201
        assert rematch.json["game"] != game
        assert rematch.json["token"] != token
        assert rematch.json["view"]["rules"] == view["rules"]

    run(tmp_path, scenario)


def test_plies_go_on_from_round_to_round(tmp_path: Path) -> None:
    """An action of an earlier round is a retry or refused, never played."""

    async def scenario(client: Client) -> None:
        game, token, begun = await begin(client, length="game", opponents=["beginner"])
        async with client.joined(game, token) as socket:
            over = await play_round(socket, first)
            dealt = (await client.post(f"/api/games/{game}/next", token=token)).json["view"]
            assert dealt["round"] == 2
            assert dealt["ply"] > over["ply"]
            assert dealt["ply"] - len(dealt["log"]) == over["ply"]
            old = {"ply": begun["ply"], "action": "pass"}
            assert (await client.post(f"/api/games/{game}/actions", old, token)).status == 409

    run(tmp_path, scenario)


def test_actions_are_refused_unless_they_answer_what_is_asked(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        game, token, view = await begin(client, opponents=["random"])
        path, ply = f"/api/games/{game}/actions", view["ply"]
        for wrong, status, words in (
            ({"ply": ply + 1, "action": "draw"}, 409, f"ply is {ply} now, not {ply + 1}"),
            ({"ply": ply - 1, "action": "draw"}, 409, f"ply is {ply} now, not {ply - 1}"),
            ({"ply": ply, "action": "challenge"}, 422, "challenge is not legal; legal actions: "),
            ({"ply": ply, "action": "r55"}, 422, "'r55' is not an action"),
            ({"ply": str(ply), "action": "draw"}, 422, "valid integer"),
            ({"ply": ply, "action": "draw", "seat": 1}, 422, "not permitted"),
            ({"action": "draw"}, 422, "required"),
        ):
            reply = await client.post(path, wrong, token)
            assert reply.status == status
            assert words in reply.message
        assert (await client.get(f"/api/games/{game}", token)).json["view"] == view

    run(tmp_path, scenario)


def test_a_retry_is_acknowledged_again_and_applied_once(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        game, token, view = await begin(client)
        path = f"/api/games/{game}/actions"
        action = {"ply": view["ply"], "action": first(view)}
        replies = await asyncio.gather(*(client.post(path, action, token) for _ in range(5)))
        assert {reply.status for reply in replies} == {200}
        assert (await client.post(path, {**action, "action": action["action"].upper()}, token)).status == 200
        async with client.joined(game, token) as socket:
            socket.send({"type": "act", "id": "again", **action})
            assert await socket.receive("ack") == {"type": "ack", "id": "again", "ply": view["ply"]}
        [kept] = [kept for kept in client.service.store.list_games() if kept.key == game]
        record = client.service.store.read_record(kept.number)
        actors = [state.seat for state, _ in zip(record.states(), record.rounds[0].actions, strict=False)]
        assert actors.count(0) == 1

    run(tmp_path, scenario)


def test_of_two_actions_for_one_ply_one_is_taken(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        game, token, view = await begin(client, least_legal=2)
        path = f"/api/games/{game}/actions"
        both = [{"ply": view["ply"], "action": action} for action in view["legal"][:2]]
        replies = await asyncio.gather(*(client.post(path, action, token) for action in both))
        assert sorted(reply.status for reply in replies) == [200, 409]

    run(tmp_path, scenario)


def test_a_seat_is_held_by_its_token(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        game, token, view = await begin(client)
        _, other_token, _ = await begin(client)
        assert len(token) >= 43
        path = f"/api/games/{game}"
        assert (await client.get(path)).status == 401
        assert (await client.get(path)).headers["www-authenticate"] == "Bearer"
        assert (await client.get(path, other_token)).status == 403
        assert (await client.get(path, token.swapcase())).status == 403
        assert (await client.get("/api/games/nowhere", token)).status == 404
        assert (await client.get(path, authorization=f"Basic {token}")).status == 401
        for kind in ("actions", "next", "rematch"):
            body = {"ply": view["ply"], "action": "draw"} if kind == "actions" else {}
            assert (await client.post(f"{path}/{kind}", body, other_token)).status == 403
        assert (await client.get(f"{path}/record", other_token)).status == 403

    run(tmp_path, scenario)


def test_tokens_are_stored_hashed(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        _, token, _ = await begin(client)
        client.service.store.flush()
        kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert token.encode() not in kept
        assert hashlib.sha256(token.encode()).hexdigest().encode() in kept

    run(tmp_path, scenario)


def test_the_log_starts_where_one_wants(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        game, token, view = await begin(client)
        assert len(view["log"]) == view["ply"]
        later = (await client.get(f"/api/games/{game}?since={view['ply'] - 1}", token)).json["view"]
        assert later["log"] == view["log"][-1:]
        async with client.joined(game, token, since=view["ply"]) as socket:
            assert (await socket.receive("view"))["view"]["log"] == []

    run(tmp_path, scenario)


def test_two_sockets_of_one_seat_see_the_same(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        game, token, _ = await begin(client)
        async with client.joined(game, token) as one, client.joined(game, token) as other:
            view = await one.view_when(is_asked)
            assert await other.view_when(is_asked) == view
            one.send({"type": "act", "id": 1, "ply": view["ply"], "action": first(view)})
            seen = await one.view_when(lambda new: is_asked(new) and new["ply"] > view["ply"])
            last = await other.view_when(lambda new: is_asked(new) and new["ply"] > view["ply"])
            assert {**last, "log": []} == {**seen, "log": []}
        assert (await client.get(f"/api/games/{game}", token)).json["view"]["seats"][0]["connected"] is False

    run(tmp_path, scenario)


def test_a_person_who_comes_back_finds_seat_hand_and_turn(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        game, token, _ = await begin(client)
        async with client.joined(game, token) as socket:
            view = await socket.view_when(is_asked)
        async with client.joined(game, token) as socket:
            assert await socket.view_when(is_asked) == view

    run(tmp_path, scenario)


def test_a_window_passes_when_its_time_is_over(tmp_path: Path) -> None:
    """Rule 10.7, for people: a seat that does not answer passes."""

    async def scenario(client: Client) -> None:
        for _ in range(100):
            game, token, _ = await begin(client, players=2, rules="house", opponents=["beginner"], window=0.05)
            async with client.joined(game, token) as socket:
                while True:
                    view = await socket.view_when(is_asked)
                    if view["phase"] in ("over", "jump_in", "catch"):
                        break
                    socket.send({"type": "act", "id": 1, "ply": view["ply"], "action": first(view)})
                if view["phase"] == "over":
                    continue
                assert "pass" in view["legal"]
                assert 0 <= view["deadline"] <= 0.05
                after = await socket.view_when(after_ply(view["ply"]))
                mine = [event for event in after["log"] if event["seat"] == 0]
                assert mine[0]["kind"] == "passed"
                retry = {"ply": view["ply"], "action": "pass"}
                assert (await client.post(f"/api/games/{game}/actions", retry, token)).status == 200
                late = {"ply": view["ply"], "action": first(view)}
                assert (await client.post(f"/api/games/{game}/actions", late, token)).status == 409
            return
        raise AssertionError("no window in a hundred rounds")

    run(tmp_path, scenario)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("[]", "valid"),
        ("{", "JSON"),
        ({"type": "jump"}, "type"),
        ({"type": "act", "id": 1, "ply": 5}, "required"),
        ({"type": "act", "id": 1, "ply": 5, "action": "draw", "more": 1}, "not permitted"),
        ({"type": "act", "id": 1, "ply": 10**9, "action": "draw"}, "less than"),
        ({"type": "analyse", "id": 1}, "type"),
        ({"type": "next"}, "the round is not over"),
        ({"type": "join", "game": "a", "token": "b"}, "has joined a game already"),
    ],
)
def test_a_message_that_makes_no_sense_is_refused(message: object, words: str, tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        game, token, _ = await begin(client)
        async with client.joined(game, token) as socket:
            socket.send(message)
            refused = await socket.receive("refused")
            assert words in refused["error"]["message"]
            socket.send({"type": "ping"})
            assert await socket.receive("pong")

    run(tmp_path, scenario)


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"type": "ping"}, 1008),
        ("nonsense", 1008),
        ({"type": "join", "game": "nowhere", "token": "x"}, 1008),
        ("x" * 5000, 1009),
        ("é" * 2049, 1009),
    ],
)
def test_a_socket_that_does_not_join_is_left(message: object, code: int, tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        async with client.socket() as socket:
            socket.send(message)
            assert (await socket.receive())["type"] == "error"
            with pytest.raises(Closed, match=str(code)):
                await socket.receive()

    run(tmp_path, scenario)


def test_a_round_that_was_dealt_comes_back_from_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if nobody has acted in it."""

    async def scenario(client: Client) -> None:
        game, token, _ = await begin(client, length="game", opponents=["beginner"], rules="official must_play=true")
        async with client.joined(game, token) as socket:
            await play_round(socket, first)
        monkeypatch.setattr(Driver, "wake", lambda self: None)
        dealt = (await client.post(f"/api/games/{game}/next", token=token)).json["view"]
        assert dealt["round"] == 2
        client.service.games.forget(game)
        assert (await client.get(f"/api/games/{game}", token)).json["view"] == dealt

    run(tmp_path, scenario)


def test_a_game_that_is_over_comes_back_from_the_store(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        game, token, _ = await begin(client)
        async with client.joined(game, token) as socket:
            view = await play_round(socket, first)
        client.service.games.forget(game)
        again = (await client.get(f"/api/games/{game}", token)).json["view"]
        assert again["seed"] == view["seed"]
        assert again["hands"] == view["hands"]
        assert (await client.get(f"/api/games/{game}/record", token)).status == 200

    run(tmp_path, scenario)


def test_what_the_store_cannot_keep_is_not_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(client: Client) -> None:
        game, token, view = await begin(client)
        action = {"ply": view["ply"], "action": first(view)}
        broken: Future[int] = Future()
        broken.set_exception(StoreError("cannot write web.db: disk I/O error"))
        with monkeypatch.context() as patch:
            patch.setattr(client.service.store, "append_actions", lambda *_, **__: broken)
            refused = await client.post(f"/api/games/{game}/actions", action, token)
        assert (refused.status, refused.message) == (503, "the store cannot be written; try again later")
        assert (await client.get(f"/api/games/{game}", token)).json["view"] == view
        assert (await client.post(f"/api/games/{game}/actions", action, token)).status == 200

    run(tmp_path, scenario)


def test_a_game_whose_agent_fails_goes_on_from_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the error is told, which could name cards."""

    async def scenario(client: Client) -> None:
        def fail(self: HeuristicAgent, observation: Observation) -> Action:
            raise AgentError(f"I hold {observation.hand}")

        game, token, view = await begin(client)
        async with client.joined(game, token) as socket:
            with monkeypatch.context() as patch:
                patch.setattr(HeuristicAgent, "choose", fail)
                while view["legal"]:
                    socket.send({"type": "act", "id": 1, "ply": view["ply"], "action": view["legal"][-1]})
                    view = await socket.view_when(after_ply(view["ply"]))
                error = await socket.receive("error")
                message = "the game stopped: something went wrong on the server; try again"
                assert error["error"] == {"message": message, "code": "game_stopped"}
                with pytest.raises(Closed, match="1013"):
                    await socket.receive()
        async with client.joined(game, token) as socket:
            assert await socket.view_when(after_ply(view["ply"]))

    run(tmp_path, scenario)
