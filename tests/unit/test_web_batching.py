"""Answers of instant agents are written down and shown together with the action they answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from lastcard.actions import DRAW, UNO, Action
from lastcard.agents import Agent, make_agent
from lastcard.errors import AgentError
from lastcard.observation import Observation, observe
from lastcard.rules import Rules
from lastcard.state import State, deal
from lastcard.store.store import Store
from lastcard.web.games import batching
from lastcard.web.games.batching import SeatAction, batch_actions
from tests.unit.asgi import Client, is_asked, serving

OFFICIAL = Rules.preset("official", players=4)


class Broken:
    def choose(self, observation: Observation) -> Action:
        raise AgentError(f"I hold {observation.hand}")


class Illegal:
    def choose(self, observation: Observation) -> Action:
        return next(action for action in (DRAW, UNO) if action not in observation.legal_actions)


def others_than(seat: int, agents: Sequence[Agent]) -> Callable[[State], Agent | None]:
    return lambda state: None if state.seat in (seat, None) else agents[state.seat or 0]


def make_agents() -> list[Agent]:
    return [make_agent("random", seed=seat) for seat in range(4)]


@pytest.mark.parametrize("seed", range(20))
def test_the_answers_are_those_that_are_given_one_by_one(seed: int) -> None:
    dealt = deal(OFFICIAL, seed=seed)
    before = dealt.copy()
    assert dealt.seat is not None
    action = dealt.legal_actions[0]
    found = batch_actions(dealt, action, others_than(dealt.seat, make_agents()))
    assert dealt == before
    agents, state, expected = make_agents(), dealt.after(action), [(dealt.seat, action)]
    while state.seat not in (dealt.seat, None):
        expected.append((state.seat, agents[state.seat].choose(observe(state, state.seat))))
        state.apply_in_place(expected[-1][1])
    assert found == expected
    assert len(found) > 1 or state.seat == dealt.seat


@pytest.mark.parametrize("agent", [Broken(), Illegal()], ids=["broken", "illegal"])
def test_an_agent_that_fails_keeps_nobody_from_acting(agent: Agent) -> None:
    dealt = deal(OFFICIAL, seed=7)
    assert dealt.seat is not None
    assert batch_actions(dealt, DRAW, lambda _: agent) == [(dealt.seat, DRAW)]


def test_others_do_not_wait_for_agents_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "MOST_TOGETHER", 5)
    assert len(batch_actions(deal(OFFICIAL, seed=7), DRAW, lambda _: make_agent("first_legal"))) == 5


# At a table


def play_and_note(
    folder: Path, monkeypatch: pytest.MonkeyPatch, num_actions: int = 5, is_watched: bool = False, **wanted: object
) -> tuple[list[list[SeatAction]], list[dict[str, Any]]]:
    """Moves that were stored together, and the views that were sent, while a person acts a few times."""
    stored: list[list[SeatAction]] = []
    honest = Store.append_actions

    def append(self: Store, game: int, actions: Sequence[SeatAction], *, round_number: int, number: int) -> Future[int]:
        stored.append(list(actions))
        return honest(self, game, actions, round_number=round_number, number=number)

    async def scenario(client: Client) -> list[dict[str, Any]]:
        place = (await client.post("/api/games", {"pace": 0.0, "opponents": ["medium"], **wanted})).json
        assert place["view"]["seat"] == 0
        views: list[dict[str, Any]] = []
        async with AsyncExitStack() as stack:
            if is_watched:
                onlooker = await stack.enter_async_context(client.joined(place["game"], place["invite"]))
                await onlooker.receive("view")
            socket = await stack.enter_async_context(client.joined(place["game"], place["token"]))
            if place["view"]["phase"] == "gathering":
                socket.send({"type": "next"})
            view = await socket.view_when(is_asked)
            monkeypatch.setattr(Store, "append_actions", append)
            for _ in range(num_actions):
                socket.send({"type": "act", "id": 1, "ply": view["ply"], "action": view["legal"][-1]})
                while not views or views[-1]["ply"] <= view["ply"] or not views[-1]["legal"]:
                    views.append((await socket.receive("view"))["view"])
                view = views[-1]
        return views

    async def main() -> list[dict[str, Any]]:
        async with serving(folder) as client:
            return await scenario(client)

    return stored, asyncio.run(main())


@pytest.mark.parametrize("players", [2, 4])
def test_a_person_who_is_answered_at_once_waits_for_one_commit_and_gets_one_view(
    players: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored, views = play_and_note(tmp_path, monkeypatch, players=players, opponents=["medium"] * (players - 1))
    assert [together[0][0] for together in stored] == [0] * 5
    assert max(map(len, stored)) >= players
    assert len(views) == 5


@pytest.mark.parametrize(
    "wanted",
    [{"pace": 0.001}, {"rules": "official jump_in=true"}, {"opponents": ["hard"]}],
    ids=["pace", "jump-in", "search"],
)
def test_where_time_goes_by_everything_is_stored_and_shown_by_itself(
    wanted: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored, views = play_and_note(tmp_path, monkeypatch, num_actions=4, **wanted)
    assert {len(together) for together in stored} == {1}
    assert len(views) > 4


@pytest.mark.parametrize(
    "others", [{"players": 3, "friends": 1}, {"is_watched": True}], ids=["a friend", "a spectator"]
)
def test_others_see_the_table_before_an_agent_answers(
    others: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are shown nothing while the person is asked in a window, and shall not miss what came before."""
    stored, _ = play_and_note(tmp_path, monkeypatch, num_actions=3, **others)
    assert {len(together) for together in stored} == {1}
