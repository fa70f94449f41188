"""Tournaments on a Ray cluster: the same results, nothing lost and nothing counted twice."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lastcard.arena import cluster
from lastcard.arena.results import Results
from lastcard.arena.schedule import Tournament
from lastcard.arena.stored import KeptMatch
from lastcard.arena.tournament_run import run_tournament
from lastcard.rules import Rules
from lastcard.shell import install_extra
from lastcard.store import open_store
from tests.postgres import start_server
from tests.unit.test_arena_run import told
from tests.unit.test_cli_commands import Captured, run

ROOT = Path(__file__).parents[2]


@pytest.mark.long
def test_ctrl_c_and_a_dying_node_lose_nothing_and_the_results_are_those_of_a_local_run(tmp_path: Path) -> None:
    cup = Tournament(("halving:simulations=1000", "heuristic"), Rules.preset("official"), num_deals=80, seed=3)
    local = run_tournament(cup)
    assert play_on_ray(cup, str(tmp_path / "cup.jsonl")) == summarize_local(local)


@pytest.mark.long
def test_a_tournament_on_ray_keeps_every_game_in_postgresql(tmp_path: Path) -> None:
    """Through Ctrl-C and the death of a node, the same games as of a local run in a file."""
    cup = Tournament(("halving:simulations=1000", "frequency"), Rules.preset("official"), num_deals=80, seed=3)
    url, file = start_server().make_url(), tmp_path / "games.db"
    with open_store(file) as store:
        local = run_tournament(cup, 1, KeptMatch.begin(store, cup))
    assert play_on_ray(cup, url) == summarize_local(local)
    kept = []
    for place in (url, file):
        with open_store(place, read_only=True) as store:
            kept.append(sorted(store.read_text(game.number) for game in store.list_games()))
            assert list(store.find_damage()) == []
    assert len(kept[0]) == 2 * cup.num_deals
    assert kept[0] == kept[1]


def play_on_ray(cup: Tournament, place: str) -> object:
    """Plays it on a cluster, through Ctrl-C and the death of a node; returns the summary."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.unit.ray_cluster", json.dumps(cup.to_dict()), place],
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
    return read["summary"]


def summarize_local(results: Results) -> object:
    return json.loads(json.dumps(told(results)))


def test_without_ray_there_is_one_sentence(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    code, out, err = run(capsys, monkeypatch, "arena", "heuristic", "random", "--ray", "auto")
    assert (code, out) == (2, "")
    assert err == f"error: playing on a cluster needs Ray: {install_extra('ray')}\n"


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "host.invalid:6379", "127.0.0.1:99999"])
def test_an_address_where_nothing_listens_is_refused_before_ray_waits_for_it(
    address: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = pytest.importorskip("ray")
    monkeypatch.setattr(ray, "init", None)
    code, out, err = run(capsys, monkeypatch, "arena", "random", "random", "--games", "4", "--ray", address)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"error: no Ray cluster at {address}; `ray start --head` starts one on this machine (")


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
