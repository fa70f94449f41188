"""The command that measures an agent at 24 tables: its seats, its counts, and the committed rows."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.strength.tables import HALVING, list_tables, measure, read_saved, save, share_seats
from lastcard import Rules, format_rules
from lastcard.arena.core_match import HeuristicContestant
from lastcard.arena.entrants import find_contestant


def test_the_agent_has_one_seat_or_every_second_one() -> None:
    search = find_contestant(HALVING, 5)
    assert search is not None
    assert share_seats(5, HeuristicContestant()) == [True, False, False, False, False]
    assert share_seats(5, search) == [True, False, True, False, True]


def test_an_agent_wins_its_even_share_against_itself() -> None:
    row = measure(Rules.preset("family", players=3), "heuristic", "heuristic", 30)
    assert (row.match, row.table, row.network, row.rounds) == ("heuristic v heuristic", "family players=3", "", 30)
    assert row.multiple == 1


def test_a_row_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    file = tmp_path / "tables.jsonl"
    for rounds in (6, 12):
        for players in (3, 2):
            save(measure(Rules.preset("family", players=players), "net", "random", rounds), file)
    assert [(row["table"], row["network"], row["rounds"]) for row in read_saved(file)] == [
        ("family", "family-2", 12),
        ("family players=3", "family-3-4", 12),
    ]


def test_a_match_of_a_search_that_was_stopped_goes_on(tmp_path: Path) -> None:
    def play(rounds: int, work: Path | None) -> dict[str, Any]:
        row = asdict(measure(Rules.preset("mini"), "heuristic", "halving:simulations=10", rounds, work))
        del row["cpu_seconds"]
        return row

    whole = play(20, None)
    play(8, tmp_path)
    (file,) = tmp_path.iterdir()
    with file.open("a", encoding="utf-8") as kept:
        kept.write('{"first": 4, "winn')  # cut off by a crash
    assert play(20, tmp_path) == whole
    size = file.stat().st_size
    assert play(16, tmp_path)["rounds"] == 16
    assert file.stat().st_size == size, "deals were played again"


def test_net_wins_more_than_its_share_at_every_committed_table() -> None:
    rows = {row["table"]: row for row in read_saved() if row["match"] == "net v heuristic"}
    for rules in list_tables(held_out=0):
        row = rows[format_rules(rules)]
        assert row["multiple"] - row["error"] > 1, row
