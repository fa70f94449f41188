"""Playouts in bulk on a GPU: the same playouts, and so the same counts, as on the CPU."""

from __future__ import annotations

from typing import Final

from lastcard.gpu.device import GpuError, kernels_for, require_cupy
from lastcard.playouts import Playouts, Positions, check_playouts, row_shape

_THREADS: Final = 128  # as in batch.py
_BLOCKS_EACH: Final = 16
"""Blocks for each multiprocessor."""
_PART: Final = 2**28


def play_out(positions: Positions, num_playouts: int, seed: int = 0) -> Playouts:
    """Plays what `lastcard.playouts.play_out` plays, on the GPU; the numbers are the same, in arrays of CuPy.

    They stay on the GPU: `torch.as_tensor(result.wins, device="cuda")` is the same memory.

    Raises:
        GpuError: if there is no GPU that could be used.
        StateError: naming the argument that is impossible.
    """
    check_playouts(positions, num_playouts, seed)
    cupy = require_cupy()
    import numpy as np

    kernels = kernels_for(positions.rules)
    packed = positions._core.bytes
    if len(packed) != len(positions) * kernels.position_size:
        raise GpuError(
            f"a position has {len(packed) // len(positions)} bytes here and {kernels.position_size} on the GPU"
        )
    starts = cupy.asarray(np.frombuffer(packed, np.uint8))
    rows = cupy.zeros(row_shape(positions), dtype=cupy.int64)
    play = kernels["play_out_positions"]
    most_blocks = _BLOCKS_EACH * cupy.cuda.Device().attributes["MultiProcessorCount"]
    total = len(positions) * num_playouts
    for first in range(0, total, _PART):  # in parts, so that Ctrl-C is heard
        count = min(_PART, total - first)
        numbers = map(cupy.uint64, (num_playouts, seed, first, count))
        play(
            (min(most_blocks, -(-count // _THREADS)),),
            (_THREADS,),
            (kernels.rules, starts, *numbers, rows),
            shared_mem=_THREADS * kernels.state_size,
        )
        cupy.cuda.get_current_stream().synchronize()
    return Playouts.of_rows(rows, num_playouts)
