"""The ladder's page says what its results say, and its results are those of the standing tournament."""

import json
import re
from pathlib import Path

import pytest

from benchmarks.strength import ladder, standing
from benchmarks.strength.ladder_page import FIGURES, PAGE, WEB, fill_page, make_tables, make_web
from benchmarks.strength.standing import (
    Line,
    keep_lines,
    play_entry,
    read_entries,
    read_lines,
    share_of_edge,
    write_lines,
)
from lastcard.arena.ceilings import CEILINGS
from lastcard.arena.entrants import enter
from lastcard.arena.statistics import Estimate

ENTRIES = read_entries()
LINES = read_lines()


def test_everybody_on_the_ladder_can_play() -> None:
    for entry in ENTRIES:
        assert enter([entry.agent], {}) == ((entry.agent,), {})
        assert entry.tournament().pairings[0].seating == (0, *[1] * (entry.players - 1))
    assert {entry.players for entry in ENTRIES} == {2, 4}
    assert {entry.rules for entry in ENTRIES} == set(FIGURES)
    assert len({(entry.agent, entry.rules, entry.players) for entry in ENTRIES}) == len(ENTRIES)


def test_the_results_are_of_this_ladder() -> None:
    """All of it, in full, and from code that stands in a commit (a + would say that some did not)."""
    assert keep_lines(ENTRIES, LINES) == LINES
    assert [(line.agent, line.preset, line.players, line.rounds) for line in LINES] == [
        (entry.agent, entry.rules, entry.players, entry.rounds) for entry in ENTRIES
    ]
    assert {(line.ceiling, line.preset, line.players) for line in LINES if line.ceiling} == {
        (ceiling, preset, players) for ceiling in CEILINGS for preset in FIGURES for players in (2, 4)
    }
    for line in LINES:
        assert re.fullmatch("[0-9a-f]{10}", line.commit or "")
        assert set(line.machine) == {"cpu", "cores"}


def test_the_page_is_what_the_results_make_of_it() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert fill_page(page, make_tables(LINES)) == page
    for line in LINES:
        assert f"| `{line.agent}`" in page
        assert line.agent in FIGURES[line.preset].read_text(encoding="utf-8")


def test_the_web_page_has_what_the_results_say() -> None:
    """`python -m benchmarks.strength.ladder_page` makes it again."""
    assert WEB.read_text(encoding="utf-8") == make_web(LINES)


def test_the_same_part_gives_the_same_line_but_for_the_times() -> None:
    entry = next(entry for entry in ENTRIES if (entry.agent, entry.players) == ("frequency", 4))
    one, two = (strip(play_entry(entry, rounds=40, jobs=jobs)) for jobs in (1, 2))
    assert one == two
    assert (one["rounds"], one["agent"], one["players"]) == (40, "frequency", 4)


def strip(line: Line) -> dict[str, object]:
    return {name: getattr(line, name) for name in ("agent", "players", "rounds", "share", "points", "seed")}


def test_a_part_that_is_played_again_replaces_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ladder.jsonl"
    write_lines(LINES, file)
    ladder.main(["--rounds", "8", "--only", "random", "--jobs", "1", "--results", str(file)])
    lines = read_lines(file)
    assert [(line.agent, line.players) for line in lines] == [(line.agent, line.players) for line in LINES]
    assert {line.rounds for line in lines if line.agent == "random"} == {8}
    assert [line for line in lines if line.agent != "random"] == [line for line in LINES if line.agent != "random"]
    assert "random" in capsys.readouterr().out


def test_lines_of_another_tournament_drop_out(tmp_path: Path) -> None:
    file = tmp_path / "ladder.jsonl"
    write_lines(LINES, file)
    text = file.read_text(encoding="utf-8").splitlines()
    fields = json.loads(text[0])
    file.write_text("\n".join([*text[1:], json.dumps({**fields, "seed": fields["seed"] + 1})]) + "\n", encoding="utf-8")
    assert keep_lines(ENTRIES, read_lines(file)) == LINES[1:]


def test_the_share_of_the_edge() -> None:
    ceiling = Estimate(0.75, 0.75, 0.75)
    assert share_of_edge(ceiling, ceiling, 4).value == 1
    assert share_of_edge(Estimate(0.25, 0.2, 0.3), ceiling, 4).value == 0
    assert share_of_edge(Estimate(0.5, 0.4, 0.6), ceiling, 4).error == pytest.approx(0.2)
    assert share_of_edge(Estimate(0.2, 0.2, 0.2), ceiling, 2).value == pytest.approx(-1.2)


def test_the_machine_has_no_name() -> None:
    assert list(standing.machine_class()) == ["cpu", "cores"]
