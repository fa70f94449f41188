"""Addresses by which other people reach a server."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from typing import Final

_ELSEWHERE: Final = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses reserved for documentation; finding the way there sends nothing."""


def address_of(listening: socket.socket) -> str:
    """The address to open in a browser on this machine."""
    host, port = listening.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = "::1" if listening.family == socket.AF_INET6 else "127.0.0.1"
    return format_address(host, port)


def list_addresses(listening: socket.socket, origins: Sequence[str] = ()) -> list[str]:
    """Addresses for others: the public ones of the proxy, or the one on the local network; none on loopback alone."""
    host, port = listening.getsockname()[:2]
    found = [origin.rstrip("/") for origin in origins]
    read = ipaddress.ip_address(host.partition("%")[0])
    if read.is_unspecified:
        own = _find_own_address(listening.family)
        return found if own is None else [*found, format_address(own, port)]
    return found if read.is_loopback else [*found, format_address(host, port)]


def format_address(host: str, port: int) -> str:
    """A host and a port as the beginning of a URL.

    >>> format_address("192.0.2.7", 8000), format_address("2001:db8::7", 80)
    ('http://192.0.2.7:8000', 'http://[2001:db8::7]:80')
    """
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _find_own_address(family: int) -> str | None:
    """The address that this machine has on the way to others; None without a network."""
    # A socket on all IPv6 addresses usually takes IPv4 as well, which more home networks have.
    for each in (socket.AF_INET, socket.AF_INET6) if family == socket.AF_INET6 else (socket.AF_INET,):
        with socket.socket(each, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((_ELSEWHERE[each], 9))
                host = str(probe.getsockname()[0])
            except OSError:
                continue
        read = ipaddress.ip_address(host.partition("%")[0])
        if not read.is_loopback and not read.is_unspecified:
            return host
    return None
