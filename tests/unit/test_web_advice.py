"""Real tables and the ladder over the web API."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from lastcard.agents.levels import LEVELS
from lastcard.observation import Observation
from lastcard.web.api.ladder import FILE
from lastcard.web.contract.ladder import LadderOut
from lastcard.web.contract.situations import SituationResponse
from tests.unit.asgi import Client, Reply, serving
from tests.unit.test_cli_commands import Captured, run

MESSAGES = sorted((Path(__file__).parents[2] / "frontend" / "src" / "messages").glob("*.json"))
TABLE: dict[str, Any] = {
    "hand": ["r5", "r9", "g2", "bR", "y+2", "w", "w+4"],
    "top": "g7",
    "opponents": [7, 5, 3],
}


def ask(folder: Path, *bodies: dict[str, Any], **options: Any) -> list[Reply]:
    async def main() -> list[Reply]:
        async with serving(folder, **options) as client:
            return [await client.post("/api/situation", body) for body in bodies]

    return asyncio.run(main())


@pytest.mark.parametrize(
    ("body", "arguments"),
    [
        ({}, []),
        (
            {"history": ["turned up b7", "2 plays g7", "3 draws 1"], "discards": ["r5", "w"]},
            ["--history", "turned up b7; 2 plays g7; 3 draws 1", "--discards", "r5 w"],
        ),
        (
            {"hand": ["r+2", "b1"], "top": "g+2", "opponents": [4, 2], "owed": 4, "rules": "official stacking=same"}
            | {"direction": "reversed"},
            [
                *["--hand", "r+2 b1", "--top", "g+2", "--opponents", "4,2"],
                *["--owed", "4", "--direction", "reversed", "--rules", "official stacking=same"],
            ],
        ),
        (
            {"hand": ["r5", "g2"], "top": "w", "called": "g", "drawn": "g2"},
            ["--hand", "r5 g2", "--top", "w", "--called", "g", "--drawn", "g2"],
        ),
    ],
)
def test_a_table_is_read_as_lastcard_advise_reads_it(
    body: dict[str, Any], arguments: list[str], tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = ["--hand", " ".join(TABLE["hand"]), "--top", "g7", "--opponents", "7,5,3", "--simulations", "10"]
    code, out, _ = run(capsys, monkeypatch, "advise", *usual, *arguments, "--json")
    assert code == 0
    [reply] = ask(tmp_path, {**TABLE, **body})
    assert reply.status == 200, reply.message
    SituationResponse.model_validate(reply.json)
    assert reply.json["situation"] == json.loads(out)["situation"]
    seen = Observation.from_dict(reply.json["observation"])
    assert sorted(card.text for card in seen.hand) == sorted({**TABLE, **body}["hand"])


@pytest.mark.parametrize(
    ("changes", "field", "part"),
    [
        ({"hand": []}, "hand", "hand is empty"),
        ({"hand": ["r5", "x"]}, "hand", "hand: 'x' is not a card"),
        ({"hand": ["r5", "r5"], "top": "r5"}, "hand", "the deck has 2 r5, but hand and top have 3"),
        ({"top": "w"}, "called", "called is missing"),
        ({"opponents": []}, "opponents", "opponents must be 1 to 9 hands"),
        ({"opponents": [0]}, "opponents", "seat 1 holds 0 cards"),
        ({"history": ["3 plays b3"]}, "top", "top is g7, but history leaves b3 on top"),
        ({"history": ["9 plays g7"]}, "history", "history"),
        ({"drawn": "b1"}, "drawn", "drawn b1 must be one of the cards in hand"),
        ({"rules": "oficial"}, "rules", "no rules preset"),
        ({"owed": 2}, "owed", "owed 2 needs a Draw Two"),
        ({"direction": "left"}, "direction", "forward"),
        ({"more": 1}, "more", "not permitted"),
    ],
)
def test_what_cannot_be_is_said_and_why(changes: dict[str, Any], field: str, part: str, tmp_path: Path) -> None:
    [reply] = ask(tmp_path, {**TABLE, **changes})
    assert reply.status == 422
    assert reply.json["error"]["field"].partition(".")[0] == field
    assert part in reply.message
    assert "`" not in reply.message


# The ladder


def test_the_ladder_says_who_everybody_is(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path) as client:
            told = LadderOut.model_validate((await client.get("/api/ladder")).json)
            assert {standing.players for standing in told.standings} == {2, 4}
            for standing in told.standings:
                shares = [rung.share.value for rung in standing.rungs]
                assert shares == sorted(shares, reverse=True)
                [rival] = [rung for rung in standing.rungs if rung.is_rival]
                assert (rival.agent, rival.share.value) == (told.rival, 1 / standing.players)
                assert {rung.agent for rung in standing.rungs if rung.is_ceiling} == {"omniscient", "sees_hands"}
                await begin_with_each(
                    client, standing.players, [rung.agent for rung in standing.rungs if rung.can_play]
                )

    asyncio.run(main())


@pytest.mark.parametrize("file", MESSAGES, ids=lambda file: file.stem)
def test_every_language_has_words_for_every_agent_of_the_ladder(file: Path) -> None:
    messages = json.loads(file.read_text(encoding="utf-8"))
    levels = {level.agent: f"level.{level.name}.about" for level in LEVELS.values()}
    agents = {rung["agent"] for standing in json.loads(FILE.read_text())["standings"] for rung in standing["rungs"]}
    for agent in agents:
        name = agent.partition(":")[0]
        assert {levels.get(agent), f"analyst.{name}", f"ladder.agent.{name}"} & set(messages), agent


async def begin_with_each(client: Client, players: int, agents: list[str]) -> None:
    assert "heuristic" in agents
    for agent in agents:
        reply = await client.post("/api/games", {"players": players, "opponents": [agent], "pace": 10.0})
        assert reply.status == 201
        client.service.games.forget(reply.json["game"])


def test_nobody_can_be_asked_to_play_against_a_ceiling(tmp_path: Path) -> None:
    ladder = json.loads(FILE.read_text(encoding="utf-8"))
    ceilings = {rung["agent"] for standing in ladder["standings"] for rung in standing["rungs"] if rung["sees"]}

    async def main() -> None:
        async with serving(tmp_path) as client:
            for agent in ceilings:
                assert (await client.post("/api/games", {"opponents": [agent]})).status == 422

    asyncio.run(main())
