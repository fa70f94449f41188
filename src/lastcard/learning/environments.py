"""The environments behind training: rounds on the CPU, or on a GPU where the package can run them there."""

from __future__ import annotations

from dataclasses import dataclass, fields
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

import torch
from torch import Tensor

from lastcard.envs import NUM_ACTIONS, Buffers, VectorEnv, encoding_size
from lastcard.rules import Rules


@dataclass(frozen=True, slots=True)
class Rows:
    """What a step wrote, on the device where training happens: the fields of `lastcard.envs.Buffers` as tensors."""

    observations: Tensor
    masks: Tensor
    rewards: Tensor
    dones: Tensor
    seats: Tensor

    @classmethod
    def make(cls, count: int, num_envs: int, players: int, device: torch.device) -> list[Rows]:
        """Rows for `count` steps, each kind in one piece of memory."""
        made = {
            "observations": torch.zeros(count, num_envs, encoding_size(players), dtype=torch.uint8, device=device),
            "masks": torch.zeros(count, num_envs, NUM_ACTIONS, dtype=torch.uint8, device=device),
            "rewards": torch.zeros(count, num_envs, players, device=device),
            "dones": torch.zeros(count, num_envs, dtype=torch.uint8, device=device),
            "seats": torch.zeros(count, num_envs, dtype=torch.uint8, device=device),
        }
        return [cls(**{name: tensor[i] for name, tensor in made.items()}) for i in range(count)]


class Environment(Protocol):
    """What training asks of environments."""

    num_envs: int

    def reset(self, rows: Rows) -> None:
        """Deals, and writes the first decisions."""

    def step(self, actions: Tensor, rows: Rows) -> None:
        """Takes an action in every environment and writes the next decisions."""

    def count(self) -> tuple[int, int]:
        """Rounds that are over, and those of them that the learner won."""


class CpuEnvironment:
    """Rounds stepped on the CPU; where training happens elsewhere, rows are copied there."""

    def __init__(self, env: VectorEnv, device: torch.device) -> None:
        self.num_envs = env.num_envs
        self._env = env
        self._own = None if device.type == "cpu" else _make_pinned(env)

    def reset(self, rows: Rows) -> None:
        """Deals, and writes the first decisions."""
        self._env.reset(_as_buffers(self._own or rows))
        self._copy(rows)

    def step(self, actions: Tensor, rows: Rows) -> None:
        """Takes an action in every environment and writes the next decisions."""
        self._env.step(actions.cpu().numpy(), _as_buffers(self._own or rows))
        self._copy(rows)

    def count(self) -> tuple[int, int]:
        """Rounds that are over, and those of them that the learner won."""
        return self._env.totals.rounds, self._env.totals.wins

    def _copy(self, rows: Rows) -> None:
        if self._own is not None:
            for field in fields(rows):
                getattr(rows, field.name).copy_(getattr(self._own, field.name))


class GpuEnvironment:
    """Rounds stepped on the GPU by `lastcard.gpu`, which writes into tensors."""

    def __init__(self, env: Any) -> None:
        self.num_envs = env.num_envs
        self._env = env

    def reset(self, rows: Rows) -> None:
        """Deals, and writes the first decisions."""
        self._env.reset(rows)

    def step(self, actions: Tensor, rows: Rows) -> None:
        """Takes an action in every environment and writes the next decisions."""
        self._env.step(actions, rows)

    def count(self) -> tuple[int, int]:
        """Rounds that are over, and those of them that the learner won."""
        return self._env.totals.rounds, self._env.totals.wins


def _as_buffers(rows: Rows) -> Buffers:
    return Buffers(**{field.name: getattr(rows, field.name).numpy() for field in fields(rows)})


def _make_pinned(env: VectorEnv) -> Rows:
    """Rows in memory that a GPU can read by itself."""
    rows = Rows.make(1, env.num_envs, env.rules.players, torch.device("cpu"))[0]
    return Rows(**{field.name: getattr(rows, field.name).pin_memory() for field in fields(rows)})


def open_environment(
    device: torch.device, num_envs: int, rules: Rules, seed: int, opponents: str | None, threads: int
) -> Environment:
    """Environments on the device, or as near to it as they can be had."""
    if device.type == "cuda" and find_spec("lastcard.gpu") is not None and find_spec("cupy") is not None:
        return GpuEnvironment(import_module("lastcard.gpu").VectorEnv(num_envs, rules, seed, opponents))
    return CpuEnvironment(VectorEnv(num_envs, rules, seed, opponents, threads), device)
