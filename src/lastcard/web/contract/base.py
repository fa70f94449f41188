"""Bases and shared field types of the models that travel between server and client."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

MOST_PLY = 10_000_000
Name = Annotated[str, Field(min_length=1, max_length=100)]
PersonName = Annotated[str, Field(min_length=1, max_length=40)]
MessageId = Annotated[str, Field(max_length=64)] | Annotated[int, Field(ge=0, le=2**53)]
Ply = Annotated[int, Field(ge=0, le=MOST_PLY)]
ActionText = Annotated[str, Field(min_length=1, max_length=20)]
CardText = Annotated[str, Field(min_length=1, max_length=4)]
Cards = Annotated[list[CardText], Field(max_length=108)]


class Input(BaseModel):
    """What a client sends."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Output(BaseModel):
    """What the server sends."""

    model_config = ConfigDict(extra="forbid")


class Problem(Output):
    """What was wrong."""

    message: str
    field: str | None = None


class ErrorResponse(Output):
    """Any status of 400 and above."""

    error: Problem


class ActionOut(Output):
    """What a search made of an action."""

    action: str
    value: float
    error: float
    simulations: int
