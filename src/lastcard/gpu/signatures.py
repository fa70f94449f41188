"""Numbers that must come out the same on the CPU and on a GPU."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, Final

from lastcard import envs
from lastcard.batch import play_random_games
from lastcard.belief import Belief
from lastcard.observation import observe
from lastcard.playouts import Positions, play_out
from lastcard.rules import Rules, parse_rules
from lastcard.state import State, deal

SIGNATURES: Final = {
    "rounds official": 4_569_443_144_661_690_950,
    "rounds official players=4": 14_045_900_902_215_723_610,
    "rounds house players=3": 5_248_057_648_095_379_250,
    "playouts official": 13_964_293_369_082_186_026,
    "playouts official players=4": 6_849_659_410_045_591_412,
    "playouts tournament players=3": 6_663_192_962_444_520_061,
    "environments official": 3_961_940_725_690_494_366,
    "environments tournament players=4": 16_064_052_924_536_960_986,
    "games family": 12_533_134_140_800_846_986,
    "games official players=4 target_score=100": 13_888_375_473_941_781_493,
    "games house players=3": 2_287_619_271_638_623_341,
}
"""Committed values: `python -m lastcard.gpu.signatures` computes them again, with `--gpu` on a GPU."""

ROUNDS: Final = 20_000
POSITIONS: Final = 40
PLAYOUTS: Final = 250
ENVIRONMENTS: Final = 2_048
STEPS: Final = 100
SEED: Final = 20_261_115


def compute_signatures(on_gpu: bool) -> Iterator[tuple[str, int]]:
    """Each name with its number."""
    for name in SIGNATURES:
        kind, _, text = name.partition(" ")
        yield name, _SIGNERS[kind](text, on_gpu)


def _sign_rounds(text: str, on_gpu: bool) -> int:
    rules = parse_rules(text)
    if on_gpu:
        from lastcard import gpu

        return gpu.play_random_games(rules, ROUNDS, SEED).signature
    return play_random_games(rules, ROUNDS, SEED).signature


def _sign_playouts(text: str, on_gpu: bool) -> int:
    """Every count of every position matters, and so does the course of every playout."""
    rules = parse_rules(text)
    play: Any = play_out
    if on_gpu:
        from lastcard import gpu

        play = gpu.play_out
    states = [_play_on(rules, seed) for seed in range(POSITIONS)]
    asked = next(state for state in states if state.seat is not None)
    assert asked.seat is not None
    guesses = Positions.of_belief(Belief(observe(asked, asked.seat)), POSITIONS, SEED)
    total = 0
    for positions in (Positions.of_states(states), guesses):
        result = play(positions, PLAYOUTS, SEED)
        for part in (result.wins, result.points, result.plies, result.signatures):
            total = (total * 1_000_003 + _sum_up(part)) % 2**64
    return total


def _play_on(rules: Rules, seed: int) -> State:
    """A round some plies on, by actions that are neither good nor random."""
    state = deal(rules, seed)
    for ply in range(seed):
        legal = state.legal_actions
        if legal:
            state.apply_in_place(legal[(seed + ply) % len(legal)])
    return state


def _sign_environments(text: str, on_gpu: bool) -> int:
    return _sign_steps(text, on_gpu, {})


def _sign_games(text: str, on_gpu: bool) -> int:
    return _sign_steps(text, on_gpu, {"games": True})


def _sign_steps(text: str, on_gpu: bool, options: dict[str, Any]) -> int:
    """Every row that is written counts, byte by byte, and so does the course of every round."""
    rules = parse_rules(text)
    env: Any
    if on_gpu:
        import torch

        from lastcard import gpu

        env = gpu.VectorEnv(ENVIRONMENTS, rules, SEED, "heuristic", **options)
        buffers: Any = SimpleNamespace(**env.make_buffers())
        actions: Any = torch.zeros(ENVIRONMENTS, dtype=torch.int64, device="cuda")
    else:
        import numpy as np

        env = envs.VectorEnv(ENVIRONMENTS, rules, SEED, "heuristic", **options)
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

    values = array.cpu().numpy() if hasattr(array, "cpu") else array.get() if hasattr(array, "get") else array
    flat = values.reshape(-1).astype(np.uint64)
    places = np.arange(1, flat.size + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return int((flat * places).sum(dtype=np.uint64))


_SIGNERS: Final = {
    "rounds": _sign_rounds,
    "playouts": _sign_playouts,
    "environments": _sign_environments,
    "games": _sign_games,
}


def main() -> int:
    """Prints each signature and whether it is as committed; returns how many are not."""
    parser = argparse.ArgumentParser(prog="python -m lastcard.gpu.signatures", description=__doc__)
    parser.add_argument("--gpu", action="store_true", help="compute on the GPU instead of the CPU")
    on_gpu = parser.parse_args().gpu
    different = 0
    for name, value in compute_signatures(on_gpu):
        is_same = value == SIGNATURES[name]
        different += not is_same
        print(f"{name:<36} {value:>20} {'as committed' if is_same else 'DIFFERS'}", flush=True)
    return different


if __name__ == "__main__":
    sys.exit(main())
