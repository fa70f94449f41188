"""The same rules on a GPU, from the very headers of the core: rounds and playouts in bulk, environments in masses.

Needs an NVIDIA GPU and the extra `gpu`; importing it does not.

>>> from lastcard.gpu import why_not
>>> isinstance(why_not(), str)  # empty where a GPU can be used
True
"""

from lastcard.gpu.batch import play_random_games
from lastcard.gpu.device import GpuError, is_available, why_not
from lastcard.gpu.playouts import play_out
from lastcard.gpu.vector import VectorEnv

__all__ = ["GpuError", "VectorEnv", "is_available", "play_out", "play_random_games", "why_not"]
