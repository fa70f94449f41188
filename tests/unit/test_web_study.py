"""Studies: a finished game from any seat, judged once, shared, branched off, brought and deleted."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from lastcard.analysis import ANALYST, analyse
from lastcard.observation import observe
from lastcard.record import Record
from lastcard.rules import Rules, parse_rules
from lastcard.store.store import Store
from lastcard.table import Table
from lastcard.web.contract.finished import FramesResponse, JudgementOut, StudyOut
from lastcard.web.finished import finished_game
from lastcard.web.finished.frames import make_frame
from lastcard.web.finished.judgements import ANALYST_KEY
from tests.old_judgements import put_judgement
from tests.unit.asgi import Client, serving

QUICK = "halving:simulations=60,drop_losers=false"
GAME = {"players": 3, "opponents": ["beginner"], "rules": "official hand_size=3", "length": "round", "pace": 0.0}


def run(folder: Path, work: Callable[[Client], Coroutine[Any, Any, None]], **options: Any) -> None:
    async def main() -> None:
        async with serving(folder, **options) as client:
            await work(client)

    asyncio.run(main())


async def play_on(client: Client, begun: dict[str, Any]) -> None:
    """Plays the first legal action until nothing is left to play."""
    path, token = f"/api/games/{begun['game']}", begun["token"]
    view = begun["view"]
    while view["game_outcome"] is None:
        if view["legal"]:
            reply = await client.post(f"{path}/actions", {"ply": view["ply"], "action": view["legal"][0]}, token)
            assert reply.status in (200, 409), reply.message
        elif view["outcome"]:
            await client.post(f"{path}/next", token=token)
        await asyncio.sleep(0.001)
        view = (await client.get(path, token)).json["view"]


async def begin_and_finish(client: Client, **changes: Any) -> dict[str, Any]:
    begun: dict[str, Any] = (await client.post("/api/games", {**GAME, **changes})).json
    await play_on(client, begun)
    return begun


async def read_record(client: Client, game: str) -> Record:
    reply = await client.get(f"/api/studies/{game}/record")
    assert reply.status == 200
    return Record.from_text(reply.body.decode())


def make_record(seed: int = 7, rules: str = "official hand_size=3", players: int = 2) -> Record:
    table = Table(parse_rules(rules).replace(players=players), ["heuristic", "random", "random"][:players], seed)
    return table.play_round()


# Looking


def test_a_game_is_studied_only_when_it_is_over(tmp_path: Path) -> None:
    async def work(client: Client) -> None:
        begun = (await client.post("/api/games", {**GAME, "rules": "official"})).json
        for path in ("", "/record", "/rounds/1", "/analysis"):
            reply = await client.get(f"/api/studies/{begun['game']}{path}", begun["token"])
            assert (reply.status, reply.message) == (409, "a game can be studied when it is over")
        assert (
            await client.post(f"/api/studies/{begun['game']}/branch", {"round": 1, "ply": 0, "seat": 1})
        ).status == 409
        assert (await client.request("DELETE", f"/api/studies/{begun['game']}", None, begun["token"], {})).status == 409
        await play_on(client, begun)
        reply = await client.get(f"/api/studies/{begun['game']}")
        told = StudyOut.model_validate(reply.json)
        assert (told.source, told.players, len(told.rounds)) == ("table", 3, 1)
        assert [seat.name for seat in told.seats] == ["Player", "Ada", "Ben"]
        assert (await client.get("/api/studies/other")).status == 404

    run(tmp_path, work)


def test_a_round_is_shown_as_each_seat_saw_it_or_as_it_was(tmp_path: Path) -> None:
    async def work(client: Client) -> None:
        begun = await begin_and_finish(client, rules="house hand_size=4", window=0.0)
        record = await read_record(client, begun["game"])
        states = list(record.states())[: finished_game.MOST_FRAMES + 1]
        path = f"/api/studies/{begun['game']}/rounds/1"
        for seat in range(3):
            reply = await client.get(f"{path}?seat={seat}")
            FramesResponse.model_validate(reply.json)
            frames = reply.json["frames"]
            heard = 0
            for ply, (state, frame) in enumerate(zip(states, frames, strict=True)):
                seen = observe(state, seat)
                assert frame == make_frame(seen, ply, heard)
                assert [hand is None for hand in frame["hands"]] == [other != seat for other in range(3)]
                heard = len(seen.history)
        truth = FramesResponse.model_validate((await client.get(path)).json).frames
        for state, shown in zip(states, truth, strict=True):
            assert shown.hands == [[card.text for card in state.hand(seat)] for seat in range(3)]
            assert shown.to_act == state.seat
        assert sum(len(shown.log) for shown in truth) == len(states[-1].history)
        assert (await client.get(f"{path}?seat=3")).status == 422
        assert (await client.get(f"/api/studies/{begun['game']}/rounds/2")).status == 404

    run(tmp_path, work)


def test_what_others_drew_is_told_by_the_truth_alone(tmp_path: Path) -> None:
    async def work(client: Client) -> None:
        brought = (await client.post("/api/studies", {"record": make_record().to_text()})).json
        seen = {}
        for query in ("", "?seat=0", "?seat=1"):
            frames = (await client.get(f"/api/studies/{brought['game']}/rounds/1{query}")).json["frames"]
            events = [event for frame in frames for event in frame["log"] if event["kind"] == "dealt"]
            seen[query] = [list(event.get("hands", {})) for event in events]
        assert seen == {"": [["0"], ["1"]], "?seat=0": [["0"], []], "?seat=1": [[], ["1"]]}

    run(tmp_path, work)


# Judging


def test_judgements_that_are_stored_are_shown(tmp_path: Path) -> None:
    """A server judged games itself before clients did; nothing of that is lost."""

    async def work(client: Client) -> None:
        record = make_record()
        game = (await client.post("/api/studies", {"record": record.to_text()})).json["game"]
        told = (await client.get(f"/api/studies/{game}/analysis")).json
        assert told == {"analyst": ANALYST, "seed": 0, "rounds": []}
        [part] = [each.to_dict() for each in analyse(record, QUICK).rounds]
        stored = client.service.store.find_study(game)
        assert stored is not None
        put_judgement(client.service.store, stored.game, ANALYST_KEY, part)
        told = (await client.get(f"/api/studies/{game}/analysis")).json
        JudgementOut.model_validate(told)
        assert told["rounds"] == [json.loads(json.dumps(part))]
        assert (await client.post(f"/api/studies/{game}/analysis")).status == 405

    run(tmp_path, work)


# Records that are brought


def test_a_record_is_brought_and_given_back(tmp_path: Path) -> None:
    async def work(client: Client) -> None:
        record = make_record(players=3)
        for text in (record.to_text(), record.to_json_lines()):
            reply = await client.post("/api/studies", {"record": text})
            assert reply.status == 201
            game = reply.json["game"]
            assert await read_record(client, game) == record
            told = (await client.get(f"/api/studies/{game}")).json
            assert told["source"] == "import"
            assert [seat["name"] for seat in told["seats"]] == ["heuristic", "random 1", "random 2"]
            assert told["winner"] == record.rounds[0].outcome.winner  # type: ignore[union-attr]

    run(tmp_path, work)


def test_what_is_wrong_with_a_record_is_said_with_its_line(tmp_path: Path) -> None:
    text = make_record().to_text()
    lines = text.splitlines()
    begin, last = lines.index('[Round "1"]') + 1, len(lines)
    spoiled = {
        "": "least 1 character",
        "hello": "line 1: not a lastcard record",
        text.replace('[Dealer "1"]\n', "", 1): f"line {begin}: header Dealer is missing",
        text.replace("[Dealer", "[Deeler", 1): f"line {begin + 1}: unknown header 'Deeler'",
        text.replace("official", "oficial", 1): "line 2: no rules preset 'oficial'",
        "\n".join([*lines[:-1], lines[-1] + " r5"]): f"line {last}: round 1, ply",
        "\n".join([*lines, "["]): f"line {last + 1}: '[' is neither a header nor an action",
        make_record().to_json_lines().replace('"dealer": 1', '"dealer": 7'): "line 2: round 1: dealer must be",
        Record(Rules(), ("random", "random"), ()).to_text(): "the record has no round",
    }

    async def work(client: Client) -> None:
        for text, part in spoiled.items():
            reply = await client.post("/api/studies", {"record": text})
            assert reply.status == 422, text
            assert part in reply.message
            assert reply.json["error"]["field"] == "record"

    run(tmp_path, work)


def test_only_records_may_be_large(tmp_path: Path) -> None:
    async def work(client: Client) -> None:
        long = make_record().to_text() + " " * 20_000
        assert (await client.post("/api/studies", {"record": long})).status == 201
        for path, size, status in (
            ("/api/studies", 262_145, 413),
            ("/api/games", 16_385, 413),
            ("/api/studies", 9, 422),
        ):
            reply = await client.post(path, {}, content_length=str(size))
            assert reply.status == status

    run(tmp_path, work)


def test_of_a_very_long_round_the_beginning_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finished_game, "MOST_FRAMES", 5)
    assert len(make_record().rounds[0].actions) > 5

    async def work(client: Client) -> None:
        game = (await client.post("/api/studies", {"record": make_record().to_text()})).json["game"]
        for query in ("", "?seat=1"):
            frames = (await client.get(f"/api/studies/{game}/rounds/1{query}")).json["frames"]
            assert [frame["ply"] for frame in frames] == [0, 1, 2, 3, 4, 5]

    run(tmp_path, work)


# Branches


@pytest.mark.parametrize("withheld", [False, True])
def test_one_plays_on_from_any_point(tmp_path: Path, withheld: bool) -> None:
    record = make_record(seed=11, rules="official hand_size=5", players=3)
    if withheld:
        played = dataclasses.replace(record.rounds[0], seed=None, number=3)
        record = dataclasses.replace(record, seed=None, rounds=(played,))
    states = list(record.states())
    number = record.rounds[0].number
    begun: dict[str, Any] = {}

    async def branch(client: Client) -> None:
        game = (await client.post("/api/studies", {"record": record.to_text()})).json["game"]
        path = f"/api/studies/{game}/branch"
        for ply in (0, 4):
            body = {"round": number, "ply": ply, "seat": 2, "opponents": ["beginner"], "pace": 10.0}
            reply = await client.post(path, body)
            assert reply.status == 201, reply.message
            view = reply.json["view"]
            assert view["hand"] == [card.text for card in states[ply].hand(2)]
            assert (view["seat"], view["round"], view["length"]) == (2, number, "round")
            assert [seat["name"] for seat in view["seats"]] == ["Ada", "Ben", "Player"]
        begun.update(reply.json)
        for wrong, status in (
            ({"ply": len(states) - 1}, 409),
            ({"ply": len(states)}, 422),
            ({"seat": 3}, 422),
            ({"round": number + 1}, 404),
            ({"opponents": ["nobody"]}, 422),
        ):
            assert (await client.post(path, {"round": number, "ply": 1, "seat": 0, **wrong})).status == status

    async def finish(client: Client) -> None:
        # The server was stopped meanwhile: the branch comes back from the store.
        view = (await client.get(f"/api/games/{begun['game']}", begun["token"])).json["view"]
        assert view["hand"] == begun["view"]["hand"]
        live, _ = await client.service.find(begun["game"], begun["token"], "someone")
        live.clock._settings = live.referee._settings = dataclasses.replace(live.settings, pace_seconds=0.0)
        live.close()
        await live.start()
        await play_on(client, {**begun, "view": view})
        told = (await client.get(f"/api/studies/{begun['game']}")).json
        assert told["source"] == "branch"
        assert (told["seed"] is None) == withheld
        again = await read_record(client, begun["game"])
        assert again.rounds[0].actions[:4] == record.rounds[0].actions[:4]
        assert again.people == (2,)

    run(tmp_path, branch)
    run(tmp_path, finish)


# The end


def test_the_holder_of_the_token_deletes_the_game(tmp_path: Path) -> None:
    async def work(client: Client) -> None:
        played = await begin_and_finish(client)
        brought = (await client.post("/api/studies", {"record": make_record().to_text()})).json
        for mine, other in ((played, brought), (brought, played)):
            path = f"/api/studies/{mine['game']}"
            assert (await client.request("DELETE", path, None, None, {})).status == 401
            assert (await client.request("DELETE", path, None, other["token"], {})).status == 403
            assert (await client.get(path)).status == 200
            reply = await client.request("DELETE", path, None, mine["token"], {})
            assert (reply.status, reply.body) == (204, b"")
            assert (await client.get(path)).status == 404
            assert (await client.get(f"/api/games/{mine['game']}", mine["token"])).status == 404
        with Store(tmp_path / "web.db", read_only=True) as store:
            assert store.count_games() == 0

    run(tmp_path, work)
