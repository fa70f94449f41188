"""Prints how fast the rules run on a GPU: `python -m benchmarks.speed.gpu [--save]`.

Random rounds of the official game (drawing only when nothing else is legal), environments without and with observations
written, on the GPU; the first also on one CPU thread of the same machine. Wall time, best of five.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import lastcard as lc
from lastcard import gpu

RESULTS = Path(__file__).parents[1] / "results" / "gpu.json"
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
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.name}")
    options = parser.parse_args()
    import cupy

    two, four = lc.Rules.preset("official"), lc.Rules.preset("official", players=4)
    rows = {
        "random rounds, 2 players, one CPU thread": lambda: lc.play_random_games(two, 300_000, 1).plies,
        "random rounds, 2 players": lambda: gpu.play_random_games(two, 300_000_000, 1).plies,
        "random rounds, 4 players": lambda: gpu.play_random_games(four, 100_000_000, 1).plies,
        "random rounds, house rules": lambda: gpu.play_random_games(lc.Rules.preset("house"), 30_000_000, 1).plies,
        "environments, 2 players": step_all(2, False, 2**20, 200),
        "environments with observations, 2 players": step_all(2, True, 2**20, 200),
        "environments with observations, 4 players": step_all(4, True, 2**20, 200),
    }
    chip = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    print(f"{chip}, {date.today()}")
    rates = {}
    for name, work in rows.items():
        rates[name] = best_rate(work)
        print(f"{name:<44} {rates[name]:.2e} plies/s", flush=True)
    if options.save:
        table = {"chip": chip, "date": str(date.today()), "machine": platform.machine(), "plies_per_second": rates}
        RESULTS.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
