"""The routes of studies, of advice and of the ladder."""

from __future__ import annotations

from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import PlainTextResponse, Response

from lastcard.web.advice import ask_for_advice, give_advice, read_situation
from lastcard.web.answers import answer_json
from lastcard.web.ladder import tell_ladder
from lastcard.web.limits import RECORDS_PATH
from lastcard.web.models import NewGameAnswer
from lastcard.web.routes import Bearer, GameKey, read_token, read_user, tell_place
from lastcard.web.service import Service
from lastcard.web.study import list_frames, tell_study
from lastcard.web.study_models import (
    AdviceAnswer,
    AdviceBody,
    BranchBody,
    Brought,
    FramesAnswer,
    JudgingTold,
    LadderTold,
    RecordBody,
    RoundJudged,
    StudyTold,
)

RoundNumber = Annotated[int, Path(ge=1, le=2**31, description="As the study lists them.")]
SeenBy = Annotated[int | None, Query(ge=0, le=9, description="Whose view; the truth without.")]


def make_study_router(service: Service) -> APIRouter:
    """Every route of a study."""
    router = APIRouter()
    studies = service.studies

    @router.post(RECORDS_PATH, status_code=201, responses={201: {"model": Brought}})
    async def bring_record(request: Request, brought: RecordBody) -> Response:
        """Stores a record to study it; the token, which deletes it, is told this once."""
        game, token = await service.bring(brought.record, read_user(request))
        return answer_json({"game": game, "token": token}, 201)

    @router.get("/api/studies/{game}", responses={200: {"model": StudyTold}})
    async def read_study(request: Request, game: GameKey) -> Response:
        """A finished game, for whoever knows its key."""
        return answer_json(tell_study(await studies.open(game, read_user(request))))

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

    @router.get("/api/studies/{game}/rounds/{round}", responses={200: {"model": FramesAnswer}})
    async def read_round(request: Request, game: GameKey, round: RoundNumber, seat: SeenBy = None) -> Response:
        """A round, ply by ply, as a seat saw it or as it was."""
        user = read_user(request)
        study = await studies.open(game, user)
        index = study.find_round(round)
        if seat is not None:
            study.check_seat(seat)
        frames = await studies.work(user, lambda: list_frames(study, index, seat))
        return answer_json({"round": round, "seat": seat, "frames": frames})

    @router.post("/api/studies/{game}/branch", status_code=201, responses={201: {"model": NewGameAnswer}})
    async def branch_off(request: Request, game: GameKey, wanted: BranchBody) -> Response:
        """Begins a game that goes on from a point of this one, against agents."""
        user = read_user(request)
        study = await studies.open(game, user)
        return tell_place(await service.branch(study, wanted, user))

    async def tell_judging(study: Any, user: str) -> dict[str, Any]:
        return await studies.work(user, lambda: studies.judging.tell(study))

    @router.get("/api/studies/{game}/analysis", responses={200: {"model": JudgingTold}})
    async def read_analysis(request: Request, game: GameKey) -> Response:
        """How far the decisions are judged, which cost most, and how likely each seat was to win."""
        user = read_user(request)
        return answer_json(await tell_judging(await studies.open(game, user), user))

    @router.post("/api/studies/{game}/analysis", status_code=202, responses={202: {"model": JudgingTold}})
    async def begin_analysis(request: Request, game: GameKey) -> Response:
        """Has every decision judged, once; ask again to see how far it is."""
        user = read_user(request)
        study = await studies.open(game, user)
        await studies.judge(study, user)
        return answer_json(await tell_judging(study, user), 202)

    @router.get("/api/studies/{game}/rounds/{round}/analysis", responses={200: {"model": RoundJudged}})
    async def read_round_analysis(request: Request, game: GameKey, round: RoundNumber) -> Response:
        """Every decision of a round with what each action was worth."""
        user = read_user(request)
        study = await studies.open(game, user)
        return answer_json(await studies.work(user, lambda: studies.judging.tell_round(study, round)))

    return router


def make_tools_router(service: Service) -> APIRouter:
    """Advice and the ladder."""
    router = APIRouter()
    ladder = orjson.dumps(tell_ladder(service.limits))

    @router.post("/api/advice", responses={200: {"model": AdviceAnswer}})
    async def advise(request: Request, asked: AdviceBody) -> Response:
        """What to do at a real table, and what the others may hold."""
        user, question = read_user(request), ask_for_advice(asked, service.limits)
        with service.workers.asking(user) as asking:
            situation = read_situation(asked)
            return answer_json(await asking.search(lambda: give_advice(situation, question, asked.seed)))

    @router.get("/api/ladder", responses={200: {"model": LadderTold}})
    async def read_ladder() -> Response:
        """How strong the agents are."""
        return Response(ladder, media_type="application/json")

    return router
