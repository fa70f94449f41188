"""The command that measures a champion: it resumes, counts as the targets say, and its lines are committed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.strength import champion
from benchmarks.strength.champion import CHAMPION, Kept, Part, PartResult, play_parts, save, split_line, summarize
from benchmarks.strength.lineup import LINES, NETWORKS

HOARDER = NETWORKS / "hoarder-A.safetensors"
AGAINST_RANDOM = next(line for line in LINES if line.name == "v random")


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [Part(str(HOARDER), AGAINST_RANDOM, number, 1) for number in range(3)]
    at_once = list(play_parts(parts, Kept(tmp_path / "a", HOARDER), 1, 1e9))
    stopped = list(play_parts(parts, Kept(tmp_path / "b", HOARDER), 1, seconds=1e-9))
    assert len(stopped) == 1
    played: list[int] = []
    play = champion.play_part

    def note(part: Part) -> PartResult:
        played.append(part.number)
        return play(part)

    monkeypatch.setattr(champion, "play_part", note)
    resumed = list(play_parts(parts, Kept(tmp_path / "b", HOARDER), 1, 1e9))
    assert played == [1, 2]
    rows = [summarize("hoarder-A", AGAINST_RANDOM, results) for results in (at_once, resumed)]
    for row in rows:
        row.pop("cpu_seconds")
    assert rows[0] == rows[1]
    assert rows[0]["rounds"] == 6


def test_an_unfinished_round_counts_as_half() -> None:
    results = [PartResult("v random", 0, {"0-": 1, "00": 1}, 400, 1, 0.1)]
    row = summarize("hoarder-A", AGAINST_RANDOM, results)
    assert (row["share"], row["plies"], row["unfinished"]) == (0.875, 100.0, 0.25)


def test_a_shorter_run_plays_the_first_parts_of_a_longer_one() -> None:
    short, long = (split_line("hoarder-A", AGAINST_RANDOM, deals) for deals in (100, 5000))
    assert long[: len(short)] == short
    assert sum(part.num_deals for part in long) == 5000
    assert len({part.seed for part in long}) == len(long)


def test_saved_lines_take_the_place_of_earlier_ones(tmp_path: Path) -> None:
    file = tmp_path / "champion.jsonl"
    save([{"name": "v random", "network": "a", "share": 0.5}, {"name": "v net 0.1", "network": "a"}], file)
    save([{"name": "v random", "network": "a", "share": 0.6}], file)
    rows = [json.loads(text) for text in file.read_text(encoding="utf-8").splitlines()]
    assert rows == [{"name": "v net 0.1", "network": "a"}, {"name": "v random", "network": "a", "share": 0.6}]


def test_the_committed_lines_are_of_committed_networks() -> None:
    rows = [json.loads(text) for text in champion.SAVED.read_text(encoding="utf-8").splitlines()]
    assert {row["name"] for row in rows} <= {line.name for line in LINES} | {"decision on one core"}
    readme = (NETWORKS / "README.md").read_text(encoding="utf-8")
    for row in rows:
        path = CHAMPION if row["network"] == CHAMPION.name else NETWORKS / row["network"]
        assert path.exists() or f"`{path.name}` in the history" in readme


def test_every_target_has_a_committed_line_for_the_champion() -> None:
    rows = [json.loads(text) for text in champion.SAVED.read_text(encoding="utf-8").splitlines()]
    own = {row["name"]: row for row in rows if row["network"] == CHAMPION.name}
    assert set(own) == {line.name for line in LINES} | {"decision on one core"}
    assert all(own[line.name]["rounds"] >= line.rounds for line in LINES)
