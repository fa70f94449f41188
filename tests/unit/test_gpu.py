"""The same game on a GPU: signatures that both must match; without one, a sentence; with one, everything it can do."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lastcard import envs, gpu
from lastcard.batch import play_random_games
from lastcard.errors import IllegalActionError, StateError
from lastcard.gpu.signatures import SIGNATURES, compute_signatures
from lastcard.playouts import Positions, play_out
from lastcard.rules import PRESETS, Rules, parse_rules
from lastcard.state import deal


@pytest.mark.long
def test_the_cpu_computes_the_committed_signatures() -> None:
    assert dict(compute_signatures(on_gpu=gpu.is_available())) == SIGNATURES


@pytest.mark.skipif(gpu.is_available(), reason="this machine has a GPU, on which everything else here runs")
@pytest.mark.parametrize(
    "use",
    [
        lambda: gpu.play_random_games(Rules.preset("official"), 1),
        lambda: gpu.play_out(Positions.of_states([deal(Rules.preset("official"))]), 1),
        lambda: gpu.VectorEnv(1, Rules.preset("mini")),
    ],
)
def test_without_a_gpu_there_is_one_sentence(use: object) -> None:
    assert callable(use)
    with pytest.raises(gpu.GpuError, match=r"^lastcard\.gpu needs an NVIDIA GPU and CuPy \([^\n]* install [^\n]*$"):
        use()


def test_impossible_playouts_are_named_with_or_without_a_gpu() -> None:
    positions = Positions.of_states([deal(Rules.preset("official"))])
    with pytest.raises(StateError, match="positions must be Positions, not 7"):
        gpu.play_out(7, 1)  # type: ignore[arg-type]
    with pytest.raises(StateError, match="num_playouts must be from 1"):
        gpu.play_out(positions, 0)
    with pytest.raises(StateError, match="seed must be from 0"):
        gpu.play_out(positions, 1, seed=-1)


def test_importing_it_needs_nothing() -> None:
    code = "import sys, lastcard.gpu; sys.exit(any(name in sys.modules for name in ('cupy', 'torch', 'numpy')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_headers_are_shipped() -> None:
    package = files("lastcard.gpu")
    assert package.joinpath("kernels.cu").is_file()
    assert package.joinpath("headers", "rules", "environment.hpp").is_file()


# With a GPU; `pytest tests/unit/test_gpu.py` there runs all of it, and needs no more than the extra `gpu` and pytest


def needs_gpu(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test that runs on a GPU, and skip it where there is none."""
    skip = pytest.mark.skipif(not gpu.is_available(), reason="there is no GPU here")
    marked: Callable[..., None] = pytest.mark.gpu(skip(test))
    return marked


RULES = [*PRESETS, "official players=4", "official players=3", "house players=10", "tournament players=4"]


def positions_of(rules: Rules) -> Positions:
    states = []
    for seed in range(70):
        state = deal(rules, seed)
        for ply in range(seed):
            legal = state.legal_actions
            state = state.after(legal[(seed + 7 * ply) % len(legal)]) if legal else state
        states.append(state)
    return Positions.of_states(states)


@needs_gpu
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("num_games", [0, 1, 1_000])
def test_rounds_are_those_of_the_cpu(rules: str, num_games: int) -> None:
    made = parse_rules(rules)
    assert gpu.play_random_games(made, num_games, 5) == play_random_games(made, num_games, 5)


@needs_gpu
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("num_playouts", [1, 37, 1_000])
def test_playouts_are_those_of_the_cpu(rules: str, num_playouts: int) -> None:
    positions = positions_of(parse_rules(rules))
    here, there = play_out(positions, num_playouts, 5), gpu.play_out(positions, num_playouts, 5)
    for name in ("wins", "points", "plies", "signatures", "draws"):
        assert np.array_equal(getattr(here, name), getattr(there, name).get()), name


@needs_gpu
def test_playouts_in_parts_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = positions_of(Rules.preset("official"))
    whole = gpu.play_out(positions, 100, 5).signatures.get()  # type: ignore[attr-defined]
    monkeypatch.setattr("lastcard.gpu.playouts._PART", 321)
    assert np.array_equal(gpu.play_out(positions, 100, 5).signatures.get(), whole)  # type: ignore[attr-defined]


@needs_gpu
def test_counts_become_tensors_without_a_copy() -> None:
    import torch

    result = gpu.play_out(positions_of(Rules.preset("official")), 10)
    tensor = torch.as_tensor(result.wins, device="cuda")
    assert tensor.data_ptr() == result.wins.data.ptr  # type: ignore[attr-defined]
    assert int(tensor.sum()) <= 700


@needs_gpu
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("opponents", [None, "random", "heuristic"])
@pytest.mark.parametrize("options", [{}, {"games": True, "encoding": 2, "splits_unfinished": True}])
def test_environments_are_those_of_the_cpu(rules: str, opponents: str | None, options: dict[str, Any]) -> None:
    import torch

    made = parse_rules(rules)
    here: Any = envs.VectorEnv(100, made, 5, opponents, **options)
    there: Any = gpu.VectorEnv(100, made, 5, opponents, **options)
    ours, theirs = here.make_buffers(), SimpleNamespace(**there.make_buffers())
    mine, other = np.zeros(100, np.int64), torch.zeros(100, dtype=torch.int64, device="cuda")
    here.reset(ours)
    there.reset(theirs)
    for _ in range(60):
        here.choose("random", mine)
        there.choose("random", other)
        here.step(mine, ours)
        there.step(other, theirs, checks=True)
        for name in ("observations", "masks", "rewards", "dones", "seats"):
            assert np.array_equal(getattr(ours, name), getattr(theirs, name).cpu().numpy()), name
    assert here.totals == there.totals


@needs_gpu
def test_wrong_tensors_are_named() -> None:
    import torch

    env = gpu.VectorEnv(8, Rules.preset("official"))
    good = env.make_buffers()
    actions = torch.zeros(8, dtype=torch.int64, device="cuda")
    with pytest.raises(StateError, match="reset"):
        env.step(actions, SimpleNamespace(**good))
    wrong: dict[str, dict[str, Any]] = {
        "masks must be of type uint8": {"masks": good["masks"].float()},
        "masks must have the shape": {"masks": good["masks"][:7]},
        "dones must be on the GPU, not on cpu": {"dones": good["dones"].cpu()},
        "rewards must be a torch tensor, not": {"rewards": np.zeros((8, 2), np.float32)},
        "seats must be contiguous": {"seats": torch.zeros(16, dtype=torch.uint8, device="cuda")[::2]},
    }
    for match, change in wrong.items():
        with pytest.raises(StateError, match=match):
            env.reset(SimpleNamespace(**{**good, **change}))
    env.reset(SimpleNamespace(**good))
    with pytest.raises(StateError, match="actions must be of type int64"):
        env.step(actions.int(), SimpleNamespace(**good))
    with pytest.raises(StateError, match="policy must be one of random, heuristic"):
        env.choose("net", actions)
    illegal = torch.full((8,), 80, dtype=torch.int64, device="cuda")
    with pytest.raises(IllegalActionError, match=r"actions\[0\]: 80=.* is not legal"):
        env.step(illegal, SimpleNamespace(**good), checks=True)
