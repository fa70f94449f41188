"""Seeds: integers of up to 256 bits that fix everything, split into independent streams by label."""

from __future__ import annotations

import secrets
from typing import Final

from lastcard import _core
from lastcard.errors import StateError, require_int, shorten

SEED_BITS: Final = 256
# Never renumber them: the numbers are part of every seeded result, so each change would give other cards.
STREAMS: Final = {"deal": 1, "reshuffle": 2, "agent": 3, "round": 4, "position": 5, "pairing": 6, "chunk": 7}


def seed_bytes(seed: int) -> bytes:
    """The seed as the 32-byte key of the core's generator.

    Raises:
        StateError: if it is not a whole number from 0 to 2**256 - 1.
    """
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << SEED_BITS:
        raise StateError(f"seed must be a whole number from 0 to 2**256 - 1, not {shorten(seed)}")
    return seed.to_bytes(32, "little")


def fresh_seed(bits: int = SEED_BITS) -> int:
    """A seed from the operating system's random numbers.

    >>> fresh_seed() != fresh_seed(), fresh_seed(bits=64) < 2**64
    (True, True)
    """
    return secrets.randbits(bits)


def split_seed(seed: int, label: str, ordinal: int = 0) -> int:
    """The seed of an independent stream. Neither seed can be found from the other's stream.

    >>> split_seed(7, "agent", 0) != split_seed(7, "agent", 1) != split_seed(7, "round", 1)
    True
    """
    if not isinstance(label, str) or label not in STREAMS:
        raise StateError(f"no stream {shorten(label)}; there are {', '.join(STREAMS)}")
    require_int("ordinal", ordinal, 0, 2**32 - 1, StateError)
    return int.from_bytes(_core.split_seed(seed_bytes(seed), STREAMS[label], ordinal), "little")
