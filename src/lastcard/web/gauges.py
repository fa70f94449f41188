"""Gauges: the state of the server when Prometheus asks, and the port where it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from prometheus_client import start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from lastcard.errors import RequestError, StoreError
from lastcard.web.metrics import REGISTRY
from lastcard.web.service import Service


class ServiceGauges(Collector):
    """Numbers of a service, read when they are asked for."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Reads each number once."""
        service = self._service
        running, waiting = service.workers.num_deciding
        for name, text, value in (
            ("games", "Games in memory.", len(service.games)),
            ("sockets", "Open sockets.", service.sockets.total),
            ("decisions_running", "Decisions of agents that run.", running),
            ("decisions_waiting", "Decisions of agents that wait for a thread.", waiting),
            (
                "store_ready",
                "1 if the last check could write, with room.",
                int(service.readiness.is_ready),
            ),
            ("store_bytes", "Size of the store.", _measure(service.store.measure_bytes)),
            ("disk_free_bytes", "Free space on the disk of the store.", _measure(service.store.measure_free_bytes)),
        ):
            if value is not None:
                yield GaugeMetricFamily(f"lastcard_{name}", text, value)


def _measure(measure: Callable[[], int | None]) -> int | None:
    """Measures, or returns None while the store cannot be read: the other numbers still have to reach the operator."""
    try:
        return measure()
    except (StoreError, OSError):
        return None


@contextmanager
def serve_metrics(service: Service, host: str, port: int) -> Iterator[tuple[str, int]]:
    """Serves the metrics in a thread of its own for as long as the `with` lasts; gives host and port.

    Raises:
        RequestError: if the address is not available.
    """
    gauges = ServiceGauges(service)
    REGISTRY.register(gauges)
    try:
        try:
            server, thread = start_http_server(port, host, REGISTRY)
        except OSError as error:
            raise RequestError(f"cannot serve metrics on {host} port {port}: {error.strerror}", status=503) from None
        try:
            yield host, server.server_port
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
    finally:
        REGISTRY.unregister(gauges)
