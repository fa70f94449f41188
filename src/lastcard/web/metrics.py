"""Metrics for Prometheus: counters and times, which say nothing about any one user or game."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram

from lastcard.errors import RequestError, shorten

REGISTRY: Final = CollectorRegistry()
_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

REQUESTS: Final = Counter(
    "lastcard_requests",
    "Requests by route and status; 429 and 503 are refusals.",
    ("route", "status"),
    registry=REGISTRY,
)
REQUEST_SECONDS: Final = Histogram(
    "lastcard_request_seconds", "Time until a response was sent.", buckets=_SECONDS, registry=REGISTRY
)
FORWARDED: Final = Counter(
    "lastcard_forwarded",
    "Requests and sockets that another process answered, which has the game.",
    ("kind",),
    registry=REGISTRY,
)
CONNECTIONS_REFUSED: Final = Counter(
    "lastcard_connections_refused",
    "Connections that were closed without an answer: too many of one address, or a request that was too slow.",
    ("reason",),
    registry=REGISTRY,
)
SOCKETS_CLOSED: Final = Counter(
    "lastcard_sockets_closed",
    "Sockets that the server closed, by code; 1008 and 1013 are refusals.",
    ("code",),
    registry=REGISTRY,
)
MESSAGES_REFUSED: Final = Counter(
    "lastcard_messages_refused",
    "Messages over sockets that were refused, by the status that a request would have got.",
    ("status",),
    registry=REGISTRY,
)
ACTION_SECONDS: Final = Histogram(
    "lastcard_action_seconds",
    "Time from an action over a socket to its acknowledgment.",
    buckets=_SECONDS,
    registry=REGISTRY,
)
ACTIONS: Final = Counter("lastcard_actions", "Actions that were stored, of people and agents.", registry=REGISTRY)
COMMIT_SECONDS: Final = Histogram(
    "lastcard_commit_seconds", "Time until the store had committed a write.", buckets=_SECONDS, registry=REGISTRY
)
DECISION_SECONDS: Final = Histogram(
    "lastcard_decision_seconds", "Processor time of an agent's decision.", buckets=_SECONDS, registry=REGISTRY
)


def read_address(text: str) -> tuple[str, int]:
    """Reads a port, or a host and a port.

    Raises:
        RequestError: if it is neither.

    >>> read_address("9464"), read_address("0.0.0.0:9464")
    (('127.0.0.1', 9464), ('0.0.0.0', 9464))
    """
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or not int(port) < 65536:
        raise RequestError(f"--metrics must be a port or HOST:PORT such as 9464, not {shorten(text)}", status=422)
    return host.strip("[]") or "127.0.0.1", int(port)
