"""Promises that a server keeps under load: small counts of what `python -m benchmarks.load` runs in full."""

from __future__ import annotations

import json
import math
import socket
from pathlib import Path

import pytest

from benchmarks.load import costs, flooding, measures
from benchmarks.load.__main__ import MEASURES, make_row, plan_again, save
from benchmarks.load.costs import COSTS, Prices, measure_knee, measure_processes, plan
from benchmarks.load.history import Ledger, check_ledger
from benchmarks.load.measures import (
    check_drops,
    check_kills,
    measure_flood,
    measure_games,
    measure_starving,
)
from benchmarks.load.serving import Served
from benchmarks.load.tokens import try_tokens
from benchmarks.pages import make_table
from lastcard.record import Record
from lastcard.rules import Rules
from lastcard.table import Table
from tests.postgres import start_server

BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)]
"""Databases of a test that takes ten seconds."""


def quiet(_: str) -> None:
    """Nobody watches."""


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody compares the times that are measured here, and a busy machine may give an idle process no time at all."""
    monkeypatch.setattr(measures, "WARM_SECONDS", 0.1)
    monkeypatch.setattr(flooding, "PRIORITY", ())


@pytest.fixture(scope="module")
def record() -> Record:
    return Table(Rules.preset("house", players=3), ["heuristic", "random", "random"], seed=3).play_round()


def ledger_of(record: Record) -> Ledger:
    from benchmarks.load.history import list_deeds

    ledger = Ledger("game", 0)
    for ply, action in list_deeds(record, 0):
        ledger.send(ply, action)
        ledger.acknowledge(ply, action)
    return ledger


def test_the_checker_takes_what_happened(record: Record) -> None:
    assert check_ledger(ledger_of(record), record) > 3


def test_the_checker_finds_what_is_lost(record: Record) -> None:
    ledger = ledger_of(record)
    last = max(ledger.acknowledged)
    ledger.send(last + 100, "draw")
    ledger.acknowledge(last + 100, "draw")
    with pytest.raises(AssertionError, match="draw was acknowledged, None kept"):
        check_ledger(ledger, record)


def test_the_checker_finds_what_was_changed_and_what_was_not_sent(record: Record) -> None:
    ledger = ledger_of(record)
    first = min(ledger.acknowledged)
    ledger.acknowledged[first] = "challenge"
    with pytest.raises(AssertionError, match="challenge was acknowledged"):
        check_ledger(ledger, record)
    ledger = ledger_of(record)
    del ledger.acknowledged[first]
    check_ledger(ledger, record)
    del ledger.sent[first]
    with pytest.raises(AssertionError, match="happened and was not sent"):
        check_ledger(ledger, record)


def test_the_checker_finds_two_answers_for_one_ply() -> None:
    ledger = Ledger("game", 0)
    ledger.acknowledge(5, "draw")
    ledger.acknowledge(5, "draw")
    with pytest.raises(AssertionError, match="draw was acknowledged, and now keep"):
        ledger.acknowledge(5, "keep")


def test_kills_under_load_lose_nothing(place: str) -> None:
    found = check_kills(place, kills=4, games=6, tell=quiet, most_seconds=math.inf)
    assert found["acknowledged"] > 0


def test_the_port_of_a_killed_server_is_given_to_no_other(tmp_path: Path) -> None:
    """Tests run side by side: clients of a server that restarts must not meet another one at its port."""
    with Served(tmp_path / "web.db") as served:
        served.kill()
        for _ in range(150_000):  # the kernel has about 28,000 to give: a lost port goes unnoticed once in 200 times
            with bind_any() as another:
                assert another.getsockname()[1] != served.port
        served.start()
        assert served.ask("/health")[0] == 200


def bind_any() -> socket.socket:
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind(("127.0.0.1", 0))
    return bound


@pytest.mark.parametrize("place", BOTH, indirect=True)
def test_dropped_connections_come_back_to_the_same_seat(place: str) -> None:
    found = check_drops(place, drops=100, games=10, tell=quiet)
    assert found["joins"] >= 100
    assert found["acknowledged"] > 0


@pytest.mark.parametrize("place", BOTH, indirect=True)
def test_tokens_that_are_none_show_nothing_private(place: str) -> None:
    found = try_tokens(place, 400, quiet)
    assert set(found["statuses"]) == {"200", "401", "403", "404", "409", "socket"}


@pytest.mark.parametrize("place", BOTH, indirect=True)
def test_a_few_games_at_once_lose_nothing(place: str) -> None:
    found = measure_games(place, few=2, many=8, seconds=2.0, tell=quiet)
    assert found["many"]["games"] == 8
    assert found["acknowledged"] >= 8
    assert 0 < found["many"]["p50_ms"] <= found["many"]["p95_ms"] <= found["many"]["max_ms"]


@pytest.mark.parametrize("place", BOTH, indirect=True)
def test_games_go_on_while_one_address_holds_connections_without_a_request(place: str) -> None:
    found = measure_flood(place, games=2, connections=300, seconds=2.0, tell=quiet)
    assert found["flooded"]["actions"] > 0
    assert found["closed"] >= 100, "an address may hold 200"
    assert found["acknowledged"] > 0


@pytest.mark.parametrize("place", BOTH, indirect=True)
def test_games_go_on_while_the_agents_of_one_user_compute_all_they_may(place: str) -> None:
    found = measure_starving(place, games=2, tables=3, seconds=2.0, tell=quiet)
    assert found["starved"]["actions"] > 0
    assert found["acknowledged"] > 0


@pytest.mark.long
def test_the_cost_of_an_action_is_measured_on_one_and_two_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(costs, "LEAST_COST_SECONDS", 0.1)
    monkeypatch.setattr(costs, "COST_TURNS", 2)
    found = measure_processes(tmp_path / "web.db", start_server(), games=2, seconds=0.5, tell=quiet)
    assert min(found[name]["cpu_ms"] for name in COSTS) > 0
    assert MEASURES["processes"].is_kept({**found, "ratio": 1.25})
    assert make_row("processes", found)["found"].startswith(f"{found['ratio']:.2f} times")


@pytest.mark.long
def test_the_knee_of_one_process_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "KNEE_MS", math.inf)
    monkeypatch.setattr(costs, "COUNTED_GAMES", 2)
    found = measure_knee(tmp_path / "web.db", games=2, seconds=0.5, tell=quiet)
    assert found["knee_per_second"] == max(each["per_second"] for each in found["curve"])
    file = tmp_path / "load.json"
    save(make_row("knee", found), file)
    assert "| million: processes |" in make_table(tmp_path / "load-knee.json", "million")
    assert "| game: dollars per million games |" in make_table(tmp_path / "load-knee.json", "game")


def test_a_plan_is_made_anew_at_other_prices_without_a_measurement(tmp_path: Path) -> None:
    measured = {"knee_per_second": 300.0, "cpu_ms": 1.5, "memory_kb_per_game": 230.0, "store_bytes_per_action": 160}
    game = {"actions of one player": 240, "cpu seconds": 0.36, "store kb": 18.0}
    file, told = tmp_path / "load.json", []
    curve = [{"games": 2, "per_second": 300.0, "p95_ms": 20.0}]
    save(make_row("knee", plan({**measured, "curve": curve, "network_bytes_per_action": 2000, "game": game})), file)
    for prices in (Prices(), Prices(core_hour=4.0)):
        plan_again(prices, file)
        told.append(json.loads((tmp_path / "load-knee.json").read_text())["figures"])
    usual, dear = told
    changed = {name for name in usual if usual[name] != dear[name]}
    assert changed == {"million: dollars per hour without storage", "game: dollars per million games"}
    assert dear["game: dollars per million games"] - usual["game: dollars per million games"] == 396
    with pytest.raises(ValueError, match="has no knee"):
        plan_again(Prices(), tmp_path / "none.json")


def test_results_are_entered_in_order_and_in_their_own_place(tmp_path: Path) -> None:
    latency = {"games": 5, "actions": 9, "per_second": 4.9, "p50_ms": 1.0, "p95_ms": 4.0, "max_ms": 9.0}
    found = {"few": {**latency, "p95_ms": 2.0}, "many": latency, "ratio": 2.0, "acknowledged": 9}
    drops = {"drops": 1000, "games": 5, "joins": 1005, "acknowledged": 2000}
    file = tmp_path / "load.json"
    save(make_row("drops", drops), file)
    save(make_row("games", {**found, "ratio": 9.0}), file)
    save(make_row("games", found), file)
    assert [row["measure"] for row in json.loads(file.read_text())] == ["games", "drops"]
    table = make_table(file).splitlines()
    assert table[2] == (
        "| 5 games against 5, one action a second each | p95 at most 2 times"
        " | 2.00 times: 4.0 ms against 2.0 ms, at 5 actions a second |"
    )
    assert MEASURES["games"].is_kept(found)
    assert not MEASURES["games"].is_kept({**found, "ratio": 2.01})
