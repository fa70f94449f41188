"""The routes of studies, of advice and of the ladder."""

from __future__ import annotations

from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import PlainTextResponse, Response

from lastcard.web.api.ladder import make_ladder
from lastcard.web.api.responses import json_response
from lastcard.web.api.routes import Bearer, GameKey, place_response, read_token, read_user
from lastcard.web.contract.advice import AdviceBody, AdviceResponse
from lastcard.web.contract.finished import (
    BranchBody,
    FramesResponse,
    JudgingOut,
    RecordBody,
    RoundJudged,
    StudyOut,
    UploadResponse,
)
from lastcard.web.contract.games import NewGameResponse
from lastcard.web.contract.ladder import LadderOut
from lastcard.web.finished.game import describe_game, list_frames
from lastcard.web.limits import RECORDS_PATH
from lastcard.web.searches.advice import ask_for_advice, give_advice, read_situation
from lastcard.web.service import Service

RoundNumber = Annotated[int, Path(ge=1, le=2**31, description="As the study lists them.")]
SeenBy = Annotated[int | None, Query(ge=0, le=9, description="Whose view; the truth without.")]


def make_finished_router(service: Service) -> APIRouter:
    """Every route of a study."""
    router = APIRouter()
    studies = service.studies

    @router.post(RECORDS_PATH, status_code=201, responses={201: {"model": UploadResponse}})
    async def bring_record(request: Request, brought: RecordBody) -> Response:
        """Stores a record to study it; the token, which deletes it, is told this once."""
        game, token = await service.bring(brought.record, read_user(request))
        return json_response({"game": game, "token": token}, 201)

    @router.get("/api/studies/{game}", responses={200: {"model": StudyOut}})
    async def read_study(request: Request, game: GameKey) -> Response:
        """A finished game, for whoever knows its key."""
        return json_response(describe_game(await studies.open(game, read_user(request))))

    @router.delete("/api/studies/{game}", status_code=204, response_class=Response)
    async def delete_study(request: Request, game: GameKey, authorization: Bearer = None) -> Response:
        """Deletes a finished game with everything that is known of it."""
        await service.delete(game, read_token(authorization), read_user(request))
        return Response(status_code=204)

    @router.get(
        "/api/studies/{game}/record",
        response_class=Response,
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    )
    async def export_record(request: Request, game: GameKey) -> Response:
        """The record as text."""
        user = read_user(request)
        study = await studies.open(game, user)
        return PlainTextResponse(await studies.work(user, study.record.to_text))

    @router.get("/api/studies/{game}/rounds/{round}", responses={200: {"model": FramesResponse}})
    async def read_round(request: Request, game: GameKey, round: RoundNumber, seat: SeenBy = None) -> Response:
        """A round, ply by ply, as a seat saw it or as it was."""
        user = read_user(request)
        study = await studies.open(game, user)
        index = study.find_round(round)
        if seat is not None:
            study.check_seat(seat)
        frames = await studies.work(user, lambda: list_frames(study, index, seat))
        return json_response({"round": round, "seat": seat, "frames": frames})

    @router.post("/api/studies/{game}/branch", status_code=201, responses={201: {"model": NewGameResponse}})
    async def branch_off(request: Request, game: GameKey, wanted: BranchBody) -> Response:
        """Begins a game that goes on from a point of this one, against agents."""
        user = read_user(request)
        study = await studies.open(game, user)
        return place_response(await service.branch(study, wanted, user))

    async def tell_judging(study: Any, user: str) -> dict[str, Any]:
        return await studies.work(user, lambda: studies.judging.tell(study))

    @router.get("/api/studies/{game}/analysis", responses={200: {"model": JudgingOut}})
    async def read_analysis(request: Request, game: GameKey) -> Response:
        """How far the decisions are judged, which cost most, and how likely each seat was to win."""
        user = read_user(request)
        return json_response(await tell_judging(await studies.open(game, user), user))

    @router.post("/api/studies/{game}/analysis", status_code=202, responses={202: {"model": JudgingOut}})
    async def begin_analysis(request: Request, game: GameKey) -> Response:
        """Has every decision judged, once; ask again to see how far it is."""
        user = read_user(request)
        study = await studies.open(game, user)
        await studies.judge(study, user)
        return json_response(await tell_judging(study, user), 202)

    @router.get("/api/studies/{game}/rounds/{round}/analysis", responses={200: {"model": RoundJudged}})
    async def read_round_analysis(request: Request, game: GameKey, round: RoundNumber) -> Response:
        """Every decision of a round with what each action was worth."""
        user = read_user(request)
        study = await studies.open(game, user)
        return json_response(await studies.work(user, lambda: studies.judging.tell_round(study, round)))

    return router


def make_tools_router(service: Service) -> APIRouter:
    """Advice and the ladder."""
    router = APIRouter()
    ladder = orjson.dumps(make_ladder(service.limits))

    @router.post("/api/advice", responses={200: {"model": AdviceResponse}})
    async def advise(request: Request, asked: AdviceBody) -> Response:
        """What to do at a real table, and what the others may hold."""
        user, question = read_user(request), ask_for_advice(asked, service.limits)
        with service.workers.asking(user) as asking:
            situation = read_situation(asked)
            return json_response(await asking.search(lambda: give_advice(situation, question, asked.seed)))

    @router.get("/api/ladder", responses={200: {"model": LadderOut}})
    async def read_ladder() -> Response:
        """How strong the agents are."""
        return Response(ladder, media_type="application/json")

    return router
