"""One person across games: personal links, data, results over time; and people who look for others."""

from __future__ import annotations

import asyncio
import dataclasses
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lastcard.store import pairing_rows, people_rows, utc
from lastcard.store.history_rows import PastGame
from lastcard.web.contract.people import CarriedResponse, ExportResponse, HistoryOut, PairingOut
from lastcard.web.people.history import find_level
from tests.unit.asgi import FREE, Client, is_asked
from tests.unit.test_web_friends import PATIENT, Told, begin, both, joined, play, run
from tests.unit.test_web_seats import give_up, list_mine


def keys_of(*places: Told) -> dict[str, Any]:
    return {"seats": [{"game": place["game"], "token": place["token"]} for place in places]}


async def finish(client: Client, **wanted: object) -> Told:
    """Plays a round of two to its end."""
    place = await begin(client, players=2, friends=0, opponents=["beginner"], **wanted)
    async with joined(client, place) as socket:
        await play(socket)
    return place


async def carry(client: Client, *places: Told) -> list[Told]:
    link = await client.post("/api/links", keys_of(*places))
    assert link.status == 201, link.body
    reply = await client.post("/api/links/use", token=link.json["secret"])
    assert reply.status == 200, reply.body
    CarriedResponse.model_validate(reply.json)
    seats: list[Told] = reply.json["seats"]
    return seats


# Personal links


def test_a_personal_link_carries_seats_once_and_both_devices_play(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        is_open, over = await begin(client, friends=0, players=2), await finish(client)
        link = (await client.post("/api/links", keys_of(is_open, over))).json
        assert (link["seats"], link["seconds"]) == (2, 600)
        carried = (await client.post("/api/links/use", token=link["secret"])).json["seats"]
        assert {(seat["game"], seat["seat"], seat["over"]) for seat in carried} == {
            (is_open["game"], 0, False),
            (over["game"], 0, True),
        }
        assert {seat["token"] for seat in carried}.isdisjoint({is_open["token"], over["token"]})
        again = await client.post("/api/links/use", token=link["secret"])
        assert (again.status, again.message) == (
            404,
            "this link was used or revoked, or it is older than ten minutes",
        )
        mine = next(seat for seat in carried if seat["game"] == is_open["game"])
        for _ in range(2):
            views = [
                (await client.get(f"/api/games/{is_open['game']}", token)).json["view"]
                for token in (is_open["token"], mine["token"])
            ]
            assert views[0] == views[1]
            client.service.games.forget(is_open["game"])
        finished = next(seat for seat in carried if seat["over"])
        deleting = await client.request("DELETE", f"/api/studies/{over['game']}", None, finished["token"], {})
        assert deleting.status == 204

    run(tmp_path, scenario)


def test_a_personal_link_can_be_revoked_and_expires(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(client: Client) -> None:
        place = await begin(client, friends=0, players=2)
        revoked = (await client.post("/api/links", keys_of(place))).json["secret"]
        assert (await client.request("DELETE", "/api/links", None, revoked, {})).status == 204
        assert (await client.post("/api/links/use", token=revoked)).status == 404
        old = (await client.post("/api/links", keys_of(place))).json["secret"]
        later = datetime.now() + timedelta(days=2)
        monkeypatch.setattr(people_rows, "now", lambda: later)
        assert (await client.post("/api/links/use", token=old)).status == 404

    run(tmp_path, scenario)


def test_a_personal_link_carries_only_what_tokens_prove(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        place = await begin(client)
        guesses = [{"game": place["game"], "token": token} for token in ("guess", place["invite"])]
        assert (await client.post("/api/links", {"seats": guesses})).status == 422
        assert (await client.post("/api/links/use", token="guess")).status == 404
        assert (await client.post("/api/links/use")).status == 401
        link = (await client.post("/api/links", keys_of(place))).json
        await give_up(client, place)
        assert (await client.post("/api/links/use", token=link["secret"])).json["seats"] == []
        assert (await client.post("/api/links", keys_of(*[place] * 101))).status == 422
        for status in (422, 429):
            assert (await client.post("/api/links", keys_of(place))).status == status

    run(tmp_path, scenario)


def test_leaving_a_seat_ends_its_tokens_on_all_devices(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host, friend = await both(client)
        [carried] = await carry(client, friend)
        assert await give_up(client, carried) == 204
        for token in (friend["token"], carried["token"]):
            assert (await client.get(f"/api/games/{host['game']}", token)).status == 403

    run(tmp_path, scenario)


# Data


def test_an_export_has_the_persons_view_of_open_games_and_the_records_of_others(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host, friend = await both(client)
        over = await finish(client)
        strange = {"game": host["game"], "token": "guess"}
        reply = await client.post("/api/mine/export", keys_of(friend, over, strange))
        ExportResponse.model_validate(reply.json)
        is_open, finished, gone = reply.json["games"]
        assert (is_open["name"], is_open["seat"], is_open["view"]["seat"]) == ("Finn", 1, 1)
        assert "record" not in is_open
        assert finished["record"].startswith('[Lastcard "1"]')
        assert finished["name"] == "Eva"
        assert gone == {"game": host["game"], "how": "gone"}

    run(tmp_path, scenario)


def test_erasing_deletes_own_games_and_takes_the_person_out_of_others(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        alone, over = await begin(client, friends=0, players=2), await finish(client)
        host, friend = await both(client)
        assert (await client.post("/api/mine/erase", keys_of(alone, over, host))).json == {"deleted": 2, "erased": 1}
        for place in (alone, over):
            assert (await client.get(f"/api/studies/{place['game']}")).status == 404
        for _ in range(2):
            view = (await client.get(f"/api/games/{host['game']}", friend["token"])).json["view"]
            assert "Eva" not in [seat["name"] for seat in view["seats"]]
            assert [seat["is_open"] for seat in view["seats"]] == [False] * 3
            assert (await client.get(f"/api/games/{host['game']}", host["token"])).status == 403
            client.service.games.forget(host["game"])
        assert (await client.post("/api/mine/erase", keys_of(host))).json == {"deleted": 0, "erased": 0}
        with closing(sqlite3.connect(tmp_path / "web.db")) as connection:
            assert not [line for line in connection.iterdump() if "Eva" in line]

    run(tmp_path, scenario)


def test_erasing_from_a_finished_game_of_several_leaves_it_to_the_others(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        host, friend = await both(client)
        async with joined(client, host) as at_host, joined(client, friend) as at_friend:
            await asyncio.gather(play(at_host), play(at_friend))
        client.service.games.forget(host["game"])
        assert (await client.get(f"/api/studies/{host['game']}")).status == 200
        for place, names in ((friend, ["Eva", "Ada"]), (host, None)):
            reply = await client.post("/api/mine/erase", keys_of(place))
            assert reply.json == {"deleted": int(names is None), "erased": int(names is not None)}
            study = await client.get(f"/api/studies/{host['game']}")
            if names is None:
                assert study.status == 404
            else:
                assert [seat["name"] for seat in study.json["seats"]][:2] == names
                deleting = await client.request("DELETE", f"/api/studies/{host['game']}", None, friend["token"], {})
                assert deleting.status == 403

    run(tmp_path, scenario)


# Results over time


def test_history_lists_games_that_are_over_for_the_person(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        over, resigned = await finish(client), await begin(client, friends=0, players=3, opponents=["hard"])
        left, is_open = await begin(client, friends=0), await begin(client, friends=0)
        await give_up(client, resigned, resign=True)
        await give_up(client, left)
        reply = await client.post("/api/mine/history", keys_of(over, resigned, left, is_open, over))
        assert reply.status == 200, reply.body
        HistoryOut.model_validate(reply.json)
        found = {each["game"]: each for each in reply.json["games"]}
        assert list(found) == [over["game"], resigned["game"]]
        first, second = found.values()
        assert (first["players"], first["level"], first["seat"]) == (2, "beginner", over["seat"])
        assert (second["players"], second["level"], second["won"]) == (3, "hard", False)
        assert (first["resigned"], second["resigned"]) == (False, True)
        assert first["finished"]
        assert second["finished"]
        assert first["ended"] <= second["ended"]
        assert (await list_mine(client, is_open))[0]["state"] == "open"
        strange = {"seats": [{"game": over["game"], "token": "guess"}]}
        assert (await client.post("/api/mine/history", strange)).json["games"] == []

    run(tmp_path, scenario)


@pytest.mark.parametrize(
    ("others", "level"),
    [([("hard", False)] * 2, "hard"), ([("hard", False), ("easy", False)], "mixed"), ([("hard", True)], "friends")],
)
def test_the_level_of_a_game_is_that_of_its_opponents(others: list[tuple[str, bool]], level: str) -> None:
    seats = [{"level": "easy", "is_person": True}, *({"level": name, "is_person": person} for name, person in others)]
    won = {"won": True, "resigned": False, "is_finished": True}
    assert find_level(PastGame("game", 0, datetime(2026, 1, 1), len(seats), settings={"seats": seats}, **won)) == level


# Pairing


async def wait_in_line(client: Client, **wanted: object) -> str:
    reply = await client.post("/api/pairing", wanted)
    assert reply.status == 201, reply.body
    return str(reply.json["token"])


async def poll(client: Client, token: str) -> Told:
    reply = await client.get("/api/pairing", token)
    assert reply.status == 200, reply.body
    PairingOut.model_validate(reply.json)
    found: Told = reply.json
    return found


def test_strangers_who_want_the_same_game_meet(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        one = await wait_in_line(client, wait=60)
        other = await wait_in_line(client, wait=60, length="game")
        found = await poll(client, one)
        assert (found["game"], found["waiting"]) == (None, 1)
        two = await wait_in_line(client, wait=60)
        seats = [await poll(client, token) for token in (one, two)]
        assert seats[0]["game"] == seats[1]["game"] is not None
        assert [seat["seat"] for seat in seats] == [0, 1]
        assert (await poll(client, other))["game"] is None
        game = seats[0]["game"]
        async with client.joined(game, one) as at_one, client.joined(game, two) as at_two:
            views = [await at_one.view_when(lambda view: True), await at_two.view_when(lambda view: True)]
            assert [view["seat"] for view in views] == [0, 1]
            assert all(seat["is_person"] for seat in views[0]["seats"])
            assert [seat["name"] for seat in views[0]["seats"]] == [seat["name"] for seat in seats]
            at_one.send({"type": "react", "reaction": "hello"})
            assert (await at_two.receive("reaction"))["seat"] == 0

    run(tmp_path, scenario)


def test_agents_fill_in_when_the_time_to_wait_is_over(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        token = await wait_in_line(client, wait=0, players=3, level="beginner")
        found = await poll(client, token)
        assert found["seat"] == 0
        view = (await client.get(f"/api/games/{found['game']}", token)).json["view"]
        assert [seat["level"] for seat in view["seats"]] == ["", "beginner", "beginner"]
        async with client.joined(found["game"], token) as socket:
            await socket.view_when(is_asked)

    run(tmp_path, scenario)


def test_people_who_went_away_are_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(client: Client) -> None:
        gone = await wait_in_line(client, wait=60)
        cancelled = await wait_in_line(client, wait=60, players=3)
        assert (await client.request("DELETE", "/api/pairing", None, cancelled, {})).status == 204
        assert (await client.get("/api/pairing", cancelled)).status == 404
        later = utc.now() + timedelta(seconds=30)
        monkeypatch.setattr(pairing_rows, "now", lambda: later)
        assert (await client.get("/api/pairing", gone)).status == 404
        assert (await client.get("/api/pairing", "guess")).status == 404
        assert (await client.get("/api/pairing")).status == 401

    run(tmp_path, scenario)


def test_a_game_that_cannot_be_is_refused_before_anyone_waits(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        for wrong in ({"players": 7}, {"level": "nobody"}, {"rules": "mini"}, {"wait": 301}, {"name": "typed"}):
            assert (await client.post("/api/pairing", wrong)).status == 422, wrong
        assert client.service.store.count_waiting() == 0

    run(tmp_path, scenario)


def test_looking_for_others_is_bounded(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        for _ in range(2):
            await wait_in_line(client, wait=60)
        assert (await client.post("/api/pairing", {})).status == 429

    run(tmp_path, scenario, dataclasses.replace(FREE, new_games_per_minute=2.0))


def test_places_in_line_survive_a_restart(tmp_path: Path) -> None:
    tokens: list[str] = []

    async def before(client: Client) -> None:
        tokens.append(await wait_in_line(client, wait=60))

    async def after(client: Client) -> None:
        second = await wait_in_line(client, wait=60)
        assert (await poll(client, tokens[0]))["game"] == (await poll(client, second))["game"] is not None

    run(tmp_path, before, PATIENT)
    run(tmp_path, after, PATIENT)
