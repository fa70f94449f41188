"""Environments to learn in: observations as bytes, and thousands of rounds stepped at once."""

from lastcard.envs.encoding import (
    ENCODING_VERSION,
    NUM_ACTIONS,
    Block,
    action_mask,
    action_of_index,
    encode,
    encoding_blocks,
    encoding_size,
    index_of_action,
)
from lastcard.envs.vector import Buffers, Totals, VectorEnv

__all__ = [
    "ENCODING_VERSION",
    "NUM_ACTIONS",
    "Block",
    "Buffers",
    "Totals",
    "VectorEnv",
    "action_mask",
    "action_of_index",
    "encode",
    "encoding_blocks",
    "encoding_size",
    "index_of_action",
]
