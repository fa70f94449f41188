"""The reference names every route, message and field of the web API, and the guide every option."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from lastcard.cli import serve
from lastcard.web.api import sockets
from lastcard.web.api.app import create_app
from lastcard.web.contract import base, catalog, finished, games, ladder, messages, situations, view
from lastcard.web.finished.finished_game import MOST_FRAMES
from lastcard.web.limits import Limits
from tests.unit.asgi import serving

DOCS = Path(__file__).parents[2] / "docs"
REFERENCE = (DOCS / "reference" / "web-api.md").read_text(encoding="utf-8")
GUIDE = (DOCS / "how-to" / "run-the-server.md").read_text(encoding="utf-8")


def schema(folder: Path) -> dict[str, Any]:
    import asyncio

    async def main() -> dict[str, Any]:
        async with serving(folder) as client:
            return create_app(client.service).openapi()

    return asyncio.run(main())


def test_every_route_is_documented(tmp_path: Path) -> None:
    routes = [f"{method.upper()} {path}" for path, methods in schema(tmp_path)["paths"].items() for method in methods]
    assert len(routes) == 32
    assert [route for route in routes if f"| `{route}` |" not in REFERENCE] == []


def test_every_message_is_documented_with_its_fields() -> None:
    for message in get_args(messages.Message):
        [kind] = get_args(message.model_fields["type"].annotation)
        [row] = [line for line in REFERENCE.splitlines() if line.startswith(f"| `{kind}` |") and "|" in line]
        assert [name for name in message.model_fields if name != "type" and f"`{name}`" not in row] == []


def test_everything_the_socket_says_is_documented() -> None:
    kinds = set(re.findall(r'"type": "(\w+)"', inspect.getsource(sockets)))
    assert kinds >= {"view", "ack", "refused", "pong", "error"}
    answers = REFERENCE[REFERENCE.index("| server message |") :]
    assert [kind for kind in kinds - {"ping"} if f"| `{kind}` |" not in answers] == []


@pytest.mark.parametrize(
    "model",
    [
        games.NewGame,
        games.SeatBody,
        view.View,
        view.RulesOut,
        view.SeatOut,
        view.EventOut,
        view.RoundOutcomeOut,
        catalog.Catalog,
        catalog.PresetOut,
        catalog.SwitchOut,
        base.ActionOut,
        catalog.LimitsOut,
        base.Problem,
        finished.BranchBody,
        finished.StudyOut,
        finished.StudySeatOut,
        finished.StudyRoundOut,
        finished.FrameOut,
        finished.JudgementOut,
        finished.RoundJudged,
        finished.DecisionOut,
        situations.SituationBody,
        situations.SituationResponse,
        ladder.LadderOut,
        ladder.StandingOut,
        ladder.RungOut,
        ladder.ShareOut,
    ],
)
def test_every_field_is_documented(model: type[BaseModel]) -> None:
    assert [name for name in model.model_fields if not re.search(rf"[`\"]{name}[`\"]", REFERENCE)] == []


def test_every_option_of_the_command_is_documented() -> None:
    options = [f"--{name.replace('_', '-')}" for name in inspect.signature(serve.serve).parameters]
    assert [option for option in options if f"| `{option}` |" not in GUIDE] == []


def test_the_limits_are_documented() -> None:
    usual = Limits()
    for number in (
        f"{usual.max_simulations:,} simulations or {usual.max_seconds:g} s",
        f"{usual.max_games_per_user} per user, {usual.max_games} server-wide",
        f"{usual.new_games_per_minute:g} per minute",
        f"{usual.requests_per_second:g} per second; requests above that get a 429",
        f"delayed by {usual.refusal_seconds:g} s (at most {usual.max_refusals_per_user} delayed responses per user)",
        f"{usual.max_sockets_per_user} per user, {usual.max_sockets:,} server-wide",
        f"at most {usual.window_simulations:,} simulations",
        f"after {usual.away_seconds:g} s an agent",
    ):
        assert number in GUIDE
    for number in (
        f"{usual.max_replays_per_user} requests at a time per user, {usual.max_replays} server-wide",
        f"{usual.max_record_bytes:,} bytes; each counts as a new game",
    ):
        assert number in GUIDE
    assert f"At most {MOST_FRAMES:,} plies" in REFERENCE
    for number in (f"{usual.cover_seconds:g} s", f"{usual.max_frame_bytes:,} bytes", f"{usual.max_body_bytes:,} bytes"):
        assert number in REFERENCE
