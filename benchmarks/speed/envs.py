"""Prints how fast environments step: `python -m benchmarks.speed.envs [--save]`.

CPU time, one thread, two players, `official`, 1,024 environments, random actions; the best of several repetitions.
RLCard is stepped in the same run as a PettingZoo environment is: one agent at a time, its observation and mask taken, a
random legal action given back. Plies count forced ones too, of rounds that ended; RLCard has none that are forced.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import lastcard as lc
from benchmarks.speed.__main__ import make_rlcard
from lastcard.envs import LATEST_ENCODING, NUM_ACTIONS, Buffers, VectorEnv, encoding_size
from lastcard.network import Network, Tensor, make_metadata, tensor_names, write_safetensors

RESULTS = Path(__file__).parents[1] / "results" / "speed-envs.json"
NUM_ENVS = 1024
AT_LEAST = {
    "VectorEnv without observations, plies a second": 20e6,
    "VectorEnv with observations, plies a second": 2e6,
    "times RLCard, with observations": 50.0,
}
AT_MOST = {"shipped net, µs a decision": 50.0, "net of 0.85 million weights, µs a decision": 50.0}


def step_env(observes: bool, steps: int, players: int = 2) -> Callable[[], float]:
    """Work that steps and says how many plies that were."""
    env = VectorEnv(NUM_ENVS, lc.Rules.preset("official", players=players), seed=1, observes=observes)
    buffers = env.make_buffers()
    if not observes:
        buffers = Buffers(None, None, buffers.rewards, buffers.dones, buffers.seats)  # type: ignore[arg-type]
    env.reset(buffers)
    actions = np.empty(NUM_ENVS, np.int64)

    def work() -> float:
        before = env.totals.plies
        for _ in range(steps):
            env.choose("random", actions)
            env.step(actions, buffers)
        return float(env.totals.plies - before)

    return work


def step_rlcard(steps: int) -> Callable[[], float]:
    """Work that steps RLCard's environment agent by agent."""
    env = make_rlcard(seed=1)
    rng = random.Random(1)

    def work() -> float:
        state, _ = env.reset()  # type: ignore[attr-defined]
        for _ in range(steps):
            mask = np.zeros(env.num_actions, np.int8)  # type: ignore[attr-defined]
            legal = list(state["legal_actions"])
            mask[legal] = 1
            state, _ = env.step(rng.choice(legal))  # type: ignore[attr-defined]
            if env.is_over():  # type: ignore[attr-defined]
                state, _ = env.reset()  # type: ignore[attr-defined]
        return float(steps)

    return work


def make_network(hidden: int, blocks: int) -> Network:
    """A network of that size that has learned nothing."""
    rng = np.random.default_rng(1)
    rules = lc.Rules.preset("official")
    inputs = encoding_size(2, LATEST_ENCODING)
    sizes = {"input": (hidden, inputs), "policy": (NUM_ACTIONS, hidden), "value": (1, hidden)}
    tensors = {}
    for name in tensor_names(blocks):
        layer, _, part = name.rpartition(".")
        rows, columns = sizes.get(layer, (hidden, hidden))
        shape = (rows, columns) if part == "weight" else (rows,)
        tensors[name] = Tensor("F16", shape, rng.normal(0, 0.05, shape).astype(np.float16).tobytes())
    return Network.read(write_safetensors(make_metadata(rules, {}, LATEST_ENCODING, inputs), tensors))


def judge(network: Network, count: int) -> Callable[[], float]:
    """Work that has a network decide, one observation at a time."""
    seen = []
    for seed in range(20):
        table = lc.Table(lc.Rules.preset("official"), ["heuristic", "heuristic"], seed=seed)
        while not table.state.is_over:
            observation = lc.observe(table.state, table.state.seat or 0)
            if len(observation.legal_actions) > 1:
                seen.append(observation)
            table.play_ply()

    def work() -> float:
        for i in range(count):
            network.choose(seen[i % len(seen)])
        return float(count)

    return work


def measure(repetitions: int) -> dict[str, float]:
    """Every figure of the table; the best of the repetitions."""
    works = {
        "VectorEnv without observations, plies a second": step_env(False, 400),
        "VectorEnv with observations, plies a second": step_env(True, 100),
        "the same with four players": step_env(True, 100, players=4),
        "RLCard 1.2.0, steps a second": step_rlcard(3_000),
        "shipped net, µs a decision": judge(Network.shipped(2), 2_000),
        "net of 0.85 million weights, µs a decision": judge(make_network(512, 2), 1_000),
    }
    best: dict[str, float] = {}
    for _ in range(repetitions):
        for name, work in works.items():
            start = time.process_time()
            done = work()
            best[name] = max(best.get(name, 0.0), done / (time.process_time() - start))
    with_observations = best["VectorEnv with observations, plies a second"]
    best["times RLCard, with observations"] = with_observations / best["RLCard 1.2.0, steps a second"]
    return {name: 1e6 / value if "µs" in name else value for name, value in best.items()}


def main() -> None:
    """Measures, prints, and saves when asked."""
    parser = argparse.ArgumentParser(prog="benchmarks.speed.envs", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=5, help="best of how many (default 5)")
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.name} into benchmarks/results")
    options = parser.parse_args()
    figures = measure(options.repetitions)
    for name, value in figures.items():
        goal = ""
        if name in AT_LEAST or name in AT_MOST:
            goal = f"goal at {'least' if name in AT_LEAST else 'most'} {AT_LEAST.get(name, AT_MOST.get(name)):,.0f}"
        print(f"{name:48} {value:14,.1f}   {goal}")
    if options.save:
        result = {"python": platform.python_version(), "figures": {k: round(v, 2) for k, v in figures.items()}}
        RESULTS.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
