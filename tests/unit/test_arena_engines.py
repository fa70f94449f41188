"""Other programs in the arena: they play matches, and what they do wrong costs them the round, never the match."""

import json
import multiprocessing
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from lastcard.arena.chunks import play_chunk
from lastcard.arena.entrants import EngineEntrant, find_engine
from lastcard.arena.ledger import Ledger
from lastcard.arena.results import ChunkResult, Results
from lastcard.arena.schedule import Tournament
from lastcard.arena.stored import KeptMatch
from lastcard.arena.summary import summarize
from lastcard.arena.tournament_run import run_tournament
from lastcard.engine import client
from lastcard.engine.client import EngineConfig
from lastcard.engine.program import Program
from lastcard.errors import AgentError
from lastcard.rules import Rules
from lastcard.store import open_store
from tests.unit.helpers import PATIENCE_SECONDS
from tests.unit.test_arena_run import told
from tests.unit.test_cli_commands import Captured, run
from tests.unit.test_engine import BAD, EXAMPLE, wait_until_gone

OFFICIAL = Rules.preset("official")
BRIEF = EngineConfig(patience_seconds=0.4, stop_seconds=0.2, start_seconds=20)
SHEDDER = EngineEntrant(shlex.join(EXAMPLE)).name


def bad(*words: str, config: EngineConfig = BRIEF) -> str:
    return EngineEntrant(shlex.join([*BAD, *words]), config).name


def count_programs(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """The commands of all programs that are started from now on."""
    started: list[Sequence[str]] = []

    class Counted(Program):
        def __init__(self, command: Sequence[str]) -> None:
            super().__init__(command)
            started.append(command)

    monkeypatch.setattr(client, "Program", Counted)
    return started


# Names


def test_a_program_is_an_agent_with_a_name() -> None:
    name = EngineEntrant("python3 my engine.py: fast", EngineConfig(seconds=0.5, simulations=10)).name
    assert name == "engine[simulations=10,seconds=0.5]:python3 my engine.py: fast"
    found = find_engine(name)
    assert found
    assert found.name == name
    assert found.config.seconds == 0.5
    assert EngineEntrant("./engine").name == "engine:./engine"
    assert find_engine("heuristic") is None


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("engine:", "is not a command"),
        ("engine:'", "is not a command"),
        ("engine", "no agent 'engine'"),
        ("engine[seconds=-1]:x", "seconds must be"),
        ("engine[depth=2]:x", "engine has no option 'depth=2'"),
    ],
)
def test_a_name_that_is_no_program_is_refused(name: str, part: str) -> None:
    with pytest.raises(AgentError, match=part.replace("[", r"\[")):
        Tournament(("random", name), OFFICIAL, num_deals=1)


# Matches


def test_the_example_plays_a_match_and_the_jobs_do_not_matter(tmp_path: Path) -> None:
    cup = Tournament((SHEDDER, "random", "heuristic"), OFFICIAL, num_deals=12, seed=5)
    alone, together = run_tournament(cup), run_tournament(cup, jobs=2)
    assert told(alone) == told(together)
    assert alone.num_forfeits == 0
    shedder = summarize(alone).standings[0]
    assert shedder.times.count > 100
    with Ledger.create(tmp_path / "cup.jsonl", cup) as ledger:
        run_tournament(cup, 1, ledger, lambda results: os.kill(os.getpid(), signal.SIGINT))
    with Ledger.resume(tmp_path / "cup.jsonl") as ledger:
        assert ledger.tournament == cup
        assert 0 < len(ledger.chunks) < len(cup.chunks)
        assert told(run_tournament(cup, 1, ledger)) == told(alone)


def test_our_own_engine_plays_as_the_agent_does() -> None:
    """One decision after another from the same seed; at the table every round has a seed of its own."""
    command = shlex.join([sys.executable, "-m", "lastcard.cli", "engine", "--agent", "heuristic"])
    behind, plain = (
        play_chunk(cup, cup.chunks[0])
        for cup in (
            Tournament((name, "frequency"), OFFICIAL, num_deals=3, seed=2)
            for name in (f"engine:{command}", "heuristic")
        )
    )
    assert (behind.deals, behind.points, behind.plies) == (plain.deals, plain.points, plain.plies)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("sleepy",), "timed out"),
        (("liar",), "illegal answer"),
        (("babbler",), "garbled line"),
        (("dying",), "crashed"),
        (("flood",), "timed out"),
        (("torrent",), "garbled line"),
        (("refusing",), "refused"),
        (("twice",), "garbled line"),
    ],
)
def test_a_program_that_does_wrong_loses_every_round_by_rule(words: tuple[str, ...], fault: str) -> None:
    cup = Tournament(("random", bad(*words)), OFFICIAL, num_deals=2, seed=1)
    results = run_tournament(cup)
    assert results.is_complete
    forfeits = results.pairings[0].forfeits
    assert forfeits[0].count == 0
    # A round that it was never asked in, or only asked to draw in, it may win or lose like anybody.
    assert 2 <= forfeits[1].faults[fault] == forfeits[1].count <= 4
    assert results.pairings[0].deals["00"] >= 1


def test_the_others_share_nothing_with_who_forfeits() -> None:
    cup = Tournament((bad("dying"), "random"), OFFICIAL.replace(players=4), num_deals=2, seed=1)
    result = play_chunk(cup, cup.chunks[0])
    assert result.forfeits[0].count == 8
    assert not set("0-") & set("".join(result.deals))


def test_a_program_that_never_gets_ready_is_waited_for_once_a_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    started = count_programs(monkeypatch)
    cup = Tournament(("random", bad("mute", config=EngineConfig(start_seconds=0.5))), OFFICIAL, num_deals=8)
    result = play_chunk(cup, cup.chunks[0])
    assert (result.deals, result.forfeits[1].faults) == ({"00": 8}, {"timed out": 16})
    assert len(started) == 1


def test_a_program_that_dies_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    started = count_programs(monkeypatch)
    cup = Tournament(("random", bad("dying")), OFFICIAL, num_deals=2, seed=1)
    assert play_chunk(cup, cup.chunks[0]).forfeits[1].faults == {"crashed": 4}
    assert len(started) == 4


def test_a_forfeit_is_kept_in_the_file_and_shown_everywhere(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cup.jsonl"
    words = ["arena", "random", bad("dying"), "--games", "4", "--seed", "1"]
    code, out, err = run(capsys, monkeypatch, *words, "--out", str(file))
    assert (code, err) == (0, "")
    text = " ".join(out.split())
    assert "decision p95 forfeits" in text
    assert "B lost 4 rounds by Rule 9.4 (4 crashed); so: engine 'dying' ended with status 1" in text
    assert max(map(len, out.splitlines())) <= 80
    code, out, err = run(capsys, monkeypatch, *words[:3], "--resume", str(file), "--json")
    standings = json.loads(out)["standings"]
    assert standings[0]["forfeits"] == {"faults": {}, "example": ""}
    assert standings[1]["forfeits"]["faults"] == {"crashed": 4}
    with Ledger.resume(file) as ledger:
        again = ChunkResult.from_dict(ledger.chunks[0].to_dict(), 2)
        assert again == ledger.chunks[0]
        assert Results(ledger.tournament, ledger.chunks).num_forfeits == 4


@pytest.mark.parametrize("to_score", [False, True])
def test_a_store_keeps_a_forfeited_game_with_its_ruling(to_score: bool, tmp_path: Path) -> None:
    cup = Tournament((bad("dying"), "random"), OFFICIAL, num_deals=2, seed=1, to_score=to_score)
    with open_store(tmp_path / "games.db") as store:
        results = run_tournament(cup, 1, KeptMatch.begin(store, cup))
        games = list(store.list_games())
    assert results.num_forfeits == len(games) == 4
    assert [game.seats[game.winner or 0].name for game in games] == ["random"] * 4
    assert sum(seat.points or 0 for game in games for seat in game.seats) == results.pairings[0].points[1] > 0


def test_options_at_the_terminal(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["arena", "random", "--engine", shlex.join(EXAMPLE), "--engine-seconds", "2", "--games", "2", "--seed", "1"]
    code, out, _ = run(capsys, monkeypatch, *words, "--json")
    assert (code, json.loads(out)["tournament"]["agents"][1]) == (0, f"engine[seconds=2.0]:{shlex.join(EXAMPLE)}")


@pytest.mark.parametrize(("command", "part"), [("/nonexistent/engine", "cannot be started"), ("true", "ended with")])
def test_a_program_that_cannot_play_is_told_before_anything_is(
    command: str, part: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cup.jsonl"
    code, out, err = run(capsys, monkeypatch, "arena", "random", "--engine", command, "--out", str(file))
    assert (code, out) == (2, "")
    assert part in err
    assert not file.exists()


def test_a_file_does_not_start_programs_by_itself(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, command = tmp_path / "cup.jsonl", shlex.join(EXAMPLE)
    with Ledger.create(file, Tournament(("random", f"engine:{command}"), OFFICIAL, num_deals=1)):
        pass
    code, out, err = run(capsys, monkeypatch, "arena", "--resume", str(file))
    assert (code, out) == (2, "")
    assert f"runs programs; name them again: {shlex.join([f'engine:{command}'])}" in err
    assert run(capsys, monkeypatch, "arena", "--engine", command, "--resume", str(file))[0] == 0


# Nothing is left behind


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_leaves_no_program_behind(jobs: int, tmp_path: Path) -> None:
    note = tmp_path / "pids"
    engine = bad("parent", str(note), config=EngineConfig())
    words = ["arena", "random", engine, "--games", "64", "--seed", "1", "--jobs", str(jobs)]
    process = subprocess.Popen(
        [sys.executable, "-m", "lastcard.cli", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while not (note.exists() and note.read_text().count(" ")):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_SECONDS) == 130
    wait_until_gone(map(int, note.read_text().split()))
    assert not multiprocessing.active_children()
