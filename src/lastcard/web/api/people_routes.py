"""Routes about one person across games, and about people who look for others."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter, Request
from fastapi.responses import Response

from lastcard.web.api.requests import Bearer, read_token, read_user, service_of
from lastcard.web.api.responses import json_response
from lastcard.web.contract.people import (
    CarriedResponse,
    EraseResponse,
    ExportResponse,
    HistoryOut,
    LinkResponse,
    OpenGamesResponse,
    PairingBody,
    PairingOut,
    PairingResponse,
    SeatKeys,
    SomeSeatKeys,
)
from lastcard.web.people.people_service import LINK_SECONDS
from lastcard.web.service import require_token

router = APIRouter()


@router.post("/api/mine", responses={200: {"model": OpenGamesResponse}})
async def list_games(request: Request, mine: SomeSeatKeys) -> Response:
    """Games of these seats, and whose turn it is in each."""
    games = await service_of(request).people.list_games(mine.seats, read_user(request))
    return json_response({"games": [{"table": None, **game} for game in games]})


@router.post("/api/mine/history", responses={200: {"model": HistoryOut}})
async def read_history(request: Request, mine: SeatKeys) -> Response:
    """Results of those of these games that are over, oldest first."""
    games = await service_of(request).people.list_past_games(mine.seats, read_user(request))
    return json_response({"games": games})


@router.post("/api/mine/export", responses={200: {"model": ExportResponse}})
async def export_data(request: Request, mine: SomeSeatKeys) -> Response:
    """Data that the server has about a person in these games."""
    games = await service_of(request).people.export(mine.seats, read_user(request))
    return json_response({"games": games})


@router.post("/api/mine/erase", responses={200: {"model": EraseResponse}})
async def erase_data(request: Request, mine: SomeSeatKeys) -> Response:
    """Deletes all that the server has about a person in these games."""
    deleted, erased = await service_of(request).people.erase(mine.seats, read_user(request))
    return json_response({"deleted": deleted, "erased": erased})


# Personal links


@router.post("/api/links", status_code=201, responses={201: {"model": LinkResponse}})
async def make_link(request: Request, mine: SeatKeys) -> Response:
    """Makes a personal link, which carries these seats to another device; the secret is sent only here."""
    secret, seats = await service_of(request).people.make_link(mine.seats, read_user(request))
    return json_response({"secret": secret, "seats": seats, "seconds": LINK_SECONDS}, 201)


@router.post("/api/links/use", responses={200: {"model": CarriedResponse}})
async def use_link(request: Request, authorization: Bearer = None) -> Response:
    """Uses a personal link, once; each seat gets a token of its own for this device."""
    carried = await service_of(request).people.use_link(require_token(read_token(authorization)))
    return json_response(
        {
            "seats": [
                {"game": each.key, "seat": each.seat, "token": each.token, "over": each.is_finished} for each in carried
            ]
        }
    )


@router.delete("/api/links", status_code=204, response_class=Response)
async def revoke_link(request: Request, authorization: Bearer = None) -> Response:
    """Revokes a personal link."""
    await service_of(request).people.revoke_link(require_token(read_token(authorization)))
    return Response(status_code=204)


# Pairing


@router.post("/api/pairing", status_code=201, responses={201: {"model": PairingResponse}})
async def begin_pairing(request: Request, wanted: PairingBody) -> Response:
    """Looks for others who want the same game; the token, which will hold the seat, is sent only here."""
    token, found = await service_of(request).pair(wanted, read_user(request))
    return json_response({"token": token, "name": found.name, "seconds_left": found.seconds_left}, 201)


@router.get("/api/pairing", responses={200: {"model": PairingOut}})
async def poll_pairing(request: Request, authorization: Bearer = None) -> Response:
    """Progress of the search; ask at least every 15 s."""
    found = await service_of(request).pairing.poll(require_token(read_token(authorization)))
    return json_response(asdict(found))


@router.delete("/api/pairing", status_code=204, response_class=Response)
async def cancel_pairing(request: Request, authorization: Bearer = None) -> Response:
    """Stops looking for others."""
    await service_of(request).pairing.cancel(require_token(read_token(authorization)))
    return Response(status_code=204)
