"""Users and networks: the address of a request, and the ranges of addresses that one person may have been given."""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

_MOST_READ: Final = 1_000
"""Addresses, and users, that need not be read again: each message of a client takes a token."""
_GROWTH: Final[Mapping[int, Mapping[int, int]]] = {4: {32: 1, 24: 4}, 6: {64: 1, 56: 2, 48: 4}}
"""Times the limit of a user that a network may take, by the version of IP and the length of its prefix."""


class Network(NamedTuple):
    """A network that a user counts for."""

    key: str
    """Stands for it in reports to other processes, which the store keeps for seconds.

    It hides an address from a glance only: there are few enough addresses to try them all.
    """
    growth: int
    """Times the limit of a user that all of its users may take together."""


@lru_cache(maxsize=_MOST_READ)
def user_of(address: str | None) -> str:
    """The user of an address: the address itself, or the /64 of IPv6 that one user usually has.

    >>> user_of("2001:db8::1") == user_of("2001:db8::2"), user_of("192.0.2.1")
    (True, '192.0.2.1')
    """
    try:
        read = ipaddress.ip_address(address or "")
    except ValueError:
        return address or "unknown"
    if isinstance(read, ipaddress.IPv6Address):
        # Providers give a household a /64, and one machine may use any address of it.
        return str(read.ipv4_mapped or ipaddress.ip_network((read, 64), strict=False))
    return str(read)


@lru_cache(maxsize=_MOST_READ)
def networks_of(user: str) -> tuple[Network, ...]:
    """The networks that a user counts for, the user's own first.

    Providers delegate a /56 or a /48 of IPv6 to one customer, and lend a few neighboring addresses of IPv4.

    >>> [network.growth for network in networks_of(user_of("2001:db8::1"))], networks_of("192.0.2.1")[0].growth
    ([1, 2, 4], 1)
    """
    try:
        own = ipaddress.ip_network(user)
        growths = {str(own.supernet(new_prefix=length)): growth for length, growth in _GROWTH[own.version].items()}
    except ValueError:
        growths = {user: 1}
    return tuple(Network(_hash(name), growth) for name, growth in growths.items())


def _hash(name: str) -> str:
    return hashlib.blake2b(name.encode(), digest_size=8).hexdigest()
