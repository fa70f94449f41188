"""The table of matches: every line has its result, a match is counted as it says, and one that was stopped resumes."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import matches
from benchmarks.ladder import TABLES, WEB, make_tables, make_web, share_of_edge
from benchmarks.matches import Kept, Match, Part, Row, main, play, read_results, read_table, save, summarize
from lastcard.arena.ceilings import CEILINGS, find_ceiling
from lastcard.arena.entrants import enter
from lastcard.arena.statistics import Estimate
from lastcard.network import shipped_file
from lastcard.rules import parse_rules

TABLE = read_table()
ROWS = read_results()
SMALL = Match("t", "small", "heuristic", "random", "mini", 1, to_score=False, alternates=False, rounds=40)
FAMILY = replace(SMALL, rules="family players=3", rounds=30)


def strip(row: Row) -> Row:
    return {name: value for name, value in row.items() if name not in ("cpu_seconds", "machine", "rounds")}


# What is committed


def test_every_match_has_its_result_and_every_result_its_match() -> None:
    assert [(row["table"], row["name"]) for row in ROWS] == [(match.table, match.name) for match in TABLE]
    assert len({(match.table, match.name) for match in TABLE}) == len(TABLE)
    for match, row in zip(TABLE, ROWS, strict=True):
        assert match.is_told_by(row), "python -m benchmarks.matches plays it"
        assert row["low"] <= row["share"] <= row["high"]
        assert row["commit"] is None or re.fullmatch("[0-9a-f]{10}", row["commit"])


def test_everybody_can_play() -> None:
    for match in TABLE:
        enter([match.agent, match.rival], {})


def test_net_wins_more_than_its_share_at_every_table() -> None:
    rows = [row for row in ROWS if row["table"] == "tables"]
    assert len(rows) == 24
    for row in rows:
        assert row["low"] * parse_rules(row["rules"]).players > 1, row


def test_the_ladder_has_its_ceilings_and_the_page_shows_everybody() -> None:
    rows = [row for row in ROWS if row["table"] in TABLES]
    found = {(find_ceiling(row["agent"]), row["rules"]) for row in rows}
    assert len([ceiling for ceiling, _ in found if ceiling]) == len(CEILINGS) * 4
    assert all(f"| `{row['agent']}`" in make_tables(ROWS) for row in rows)
    assert WEB.read_text(encoding="utf-8") == make_web(ROWS), "python -m benchmarks.pages makes it again"


def test_the_share_of_the_edge() -> None:
    ceiling = Estimate(0.75, 0.75, 0.75)
    assert share_of_edge(ceiling, ceiling, 4).value == 1
    assert share_of_edge(Estimate(0.25, 0.2, 0.3), ceiling, 4).value == 0
    assert share_of_edge(Estimate(0.5, 0.4, 0.6), ceiling, 4).error == pytest.approx(0.2)
    assert share_of_edge(Estimate(0.2, 0.2, 0.2), ceiling, 2).value == pytest.approx(-1.2)


# How a match counts


def test_the_agent_has_one_seat_or_every_second_one() -> None:
    assert replace(SMALL, rules="official players=5").places == [True, False, False, False, False]
    assert replace(SMALL, rules="official players=5", alternates=True).places == [True, False, True, False, True]


@pytest.mark.parametrize("agent", ["heuristic", "frequency"])
@pytest.mark.parametrize("alternates", [False, True])
def test_an_agent_wins_its_even_share_against_itself(agent: str, alternates: bool, tmp_path: Path) -> None:
    row = play(replace(FAMILY, agent=agent, rival=agent, alternates=alternates), work=tmp_path)
    even = 2 / 3 if alternates else 1 / 3
    if agent == "heuristic":  # the other one has new luck in every seat
        assert row["share"] == pytest.approx(even, abs=1e-5)
    assert row["low"] < even < row["high"]


@pytest.mark.parametrize("agent", ["heuristic", "frequency"])
def test_a_round_that_is_cut_counts_as_even(agent: str, tmp_path: Path) -> None:
    row = play(replace(FAMILY, agent=agent, rules="family players=3 max_plies=5"), work=tmp_path)
    assert (row["share"], row["unfinished"], row["plies"]) == (0.33333, 1, 5)
    row = summarize(replace(SMALL, rounds=4), [Part(0, {"1-": 1, "11": 1}, 400, 1, 0.1)])
    assert (row["share"], row["plies"], row["unfinished"]) == (0.875, 100, 0.25)


def test_games_are_longer_than_rounds(tmp_path: Path) -> None:
    games, rounds = (
        play(replace(SMALL, rules="family", rounds=12, to_score=to_score), work=tmp_path) for to_score in (True, False)
    )
    assert games["plies"] > 4 * rounds["plies"]


# Resuming


@pytest.mark.parametrize("agent", ["halving:simulations=10", "frequency"])
def test_a_match_that_was_stopped_goes_on(agent: str, tmp_path: Path) -> None:
    match = replace(SMALL, agent=agent)
    whole = play(match, work=tmp_path / "whole")
    play(replace(match, rounds=16), work=tmp_path)
    (file,) = tmp_path.glob("*.jsonl")
    with file.open("a", encoding="utf-8") as kept:
        kept.write('\n{"first": 4, "deals')  # cut off by a crash
    assert strip(play(match, jobs=2, work=tmp_path)) == strip(whole)
    size = file.stat().st_size
    assert play(replace(match, rounds=32), work=tmp_path)["rounds"] == 32
    assert file.stat().st_size == size, "deals were played again"


def test_parts_are_kept_by_match_and_networks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.safetensors"
    file.write_bytes(shipped_file("any").read_bytes())
    mine = replace(FAMILY, agent=f"net:{file}")
    changed = [mine, replace(mine, rival="net"), replace(mine, seed=2), replace(mine, alternates=True)]
    paths = {Kept(match, tmp_path)._path for match in changed}
    assert Kept(replace(mine, rounds=60), tmp_path)._path in paths
    file.write_bytes(shipped_file("family-2").read_bytes())
    paths.add(Kept(mine, tmp_path)._path)
    monkeypatch.setattr(matches, "find_commit", lambda: "another")
    paths.add(Kept(mine, tmp_path)._path)
    assert len(paths) == len(changed) + 2


# The command


def test_the_command_plays_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, results, file = tmp_path / "m.toml", tmp_path / "m.jsonl", tmp_path / "mine.safetensors"
    file.write_bytes(shipped_file("any").read_bytes())
    agent = json.dumps(f"net:{file}")
    table.write_text(
        f'[t]\nseed = {tmp_path.stat().st_ino}\nrival = "random"\nrules = "family"\nrounds = 7\nlines = [\n'
        f'{{ name = "mine", agent = {agent} }}, {{ agent = "heuristic", players = [2, 3] }} ]\n'
    )

    def run(*words: str) -> list[str]:
        main([*words, "--table", str(table), "--results", str(results)])
        return [line.split("  ")[0] for line in capsys.readouterr().out.splitlines()]

    everything = ["t: mine", "t: heuristic, family", "t: heuristic, family players=3"]
    assert run("--rounds", "2") == everything
    assert not results.exists(), "a trial saves nothing"
    assert run() == everything
    assert [row["rounds"] for row in read_results(results)] == [6, 6, 6]
    assert run() == []
    assert run("--only", "t: m", "--agent", "first_legal") == ["t: mine"]
    file.write_bytes(shipped_file("family-2").read_bytes())
    assert run() == ["t: mine"]
    table.write_text(table.read_text().replace("rounds = 7", "rounds = 9"))
    assert run("--only", "t: h") == ["t: heuristic, family", "t: heuristic, family players=3"]


def test_results_keep_the_order_of_the_table(tmp_path: Path) -> None:
    file, two = tmp_path / "m.jsonl", [SMALL, replace(SMALL, name="other")]
    for match in (two[1], two[0], replace(SMALL, name="gone"), two[1]):
        save(play(replace(match, rounds=4), work=tmp_path), two, file)
    assert [row["name"] for row in read_results(file)] == ["small", "other"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--agent", "net:nope"], "net: cannot read 'nope'"),
        (["--agent", "chess"], "no agent 'chess'"),
        (["--rounds", "-5"], "must not be negative"),
    ],
)
def test_a_mistake_is_refused_in_one_line(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--only", "champion: v random", *words])
    assert message in capsys.readouterr().err.splitlines()[-1]
