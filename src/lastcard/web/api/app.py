"""The application: routes, socket and page, behind one guard."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from lastcard.errors import LastcardError, RequestError
from lastcard.version import __version__
from lastcard.web.api import finished_routes, game_routes, people_routes
from lastcard.web.api.forwarding import Forwarding
from lastcard.web.api.guard import Guard
from lastcard.web.api.info_routes import make_info_router
from lastcard.web.api.page import EngineFiles, Page, compress_early
from lastcard.web.api.problems import printable, validation_error
from lastcard.web.api.requests import read_user, service_of
from lastcard.web.api.responses import error_response, json_response
from lastcard.web.api.sockets import serve_socket
from lastcard.web.contract.base import ErrorResponse
from lastcard.web.service import Service

STATIC: Final = Path(__file__).parents[1] / "static"
"""The page, as `frontend/` builds it."""


def create_app(
    service: Service,
    *,
    hosts: Sequence[str] = (),
    origins: Sequence[str] = (),
    list_addresses: Callable[[], list[str]] = list,
    private: tuple[str, int] | None = None,
) -> FastAPI:
    """Makes the application around a service.

    Args:
        service: The games.
        hosts: Names the server answers to; any, if none are given.
        origins: Origins of pages that may use it besides its own, such as `https://cards.example`.
        list_addresses: Finds the addresses by which others reach the server.
        private: Host and port at which other processes that serve the same store reach it.
    """

    @asynccontextmanager
    async def live(_: FastAPI) -> AsyncIterator[None]:
        service.start()
        compress_early(STATIC)
        yield
        await service.close()

    app = FastAPI(
        title="lastcard",
        version=__version__,
        summary="Play UNO against agents, and see what a search makes of what you see.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=live,
        responses={"4XX": {"model": ErrorResponse}, 503: {"model": ErrorResponse}},
    )
    app.state.service = service
    app.add_exception_handler(LastcardError, _refuse)
    app.add_exception_handler(RequestValidationError, _refuse_invalid)
    app.add_exception_handler(HTTPException, _refuse_http)
    app.include_router(make_info_router(service, list_addresses))
    for routes in (game_routes, finished_routes, people_routes):
        app.include_router(routes.router)
    app.add_api_websocket_route("/ws", _talk)
    app.mount("/engine", EngineFiles(), name="engine")
    if STATIC.is_dir():
        app.mount("/", Page(directory=STATIC, html=True), name="page")
    app.add_middleware(Forwarding, service=service)
    app.add_middleware(Guard, service=service, hosts=hosts, origins=origins, private=private)
    return app


async def _talk(socket: WebSocket) -> None:
    await serve_socket(socket, socket.app.state.service)


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, LastcardError)
    if isinstance(error, RequestError) and error.status == 429:
        await service_of(request).throttle(read_user(request))
    return error_response(error)


async def _refuse_invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return error_response(validation_error(error.errors()))


async def _refuse_http(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return json_response({"error": {"message": printable(str(error.detail))}}, error.status_code, error.headers)
