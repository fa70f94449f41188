"""Bases and shared field types of the models that travel between server and client."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema
from typing_extensions import TypeAliasType

from lastcard.web.refusals import REFUSALS

MOST_PLY = 10_000_000
Name = Annotated[str, Field(min_length=1, max_length=100)]
PersonName = Annotated[str, Field(min_length=1, max_length=40)]
Ply = Annotated[int, Field(ge=0, le=MOST_PLY)]
ActionText = Annotated[str, Field(min_length=1, max_length=20)]
CardText = Annotated[str, Field(min_length=1, max_length=4)]
Cards = Annotated[list[CardText], Field(max_length=108)]
# Named, so that the page's types have the same names.
MessageId = TypeAliasType("MessageId", Annotated[str, Field(max_length=64)] | Annotated[int, Field(ge=0, le=2**53)])
Color = TypeAliasType("Color", Literal["r", "y", "g", "b"])
Length = TypeAliasType("Length", Literal["round", "game"])
Ending = TypeAliasType("Ending", Literal["went_out", "blocked", "max_plies"])
BudgetKind = TypeAliasType("BudgetKind", Literal["simulations", "seconds"])
Reaction = TypeAliasType("Reaction", Literal["hello", "nice", "thanks", "wow", "laugh", "oops", "think", "bye"])
RefusalCode = TypeAliasType("RefusalCode", Annotated[str, WithJsonSchema({"enum": list(REFUSALS)})])


class Input(BaseModel):
    """A model that clients send: strict, so that mistakes are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Output(BaseModel):
    """A model that the server sends."""

    model_config = ConfigDict(extra="forbid")


class Problem(Output):
    """An error: the message in English, the field at fault, and what a client makes its own sentence from."""

    message: str
    field: str | None = None
    code: RefusalCode | None = None
    values: dict[str, str | int] | None = None


class ErrorResponse(Output):
    """Any status of 400 and above."""

    error: Problem
