"""The application: routes, socket and page, behind one guard."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from lastcard.errors import LastcardError, RequestError
from lastcard.version import __version__
from lastcard.web.answers import answer_error, answer_json
from lastcard.web.guard import Guard
from lastcard.web.limits import user_of
from lastcard.web.models import ErrorAnswer
from lastcard.web.refusals import printable, read_problem
from lastcard.web.routes import make_router
from lastcard.web.service import Service
from lastcard.web.sockets import serve_socket
from lastcard.web.study_routes import make_study_router, make_tools_router

STATIC: Final = Path(__file__).parent / "static"
"""The page, as `frontend/` builds it."""


def create_app(service: Service, *, hosts: Sequence[str] = (), origins: Sequence[str] = ()) -> FastAPI:
    """The application around a service.

    Args:
        service: The games.
        hosts: Names the server answers to; any, if none are given.
        origins: Of pages that may use it besides its own, such as `https://cards.example`.
    """

    @asynccontextmanager
    async def live(_: FastAPI) -> AsyncIterator[None]:
        service.start()
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
        responses={"4XX": {"model": ErrorAnswer}, 503: {"model": ErrorAnswer}},
    )

    async def tell_refusal(request: Request, error: Exception) -> Response:
        assert isinstance(error, LastcardError)
        if isinstance(error, RequestError) and error.status == 429:
            await service.hold_back(user_of(request.client.host if request.client else None))
        return answer_error(error)

    app.add_exception_handler(LastcardError, tell_refusal)
    app.add_exception_handler(RequestValidationError, _tell_invalid)
    app.add_exception_handler(HTTPException, _tell_http)
    for make in (make_router, make_study_router, make_tools_router):
        app.include_router(make(service))

    @app.websocket("/ws")
    async def talk(socket: WebSocket) -> None:
        await serve_socket(socket, service)

    if STATIC.is_dir():
        app.mount("/", StaticFiles(directory=STATIC, html=True), name="page")
    app.add_middleware(Guard, service=service, hosts=hosts, origins=origins)
    return app


async def _tell_invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return answer_error(read_problem(error.errors()))


async def _tell_http(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return answer_json({"error": {"message": printable(str(error.detail))}}, error.status_code, error.headers)
