import json
from collections.abc import Callable
from pathlib import Path

import pytest

from lastcard.learning import tune as tuning
from lastcard.learning.tune import Generation, TuneConfig
from lastcard.weights import Weights
from tests.unit.test_cli_commands import Captured, json_lines, run

SMALL = ["--generations", "2", "--population", "4", "--elite", "2", "--deals", "20"]


def test_a_line_a_generation_and_a_file_that_can_be_played(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "weights.json"
    code, out, err = run(capsys, monkeypatch, "tune", *SMALL, "--out", str(file))
    lines = out.splitlines()
    assert (code, err, len(lines)) == (0, "", 3)
    assert lines[0].startswith("   1 of 2   best ")
    assert " left" in lines[0]
    assert lines[2] == f"Wrote {file}. Play it with: lastcard play --against heuristic:weights={file}"
    assert len(Weights.load(str(file)).values) == 33
    played = run(capsys, monkeypatch, "play", "--against", f"heuristic:weights={file}", "--seed", "1")
    assert played[0] == 0


def test_as_json(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, weights = json_lines(run(capsys, monkeypatch, "tune", *SMALL, "--json")[1])
    assert (first["generation"], second["generation"], second["seconds_left"]) == (1, 2, 0.0)
    assert set(weights) == set(Weights.shipped(2).to_dict())


def test_without_a_file_the_weights_are_printed(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    out = run(capsys, monkeypatch, "tune", *SMALL)[1]
    assert len(json.loads(out[out.index("{") :])) == 33


def stop_after(generations: int) -> Callable[[TuneConfig, Callable[[Generation], None]], Weights]:
    def tune(config: TuneConfig, progress: Callable[[Generation], None]) -> Weights:
        for number in range(1, generations + 1):
            progress(Generation(number, 0.6, 0.7, 0.01, Weights.shipped(2)))
        raise KeyboardInterrupt

    return tune


def test_ctrl_c_keeps_the_weights_so_far(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "weights.json"
    monkeypatch.setattr(tuning, "tune", stop_after(3))
    code, out, _ = run(capsys, monkeypatch, "tune", "--out", str(file))
    assert code == 130
    assert "Stopped after 3 of 40 generations; these are the weights so far." in out
    assert Weights.load(str(file)) == Weights.shipped(2)


def test_ctrl_c_before_anything_is_found(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "tune", stop_after(0))
    assert run(capsys, monkeypatch, "tune", "--out", str(tmp_path / "weights.json"))[0] == 130
    assert list(tmp_path.iterdir()) == []
