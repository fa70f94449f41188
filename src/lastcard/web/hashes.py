"""Hashes that stand for secrets."""

from __future__ import annotations

import hashlib


def hash_token(token: str) -> str:
    """Hash of a token, which is all that the store keeps of it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def hash_seed(seed: int) -> str:
    """Commitment to a seed: SHA-256 of its decimal digits.

    >>> hash_seed(7)[:8]
    '7902699b'
    """
    return hashlib.sha256(str(seed).encode()).hexdigest()
