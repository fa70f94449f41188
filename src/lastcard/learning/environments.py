"""The environments behind training: rounds on the CPU, or on a GPU where the package can run them there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

import torch
from torch import Tensor

from lastcard.envs import Buffers, VectorEnv
from lastcard.envs.vector import buffer_shapes
from lastcard.rules import Rules


@dataclass(frozen=True, slots=True)
class Rows:
    """Buffers of a step on the training device: the fields of `lastcard.envs.Buffers` as tensors."""

    observations: Tensor
    masks: Tensor
    rewards: Tensor
    dones: Tensor
    seats: Tensor
    hidden: Tensor | None = None

    @classmethod
    def make(
        cls, count: int, num_envs: int, players: int, device: torch.device, *, has_hidden: bool = False
    ) -> list[Rows]:
        """Rows for `count` steps; those of hidden hands if a critic asks for them."""
        whole = cls.make_whole(count, num_envs, players, device, has_hidden=has_hidden)
        return [whole.cut(i) for i in range(count)]

    @classmethod
    def make_whole(
        cls, count: int, num_envs: int, players: int, device: torch.device, *, has_hidden: bool = False
    ) -> Rows:
        """The same in one piece, with time as the first index."""
        made = {
            name: torch.zeros((count, *shape), dtype=getattr(torch, dtype), device=device)
            for name, (shape, dtype) in buffer_shapes(num_envs, players).items()
            if name != "hidden" or has_hidden
        }
        return cls(**made)

    def items(self) -> dict[str, Tensor]:
        """The buffers that are set, by name."""
        named = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: tensor for name, tensor in named if tensor is not None}

    def cut(self, where: slice | int) -> Rows:
        """Some of the rows by their first index, in the same memory."""
        return Rows(**{name: tensor[where] for name, tensor in self.items().items()})


class Environment(Protocol):
    """Interface of environments for training."""

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
            for name, tensor in rows.items().items():
                tensor.copy_(getattr(self._own, name))


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


class PaddedEnvironment:
    """An environment in rows that have room for the rewards and hands of more players than it has."""

    def __init__(self, part: Environment, players: int, device: torch.device) -> None:
        self.num_envs = part.num_envs
        self._part = part
        shapes = buffer_shapes(part.num_envs, players)
        self._narrow = {
            name: torch.zeros(shapes[name][0], dtype=getattr(torch, shapes[name][1]), device=device)
            for name in ("rewards", "hidden")
        }

    def reset(self, rows: Rows) -> None:
        """Deals, and writes the first decisions."""
        self._part.reset(self._narrowed(rows))
        self._copy(rows)

    def step(self, actions: Tensor, rows: Rows) -> None:
        """Takes an action in every environment and writes the next decisions."""
        self._part.step(actions, self._narrowed(rows))
        self._copy(rows)

    def count(self) -> tuple[int, int]:
        """Rounds that are over, and those of them that the learner won."""
        return self._part.count()

    def _narrowed(self, rows: Rows) -> Rows:
        """The rows with buffers of its own where the players' number decides the size."""
        return replace(rows, **{name: own for name, own in self._narrow.items() if name in rows.items()})

    def _copy(self, rows: Rows) -> None:
        for name, wide in rows.items().items():
            if name in self._narrow:
                wide[:, : self._narrow[name].shape[1]] = self._narrow[name]


def _as_buffers(rows: Rows) -> Buffers:
    return Buffers(**{name: tensor.numpy() for name, tensor in rows.items().items()})


def _make_pinned(env: VectorEnv) -> Rows:
    """Rows in memory that a GPU can read by itself."""
    rows = Rows.make(1, env.num_envs, env.rules.players, torch.device("cpu"), has_hidden=True)[0]
    return Rows(**{name: tensor.pin_memory() for name, tensor in rows.items().items()})


def open_environment(
    device: torch.device,
    num_envs: int,
    rules: Rules,
    seed: int,
    opponents: str | None,
    threads: int,
    *,
    games: bool = False,
) -> Environment:
    """Environments on the device, or as near to it as they can be had.

    Nobody wins a round that reaches `max_plies`: that is how networks are measured.
    """
    options: dict[str, Any] = {"splits_unfinished": True, "games": games}
    if device.type == "cuda" and find_spec("lastcard.gpu") is not None and find_spec("cupy") is not None:
        gpu = import_module("lastcard.gpu")
        return GpuEnvironment(gpu.VectorEnv(num_envs, rules, seed, opponents, **options))
    return CpuEnvironment(VectorEnv(num_envs, rules, seed, opponents, threads, **options), device)
