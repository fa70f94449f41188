"""`lastcard train`: a curve to watch, a folder to play from, and Ctrl-C that loses nothing."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from lastcard.learning import curve_text
from lastcard.network import Network
from tests.unit.test_cli_commands import Captured, run

TINY = ["--updates", "2", "--device", "cpu", "--num-envs", "24", "--hidden", "16", "--blocks", "1"]


def test_a_run_tells_its_curve_and_leaves_a_network(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    out = str(tmp_path / "run")
    code, said, _ = run(capsys, monkeypatch, "train", *TINY, "--measured-deals", "10", "--out", out)
    assert code == 0
    curve = [line for line in said.splitlines() if "random" in line and "heuristic" in line]
    assert len(curve) == 2
    assert all(len(line) <= 80 and line.endswith("left") for line in curve)
    assert Network.load(f"{out}/network.safetensors").players == 2
    assert "Play it with: lastcard play" in said
    code, _, complaint = run(capsys, monkeypatch, "train", *TINY, "--out", out)
    assert (code, "already holds a run: continue it with --resume" in complaint) == (2, True)
    said = run(capsys, monkeypatch, "train", *TINY, "--updates", "3", "--out", out, "--resume", "--json")[1]
    assert [json.loads(line)["update"] for line in said.splitlines()] == [3]


def test_the_command_to_play_with_has_the_rules(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("lastcard.learning.run.train", lambda *_, **__: tmp_path / "net")
    for rules, words in (("mini", "--rules mini "), ("official stacking=same", "--rules 'official stacking=same' ")):
        said = run(capsys, monkeypatch, "train", *TINY, "--rules", rules, "--out", str(tmp_path))[1]
        assert f"lastcard play {words}--players 2 --against net:" in " ".join(said.split())
    assert "play --players 2 --against" in run(capsys, monkeypatch, "train", *TINY, "--out", str(tmp_path))[1]


def test_the_recipe_is_written_into_the_network(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    recipe = ["--recipe", "mixed", "--random-share", "0.25", "--heuristic-share", "0.125", "--averaging", "0.9"]
    run(capsys, monkeypatch, "train", *TINY, *recipe, "--out", str(tmp_path / "run"))
    made = json.loads(Network.load(str(tmp_path / "run" / "network.safetensors")).made["config"])
    assert (made["random_share"], made["heuristic_share"], made["averaging"]) == (0.25, 0.125, 0.9)
    assert (made["recipe"], made["reference"], made["entropy"]) == ("mixed", 0.05, 0.004)


def test_ctrl_c_keeps_the_run(capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def stop(*_: object) -> str:
        raise KeyboardInterrupt

    out = tmp_path / "run"
    with monkeypatch.context() as patched:
        patched.setattr(curve_text, "format_point", stop)
        code, said, _ = run(capsys, patched, "train", *TINY, "--random-share", "0.5", "--out", str(out))
    assert code == 130
    assert (out / "checkpoint.safetensors").exists()
    stopped, _, command = " ".join(said.split()).rpartition(" Resume with: lastcard ")
    assert stopped.endswith("Stopped.")
    assert "--resume" in command
    assert "--random-share 0.5" in command
    assert run(capsys, monkeypatch, *shlex.split(command))[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--hidden", "4"], "error: --hidden must be from 8 to 4096, not 4"),
        (["--device", "tpu"], "error: --device must be auto, cpu or cuda, not 'tpu'"),
        (["--num-envs", "-1"], "error: --num-envs must be from 0 to 4194304, not -1"),
        (["--random-share", "1.5"], "error: --random-share must be a number from 0 to 1, not 1.5"),
        (
            ["--random-share", "0.75", "--heuristic-share", "0.5"],
            "error: --heuristic-share must be at most what random_share leaves, 0.25",
        ),
        (["--averaging", "1"], "error: --averaging must be a number from 0 to 0.9999, not 1.0"),
        (["--recipe", "league"], "error: no recipe 'league'; there are regularised, mixed, natural"),
        (["--rules", "chess"], "error: no rules preset 'chess'"),
    ],
)
def test_impossible_options_are_named(
    arguments: list[str], message: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    code, _, complaint = run(capsys, monkeypatch, "train", "--out", str(tmp_path / "run"), *arguments)
    assert code == 2
    assert message in complaint
    assert not (tmp_path / "run").exists()
