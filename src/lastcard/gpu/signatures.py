"""Numbers that must come out the same on the CPU and on a GPU."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, Final

from lastcard import envs
from lastcard.batch import play_random_games
from lastcard.rules import parse_rules

SIGNATURES: Final = {
    "rounds official": 4_569_443_144_661_690_950,
    "rounds official players=4": 14_045_900_902_215_723_610,
    "rounds house players=3": 3_383_702_034_223_300_504,
    "environments official": 2_134_085_592_650_163_708,
    "environments tournament players=4": 3_839_783_178_940_154_320,
}
"""As committed: `python -m lastcard.gpu.signatures` computes them again, with `--gpu` on a GPU."""

ROUNDS: Final = 20_000
ENVIRONMENTS: Final = 2_048
STEPS: Final = 100
SEED: Final = 20_261_115


def compute_signatures(on_gpu: bool) -> Iterator[tuple[str, int]]:
    """Each name with its number."""
    for name in SIGNATURES:
        kind, _, text = name.partition(" ")
        compute = _sign_rounds if kind == "rounds" else _sign_environments
        yield name, compute(text, on_gpu)


def _sign_rounds(text: str, on_gpu: bool) -> int:
    rules = parse_rules(text)
    if on_gpu:
        from lastcard import gpu

        return gpu.play_random_games(rules, ROUNDS, SEED).signature
    return play_random_games(rules, ROUNDS, SEED).signature


def _sign_environments(text: str, on_gpu: bool) -> int:
    """Every row that is written counts, byte by byte, and so does the course of every round."""
    rules = parse_rules(text)
    env: Any
    if on_gpu:
        import torch

        from lastcard import gpu

        env = gpu.VectorEnv(ENVIRONMENTS, rules, SEED, "heuristic")
        buffers: Any = SimpleNamespace(**env.make_buffers())
        actions: Any = torch.zeros(ENVIRONMENTS, dtype=torch.int64, device="cuda")
    else:
        import numpy as np

        env = envs.VectorEnv(ENVIRONMENTS, rules, SEED, "heuristic")
        buffers = env.make_buffers()
        actions = np.zeros(ENVIRONMENTS, np.int64)
    env.reset(buffers)
    rows = 0
    for _ in range(STEPS):
        env.choose("random", actions)
        env.step(actions, buffers)
        for part in (buffers.observations, buffers.masks, buffers.dones, buffers.seats):
            rows = (rows * 1_000_003 + _sum_up(part)) % 2**64
    return int(env.totals.signature ^ rows)


def _sum_up(array: Any) -> int:
    """A sum in which the place of every byte matters."""
    import numpy as np

    values = array.cpu().numpy() if hasattr(array, "cpu") else array
    flat = values.reshape(-1).astype(np.uint64)
    places = np.arange(1, flat.size + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return int((flat * places).sum(dtype=np.uint64))


def main() -> None:
    """Prints each signature and whether it is as committed."""
    parser = argparse.ArgumentParser(prog="python -m lastcard.gpu.signatures", description=__doc__)
    parser.add_argument("--gpu", action="store_true", help="compute on the GPU instead of the CPU")
    on_gpu = parser.parse_args().gpu
    for name, value in compute_signatures(on_gpu):
        print(f"{name:<36} {value:>20} {'as committed' if value == SIGNATURES[name] else 'DIFFERS'}")


if __name__ == "__main__":
    main()
