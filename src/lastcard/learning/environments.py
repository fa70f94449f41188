"""The environments behind training: rounds on the CPU, or on a GPU where the package can run them there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

import torch
from torch import Tensor

from lastcard.envs import NUM_ACTIONS, Buffers, VectorEnv, encoding_size
from lastcard.learning.config import TrainConfig
from lastcard.rules import Rules
from lastcard.seeds import split_seed


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

    def cut(self, where: slice) -> Rows:
        """The rows of some environments, in the same memory."""
        return Rows(**{field.name: getattr(self, field.name)[where] for field in fields(self)})


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


class MixedEnvironment:
    """Environments of several kinds behind one another, as one."""

    def __init__(self, parts: Sequence[Environment]) -> None:
        self.num_envs = sum(part.num_envs for part in parts)
        self._parts: list[tuple[slice, Environment]] = []
        for part in parts:
            first = self._parts[-1][0].stop if self._parts else 0
            self._parts.append((slice(first, first + part.num_envs), part))

    def reset(self, rows: Rows) -> None:
        """Deals, and writes the first decisions."""
        for where, part in self._parts:
            part.reset(rows.cut(where))

    def step(self, actions: Tensor, rows: Rows) -> None:
        """Takes an action in every environment and writes the next decisions."""
        for where, part in self._parts:
            part.step(actions[where], rows.cut(where))

    def count(self) -> tuple[int, int]:
        """Rounds that are over, and those of them that the learner won."""
        counts = [part.count() for _, part in self._parts]
        return sum(rounds for rounds, _ in counts), sum(wins for _, wins in counts)


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


def open_training(device: torch.device, num_envs: int, rules: Rules, seed: int, config: TrainConfig) -> Environment:
    """The environments to learn in: self-play, and shares of them against fixed policies."""
    counts = {"random": round(config.random_share * num_envs), "heuristic": round(config.heuristic_share * num_envs)}
    counts["heuristic"] = min(counts["heuristic"], num_envs - counts["random"])
    own = num_envs - sum(counts.values())
    parts = [open_environment(device, own, rules, seed, None, config.threads)] if own else []
    for label, (policy, count) in enumerate(counts.items(), start=1):
        if count:
            part_seed = split_seed(seed, "agent", label) % 2**64
            parts.append(open_environment(device, count, rules, part_seed, policy, config.threads))
    return parts[0] if len(parts) == 1 else MixedEnvironment(parts)
