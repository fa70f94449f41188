"""Routes about one person across games."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from lastcard.web.api.requests import read_user, service_of
from lastcard.web.api.responses import json_response
from lastcard.web.contract.people import OpenGamesResponse, SeatKeys

router = APIRouter()


@router.post("/api/mine", responses={200: {"model": OpenGamesResponse}})
async def list_games(request: Request, mine: SeatKeys) -> Response:
    """Games of these seats, and whose turn it is in each."""
    games = await service_of(request).people.list_games(mine.seats, read_user(request))
    return json_response({"games": [{"table": None, **game} for game in games]})
