"""Prints how fast the rules run on a GPU: `python -m benchmarks.speed.gpu [--save]`.

Random rounds of the official game (drawing only when nothing else is legal), playouts from given positions,
environments without and with observations written, on the GPU; rounds and playouts also on one CPU thread of the same
machine. Wall time, best of five.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date
from types import SimpleNamespace

import lastcard as lc
from benchmarks.speed.figures import make_parser, report
from lastcard import gpu
from lastcard.playouts import Positions, play_out

REPETITIONS = 5


def best_rate(work: Callable[[], int]) -> float:
    """Plies a second, the best of several tries; the first, which compiles, does not count."""
    work()
    rates = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        plies = work()
        rates.append(plies / (time.perf_counter() - start))
    return max(rates)


def play_out_all(players: int, num_positions: int, num_playouts: int, on_gpu: bool) -> Callable[[], int]:
    """Playouts from so many positions a few plies after the deal; returns their plies."""
    rules = lc.Rules.preset("official", players=players)
    states = [lc.deal(rules, seed) for seed in range(num_positions)]
    for state in states:
        for _ in range(5):
            state.apply_in_place(state.legal_actions[0])
    positions = Positions.of_states(states)
    play = gpu.play_out if on_gpu else play_out
    return lambda: int(play(positions, num_playouts, 1).plies.sum())


def list_tasks() -> dict[str, Callable[[], int]]:
    """Everything that is measured, by name: each returns its plies."""
    two, four = lc.Rules.preset("official"), lc.Rules.preset("official", players=4)
    return {
        "random rounds, 2 players, one CPU thread": lambda: lc.play_random_games(two, 300_000, 1).plies,
        "random rounds, 2 players": lambda: gpu.play_random_games(two, 300_000_000, 1).plies,
        "random rounds, 4 players": lambda: gpu.play_random_games(four, 100_000_000, 1).plies,
        "random rounds, house rules": lambda: gpu.play_random_games(lc.Rules.preset("house"), 30_000_000, 1).plies,
        "playouts, 2 players, one CPU thread": play_out_all(2, 100, 2_000, on_gpu=False),
        "playouts from 100 positions, 2 players": play_out_all(2, 100, 1_000_000, on_gpu=True),
        "playouts from 10,000 positions, 2 players": play_out_all(2, 10_000, 10_000, on_gpu=True),
        "playouts from 10,000 positions, 4 players": play_out_all(4, 10_000, 3_000, on_gpu=True),
        "environments, 2 players": step_all(2, False, 2**20, 200),
        "environments with observations, 2 players": step_all(2, True, 2**20, 200),
        "environments with observations, 4 players": step_all(4, True, 2**20, 200),
    }


def step_all(players: int, observes: bool, num_envs: int, steps: int) -> Callable[[], int]:
    """Self-play by the `random` policy; returns the plies of rounds that ended."""
    import torch

    env = gpu.VectorEnv(num_envs, lc.Rules.preset("official", players=players), 1, observes=observes)
    buffers = SimpleNamespace(**env.make_buffers())
    actions = torch.zeros(num_envs, dtype=torch.int64, device="cuda")
    env.reset(buffers)

    def work() -> int:
        before = env.totals.plies
        for _ in range(steps):
            env.choose("random", actions)
            env.step(actions, buffers)
        torch.cuda.synchronize()
        return env.totals.plies - before

    return work


def main() -> None:
    """Measures, prints, and saves when asked."""
    options = make_parser("speed-gpu", __doc__, repetitions=0).parse_args()
    import cupy

    chip = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    print(f"{chip}, {date.today()}")
    figures = {name: best_rate(work) for name, work in list_tasks().items()}
    report("speed-gpu", figures, saves=options.save, more={"chip": chip, "date": str(date.today())})


if __name__ == "__main__":
    main()
