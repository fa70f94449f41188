"""Environments on a GPU, writing into tensors without copies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from lastcard import _core
from lastcard.actions import ACTIONS
from lastcard.envs.encoding import ENCODING_SIZE, NUM_ACTIONS
from lastcard.envs.vector import NO_POLICY, POLICIES, Totals, buffer_shapes, read_opponents
from lastcard.errors import IllegalActionError, StateError, require_int, shorten
from lastcard.gpu.device import kernels_for, require_cupy
from lastcard.rules import Rules
from lastcard.weights import Weights

if TYPE_CHECKING:
    from torch import Tensor

_THREADS: Final = 32
"""Threads in a block: one warp, whose rows fit in shared memory for any number of seats."""


class TensorBuffers(Protocol):
    """The fields of `lastcard.envs.Buffers` as tensors on the GPU; None for what is not wanted."""

    @property
    def observations(self) -> Tensor | None:
        """Observation of the seat to act, `ENCODING_SIZE` bytes."""

    @property
    def masks(self) -> Tensor | None:
        """A 1 for every legal action index."""

    @property
    def rewards(self) -> Tensor | None:
        """Reward of each seat in the round that the action ended."""

    @property
    def dones(self) -> Tensor | None:
        """1 where the round ended in which the action was taken."""

    @property
    def seats(self) -> Tensor | None:
        """The seat to act."""

    @property
    def hidden(self) -> Tensor | None:
        """The other seats' hands, for a critic in training; no decision may use it."""


class VectorEnv:
    """Like `lastcard.envs.VectorEnv`, on a GPU: the same rounds for the same seed, in tensors of torch.

    Raises:
        GpuError: if there is no GPU that could be used.
        StateError: naming the argument that is impossible.
    """

    def __init__(
        self,
        num_envs: int,
        rules: Rules,
        seed: int = 0,
        opponents: str | Sequence[str] | None = None,
        *,
        observes: bool = True,
        splits_unfinished: bool = False,
        games: bool = False,
    ) -> None:
        require_int("num_envs", num_envs, 1, 2**24, StateError)
        if not isinstance(rules, Rules):
            raise StateError(f"rules must be Rules, not {shorten(rules)}; make them with Rules.preset(...)")
        require_int("seed", seed, 0, 2**64 - 1, StateError)
        cupy = require_cupy()
        self.num_envs = num_envs
        self.rules = rules
        self.opponents = read_opponents(opponents, rules.players)
        self.observes = bool(observes)
        self.observation_size = ENCODING_SIZE
        who = [NO_POLICY, *(POLICIES.index(name) for name in self.opponents)]
        weights = list(Weights.shipped(rules.players).values)
        self._seed = seed
        self._kernels = kernels_for(rules)
        settings = _core.environment_settings_bytes(who, weights, bool(splits_unfinished), bool(games))
        self._settings = cupy.asarray(bytearray(settings), dtype=cupy.uint8)
        self._envs = cupy.zeros(num_envs * self._kernels.environment_size, dtype=cupy.uint8)
        self._is_reset = False

    def make_buffers(self) -> dict[str, Tensor]:
        """New tensors of the right types and shapes, by the names of the buffers."""
        import torch

        return {
            name: torch.zeros(shape, dtype=getattr(torch, dtype), device="cuda")
            for name, (shape, dtype) in buffer_shapes(self.num_envs, self.rules.players).items()
            if name != "hidden" and (name != "observations" or self.observes)
        }

    def reset(self, buffers: TensorBuffers) -> None:
        """Deals in every environment by the seed, and writes the first decisions.

        Raises:
            StateError: naming the buffer that does not fit.
        """
        cupy = require_cupy()
        name = "open_environments" if self.observes else "open_blind_environments"
        self._launch(name, (cupy.uint64(self._seed), *self._pointers(buffers)))
        self._is_reset = True

    def step(self, actions: Tensor, buffers: TensorBuffers, *, checks: bool = False) -> None:
        """Takes one action in every environment and writes the next decisions.

        Args:
            actions: Action indices, all of them legal.
            buffers: Buffers to write to.
            checks: Makes sure of it first, which waits for the GPU.

        Raises:
            IllegalActionError: with `checks`, naming the first action that is not legal; nothing has changed then.
            StateError: naming the buffer that does not fit.
        """
        cupy = require_cupy()
        self._require_reset()
        pointers = self._pointers(buffers)
        picked = self._pointer("actions", actions, (self.num_envs,), "int64")
        if checks:
            illegal = cupy.full(1, self.num_envs, dtype=cupy.uint64)
            self._launch("find_illegal", (picked, illegal), has_settings=False)
            first = int(illegal.get()[0])
            if first < self.num_envs:
                index = int(actions[first])
                name = f"{index}={ACTIONS[index]}" if 0 <= index < NUM_ACTIONS else str(index)
                raise IllegalActionError(f"actions[{first}]: {name} is not legal; the masks show the legal actions")
        name = "step_environments" if self.observes else "step_blind_environments"
        self._launch(name, (picked, *pointers))

    def choose(self, policy: str, actions: Tensor) -> None:
        """Writes what a policy, `random` or `heuristic`, would do in every environment.

        Raises:
            StateError: if there is no such policy, or `actions` does not fit.
        """
        cupy = require_cupy()
        self._require_reset()
        if policy not in POLICIES:
            raise StateError(f"policy must be one of {', '.join(POLICIES)}, not {shorten(policy)}")
        to = self._pointer("actions", actions, (self.num_envs,), "int64")
        self._launch("choose_by_policy_all", (cupy.int32(POLICIES.index(policy)), to))

    @property
    def totals(self) -> Totals:
        """Totals so far."""
        cupy = require_cupy()
        rows = cupy.zeros((self.num_envs, 4), dtype=cupy.uint64)
        with self._stream():
            blocks = -(-self.num_envs // _THREADS)
            self._kernels["read_totals"]((blocks,), (_THREADS,), (self._envs, cupy.uint64(self.num_envs), rows))
            counted = rows.get()
        return Totals.of(_core.sum_totals(counted))

    def _launch(self, name: str, arguments: tuple[Any, ...], *, has_settings: bool = True) -> None:
        cupy = require_cupy()
        settings = (self._settings,) if has_settings else ()
        head = (self._kernels.rules, *settings, self._envs, cupy.uint64(self.num_envs))
        with self._stream():
            self._kernels[name](
                (-(-self.num_envs // _THREADS),),
                (_THREADS,),
                (*head, *arguments),
                shared_mem=_THREADS * max(self.observation_size, NUM_ACTIONS),
            )

    def _stream(self) -> Any:
        """The stream that torch works on, so that neither has to wait for the other."""
        import torch

        cuda, stream = require_cupy().cuda, torch.cuda.current_stream()
        if hasattr(cuda.Stream, "from_external") and hasattr(stream, "__cuda_stream__"):
            return cuda.Stream.from_external(stream)
        return cuda.ExternalStream(stream.cuda_stream)  # before CuPy 14

    def _require_reset(self) -> None:
        if not self._is_reset:
            raise StateError("call reset(buffers) first: there is no round yet")

    def _pointers(self, buffers: TensorBuffers) -> list[Any]:
        cupy = require_cupy()
        if not self.observes and getattr(buffers, "observations", None) is not None:
            raise StateError("observations must be None: the environment was made with observes=False")
        return [
            cupy.uint64(0)
            if getattr(buffers, name, None) is None
            else self._pointer(name, getattr(buffers, name), shape, dtype)
            for name, (shape, dtype) in buffer_shapes(self.num_envs, self.rules.players).items()
        ]

    def _pointer(self, name: str, tensor: object, shape: tuple[int, ...], dtype: str) -> Any:
        import torch

        if not isinstance(tensor, torch.Tensor):
            raise StateError(f"{name} must be a torch tensor, not {shorten(tensor)}")
        if tensor.device.type != "cuda":
            raise StateError(f"{name} must be on the GPU, not on {tensor.device}")
        if tensor.dtype != getattr(torch, dtype):
            raise StateError(f"{name} must be of type {dtype}, not {tensor.dtype}")
        if tuple(tensor.shape) != shape:
            raise StateError(f"{name} must have the shape {shape}, not {tuple(tensor.shape)}")
        if not tensor.is_contiguous():
            raise StateError(f"{name} must be contiguous; tensor.contiguous() copies it into that form")
        return require_cupy().uint64(tensor.data_ptr())
