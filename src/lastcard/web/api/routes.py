"""The routes. What each answers about a game comes from the game's view."""

from __future__ import annotations

from typing import Annotated

import orjson
from fastapi import APIRouter, Header, Path, Query, Request
from fastapi.responses import PlainTextResponse, Response

from lastcard.errors import RequestError
from lastcard.version import __version__
from lastcard.web.api.catalog import make_catalog
from lastcard.web.api.responses import json_response
from lastcard.web.contract.base import MOST_PLY
from lastcard.web.contract.catalog import Catalog
from lastcard.web.contract.games import (
    ActionBody,
    Health,
    HintBody,
    HintResponse,
    NewGame,
    NewGameResponse,
    SeatBody,
    ViewResponse,
)
from lastcard.web.games.game import LiveGame
from lastcard.web.games.presence import Audience
from lastcard.web.limits import user_of
from lastcard.web.searches.analysis import ask, search_hint
from lastcard.web.service import Place, Service

GameKey = Annotated[str, Path(max_length=40, description="As it was given when the game was begun.")]
Bearer = Annotated[str | None, Header(description="`Bearer` and the token of the game.")]
Since = Annotated[int, Query(ge=0, le=MOST_PLY, description="The log starts after the event of that number.")]


def make_router(service: Service) -> APIRouter:
    """Every route of the interface."""
    router = APIRouter()
    catalog = orjson.dumps(make_catalog(service.limits))

    async def find(request: Request, game: str, authorization: str | None) -> tuple[LiveGame, Audience]:
        return await service.find(game, read_token(authorization), read_user(request))

    @router.get("/health", responses={200: {"model": Health}})
    async def health() -> Response:
        """Whether the server serves."""
        return json_response({"status": "ok", "version": __version__, "games": service.num_games})

    @router.get("/api/catalog", responses={200: {"model": Catalog}})
    async def read_catalog() -> Response:
        """Everything there is to choose from."""
        return Response(catalog, media_type="application/json")

    @router.post("/api/games", status_code=201, responses={201: {"model": NewGameResponse}})
    async def begin_game(request: Request, wanted: NewGame) -> Response:
        """Begins a game; the token is told this once."""
        return place_response(await service.begin(wanted, read_user(request)))

    @router.get("/api/games/{game}", responses={200: {"model": ViewResponse}})
    async def read_game(request: Request, game: GameKey, authorization: Bearer = None, since: Since = 0) -> Response:
        """The table as the seat, or whoever looks on, sees it."""
        live, audience = await find(request, game, authorization)
        return json_response({"view": live.view(audience, since)})

    @router.post("/api/games/{game}/seats", status_code=201, responses={201: {"model": NewGameResponse}})
    async def take_seat(request: Request, game: GameKey, wanted: SeatBody, authorization: Bearer = None) -> Response:
        """Takes a seat by invitation; the token is told this once."""
        live, audience = await find(request, game, authorization)
        invite = read_token(authorization)
        if audience is not None or invite is None:
            raise RequestError("you have a seat at this table", status=409)
        return place_response(await service.take_seat(live, invite, wanted.name))

    @router.post("/api/games/{game}/actions", responses={200: {"model": ViewResponse}})
    async def act(
        request: Request, game: GameKey, wanted: ActionBody, authorization: Bearer = None, since: Since = 0
    ) -> Response:
        """Acts; an action that was acknowledged before is acknowledged again."""
        live, seat = await find(request, game, authorization)
        return json_response({"view": await live.act_and_look(seat, wanted.ply, wanted.action, since)})

    @router.post("/api/games/{game}/next", responses={200: {"model": ViewResponse}})
    async def deal_next_round(request: Request, game: GameKey, authorization: Bearer = None) -> Response:
        """Deals the next round of a game, or begins the first while people gather."""
        live, seat = await find(request, game, authorization)
        live.observation(seat)
        await live.next_round()
        return json_response({"view": live.view(seat)})

    @router.post("/api/games/{game}/rematch", status_code=201, responses={201: {"model": NewGameResponse}})
    async def begin_rematch(request: Request, game: GameKey, authorization: Bearer = None) -> Response:
        """Begins a game on the same terms, once this one is over, or joins the one that another has begun."""
        old, seat = await find(request, game, authorization)
        return place_response(await service.rematch(old, seat, read_user(request)))

    @router.post("/api/games/{game}/hint", responses={200: {"model": HintResponse}})
    async def hint(
        request: Request, game: GameKey, wanted: HintBody | None = None, authorization: Bearer = None
    ) -> Response:
        """What a search of what the seat sees would do, and why."""
        live, seat = await find(request, game, authorization)
        question = ask((wanted or HintBody()).analyst, None, None, service.limits)
        observation, names = live.observation(seat), live.people.names(seat)
        with service.workers.asking(read_user(request)) as asking:
            return json_response(await asking.search(lambda: search_hint(observation, question.analyst, names)))

    @router.get(
        "/api/games/{game}/record",
        response_class=Response,
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    )
    async def read_record(request: Request, game: GameKey, authorization: Bearer = None) -> Response:
        """The record, seed included, once the game is over."""
        live, _ = await find(request, game, authorization)
        return PlainTextResponse(live.record().to_text())

    return router


def place_response(place: Place) -> Response:
    """Answers a seat that was taken, with what there is to see from it."""
    told = {"game": place.game.key, "seat": place.seat, "token": place.token, "invite": place.invite}
    return json_response({**told, "view": place.game.view(place.seat)}, 201)


def read_user(request: Request) -> str:
    """Whom the request counts for."""
    return user_of(request.client.host if request.client else None)


def read_token(authorization: str | None) -> str | None:
    """The token of an Authorization header, if it has one."""
    scheme, _, token = (authorization or "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None
