"""`lastcard arena` at the terminal."""

import csv
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lastcard.arena import tournament_run
from lastcard.arena.chunks import play_chunk
from lastcard.errors import AgentError
from tests.unit.helpers import PATIENCE_SECONDS
from tests.unit.test_cli_commands import Captured, run

QUICK = ["--games", "40", "--seed", "3"]


def read_json(capsys: Captured, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> dict[str, Any]:
    code, out, err = run(capsys, monkeypatch, "arena", *arguments, "--json")
    assert (code, err) == (0, "")
    read = json.loads(out)
    assert isinstance(read, dict)
    return read


def test_json_has_these_fields(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    read = read_json(capsys, monkeypatch, "heuristic", "random", *QUICK)
    estimate = {"value", "low", "high"}
    assert list(read) == [
        "tournament",
        "complete",
        "standings",
        "pairings",
        "first_seat",
        "worth_of_mirroring",
        "timing",
    ]
    assert read["tournament"] == {
        "agents": ["heuristic", "random"],
        "rules": "official",
        "players": 2,
        "deals": 20,
        "seed": 3,
        "one_table": False,
        "to_score": False,
        "sprt": None,
    }
    assert read["complete"] is True
    for standing in read["standings"]:
        assert set(standing) == {"agent", "ceiling", "share", "points", "rating", "rating_error", "forfeits"}
        assert set(standing["share"]) == estimate
    [pairing] = read["pairings"]
    assert (pairing["agents"], pairing["deals"], pairing["rounds"]) == (["heuristic", "random"], 20, 40)
    assert set(pairing["elo"]) == set(pairing["first_seat"]) == estimate
    assert sum(share["value"] for share in pairing["shares"]) == pytest.approx(1)
    assert pairing["sprt"] is None
    assert set(read["timing"]) == {"seconds", "decisions"}
    assert set(read["timing"]["decisions"][0]) == {"agent", "count", "mean_seconds", "p95_seconds", "overruns"}


def test_json_has_no_infinity(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """One deal can be lost altogether."""
    for seed in range(8):
        arguments = ["heuristic", "random", "--games", "2", "--seed", str(seed)]
        _, out, _ = run(capsys, monkeypatch, "arena", *arguments, "--json")
        assert not re.search(r"Infinity|NaN", out)
        assert run(capsys, monkeypatch, "arena", *arguments)[0] == 0


def test_the_seed_fixes_everything_whatever_the_jobs(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["heuristic", "frequency"]
    first, again, other = (
        read_json(capsys, monkeypatch, *names, "--games", "60", "--seed", seed, "--jobs", jobs)
        for seed, jobs in (("3", "1"), ("3", "2"), ("4", "1"))
    )
    for read in (first, again, other):
        del read["timing"]
    assert first == again
    assert first["pairings"] != other["pairings"]


def test_games_are_rounded_up_to_whole_deals(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["heuristic", "random", "--players", "3", "--games", "10", "--seed", "1"]
    _, out, _ = run(capsys, monkeypatch, "arena", *arguments)
    assert out.startswith("10 games are rounded up to 12: every deal is played from all 3 seats.\n")
    code, out, err = run(capsys, monkeypatch, "arena", *arguments, "--json")
    assert (code, json.loads(out)["pairings"][0]["rounds"]) == (0, 12)
    assert err.startswith("10 games are rounded up to 12")


@pytest.mark.parametrize("num_agents", [2, 5, 11, 26])
def test_tables_fit_into_80_columns(num_agents: int, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    long = ["heuristic", "random", "halving:simulations=1,hypotheses=1,belief=uniform,playouts=random"]
    names = (long * num_agents)[:num_agents] if num_agents < 6 else ["random", "heuristic"] * (num_agents // 2)
    _, out, _ = run(capsys, monkeypatch, "arena", *names, "--games", "2", "--seed", "1")
    assert max(map(len, out.splitlines())) <= 80
    if num_agents == 5:
        assert long[2] in out


def test_csv(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "cup.csv"
    assert (
        run(capsys, monkeypatch, "arena", "heuristic", "random", "--players", "3", *QUICK, "--csv", str(file))[0] == 0
    )
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    assert [(row["agent"], row["against"]) for row in rows][:2] == [
        ("heuristic", "random random"),
        ("random", "heuristic random"),
    ]
    assert sum(float(row["share"]) for row in rows[:3]) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_plot(suffix: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / f"cup.{suffix}"
    table = ["--table"] if suffix == "svg" else []
    assert run(capsys, monkeypatch, "arena", "heuristic", "random", *QUICK, *table, "--plot", str(file))[0] == 0
    assert file.read_bytes().startswith(b"\x89PNG" if suffix == "png" else b"<?xml")
    if suffix == "svg":
        assert "heuristic" in file.read_text()


# Ctrl-C and going on


def test_ctrl_c_prints_the_table_so_far_and_resume_goes_on(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, names = tmp_path / "cup.jsonl", ["heuristic", "frequency"]
    played = 0

    def stop_at_third(*arguments: Any, **options: Any) -> object:
        nonlocal played
        played += 1
        if played == 3:
            raise KeyboardInterrupt
        return play_chunk(*arguments, **options)

    monkeypatch.setattr(tournament_run, "play_chunk", stop_at_third)
    code, out, _ = run(capsys, monkeypatch, "arena", *names, "--games", "80", "--seed", "3", "--out", str(file))
    assert code == 130
    assert "So far 16 deals, 40 % of it." in out
    assert "A  heuristic" in out
    assert f"Resume with: lastcard arena --resume {file}" in " ".join(out.split())
    resumed = read_json(capsys, monkeypatch, "--resume", str(file))
    whole = read_json(capsys, monkeypatch, *names, "--games", "80", "--seed", "3")
    for read in (resumed, whole):
        del read["timing"]
    assert resumed == whole
    assert played > 5


def test_ctrl_c_before_anything_is_played(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(tournament_run, "play_chunk", stop)
    assert run(capsys, monkeypatch, "arena", "heuristic", "random", *QUICK) == (130, "", "")


def test_ctrl_c_at_a_real_terminal(tmp_path: Path) -> None:
    """The terminal sends it to every process of the group; progress was shown while it ran."""
    file = tmp_path / "cup.jsonl"
    command = [
        "arena",
        "frequency",
        "first_legal",
        "--games",
        "400000",
        "--seed",
        "1",
        "--jobs",
        "2",
        "--out",
        str(file),
    ]
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "lastcard.cli", *command],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        start_new_session=True,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        # A shell's background jobs ignore Ctrl-C, and so would what they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    os.close(follower)
    shown, stopped = b"", False
    while True:
        try:
            shown += os.read(leader, 65536)
        except OSError:
            break
        if not stopped and b" left" in shown:
            os.killpg(process.pid, signal.SIGINT)
            stopped = True
    os.close(leader)
    assert process.wait(PATIENCE_SECONDS) == 130
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert re.search(r"\d+ %, [\d,]+ deals, 0:\d\d, \d+:\d\d(:\d\d)? left", text)
    assert "So far " in text
    assert "Traceback" not in text
    assert max(len(line) for line in text.replace("\r", "\n").splitlines() if str(file) not in line) <= 100


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--seed", "4"], "its seed is 3, not 4"),
        (["--games", "60"], "its deals is 20, not 30"),
        (["--rules", "house"], "its rules is official, not house players=2"),
        (["--players", "3"], "its rules is official, not official players=3"),
        (["--sprt", "0", "5"], "its sprt is None"),
        (["--to-score"], "its to score is False"),
        (["heuristic", "frequency"], "holds a match of heuristic random, not of heuristic frequency"),
        (["--out", "x.jsonl"], "give one of them"),
    ],
)
def test_a_file_of_another_tournament_is_refused(
    arguments: list[str], part: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cup.jsonl"
    assert run(capsys, monkeypatch, "arena", "heuristic", "random", *QUICK, "--out", str(file))[0] == 0
    before = file.read_bytes()
    code, out, err = run(capsys, monkeypatch, "arena", *arguments, "--resume", str(file))
    assert (code, out) == (2, "")
    assert part in err
    assert file.read_bytes() == before


def test_the_same_tournament_may_be_named_again(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cup.jsonl"
    named = ["heuristic", "random", *QUICK, "--rules", "official players=3"]
    assert run(capsys, monkeypatch, "arena", *named, "--out", str(file))[0] == 0
    assert run(capsys, monkeypatch, "arena", *named, "--resume", str(file))[0] == 0


# Bad input


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([], "at least two agents"),
        (["random"], "at least two agents"),
        (["random", "nobody"], "no agent 'nobody'"),
        (["random", "halving:depth=2"], "no option 'depth=2'"),
        (["random", "random", "--players", "1"], "players must be from 2 to 10"),
        (["random", "random", "--players", "11"], "players must be from 2 to 10"),
        (["random", "random", "--players", "5", "--rules", "mini"], "lower hand_size or players"),
        (["random", "random", "--players", "3", "--rules", "official players=4"], "contradicts --rules"),
        (["random", "random", "--table", "--players", "3"], "need as many seats"),
        (["random", "random", "--rules", "nothing"], "no rules preset"),
        (["random", "random", "--games", "0"], "--games must be from 1"),
        (["random", "random", "--jobs", "0"], "--jobs must be from 1"),
        (["random", "random", "--seed", "-1"], "seed must be"),
        (["random", "random", "--sprt", "5", "0"], "--sprt: elo0 must be less"),
        (["random", "random", "--sprt", "0", "5", "--table"], "sequential test"),
        (["random", "random", "--csv", "/nonexistent/cup.csv"], "there is no folder '/nonexistent'"),
        (["random", "random", "--csv", "/"], "--csv: cannot write '/': Is a directory"),
        (["random", "random", "--plot", "cup.pdf"], ".png or .svg"),
        (["random", "random", "--plot", "/nonexistent/cup.png"], "there is no folder '/nonexistent'"),
        (["random", "random", "--out", "/nonexistent/cup.jsonl"], "cannot write"),
        (["--resume", "/nonexistent/cup.jsonl"], "cannot resume"),
        (["--resume", "/dev/null"], "not the file of a tournament"),
    ],
)
def test_bad_input_is_told_before_anything_is_played(
    arguments: list[str], part: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(*_: object, **__: object) -> object:
        raise AgentError("played")

    monkeypatch.setattr(tournament_run, "play_chunk", play)
    code, out, err = run(capsys, monkeypatch, "arena", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert part in err
    assert err.count("\n") == 1
