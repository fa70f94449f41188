"""Routes of finished games."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import PlainTextResponse, Response

from lastcard.web.api.requests import Bearer, GameKey, read_token, read_user, service_of
from lastcard.web.api.responses import TEXT, json_response, place_response
from lastcard.web.contract.finished import (
    BranchBody,
    FramesResponse,
    RecordBody,
    StudyOut,
    UploadResponse,
)
from lastcard.web.contract.games import NewGameResponse
from lastcard.web.finished.finished_game import FinishedGame, describe_game, list_frames
from lastcard.web.limits import RECORDS_PATH

RoundNumber = Annotated[int, Path(ge=1, le=2**31, description="As the study lists them.")]
SeenBy = Annotated[int | None, Query(ge=0, le=9, description="The seat whose view it is; without it, the truth.")]

router = APIRouter()


async def _open(request: Request, game: str) -> FinishedGame:
    return await service_of(request).finished.open(game, read_user(request))


@router.post(RECORDS_PATH, status_code=201, responses={201: {"model": UploadResponse}})
async def upload_record(request: Request, uploaded: RecordBody) -> Response:
    """Stores a record to study it; the token, which deletes it, is sent only here."""
    game, token = await service_of(request).upload(uploaded.record, read_user(request))
    return json_response({"game": game, "token": token}, 201)


@router.get("/api/studies/{game}", responses={200: {"model": StudyOut}})
async def read_study(request: Request, game: GameKey) -> Response:
    """A finished game, for anyone who has its key."""
    return json_response(describe_game(await _open(request, game)))


@router.delete("/api/studies/{game}", status_code=204, response_class=Response)
async def delete_study(request: Request, game: GameKey, authorization: Bearer = None) -> Response:
    """Deletes a finished game with all that is stored about it."""
    await service_of(request).delete(game, read_token(authorization), read_user(request))
    return Response(status_code=204)


@router.get("/api/studies/{game}/record", response_class=Response, responses=TEXT)
async def export_record(request: Request, game: GameKey) -> Response:
    """The record as text."""
    finished = await _open(request, game)
    return PlainTextResponse(await service_of(request).finished.work(read_user(request), finished.record.to_text))


@router.get("/api/studies/{game}/rounds/{round}", responses={200: {"model": FramesResponse}})
async def read_round(request: Request, game: GameKey, round: RoundNumber, seat: SeenBy = None) -> Response:
    """A round, ply by ply, as a seat saw it or as it was."""
    finished = await _open(request, game)
    index = finished.find_round(round)
    if seat is not None:
        finished.check_seat(seat)
    games = service_of(request).finished
    frames = await games.work(read_user(request), lambda: list_frames(finished, index, seat))
    return json_response({"round": round, "seat": seat, "frames": frames})


@router.post("/api/studies/{game}/branch", status_code=201, responses={201: {"model": NewGameResponse}})
async def branch_off(request: Request, game: GameKey, wanted: BranchBody) -> Response:
    """Begins a game that continues from a ply of this one, against agents."""
    finished = await _open(request, game)
    return place_response(await service_of(request).branch(finished, wanted, read_user(request)))
