"""Random rounds in bulk on a GPU: the same rounds, and so the same totals, as on the CPU."""

from __future__ import annotations

from typing import Final

from lastcard.batch import RandomGames
from lastcard.errors import StateError, require_int, shorten
from lastcard.gpu.device import MAX_SEATS, kernels_for, require_cupy
from lastcard.rules import Rules

_THREADS: Final = 128  # a block's states fit into shared memory even with ten seats
_BLOCKS_EACH: Final = 16
"""Blocks for each multiprocessor."""
_PART: Final = 2**28  # under a second on a large GPU


def play_random_games(rules: Rules, num_games: int, seed: int = 0) -> RandomGames:
    """Plays what `lastcard.play_random_games` plays, on the GPU; the result is the same.

    Raises:
        GpuError: if there is no GPU that could be used.
        StateError: naming the argument that is out of range.
    """
    if not isinstance(rules, Rules):
        raise StateError(f"rules must be Rules, not {shorten(rules)}; make them with Rules.preset(...)")
    require_int("num_games", num_games, 0, 10**15, StateError)
    require_int("seed", seed, 0, 2**64 - 1, StateError)
    cupy = require_cupy()
    kernels = kernels_for(rules)
    play = kernels["play_random_rounds"]
    blocks = _BLOCKS_EACH * cupy.cuda.Device().attributes["MultiProcessorCount"]
    tallies = cupy.zeros(2 * MAX_SEATS + 3, dtype=cupy.uint64)
    for first in range(0, num_games, _PART):  # in parts, so that Ctrl-C is heard
        count = min(_PART, num_games - first)
        arguments = (kernels.rules, *map(cupy.uint64, (seed, first, count)), tallies)
        play((blocks,), (_THREADS,), arguments, shared_mem=_THREADS * kernels.state_size)
        # Launching a kernel returns immediately: without waiting, Ctrl-C would be heard only after the last part.
        cupy.cuda.get_current_stream().synchronize()
    numbers = [int(number) for number in tallies.get()]
    players = rules.players
    plies, draws, signature = numbers[2 * MAX_SEATS :]
    return RandomGames(
        num_games,
        tuple(numbers[:players]),
        draws,
        plies,
        tuple(numbers[MAX_SEATS : MAX_SEATS + players]),
        signature,
    )
