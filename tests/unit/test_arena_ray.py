"""Tournaments on a Ray cluster: the same results, nothing lost and nothing counted twice."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lastcard.arena import cluster
from lastcard.arena.results import Results
from lastcard.arena.run import run_tournament
from lastcard.arena.schedule import Tournament
from lastcard.rules import Rules
from tests.unit.test_arena_run import told
from tests.unit.test_cli_commands import Captured, run

ROOT = Path(__file__).parents[2]


@pytest.mark.long
def test_ctrl_c_and_a_dying_node_lose_nothing_and_the_results_are_those_of_a_local_run(tmp_path: Path) -> None:
    cup = Tournament(("halving:simulations=1000", "heuristic"), Rules.preset("official"), num_deals=80, seed=3)
    done = subprocess.run(
        [sys.executable, "-m", "tests.unit.ray_cluster", json.dumps(cup.to_dict()), str(tmp_path / "cup.jsonl")],
        cwd=ROOT,
        env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "RAY_DEDUP_LOGS": "0"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert "(raylet)" in done.stderr
    read = json.loads(done.stdout)  # nothing else is there
    was_stopped, was_complete, num_deals = read["stopped"]
    assert (was_stopped, was_complete) == (True, False)
    assert 20 <= num_deals < 80
    assert (read["dead_nodes"][0], read["dead_nodes"][-1]) == (0, 1)
    assert read["chunks"] == sorted([chunk.pairing, chunk.number] for chunk in cup.chunks)
    local = summarize_local(run_tournament(cup))
    assert read["summary"] == local


def summarize_local(results: Results) -> object:
    fields = told(results)
    for standing in fields["standings"]:  # type: ignore[attr-defined]
        standing["rating"] = standing["rating_error"] = None
    return json.loads(json.dumps(fields))


def test_without_ray_there_is_one_sentence(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    code, out, err = run(capsys, monkeypatch, "arena", "heuristic", "random", "--ray", "auto")
    assert (code, out) == (2, "")
    assert err == "error: playing on a cluster needs Ray: pip install 'lastcard[ray]'\n"


def test_without_a_cluster_there_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "cup.jsonl"
    words = ["arena", "heuristic", "random", "--games", "4", "--ray", "auto", "--out", str(file)]
    done = subprocess.run(
        [sys.executable, "-m", "lastcard.cli", *words],
        env={**os.environ, "RAY_TMPDIR": str(tmp_path), "RAY_ADDRESS": ""},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "no Ray cluster at auto; `ray start --head` starts one on this machine" in done.stderr
    assert "Traceback" not in done.stderr
