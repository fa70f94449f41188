"""Parts of a request: the service it goes to, the user it counts for, and its token."""

from __future__ import annotations

from typing import Annotated

from fastapi import Header, Path, Query, Request

from lastcard.web.contract.base import MOST_PLY
from lastcard.web.limits import user_of
from lastcard.web.service import Service

GameKey = Annotated[str, Path(max_length=40, description="The key that came with the new game.")]
Bearer = Annotated[str | None, Header(description="`Bearer` and the token of the game.")]
Since = Annotated[int, Query(ge=0, le=MOST_PLY, description="The log starts after the event of that number.")]


def service_of(request: Request) -> Service:
    """The service of the application, which `create_app` puts there."""
    service = request.app.state.service
    assert isinstance(service, Service)
    return service


def read_user(request: Request) -> str:
    """The user that the request counts for."""
    return user_of(request.client.host if request.client else None)


def read_token(authorization: str | None) -> str | None:
    """The token of an Authorization header, if it has one."""
    scheme, _, token = (authorization or "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None
