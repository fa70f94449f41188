"""Messages that a client sends over the socket."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from lastcard.web.contract.base import ActionText, Input, MessageId, Name, Ply


class Join(Input):
    """The first message: which game, and the proof that one may see it."""

    type: Literal["join"]
    game: Name
    token: Name
    since: Ply = 0


class Act(Input):
    """An action."""

    type: Literal["act"]
    id: MessageId
    ply: Ply
    action: ActionText


class Analyse(Input):
    """A search of the decision at hand, which is told as it goes on."""

    type: Literal["analyse"]
    id: MessageId
    analyst: Name = "halving"
    simulations: Annotated[int, Field(ge=1)] | None = None
    seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None


class Stop(Input):
    """The end of an analysis."""

    type: Literal["stop"]
    id: MessageId


class Next(Input):
    """The next round of a game."""

    type: Literal["next"]


class Back(Input):
    """The person is there again."""

    type: Literal["back"]


class Ping(Input):
    """A sign of life."""

    type: Literal["ping"]


Message = Join | Act | Analyse | Stop | Next | Back | Ping
MESSAGES: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])
