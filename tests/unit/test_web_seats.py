"""Seats that are left, resigned or delegated; the list of open games; and reactions."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path

import pytest

from lastcard.web.contract.people import OpenGamesResponse
from tests.unit.asgi import Client, Closed, Socket, has_acted, is_asked, rest, serving
from tests.unit.test_web_friends import PATIENT, QUICK, Told, begin, both, joined, play, run, sit

LONG = "official hand_size=15"
SLOW = "halving:simulations=10000000"


async def give_up(client: Client, place: Told, *, resign: bool = False) -> int:
    reply = await client.post(f"/api/games/{place['game']}/leave", {"resign": resign}, place["token"])
    return reply.status


async def list_mine(client: Client, *places: Told) -> list[Told]:
    seats = [{"game": place["game"], "token": place["token"]} for place in places]
    reply = await client.post("/api/mine", {"seats": seats})
    assert reply.status == 200, reply.body
    OpenGamesResponse.model_validate(reply.json)
    games: list[Told] = reply.json["games"]
    return games


def test_a_seat_that_was_left_is_free_for_others_and_closed_to_its_last_person(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host, friend = await both(client, rules=LONG)
        async with joined(client, host) as at_host, joined(client, friend) as at_friend:
            await at_host.receive("view")
            await at_friend.receive("view")
            assert await give_up(client, friend) == 204
            seen = await at_host.view_when(lambda view: view["seats"][1]["is_open"])
            assert not seen["seats"][1]["is_person"]
            error = (await at_friend.receive("error"))["error"]
            assert error["message"] == "you have left this seat"
            with pytest.raises(Closed):
                await at_friend.receive()
            await play(at_host, has_acted(1))  # an agent plays there
        assert (await client.get(f"/api/games/{host['game']}", friend["token"])).status == 403
        again = await sit(client, host, "Gus")
        assert (again.status, again.json["seat"]) == (201, 1)
        assert (await client.get(f"/api/games/{host['game']}", friend["token"])).status == 403

    run(tmp_path, scenario)


def test_a_spectator_is_sent_the_name_of_the_person_who_takes_a_seat_over(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host, friend = await both(client, rules=LONG)
        async with joined(client, host, host["invite"]) as watching:
            view = (await watching.receive("view"))["view"]
            before = view["seats"][1]["name"]
            assert await give_up(client, friend) == 204
            await watching.view_when(lambda view: view["seats"][1]["name"] != before)
            assert (await sit(client, host, "Gus")).status == 201
            await watching.view_when(lambda view: view["seats"][1]["name"].startswith("Gus"))

    run(tmp_path, scenario)


def test_who_began_a_game_can_leave_it_and_a_restart_remembers(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host, friend = await both(client, rules=LONG)
        assert await give_up(client, host) == 204
        assert await give_up(client, host) == 403
        client.service.games.forget(host["game"])
        assert (await client.get(f"/api/games/{host['game']}", host["token"])).status == 403
        view = (await client.get(f"/api/games/{host['game']}", friend["token"])).json["view"]
        assert [seat["is_open"] for seat in view["seats"]] == [True, False, False]
        assert (await sit(client, host, "Gus")).json["seat"] == 0

    run(tmp_path, scenario)


def test_a_resigned_seat_stays_with_its_agent(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host, friend = await both(client, rules=LONG)
        assert await give_up(client, friend, resign=True) == 204
        for _ in range(2):
            view = (await client.get(f"/api/games/{host['game']}", host["token"])).json["view"]
            assert [seat["is_open"] for seat in view["seats"]] == [False] * 3
            refused = await sit(client, host)
            assert (refused.status, refused.message) == (409, "every seat is taken; you can spectate")
            client.service.games.forget(host["game"])

    run(tmp_path, scenario)


def test_a_game_ends_when_its_last_player_resigns(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host = await begin(client, friends=0, players=2, rules=LONG)
        assert await give_up(client, host, resign=True) == 204
        reply = await client.get(f"/api/games/{host['game']}", host["invite"])
        assert (reply.status, reply.message) == (409, "this game ended when its last player resigned")
        study = (await client.get(f"/api/studies/{host['game']}")).json
        assert (study["winner"], study["rounds"][0]["reason"]) == (None, None)
        assert (await list_mine(client, host)) == [{"game": host["game"], "state": "gone", "table": None}]

    run(tmp_path, scenario)


def test_a_spectator_has_no_seat_to_give_up(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host = await begin(client)
        reply = await client.post(f"/api/games/{host['game']}/leave", {}, host["invite"])
        assert reply.status == 403
        assert (await client.post(f"/api/games/{host['game']}/leave", {"resign": 1}, host["token"])).status == 422

    run(tmp_path, scenario)


def test_an_agent_plays_for_a_lone_person_who_delegates_until_the_person_is_back(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host = await begin(client, friends=0, players=2, rules=LONG)
        async with joined(client, host) as socket:
            asked = await socket.view_when(is_asked)
            socket.send({"type": "delegate"})
            seen = await socket.view_when(lambda view: view["ply"] > asked["ply"] + 4)
            assert seen["seats"][0]["is_away"]
            socket.send({"type": "back"})
            await socket.view_when(lambda view: not view["seats"][0]["is_away"])
            # An agent may have played at the very moment when the person came back; then the table stands still.
            ply, legal = -1, False
            for _ in range(100):
                await asyncio.sleep(0.05)
                view = (await client.get(f"/api/games/{host['game']}", host["token"])).json["view"]
                if legal and view["ply"] == ply:
                    return
                ply, legal = view["ply"], bool(view["legal"])
            pytest.fail("nobody plays for a person who is back")

    run(tmp_path, scenario)


def test_nothing_plays_on_when_a_person_who_delegated_goes(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host = await begin(client, friends=0, players=2, rules=LONG, pace=0.2)
        async with joined(client, host) as socket:
            await socket.view_when(is_asked)
            socket.send({"type": "delegate"})
            await socket.view_when(lambda view: view["seats"][0]["is_away"])
        live = client.service.games.peek(host["game"])
        assert live is not None
        await rest(live)
        done = len(live.referee.table.actions)
        await asyncio.sleep(0.5)
        assert len(live.referee.table.actions) == done

    run(tmp_path, scenario)


@pytest.mark.parametrize("how", ["closes", "leaves", "resigns"])
def test_a_search_stops_at_once_when_nobody_is_left(how: str, tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host = await begin(client, friends=0, players=2, rules=LONG, opponents=[SLOW])
        live = client.service.games.peek(host["game"])
        assert live is not None
        async with joined(client, host) as socket:
            await search(client, socket)
            done = len(live.referee.table.actions)
            if how != "closes":
                assert await give_up(client, host, resign=how == "resigns") == 204
        while client.service.workers.num_deciding != (0, 0):
            await asyncio.sleep(0.001)
        assert len(live.referee.table.actions) == done, "a search that is not stopped ends with an action"
        if how == "closes":  # the game goes on when the person is back
            async with joined(client, host) as socket:
                await search(client, socket)

    run(tmp_path, scenario, dataclasses.replace(PATIENT, max_seconds=600.0, max_simulations=10_000_000))


async def search(client: Client, socket: Socket) -> None:
    """Plays until the agent searches."""
    while client.service.workers.num_deciding == (0, 0):
        view = (await socket.receive("view"))["view"]
        if view["legal"]:
            socket.send({"type": "act", "id": 1, "ply": view["ply"], "action": view["legal"][0]})
            await socket.receive("ack")
        await asyncio.sleep(0.01)


def test_agents_search_only_while_a_client_without_a_socket_asks(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host = await begin(client, friends=0, rules=LONG, opponents=["halving:simulations=20"], pace=0.1)
        live = client.service.games.peek(host["game"])
        assert live is not None
        path, token, view = f"/api/games/{host['game']}", host["token"], host["view"]
        while not view["legal"]:
            view = (await client.get(path, token)).json["view"]
            await asyncio.sleep(0.01)
        await client.post(f"{path}/actions", {"ply": view["ply"], "action": view["legal"][0]}, token)
        await asyncio.sleep(0.3)
        assert live.referee.state.seat != 0, "an agent is to act, and waits"
        while not (await client.get(path, token)).json["view"]["legal"]:
            await asyncio.sleep(0.01)

    run(tmp_path, scenario, QUICK)


def test_the_list_says_whose_turn_it_is_and_loads_nothing(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        alone = await begin(client, friends=0, players=2, rules=LONG)
        waiting = await begin(client)
        view = (await client.get(f"/api/games/{alone['game']}", alone["token"])).json["view"]
        in_memory = await list_mine(client, alone, waiting)
        client.service.games.forget(alone["game"])
        client.service.games.forget(waiting["game"])
        stored = await list_mine(client, alone, waiting)
        assert stored == in_memory
        assert len(client.service.games) == 0
        first, second = (game["table"] for game in stored)
        assert (first["to_act"], first["phase"], first["seat"]) == (view["to_act"], "playing", 0)
        assert (second["to_act"], second["phase"]) == (None, "gathering")
        assert [seat["name"] for seat in second["seats"]] == ["Eva", "Ada", "Ben"]
        assert [seat["is_open"] for seat in second["seats"]] == [False, True, False]

    run(tmp_path, scenario)


def test_the_list_knows_no_game_for_a_wrong_token(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host = await begin(client)
        strange = {"game": host["game"], "token": "no such token"}
        invited = {"game": host["game"], "token": host["invite"]}
        missing = {"game": "nothing", "token": host["token"]}
        for _ in range(2):
            assert [game["state"] for game in await list_mine(client, strange, invited, missing)] == ["gone"] * 3
            if host["game"] in client.service.games:
                client.service.games.forget(host["game"])
        seats = [strange] * 51
        assert (await client.post("/api/mine", {"seats": seats})).status == 422

    run(tmp_path, scenario)


def test_reactions_reach_everyone_and_only_players_send_them(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host, friend = await both(client)
        async with (
            joined(client, host) as at_host,
            joined(client, friend) as at_friend,
            joined(client, host, host["invite"]) as onlooker,
        ):
            for socket in (at_host, at_friend, onlooker):
                await socket.receive("view")
            at_friend.send({"type": "react", "reaction": "nice"})
            for socket in (at_host, at_friend, onlooker):
                assert await socket.receive("reaction") == {"type": "reaction", "seat": 1, "reaction": "nice"}
            onlooker.send({"type": "react", "reaction": "nice"})
            assert "only players" in (await onlooker.receive("refused"))["error"]["message"]
            at_host.send({"type": "react", "reaction": "free text"})
            assert (await at_host.receive("refused"))["error"]["field"] == "react.reaction"
            for _ in range(3):
                at_friend.send({"type": "react", "reaction": "wow"})
            assert "too many reactions" in (await at_friend.receive("refused"))["error"]["message"]

    run(tmp_path, scenario, dataclasses.replace(PATIENT, refusal_seconds=0.0))


def test_addresses_for_others_are_those_of_the_server(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path, QUICK) as client:
            assert (await client.get("/api/address")).json == {"addresses": []}

    asyncio.run(scenario())
