"""Nothing that a server sends to a seat tells what the seat cannot know: no byte, length, error or message."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvloop

from lastcard.actions import Action
from lastcard.agents import Agent
from lastcard.errors import RequestError
from lastcard.events import describe_event
from lastcard.observation import Observation, PublicObservation
from lastcard.state import State
from lastcard.store.store import Store
from lastcard.web.api.coalescing import CoalescingTransport
from lastcard.web.contract.people import SeatKey
from lastcard.web.finished.finished_games import FinishedGames
from lastcard.web.games.client_state import LastSent
from lastcard.web.games.live_game import LiveGame
from lastcard.web.games.loaded import LoadedGames
from lastcard.web.games.presence import Audience, Presence
from lastcard.web.games.referee import Referee
from lastcard.web.people import export, people_service
from tests.counts import ALL, counted
from tests.postgres import start_server
from tests.property.web_worlds import (
    ALONE,
    AMONG_FRIENDS,
    SPECTATING,
    Company,
    count_differences,
    in_memory,
    patient,
)

PAIRS_EACH = counted(395, least=80)
PAIRS_IN_COMPANY = counted(110, least=60)
PAIRS_OVER_TCP = {
    ALONE: counted(100, least=50),
    AMONG_FRIENDS: counted(50, least=50),
    SPECTATING: counted(50, least=50),
}
"""Full counts make 2,000 pairs: four times the first, twice the second, and these."""
LEAK_PAIRS = 160
"""Most leaks are caught in the first few."""


@pytest.fixture
def memory() -> Iterator[Path]:
    with in_memory() as folder:
        yield folder


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 5 if ALL else 3))
def test_worlds_that_look_alike_are_told_alike(seed: int, memory: Path) -> None:
    """A person alone among agents."""
    found = asyncio.run(count_differences(memory, seed, PAIRS_EACH))
    assert found.differences == 0
    assert found.messages > 4 * PAIRS_EACH
    assert found.windows > (10 if ALL else 0)
    assert found.batches > counted(50)


@pytest.mark.slow
@pytest.mark.parametrize("company", [AMONG_FRIENDS, SPECTATING], ids=["among friends", "spectator"])
def test_worlds_look_alike_among_friends_and_to_spectators(company: Company, memory: Path) -> None:
    """Other people think as long as they like, and nobody who is not asked notices."""
    found = asyncio.run(count_differences(memory, 5, PAIRS_IN_COMPANY, company=company))
    assert found.differences == 0
    assert found.messages > 2 * PAIRS_IN_COMPANY
    assert found.windows > counted(2, least=0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "company",
    [
        pytest.param(ALONE, marks=pytest.mark.long, id="alone"),
        pytest.param(AMONG_FRIENDS, id="among friends"),
        pytest.param(SPECTATING, marks=pytest.mark.long, id="spectator"),
    ],
)
def test_worlds_look_alike_through_another_process(company: Company, memory: Path) -> None:
    """The observer is connected to one server, and another on the same PostgreSQL has the game.

    No byte differs, nor the time at which it arrives.
    """
    pairs = counted(50, least=10)
    with patient():
        found = uvloop.run(count_differences(memory, 7, pairs, company=company, make_url=start_server().make_url))
    assert found.differences == 0
    assert found.messages > 2 * pairs


@pytest.mark.slow
@pytest.mark.parametrize("company", PAIRS_OVER_TCP, ids=["alone", "among friends", "spectator"])
def test_worlds_look_alike_over_tcp(company: Company, memory: Path) -> None:
    """The server that people run, with its handshake, its frames and its headers, and nothing in between."""
    pairs = PAIRS_OVER_TCP[company]
    found = uvloop.run(count_differences(memory, 6, pairs, company=company, over_tcp=True))
    assert found.differences == 0
    assert found.messages > 2 * pairs
    assert found.windows > 0
    assert found.batches > counted(5, least=0) or company != ALONE


def _leak_into_view(leak: Callable[[State], dict[str, Any]]) -> Callable[[pytest.MonkeyPatch], None]:
    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        honest = LiveGame.view

        def view(self: LiveGame, audience: Audience, since: int = 0) -> dict[str, Any]:
            return {**honest(self, audience, since), **leak(self.referee.state)}

        monkeypatch.setattr(LiveGame, "view", view)

    return plant


def _leak_in_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Says too much of why not."""
    honest = Referee.check_action

    def check(self: Referee, seat: Audience, ply: int, action: Action) -> None:
        try:
            honest(self, seat, ply, action)
        except RequestError as error:
            raise RequestError(f"{error}, and seat 1 holds {self.state.hand(1)}", status=error.status) from None

    monkeypatch.setattr(Referee, "check_action", check)


def _leak_in_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets sockets look whenever a seat is asked in a window."""
    honest = Referee._answer_hidden_windows

    async def answer(self: Referee) -> None:
        if self.is_hidden():
            self._broadcast.notify()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        await honest(self)

    monkeypatch.setattr(Referee, "_answer_hidden_windows", answer)


def _leak_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets agents answer immediately only if their hands are worth an even number of points."""
    honest = Referee._find_instant

    def find(self: Referee, state: State) -> Agent | None:
        seat = state.seat
        is_even = seat is not None and sum(card.points for card in state.hand(seat)) % 2 == 0
        return honest(self, state) if is_even else None

    monkeypatch.setattr(Referee, "_find_instant", find)


def _leak_in_observations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sends each client the history of the truth, with everyone's cards."""
    honest = LiveGame.view

    def view(self: LiveGame, audience: Audience, since: int = 0) -> dict[str, Any]:
        made = honest(self, audience, since)
        return {**made, "log": [describe_event(event) for event in self.referee.state.history]}

    monkeypatch.setattr(LiveGame, "view", view)


LEAKS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "hand": _leak_into_view(lambda state: {"last": str(state.hand(1))}),
    "event": _leak_into_view(lambda state: {"log": [{"hands": {"1": [card.text for card in state.hand(1)]}}]}),
    "next card": _leak_into_view(lambda state: {"next": str(state.draw_pile[-1:])}),
    "length": _leak_into_view(lambda state: {"pad": "x" * sum(card.points for card in state.hand(1))}),
    "errors": _leak_in_errors,
    "observation": _leak_in_observations,
}


def _leak_when(is_leaking: Callable[[LiveGame], bool]) -> Callable[[pytest.MonkeyPatch], None]:
    """Shows a hand in views of games that are so."""

    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        honest = LiveGame.view

        def view(self: LiveGame, audience: Audience, since: int = 0) -> dict[str, Any]:
            made = honest(self, audience, since)
            hand = self.referee.state.hand(1)
            return {**made, "deal_hash": f"{made['deal_hash']} {hand}"} if is_leaking(self) else made

        monkeypatch.setattr(LiveGame, "view", view)

    return plant


def _leak_in_export(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exports the hand of another seat as well."""
    honest = export.export_game

    async def export_game(
        store: Store, games: LoadedGames, finished: FinishedGames, seat: SeatKey, user: str
    ) -> dict[str, Any]:
        live = games.peek(seat.game)
        more = {} if live is None else {"name": str(live.referee.state.hand(1))}
        return {**await honest(store, games, finished, seat, user), **more}

    monkeypatch.setattr(people_service, "export_game", export_game)


LEAKS_ABOUT_PEOPLE: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "export": _leak_in_export,
    "personal link": _leak_when(lambda game: bool(game.presence.is_held(0) and game.presence.holder(0).further)),
    "left seat": _leak_when(lambda game: not game.presence.is_here(1)),
}


@pytest.mark.parametrize("leak", LEAKS_ABOUT_PEOPLE)
def test_a_planted_leak_about_people_is_caught(leak: str, memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the data export, behind a personal link, and where a seat changes hands."""
    LEAKS_ABOUT_PEOPLE[leak](monkeypatch)
    work = count_differences(memory, 9, LEAK_PAIRS, most=1, company=AMONG_FRIENDS)
    assert asyncio.run(work).differences > 0


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_caught(leak: str, memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS[leak](monkeypatch)
    assert asyncio.run(count_differences(memory, 9, LEAK_PAIRS, most=1)).differences > 0


def test_when_agents_answer_at_once_must_not_depend_on_their_cards(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _leak_in_batches(monkeypatch)
    assert asyncio.run(count_differences(memory, 9, LEAK_PAIRS, most=1)).differences > 0


@pytest.mark.parametrize("leak", ["hand", "errors"])
def test_a_planted_leak_is_caught_over_tcp(leak: str, memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS[leak](monkeypatch)
    assert uvloop.run(count_differences(memory, 9, LEAK_PAIRS, most=1, over_tcp=True)).differences > 0


def test_a_planted_leak_is_caught_through_another_process(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS["hand"](monkeypatch)
    playing = count_differences(memory, 9, LEAK_PAIRS, most=1, make_url=start_server().make_url)
    with patient():
        assert uvloop.run(playing).differences > 0


def test_a_frame_of_another_shape_is_caught(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the messages there are pings, fragments and padded lengths, which could tell as much as words."""
    honest = CoalescingTransport.flush

    def flush(self: CoalescingTransport) -> None:
        self._collected.append(b"\x89\x00")
        honest(self)

    monkeypatch.setattr(CoalescingTransport, "flush", flush)
    with pytest.raises(AssertionError, match="a frame begins with"):
        uvloop.run(count_differences(memory, 9, LEAK_PAIRS, over_tcp=True))


def _pause_in_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Referee._answer_hidden_windows

    async def answer(self: Referee) -> None:
        if self.is_hidden():
            await self._clock.sleep_until(self._clock.now() + 1.0)
        await honest(self)

    monkeypatch.setattr(Referee, "_answer_hidden_windows", answer)


def test_a_pause_in_a_window_is_caught(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An action with jump-in takes as long whether or not a seat is asked."""
    _pause_in_windows(monkeypatch)
    assert asyncio.run(count_differences(memory, 9, LEAK_PAIRS, most=1)).differences > 0


def test_a_pause_in_a_window_is_caught_through_another_process(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time at which a message arrives is compared there, too."""
    _pause_in_windows(monkeypatch)
    playing = count_differences(memory, 9, LEAK_PAIRS, most=1, make_url=start_server().make_url)
    with patient():
        assert uvloop.run(playing).differences > 0


def test_a_message_in_a_window_is_caught(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule 10.7: no message may reveal that a seat is asked, not even an empty one."""
    _leak_in_messages(monkeypatch)
    found = asyncio.run(count_differences(memory, 9, LEAK_PAIRS, most=1))
    assert found.windows > 0
    assert found.differences > 0


def test_a_hand_shown_to_a_spectator_is_caught(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def show(self: LastSent, seen: PublicObservation) -> None:
        honest(self, seen)
        if not isinstance(seen, Observation):
            self.seen = last[0]
        else:
            last[0] = seen

    honest: Any = LastSent.show
    last: dict[int, Observation] = {}
    monkeypatch.setattr(LastSent, "show", show)
    work = count_differences(memory, 9, LEAK_PAIRS, most=1, company=SPECTATING)
    assert asyncio.run(work).differences > 0


def test_the_time_that_another_person_takes_is_caught(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results shown as soon as a seat has passed would tell who could jump in."""
    monkeypatch.setattr(Presence, "num_watching", 1)
    work = count_differences(memory, 5, PAIRS_IN_COMPANY, most=1, company=AMONG_FRIENDS)
    found = asyncio.run(work)
    assert found.windows > 0
    assert found.differences > 0
