"""`lastcard serve`: the web table."""

from __future__ import annotations

import gc
import ipaddress
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Final, Literal

import typer

from lastcard.cli.shared_options import admit_agents
from lastcard.errors import RequestError
from lastcard.shell import install_extra

LogFormat = Literal["text", "json"]
_NEEDED: Final = (
    "brotli",
    "fastapi",
    "orjson",
    "prometheus_client",
    "pydantic",
    "sqlalchemy",
    "starlette",
    "uvicorn",
    "uvloop",
    "websockets",
)


def serve(
    port: Annotated[
        int, typer.Option("--port", "-p", min=0, max=65535, help="Port to listen on; 0 picks a free one.")
    ] = 8000,
    host: Annotated[str, typer.Option("--host", help="Address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    store: Annotated[
        str | None,
        typer.Option(
            "--store",
            metavar="URL",
            help="Store of the games: a path, or postgresql://...",
            show_default="in your state folder",
        ),
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option("--origin", metavar="URL", help="Origin of another page that may use this server. Repeatable."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option("--proxy", metavar="ADDRESS", help="Address of a trusted proxy. Repeatable."),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option("--agent", metavar="AGENT", help="Offer this plug-in or module:Class as an opponent. Repeatable."),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option("--limit", metavar="NAME=VALUE", help="Override a limit, e.g. max_games=2000. Repeatable."),
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(
            "--metrics", metavar="[HOST:]PORT", help="Serve Prometheus metrics there, by default on this machine only."
        ),
    ] = None,
    private: Annotated[
        str,
        typer.Option(
            "--private",
            metavar="HOST[:PORT]",
            help="Address at which other servers on the same PostgreSQL store reach this one.",
        ),
    ] = "127.0.0.1",
    log_format: Annotated[LogFormat, typer.Option("--log-format", help="Write log lines as text or as JSON.")] = "text",
    log_requests: Annotated[
        bool, typer.Option("--log-requests", help="Log each request: route, status and time, no address and no token.")
    ] = False,
) -> None:
    """Play in a browser, by default on this machine only.

    Ctrl-C stops the server; games resume when it starts again.

    Example: lastcard serve --port 8000
    """
    with needs_web_extra("serve"), _without_collecting():
        from lastcard.web import limits, logs, server
        from lastcard.web import metrics as measured
    logs.set_up(log_format, with_requests=log_requests)
    for page in origin or ():
        if not re.fullmatch(r"https?://[^/@?#\s]+/?", page):
            raise RequestError(f"--origin must be an origin such as https://cards.example, not {page}", status=422)
    for address in proxy or ():
        check_proxy(address)
    allowed = limits.read_limits(limit or ())
    admit_agents(*(agent or ()))
    measured_at = None if metrics is None else measured.read_address(metrics)
    private_at = server.read_private_address(private)
    listening = server.bind(host, port)
    at = server.describe_address(listening, origin or ())
    server.serve(
        listening,
        store or server.default_store(),
        origins=origin or (),
        proxies=proxy or (),
        limits=allowed,
        metrics=measured_at,
        private=private_at,
        ready=lambda: print(f"lastcard is at {at} (Ctrl-C stops it)", flush=True),
    )


@contextmanager
def needs_web_extra(command: str) -> Iterator[None]:
    """Explains what to install, if an import of the web package fails for want of another package.

    Raises:
        RequestError: naming the extra.
    """
    try:
        yield
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in _NEEDED:
            raise
        raise RequestError(f"lastcard {command} needs the extra web: {install_extra('web')}", status=503) from None


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Imports make thousands of classes and no garbage: looking for some would take a tenth of the time to start."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def check_proxy(text: str) -> None:
    """Refuses what is no address or network.

    Raises:
        RequestError: naming what was read.
    """
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise RequestError(f"--proxy must be an address such as 127.0.0.1, not {text}", status=422) from None
