"""Routes that are about no game: health check, catalog, ladder and real tables."""

from __future__ import annotations

from collections.abc import Callable

import orjson
from fastapi import APIRouter
from fastapi.responses import Response

from lastcard.version import __version__
from lastcard.web.api.catalog import make_catalog
from lastcard.web.api.ladder import make_ladder
from lastcard.web.api.responses import json_response
from lastcard.web.api.situations import read_situation
from lastcard.web.contract.catalog import Catalog
from lastcard.web.contract.games import AddressOut, Health, Ready
from lastcard.web.contract.ladder import LadderOut
from lastcard.web.contract.situations import SituationBody, SituationResponse
from lastcard.web.service import Service


def make_info_router(service: Service, list_addresses: Callable[[], list[str]]) -> APIRouter:
    """Routes with responses that are made once, when the server starts."""
    router = APIRouter()
    catalog, ladder = orjson.dumps(make_catalog(service.limits)), orjson.dumps(make_ladder(service.limits))

    @router.get("/health", responses={200: {"model": Health}})
    @router.get("/health/live", responses={200: {"model": Health}}, operation_id="health_live")
    async def health() -> Response:
        """Health check: the server answers."""
        return json_response({"status": "ok", "version": __version__, "games": len(service.games)})

    @router.get("/health/ready", responses={200: {"model": Ready}, 503: {"model": Ready}})
    async def ready() -> Response:
        """Readiness check: the store takes writes, and its disk has room."""
        problem = await service.readiness.find_problem()
        if problem is None:
            return json_response({"status": "ready", "reason": None})
        return json_response({"status": "not ready", "reason": problem}, 503)

    @router.get("/api/catalog", responses={200: {"model": Catalog}})
    async def read_catalog() -> Response:
        """All that can be chosen before a game."""
        return Response(catalog, media_type="application/json")

    @router.get("/api/address", responses={200: {"model": AddressOut}})
    async def read_address() -> Response:
        """Addresses by which others reach this server."""
        return json_response({"addresses": list_addresses()})

    @router.get("/api/ladder", responses={200: {"model": LadderOut}})
    async def read_ladder() -> Response:
        """Strength of the agents."""
        return Response(ladder, media_type="application/json")

    @router.post("/api/situation", responses={200: {"model": SituationResponse}})
    async def describe_situation(asked: SituationBody) -> Response:
        """Observation of the player at a real table, for a search in the client."""
        situation = read_situation(asked)
        return json_response({"situation": situation.to_dict(), "observation": situation.observation.to_dict()})

    return router
