"""Whatever a client sends, the server answers as documented, and goes on serving."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.load.serving import Served
from lastcard.rules import Rules
from lastcard.table import Table
from tests.unit.asgi import Closed, Socket, serving

EXAMPLES = 8
"""Number of examples of each operation."""
CONVERSATIONS = 100
QUIET = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real server with room for many requests."""
    limits = ("cover_seconds=0", "requests_per_second=1e6", "new_games_per_minute=1e6")
    with Served(tmp_path_factory.mktemp("fuzz") / "web.db", *limits) as served:
        yield served.address


def test_every_operation_answers_as_the_schema_says(address: str) -> None:
    """schemathesis, with requests that fit the schema and requests that do not, for a real game and for any."""
    import requests
    import schemathesis
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

    checks = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
    wanted: Any = {"pace": 0.0, "opponents": ["beginner"], "length": "game"}
    game = requests.post(f"{address}/api/games", json=wanted, timeout=30).json()
    record = Table(Rules.preset("mini"), ["random", "random"], seed=7).play_round().to_text()
    study = requests.post(f"{address}/api/studies", json={"record": record}, timeout=30).json()
    schema = schemathesis.openapi.from_url(f"{address}/api/openapi.json")
    seen = set()
    found: Any
    for found in schema.get_all_operations():
        operation = found.ok()
        valid, invalid = (operation.as_strategy(generation_mode=mode) for mode in schemathesis.GenerationMode)

        @settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize=True, suppress_health_check=QUIET)
        @given(case=valid | invalid if operation.label != "GET /health" else valid, is_real=st.booleans())
        def check(case: Any, is_real: bool) -> None:
            if is_real and "game" in (case.path_parameters or {}):
                of_study = case.path.startswith("/api/studies/")
                case.path_parameters["game"] = study["game"] if of_study else game["game"]
                case.headers = {**(case.headers or {}), "authorization": f"Bearer {game['token']}"}
            case.call_and_validate(checks=checks, timeout=30)

        check()
        seen.add(operation.label)
    assert {"POST /api/games/{game}/actions", "POST /api/situation", "POST /api/studies/{game}/branch"} <= seen
    assert requests.get(f"{address}/api/studies/{study['game']}", timeout=30).json()["source"] == "import"
    assert requests.get(f"{address}/health", timeout=30).json()["status"] == "ok"


# Sockets

TEXTS = st.text(max_size=40)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["join", "act", "next", "back", "ping"]) | ANYTHING,
        "id": st.integers(-1, 3) | ANYTHING,
        "ply": st.integers(-2, 40) | ANYTHING,
        "action": st.sampled_from(["draw", "keep", "r5", "w:g", "pass", "uno"]) | ANYTHING,
        "simulations": st.integers(1, 500) | ANYTHING,
        "seconds": st.just(0.01) | ANYTHING,
        "game": ANYTHING,
        "token": ANYTHING,
        "since": ANYTHING,
        "more": ANYTHING,
    },
)
MESSAGES = FIELDS.map(json.dumps) | ANYTHING.map(json.dumps) | st.text(max_size=60) | st.just("[" * 2000)


async def _talk(socket: Socket, messages: list[str]) -> int | None:
    """Sends everything, and hears until the server has answered a ping, or left with a code."""
    for message in [*messages, '{"type": "ping"}']:
        socket.send(message)
    heard: dict[str, Any] = {}
    while heard.get("type") != "pong":
        try:
            heard = await socket.receive()
        except Closed as closed:
            return closed.code
    return None


def test_no_message_upsets_a_socket(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def main(conversations: list[tuple[bool, list[str]]]) -> None:
        async with serving(tmp_path) as client:
            begun = (await client.post("/api/games", {"pace": 0.0, "opponents": ["beginner"]})).json
            for joins, messages in conversations:
                async with client.socket() as socket:
                    if joins:
                        socket.send({"type": "join", "game": begun["game"], "token": begun["token"]})
                    assert await _talk(socket, messages) in (None, 1008, 1009)
            assert client.service.sockets.total == 0
            reply = await client.get(f"/api/games/{begun['game']}", begun["token"])
            assert reply.status == 200

    conversations: list[tuple[bool, list[str]]] = []

    @settings(max_examples=CONVERSATIONS, deadline=None, database=None, derandomize=True, suppress_health_check=QUIET)
    @given(joins=st.booleans(), messages=st.lists(MESSAGES, max_size=6))
    def collect(joins: bool, messages: list[str]) -> None:
        conversations.append((joins, messages))

    collect()
    asyncio.run(main(conversations))
    assert len(conversations) >= CONVERSATIONS // 2
    assert caplog.records == []
