"""The command that measures an agent at 24 tables: its seats, its counts, and the committed rows."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from benchmarks.strength import tables
from benchmarks.strength.tables import HALVING, Kept, list_tables, measure, read_saved, save, share_seats
from lastcard import Rules, format_rules
from lastcard.arena.core_match import HeuristicContestant
from lastcard.arena.entrants import find_contestant
from lastcard.network import shipped_file

FAMILY = Rules.preset("family", players=3)
SEARCH = "halving:simulations=10"


def test_the_agent_has_one_seat_or_every_second_one() -> None:
    search = find_contestant(HALVING, 5)
    assert search is not None
    assert share_seats(5, HeuristicContestant()) == [True, False, False, False, False]
    assert share_seats(5, search) == [True, False, True, False, True]


def test_an_agent_wins_its_even_share_against_itself() -> None:
    row = measure(Rules.preset("family", players=3), "heuristic", "heuristic", 30)
    assert (row.match, row.table, row.network, row.rounds) == ("heuristic v heuristic", "family players=3", "", 30)
    assert row.multiple == 1


def test_a_round_that_is_cut_counts_as_even() -> None:
    row = measure(FAMILY.replace(max_plies=5), "heuristic", "random", 30)
    assert (row.multiple, row.unfinished) == (1, 1)


def test_the_even_share_is_that_of_all_seats_of_the_agent() -> None:
    """Against a search it has two seats of three: twice as much as one seat would win."""
    row = measure(FAMILY, SEARCH, SEARCH, 12)
    assert abs(row.multiple - 1) < 0.4


def test_parts_are_kept_by_match_rules_and_networks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_path(agent: str, against: str, rules: Rules = FAMILY) -> Path | None:
        return Kept(tmp_path, agent, against, rules)._path

    file = tmp_path / "mine.safetensors"
    file.write_bytes(shipped_file("any").read_bytes())
    paths = [
        find_path("net", SEARCH),
        find_path("heuristic", SEARCH),
        find_path("net", "heuristic"),
        find_path("net", SEARCH, rules=FAMILY.replace(players=4)),
        find_path(f"net:{file}", SEARCH),
        find_path(SEARCH, f"net:{file}"),
    ]
    assert find_path("net", SEARCH) == paths[0]
    file.write_bytes(shipped_file("family-2").read_bytes())
    paths += [find_path(f"net:{file}", SEARCH), find_path(SEARCH, f"net:{file}")]
    monkeypatch.setattr(tables, "shipped_file", lambda stem: shipped_file("any" if stem != "any" else "family-2"))
    paths += [find_path("net", SEARCH)]
    assert len(set(paths)) == len(paths)


def test_a_saved_row_is_played_again_for_more_rounds_or_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tables, "RESULTS", tmp_path)
    file = tmp_path / "mine.safetensors"
    file.write_bytes(shipped_file("any").read_bytes())

    def play(rounds: int) -> str:
        options = ["--agent", f"net:{file}", "--tables", "family players=3", "--rounds", str(rounds), "--save", "x"]
        monkeypatch.setattr("sys.argv", ["tables", *options])
        tables.main()
        return capsys.readouterr().out

    assert "6 rounds" in play(6)
    assert not play(6)
    assert not play(8)  # two deals of three rounds are all that fit
    assert "9 rounds" in play(9)
    file.write_bytes(shipped_file("family-3-4").read_bytes())
    assert "9 rounds" in play(9)
    [row] = read_saved(tmp_path / "x")
    assert len(row["network"]) == 16


@pytest.mark.parametrize("option", ["--rounds", "--held-out"])
def test_a_negative_count_is_refused(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["tables", option, "-5"])
    with pytest.raises(SystemExit):
        tables.main()
    assert f"argument {option}: must be a whole number from" in capsys.readouterr().err


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
