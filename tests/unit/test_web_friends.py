"""Several people at one table: seats by a link, agents that stand in, and spectators."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from lastcard.record import Record
from lastcard.web.contract.games import NewGameResponse
from lastcard.web.contract.view import View
from lastcard.web.limits import Limits
from tests.unit.asgi import FREE, Client, Reply, Socket, has_acted, is_asked, rest, serving

FAST = {"pace": 0.0, "opponents": ["medium"], "length": "round", "players": 3, "friends": 1, "name": "Eva"}
QUICK = dataclasses.replace(FREE, away_seconds=0.05)
PATIENT = dataclasses.replace(FREE, away_seconds=60.0)
Told = dict[str, Any]


def run(folder: Path, scenario: Callable[[Client], Awaitable[None]], limits: Limits = PATIENT) -> None:
    async def main() -> None:
        async with serving(folder, limits) as client:
            await scenario(client)

    asyncio.run(main())


async def begin(client: Client, **wanted: object) -> Told:
    reply = await client.post("/api/games", {**FAST, **wanted})
    assert reply.status == 201, reply.body
    NewGameResponse.model_validate(reply.json)
    place: Told = reply.json
    return place


async def sit(client: Client, place: Told, name: str = "Finn") -> Reply:
    return await client.post(f"/api/games/{place['game']}/seats", {"name": name}, place["invite"])


async def both(client: Client, **wanted: object) -> tuple[Told, Told]:
    host = await begin(client, **wanted)
    friend = (await sit(client, host)).json
    return host, friend


def joined(client: Client, place: Told, token: str | None = None) -> Any:
    return client.joined(place["game"], token or place["token"])


async def play(socket: Socket, until: Callable[[Told], bool] = lambda view: False) -> Told:
    """Acts whenever it is asked, until the round is over or it is enough."""
    while True:
        view = await socket.view_when(lambda view: is_asked(view) or until(view))
        if view["phase"] == "over" or until(view):
            return view
        socket.send({"type": "act", "id": 1, "ply": view["ply"], "action": view["legal"][0]})


def after_ply(ply: int) -> Callable[[Told], bool]:
    return lambda view: bool(view["ply"] > ply)


def test_friends_gather_play_a_round_and_have_a_rematch(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host = await begin(client)
        path = f"/api/games/{host['game']}"
        assert (host["view"]["phase"], host["view"]["legal"]) == ("gathering", [])
        assert [seat["is_open"] for seat in host["view"]["seats"]] == [False, True, False]
        refused = await client.post(f"{path}/actions", {"ply": host["view"]["ply"], "action": "draw"}, host["token"])
        assert (refused.status, refused.message) == (409, "the game has not started: it waits for players")
        async with joined(client, host) as at_host:
            friend = (await sit(client, host, " eva ")).json
            seen = await at_host.view_when(lambda view: view["phase"] != "gathering")
            assert [seat["name"] for seat in seen["seats"]] == ["Eva", "eva 2", "Ben"]
            async with joined(client, friend) as at_friend:
                views = await asyncio.gather(play(at_host), play(at_friend))
        assert [view["seat"] for view in views] == [0, 1]
        assert views[0]["hands"] == views[1]["hands"]
        assert [seat["name"] for seat in views[1]["seats"]] == ["Eva", "eva 2", "Ben"]
        record = Record.from_text((await client.get(f"{path}/record", friend["token"])).body.decode())
        assert record.people == (0, 1)
        first = (await client.post(f"{path}/rematch", token=friend["token"])).json
        assert first["view"]["phase"] == "gathering"
        assert (await client.get(path, host["token"])).json["view"]["rematch"] is True
        second = (await client.post(f"{path}/rematch", token=host["token"])).json
        assert (second["game"], first["seat"], second["seat"]) == (first["game"], 1, 0)
        assert second["view"]["phase"] != "gathering"
        assert [seat["name"] for seat in second["view"]["seats"]] == ["Eva", "eva 2", "Ben"]

    run(tmp_path, scenario)


def test_agents_fill_empty_seats_and_give_them_up(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host = await begin(client, rules="official hand_size=15")
        async with joined(client, host) as at_host:
            at_host.send({"type": "next"})
            view = await at_host.view_when(lambda view: view["phase"] != "gathering" and is_asked(view))
            at_host.send({"type": "act", "id": 1, "ply": view["ply"], "action": view["legal"][0]})
            view = await play(at_host, has_acted(1))
            assert (view["seats"][1]["is_person"], view["seats"][1]["level"]) == (False, "medium")
            friend = (await sit(client, host)).json
            seen = await at_host.view_when(lambda view: view["seats"][1]["is_person"])
            assert seen["seats"][1]["name"] == "Finn"
            assert seen["seats"][1]["cards"] == len(friend["view"]["hand"])
            async with joined(client, friend) as at_friend:
                await play(at_host, lambda view: view["to_act"] == 1)
                asked = await at_friend.view_when(is_asked)
                await asyncio.sleep(0.1)
                again = (await client.get(f"/api/games/{host['game']}", friend["token"])).json["view"]
                assert (again["ply"], again["legal"]) == (asked["ply"], asked["legal"]), "nobody plays for a person"

    run(tmp_path, scenario)


def test_seats_are_for_who_is_invited_and_once(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host = await begin(client)
        path = f"/api/games/{host['game']}/seats"
        assert (await client.post(path, {"name": "Finn"})).status == 401
        assert (await client.post(path, {"name": "Finn"}, "guessed")).status == 403
        assert (await client.post(path, {"name": "Finn"}, host["token"])).status == 409
        wrong = await client.post(path, {"name": "\u202e"}, host["invite"])
        assert (wrong.status, wrong.json["error"]["field"]) == (422, "name")
        replies = await asyncio.gather(*(sit(client, host, f"Friend {number}") for number in range(4)))
        assert sorted(reply.status for reply in replies) == [201, 409, 409, 409]
        full = await sit(client, host)
        assert (full.status, full.message) == (409, "every seat is taken; you can spectate")
        for friends in (3, 9):
            refused = await client.post("/api/games", {**FAST, "friends": friends})
            assert (refused.status, refused.json["error"]["field"]) == (422, "friends")

    run(tmp_path, scenario)


def test_an_agent_plays_for_a_person_who_left_until_they_return(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host, friend = await both(client, players=2, rules="official hand_size=15", pace=0.2)
        path = f"/api/games/{host['game']}"
        async with joined(client, host) as at_host, joined(client, host) as watching:
            playing = asyncio.create_task(play(at_host))
            async with joined(client, friend) as at_friend:
                left = await at_friend.view_when(is_asked)
            away = await watching.view_when(lambda view: view["ply"] > left["ply"])
            assert away["seats"][1]["is_away"]
            async with joined(client, friend) as at_friend:
                asked = (await at_friend.receive("view"))["view"]
                assert not asked["seats"][1]["is_away"]
                late = [{"ply": left["ply"], "action": action} for action in left["legal"]]
                replies = [(await client.post(f"{path}/actions", each, friend["token"])).status for each in late]
                assert sorted(replies) == [200, *[409] * (len(late) - 1)], "what the agent did counts, and nothing else"
                if not is_asked(asked):
                    asked = await at_friend.view_when(is_asked)
                await asyncio.sleep(0.5)
                again = (await client.get(path, friend["token"])).json["view"]
                assert (again["ply"], again["legal"]) == (asked["ply"], asked["legal"])
            playing.cancel()

    run(tmp_path, scenario, QUICK)


def test_others_see_that_someone_has_left_though_nobody_acts(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host, friend = await both(client, players=2)
        async with joined(client, host) as at_host, joined(client, friend) as at_friend:
            view = (await at_host.receive("view"))["view"]
            # The seat that is asked stays, so that nothing happens meanwhile.
            staying, leaving = (at_host, at_friend) if view["to_act"] == 0 else (at_friend, at_host)
            leaving.incoming.put_nowait({"type": "websocket.disconnect", "code": 1000})
            await asyncio.sleep(0.3)
            # A sign of life from elsewhere prolongs the time to come back.
            gone = friend if leaving is at_friend else host
            assert (await client.get(f"/api/games/{gone['game']}", token=gone["token"])).status == 200
            seen = await staying.view_when(lambda view: any(seat["is_away"] for seat in view["seats"]))
            assert (seen["ply"], seen["to_act"]) == (view["ply"], view["to_act"])

    run(tmp_path, scenario, dataclasses.replace(FREE, away_seconds=1.0))


def test_who_does_not_come_back_after_a_restart_is_seen_to_have_left(tmp_path: Path) -> None:
    limits = dataclasses.replace(FREE, away_seconds=0.5)
    places: list[Any] = []

    async def begin(client: Client) -> None:
        places.extend(await both(client, players=2))

    async def come_back(client: Client) -> None:
        view = (await client.get(f"/api/games/{places[0]['game']}", token=places[0]["token"])).json["view"]
        async with joined(client, places[view["to_act"]]) as staying:
            seen = await staying.view_when(lambda view: any(seat["is_away"] for seat in view["seats"]))
            assert (seen["ply"], seen["to_act"]) == (view["ply"], view["to_act"])

    run(tmp_path, begin, limits)
    run(tmp_path, come_back, limits)


def test_an_agent_plays_when_the_time_for_a_turn_runs_out(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host, friend = await both(client, players=2, rules="official hand_size=15", turn=0.05)
        async with joined(client, host) as at_host, joined(client, friend) as at_friend:
            view = await play(at_host, lambda view: view["seats"][1]["is_away"])
            asked = await at_friend.view_when(lambda view: bool(view["legal"]) or view["seats"][1]["is_away"])
            assert asked["deadline"] is None or 0 <= asked["deadline"] <= 0.05
            await play(at_host, lambda new: new["ply"] > view["ply"] + 1)
            at_friend.send({"type": "back"})
            assert not (await at_friend.view_when(lambda view: not view["seats"][1]["is_away"]))["outcome"]

    run(tmp_path, scenario)


def test_a_table_that_everybody_has_left_waits(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host, friend = await both(client, rules="official hand_size=15")
        async with joined(client, host) as at_host, joined(client, friend):
            await at_host.receive("view")
        live = client.service.games.peek(host["game"])
        assert live is not None
        await rest(live)
        [game] = client.service.store.list_games()
        before = client.service.store.read_record(game.number)
        await asyncio.sleep(0.2)
        assert client.service.store.read_record(game.number) == before
        assert not any(played.outcome for played in before.rounds), "nothing was stored yet, or some of a round"
        # A spectator does not learn that an agent plays.
        seats = (await client.get(f"/api/games/{host['game']}", host["invite"])).json["view"]["seats"]
        assert [(seat["connected"], seat["is_away"]) for seat in seats[:2]] == [(False, False)] * 2

    run(tmp_path, scenario, QUICK)


def test_seats_names_and_gathering_come_back_from_the_store(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host = await begin(client, players=4, friends=2)
        friend = (await sit(client, host)).json
        path = f"/api/games/{host['game']}"
        client.service.games.forget(host["game"])
        again = (await client.get(path, friend["token"])).json["view"]
        assert (again["phase"], again["hand"]) == ("gathering", friend["view"]["hand"])
        assert [seat["name"] for seat in again["seats"]] == ["Eva", "Finn", "Ben", "Cleo"]
        assert [seat["is_open"] for seat in again["seats"]] == [False, False, True, False]
        assert (await client.post(f"{path}/next", token=friend["token"])).json["view"]["phase"] != "gathering"
        client.service.games.forget(host["game"])
        assert (await client.get(path, host["token"])).json["view"]["phase"] != "gathering"
        assert (await sit(client, host, "Gus")).json["seat"] == 2

    run(tmp_path, scenario)


def test_a_spectator_sees_what_all_see_and_does_nothing(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host = await begin(client, friends=0, rules="tournament", window=600.0)
        path, invite = f"/api/games/{host['game']}", host["invite"]
        view = View.model_validate((await client.get(path, invite)).json["view"])
        assert (view.seat, view.hand, view.legal, view.deadline) == (None, [], [], None)
        assert all(event.hands is None for event in view.log)
        assert view.seats[0].name == "Eva"
        for kind, body in (
            ("actions", {"ply": view.ply, "action": "draw"}),
            ("next", {}),
            ("rematch", {}),
        ):
            refused = await client.post(f"{path}/{kind}", body, invite)
            assert refused.status == 403
        async with joined(client, host) as at_host, joined(client, host, invite) as looking_on:
            for message in (
                {"type": "act", "id": 1, "ply": view.ply, "action": "draw"},
                {"type": "next"},
            ):
                looking_on.send(message)
                refused = await looking_on.receive("refused")
                assert refused["error"]["message"] == "only players at the table can do that"
            over = await play(at_host)
            seen = await looking_on.view_when(lambda view: view["phase"] == "over")
        assert seen["hands"] == over["hands"]
        assert seen["seed"] == over["seed"]
        log = (await client.get(path, invite)).json["view"]["log"]
        assert not any("cards" in event or event["kind"] == "passed" for event in log)
        assert (await client.get(f"{path}/record", invite)).status == 200

    run(tmp_path, scenario)


def test_what_one_person_is_asked_in_a_window_the_other_does_not_see(tmp_path: Path) -> None:
    """Rule 10.7, with people on both sides."""
    deck = "deck=" + ",".join(f"{color}{rank}" for color in "rb" for rank in range(1, 7) for _ in range(2))

    async def scenario(client: Client) -> None:
        host, friend = await both(client, players=2, window=600.0, rules=f"official jump_in=true hand_size=6 {deck}")
        path, tokens = f"/api/games/{host['game']}", [host["token"], friend["token"]]
        live, _ = await client.service.find(host["game"], tokens[0], "someone")
        while True:
            views = [(await client.get(path, token)).json["view"] for token in tokens]
            [seat] = [view["seat"] for view in views if view["legal"]]
            view, twins = views[seat], live.referee.state.hand(1 - seat)
            fitting = [action for action in view["legal"] if action in map(str, twins)]
            # After a play that opens no window everybody waits as if it had: so none is made.
            action = fitting[0] if fitting else next(action for action in view["legal"] if action in ("draw", "keep"))
            act = client.post(f"{path}/actions", {"ply": view["ply"], "action": action}, tokens[seat])
            if fitting:
                break
            await act
        playing = asyncio.create_task(act)
        asked: Told = {}
        while asked.get("phase") != "jump_in":
            await asyncio.sleep(0.01)
            asked = (await client.get(path, tokens[1 - seat])).json["view"]
        assert asked["top_card"] == action
        waiting = (await client.get(path, tokens[seat])).json["view"]
        assert (waiting["phase"], waiting["ply"], waiting["legal"]) == ("waiting", view["ply"], [])
        assert waiting["top_card"] == view["top_card"], "what the play led to is not shown yet"
        assert not playing.done(), "nor does the answer to it come"
        refused = await client.post(f"{path}/actions", {"ply": view["ply"], "action": "draw"}, tokens[seat])
        assert (refused.status, refused.message) == (409, f"you have acted at ply {view['ply']} already")
        playing.cancel()

    run(tmp_path, scenario)


@pytest.mark.parametrize("first", ["pass", "time"])
def test_a_catch_and_a_jump_in_are_two_decisions(first: str, tmp_path: Path) -> None:
    """Passing one is no answer to the other, though both are passes of the same seat with nothing in between."""

    async def scenario(client: Client) -> None:
        window = 600.0 if first == "pass" else 0.05
        deck = ",".join(f"{color}{rank}" for color in "rb" for rank in range(1, 5) for _ in range(2))
        rules = f"official uno_penalty=2 jump_in=true hand_size=3 deck={deck}"
        wanted = {"friends": 0, "players": 2, "opponents": ["random"], "window": window, "rules": rules}
        for _ in range(300):
            place = await begin(client, **wanted)
            path = f"/api/games/{place['game']}"
            async with joined(client, place) as socket:
                caught = await play(socket, lambda view: "catch" in view["legal"])
                if caught["phase"] == "over":
                    continue
                if first == "pass":
                    socket.send({"type": "act", "id": 7, "ply": caught["ply"], "action": "pass"})
                after = await socket.view_when(after_ply(caught["ply"]))
                if after["phase"] != "jump_in":
                    continue
                assert after["ply"] == caught["ply"] + 1
                retry = {"ply": caught["ply"], "action": "pass"}
                again = (await client.post(f"{path}/actions", retry, place["token"])).json["view"]
                if first == "pass":
                    assert (again["ply"], again["phase"]) == (after["ply"], "jump_in"), "the retry changed nothing"
                    socket.send({"type": "act", "id": 8, "ply": after["ply"], "action": "pass"})
                last = await socket.view_when(after_ply(after["ply"]))
                first_number = last["ply"] - len(last["log"]) + 1
                numbered = enumerate(last["log"], first_number)
                passes = [number for number, e in numbered if e["kind"] == "passed" and e["seat"] == 0]
                assert passes == [after["ply"] + 1]
                return
        raise AssertionError("no catch was followed by a jump-in")

    run(tmp_path, scenario)


# Afterwards


def test_everybody_who_sat_there_can_study_and_delete_the_game(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host, friend = await both(client)
        study = f"/api/studies/{host['game']}"
        assert (await client.get(study)).status == 409
        async with joined(client, host) as at_host, joined(client, friend) as at_friend:
            await asyncio.gather(play(at_host), play(at_friend))
            told = (await client.get(study)).json
            assert [(seat["name"], seat["is_person"], seat["level"]) for seat in told["seats"]] == [
                ("Eva", True, ""),
                ("Finn", True, ""),
                ("Ben", False, "medium"),
            ]
            assert (await client.request("DELETE", study, None, host["invite"], {})).status == 403
            assert (await client.request("DELETE", study, None, friend["token"], {})).status == 204
        assert (await client.get(study)).status == 404
        assert (await client.get(f"/api/games/{host['game']}", host["token"])).status == 404

    run(tmp_path, scenario)


def test_a_branch_of_a_game_of_two_people_has_one_and_can_be_watched(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host, friend = await both(client)
        async with joined(client, host) as at_host, joined(client, friend) as at_friend:
            await asyncio.gather(play(at_host), play(at_friend))
        wanted = {"round": 1, "ply": 0, "seat": 1, "opponents": ["medium"], "pace": 0.0}
        reply = await client.post(f"/api/studies/{host['game']}/branch", wanted)
        assert reply.status == 201, reply.body
        branch = NewGameResponse.model_validate(reply.json)
        assert [(seat.name, seat.is_open) for seat in branch.view.seats] == [
            ("Ada", False),
            ("Player", False),
            ("Ben", False),
        ]
        watched = (await client.get(f"/api/games/{branch.game}", branch.invite)).json["view"]
        assert (watched["seat"], watched["hand"], watched["seats"][1]["name"]) == (None, [], "Player")
        async with joined(client, reply.json) as alone:
            await play(alone)
        again = (await client.post(f"/api/games/{branch.game}/rematch", token=branch.token)).json
        assert (again["seat"], again["view"]["round"]) == (1, 1)

    run(tmp_path, scenario)
