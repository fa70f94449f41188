"""Studies: a finished game from any seat, judged once, shared, branched off, brought and deleted."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from lastcard.analysis import analyse
from lastcard.observation import observe
from lastcard.record import Record
from lastcard.rules import Rules, parse_rules
from lastcard.store.store import Store
from lastcard.table import Table
from lastcard.web.contract.finished import FramesResponse, JudgingOut, RoundJudged, StudyOut
from lastcard.web.finished import game as study
from lastcard.web.finished import jobs as judging
from lastcard.web.finished.frames import make_frame
from tests.unit.asgi import FREE, Client, serving

QUICK = "halving:simulations=60,drop_losers=false"
GAME = {"players": 3, "opponents": ["beginner"], "rules": "official hand_size=3", "length": "round", "pace": 0.0}


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge thinks less than usual."""
    monkeypatch.setattr(judging, "ANALYST", QUICK)


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


async def judge(client: Client, game: str) -> dict[str, Any]:
    reply = await client.post(f"/api/studies/{game}/analysis")
    assert reply.status == 202, reply.message
    while reply.json["state"] in ("waiting", "running"):
        await asyncio.sleep(0.01)
        reply = await client.get(f"/api/studies/{game}/analysis")
    told: dict[str, Any] = reply.json
    return told


def make_record(seed: int = 7, rules: str = "official hand_size=3", players: int = 2) -> Record:
    table = Table(parse_rules(rules).replace(players=players), ["heuristic", "random", "random"][:players], seed)
    return table.play_round()


# Looking


def test_a_game_is_studied_only_when_it_is_over(tmp_path: Path) -> None:
    async def work(client: Client) -> None:
        begun = (await client.post("/api/games", {**GAME, "rules": "official"})).json
        for path in ("", "/record", "/rounds/1", "/analysis", "/rounds/1/analysis"):
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
        states = list(record.states())[: study.MOST_FRAMES + 1]
        path = f"/api/studies/{begun['game']}/rounds/1"
        for seat in range(3):
            reply = await client.get(f"{path}?seat={seat}")
            FramesResponse.model_validate(reply.json)
            frames = reply.json["frames"]
            heard = 0
            for ply, (state, frame) in enumerate(zip(states, frames, strict=True)):
                seen = observe(state, seat)
                assert frame == make_frame(seen, ply, seen.history[heard:])
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


def test_the_numbers_are_those_of_lastcard_analyse_and_are_worked_out_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = ""

    async def work(client: Client) -> None:
        nonlocal game
        begun = await begin_and_finish(client, length="game", rules="official hand_size=3 target_score=60", players=2)
        game = begun["game"]
        assert (await client.get(f"/api/studies/{game}/analysis")).json["state"] == "none"
        told = JudgingOut.model_validate(await judge(client, game))
        record = await read_record(client, game)
        expected = analyse(record, QUICK)
        parts = [json.loads(json.dumps(part.to_dict())) for part in expected.rounds]
        assert (told.state, told.done, told.total) == ("done", len(expected.judgments), len(expected.judgments))
        for part in parts:
            reply = await client.get(f"/api/studies/{game}/rounds/{part['round']}/analysis")
            RoundJudged.model_validate(reply.json)
            assert reply.json == part
        assert [round_.model_dump(mode="json")["curves"] for round_ in told.rounds] == [
            part["curves"] for part in parts
        ]
        costly = sorted((each for each in expected.judgments if each.cost), key=lambda each: -round(each.cost, 6))[
            : judging.MOST_SHOWN
        ]
        assert [(each.round, each.ply, each.cost) for each in told.costliest] == [
            (each.round_number, each.ply, round(each.cost, 6)) for each in costly[: judging.MOST_SHOWN]
        ]
        for seat, summed in enumerate(told.seats):
            mine = [each for each in expected.judgments if each.seat == seat]
            agreed = sum(each.played is each.report.best for each in mine)
            assert (summed.decisions, summed.agreed) == (len(mine), agreed)

    run(tmp_path, work)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("judged again")

    async def again(client: Client) -> None:
        assert (await client.get(f"/api/studies/{game}/analysis")).json["state"] == "done"
        assert (await judge(client, game))["state"] == "done"

    monkeypatch.setattr(judging, "analyse", refuse)
    run(tmp_path, again)


def test_judging_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    now = 0.0
    limits = dataclasses.replace(FREE, max_study_seconds=100.0)

    async def work(client: Client) -> None:
        nonlocal now
        text = Table(parse_rules("official hand_size=2 target_score=200"), ["random"] * 2, 5).play_game().to_text()
        game = (await client.post("/api/studies", {"record": text})).json["game"]
        rounds = len(Record.from_text(text).rounds)
        assert rounds > 2
        real = analyse

        def slow(*arguments: Any, **options: Any) -> Any:
            nonlocal now
            made = real(*arguments, **options)
            now += 60.0
            return made

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(judging, "analyse", slow)
            told = await judge(client, game)
        assert told["state"] == "stopped"
        assert 0 < len(told["rounds"]) < rounds
        first = told["rounds"]
        told = await judge(client, game)
        assert (told["state"], len(told["rounds"])) == ("done", rounds)
        assert told["rounds"][: len(first)] == first

    run(tmp_path, work, limits=limits, clock=lambda: now)


def test_a_server_that_stops_keeps_the_rounds_that_are_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(judging, "ANALYST", "halving:simulations=2000,drop_losers=false")
    rounds = 0
    game = ""

    async def begin(client: Client) -> None:
        nonlocal rounds, game
        record = Table(parse_rules("official hand_size=2 target_score=400"), ["random"] * 2, 5).play_game()
        rounds = len(record.rounds)
        for text in (record.to_text(), make_record().to_text()):
            brought = (await client.post("/api/studies", {"record": text})).json["game"]
            await client.post(f"/api/studies/{brought}/analysis")
            game = game or brought
        while not (await client.get(f"/api/studies/{game}/analysis")).json["rounds"]:
            await asyncio.sleep(0.01)

    async def look(client: Client) -> None:
        told = (await client.get(f"/api/studies/{game}/analysis")).json
        assert told["state"] == "stopped"
        assert 0 < len(told["rounds"]) < rounds

    run(tmp_path, begin)
    run(tmp_path, look)
    assert caplog.records == []


def test_judges_are_few_and_those_who_wait_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()
    real = analyse

    def wait(*arguments: Any, **options: Any) -> Any:
        gate.wait(30)
        return real(*arguments, **options)

    monkeypatch.setattr(judging, "analyse", wait)
    limits = dataclasses.replace(FREE, max_studies_waiting=1)

    async def work(client: Client) -> None:
        games = [
            (await client.post("/api/studies", {"record": make_record(seed).to_text()})).json["game"]
            for seed in range(4)
        ]
        states = [(await client.post(f"/api/studies/{game}/analysis")).json["state"] for game in games[:2]]
        assert set(states) <= {"waiting", "running"}
        reply = await client.post(f"/api/studies/{games[2]}/analysis")
        assert (reply.status, reply.message) == (429, "too many games to judge of yours at a time; try again in 1 s")
        other = Client(client.app, client.service, "10.0.0.9")
        reply = await other.post(f"/api/studies/{games[3]}/analysis")
        assert (reply.status, "on this server" in reply.message) == (429, True)
        assert (await client.get(f"/api/studies/{games[1]}/analysis")).json["state"] == "waiting"
        gate.set()
        for game in games[:2]:
            assert (await judge(client, game))["state"] == "done"
        assert (await judge(client, games[2]))["state"] == "done"

    try:
        run(tmp_path, work, limits=limits)
    finally:
        gate.set()


def test_a_game_with_too_many_decisions_is_not_judged(tmp_path: Path) -> None:
    async def work(client: Client) -> None:
        game = (await client.post("/api/studies", {"record": make_record().to_text()})).json["game"]
        reply = await client.post(f"/api/studies/{game}/analysis")
        assert reply.status == 422
        assert reply.message.endswith("decisions to judge; this server judges at most 1 per game")

    run(tmp_path, work, limits=dataclasses.replace(FREE, max_study_decisions=1))


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
    monkeypatch.setattr(study, "MOST_FRAMES", 5)
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


def test_whoever_holds_the_token_deletes_the_game(tmp_path: Path) -> None:
    async def work(client: Client) -> None:
        played = await begin_and_finish(client)
        brought = (await client.post("/api/studies", {"record": make_record().to_text()})).json
        for mine, other in ((played, brought), (brought, played)):
            await judge(client, mine["game"])
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
