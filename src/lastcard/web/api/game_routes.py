"""Routes of one game. Every response about its table comes from the game's view."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response

from lastcard.web.api.requests import Bearer, GameKey, Since, read_token, read_user, service_of
from lastcard.web.api.responses import TEXT, json_response, place_response
from lastcard.web.contract.games import (
    ActionBody,
    LeaveBody,
    NewGame,
    NewGameResponse,
    SeatBody,
    ViewResponse,
)
from lastcard.web.games.live_game import LiveGame
from lastcard.web.games.presence import Audience
from lastcard.web.refusals import refuse

router = APIRouter()


async def _find(request: Request, game: str, authorization: str | None) -> tuple[LiveGame, Audience]:
    return await service_of(request).find(game, read_token(authorization), read_user(request))


@router.post("/api/games", status_code=201, responses={201: {"model": NewGameResponse}})
async def begin_game(request: Request, wanted: NewGame) -> Response:
    """Begins a game; the token is sent only here."""
    return place_response(await service_of(request).begin(wanted, read_user(request)))


@router.get("/api/games/{game}", responses={200: {"model": ViewResponse}})
async def read_game(request: Request, game: GameKey, authorization: Bearer = None, since: Since = 0) -> Response:
    """The table as the seat, or a spectator, sees it."""
    live, audience = await _find(request, game, authorization)
    return json_response({"view": live.view(audience, since)})


@router.post("/api/games/{game}/seats", status_code=201, responses={201: {"model": NewGameResponse}})
async def take_seat(request: Request, game: GameKey, wanted: SeatBody, authorization: Bearer = None) -> Response:
    """Takes a seat by invitation; the token is sent only here."""
    live, audience = await _find(request, game, authorization)
    invite = read_token(authorization)
    if audience is not None or invite is None:
        raise refuse("has_seat")
    return place_response(await service_of(request).take_seat(live, invite, wanted.name))


@router.post("/api/games/{game}/leave", status_code=204, response_class=Response)
async def leave_seat(request: Request, game: GameKey, wanted: LeaveBody, authorization: Bearer = None) -> Response:
    """Gives up the seat; its token ends here."""
    live, seat = await _find(request, game, authorization)
    await live.give_up_seat(seat, resign=wanted.resign)
    return Response(status_code=204)


@router.post("/api/games/{game}/actions", responses={200: {"model": ViewResponse}})
async def act(
    request: Request, game: GameKey, wanted: ActionBody, authorization: Bearer = None, since: Since = 0
) -> Response:
    """Acts; an action that was acknowledged before is acknowledged again."""
    live, seat = await _find(request, game, authorization)
    return json_response({"view": await live.act_and_view(seat, wanted.ply, wanted.action, since)})


@router.post("/api/games/{game}/next", responses={200: {"model": ViewResponse}})
async def deal_next_round(request: Request, game: GameKey, authorization: Bearer = None) -> Response:
    """Deals the next round of a game, or begins the first while people gather."""
    live, seat = await _find(request, game, authorization)
    live.observation(seat)
    await live.next_round()
    return json_response({"view": live.view(seat)})


@router.post("/api/games/{game}/rematch", status_code=201, responses={201: {"model": NewGameResponse}})
async def begin_rematch(request: Request, game: GameKey, authorization: Bearer = None) -> Response:
    """Begins a game with the same settings, once this one is over, or joins the one that another player has begun."""
    old, seat = await _find(request, game, authorization)
    return place_response(await service_of(request).rematch(old, seat, read_user(request)))


@router.get("/api/games/{game}/record", response_class=Response, responses=TEXT)
async def read_record(request: Request, game: GameKey, authorization: Bearer = None) -> Response:
    """The record, seed included, once the game is over."""
    live, _ = await _find(request, game, authorization)
    return PlainTextResponse(live.record().to_text())
