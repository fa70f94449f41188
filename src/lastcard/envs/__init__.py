"""Environments for training: encoded observations, thousands of parallel rounds, and the forms of other libraries."""

from lastcard.envs.encoding import (
    ENCODING_SIZE,
    ENCODING_VERSION,
    NUM_ACTIONS,
    Block,
    action_mask,
    action_of_index,
    encode,
    encoding_blocks,
    encoding_units,
    index_of_action,
)
from lastcard.envs.libraries import (
    MissingLibraryError,
    gymnasium_env,
    openspiel_bot,
    openspiel_game,
    pettingzoo_env,
    rlcard_agent,
    rlcard_env,
)
from lastcard.envs.seat import Seat
from lastcard.envs.vector import Buffers, Totals, VectorEnv

__all__ = [
    "ENCODING_SIZE",
    "ENCODING_VERSION",
    "NUM_ACTIONS",
    "Block",
    "Buffers",
    "MissingLibraryError",
    "Seat",
    "Totals",
    "VectorEnv",
    "action_mask",
    "action_of_index",
    "encode",
    "encoding_blocks",
    "encoding_units",
    "gymnasium_env",
    "index_of_action",
    "openspiel_bot",
    "openspiel_game",
    "pettingzoo_env",
    "rlcard_agent",
    "rlcard_env",
]
